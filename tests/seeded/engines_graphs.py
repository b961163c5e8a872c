"""Mistakes of abstract interpretation, traces, symbolic execution, acceleration, BMC and k-induction on graphs."""

from __future__ import annotations

from lemmata.engines.abstract import Abstract
from lemmata.engines.accelerate.engine import Accelerator
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.graph.kinduction import GraphKInduction
from lemmata.engines.symbolic.engine import Symbolic
from lemmata.engines.traces.engine import Traces
from lemmata.engines.traces.interpolants import Interpolants
from lemmata.models.graph import Graph
from tests.seeded.bug import SeededBug, edit
from tests.seeded.graph_corpus import catchers


def _traces(graph: Graph) -> Traces:
    return Traces(graph, Interpolants(graph))


SAFE, UNSAFE = "safe".__eq__, "unsafe".__eq__
ABSTRACT = catchers("abstract interpretation", Abstract, ("inputs", "branches, missed", "two doors", "nothing happens"), SAFE)
TRACES = catchers("traces", _traces, ("phases, missed", "two sources, reached", "two sources, missed", "swap", "program"))
SYMBOLIC = catchers("symbolic execution", Symbolic, ("counter", "branches, missed", "branches, reached", "two starts"))
ACCELERATE = catchers("acceleration", Accelerator, ("not so far", "far"), UNSAFE)
BMC = catchers(
    "BMC on graphs", GraphBmc, ("counter", "inputs", "branches, reached", "two sources, reached"), UNSAFE, ends=False
)
KINDUCTION = catchers("k-induction on graphs", GraphKInduction, ("ring", "swap", "branches, reached"))

A, T, G = "engines.abstract", "engines.traces", "engines.graph"
POST, SEARCH, LAYERS, STEP = (
    f"{T}.hoare:Postcondition",
    "engines.symbolic.engine:_Search",
    f"{G}.layers:Layers",
    f"{G}.kinduction:_Step",
)

BUGS: tuple[SeededBug, ...] = (
    edit(
        "steps along the last edge are not joined",
        f"{A}.ascent:Ascent.__init__",
        "set(range(len(steps)))",
        "set(range(len(steps) - 1))",
        ABSTRACT["certify"],
    ),
    edit(
        "an edge is done though it had a step", f"{A}.ascent:Ascent._exhaust", "is_clean = False", "pass", ABSTRACT["certify"]
    ),
    edit(
        "an edge into the error counts as impossible when it is possible",
        f"{A}.engine:Abstract._is_impossible",
        "is None",
        "is not None",
        ABSTRACT["certify"],
    ),
    edit(
        "one edge into the error is enough",
        f"{A}.engine:Abstract._is_proved",
        "return all(",
        "return any(",
        ABSTRACT["certify"],
    ),
    edit(
        "a point that breaks an equation changes nothing",
        "oracles.affine_hull:AffineHull.join",
        "if not broken",
        "if True",
        ABSTRACT["unsettled"],
    ),
    edit(
        "a proof needs what keeps the error away, and not what keeps that",
        "oracles.support:closure",
        "waiting += fresh",
        "pass",
        ABSTRACT["certify"],
    ),
    edit(
        "claims leave a fact out",
        f"{A}.engine:Abstract._evidence",
        "tuple(facts[index])",
        "tuple(facts[index][1:])",
        ABSTRACT["certify"],
    ),
    edit(
        "everything follows after an edge",
        f"{POST}._ask",
        "case Sat(values):",
        "case Sat(values) if number == CONTRADICTION:",
        TRACES["certify"],
        (f"{POST}._ask", "return 0", "return None"),
    ),
    edit(
        "every edge is impossible at the second look",
        f"{POST}._found",
        "if not is_possible",
        "if is_possible",
        TRACES["unsettled"],
    ),
    edit(
        "what is kept is not looked at for the edge",
        f"{POST}._take_up",
        "if self._goals.get(n) is term]",
        "]",
        TRACES["certify"],
    ),
    edit(
        "a core forgets what it needs",
        f"{POST}._learn",
        "for j, n in needed if j == position",
        "for j, n in needed[:-1] if j == position",
        TRACES["certify"],
    ),
    edit(
        "guards are forgotten in triples",
        f"{POST}.__init__",
        "EdgeSolver(graph, edge, solver, renew=_RENEW_TERMS)",
        "EdgeSolver(graph, edge, solver, known=TRUE, renew=_RENEW_TERMS)",
        TRACES["unsettled"],
    ),
    edit(
        "the states of an automaton that leads nowhere are not claimed",
        f"{T}.difference:automaton_difference",
        "removed.add(automaton.places[old], label)",
        "pass",
        TRACES["certify"],
    ),
    edit(
        "a trace through two sources is taken as infeasible",
        f"{T}.difference:_Product.explored",
        "for chosen in self._choices(sources, state):",
        "for chosen in ():",
        TRACES["certify"],
    ),
    edit(
        "a path is possible only if it is unsatisfiable",
        f"{SEARCH}._is_possible",
        "not isinstance",
        "isinstance",
        SYMBOLIC["certify"],
    ),
    edit(
        "a state is contained in another that shares a fact",
        f"{SEARCH}._container",
        "if not missing",
        "if len(missing) < 2",
        SYMBOLIC["certify"],
    ),
    edit(
        "containment is asked the wrong way round",
        f"{SEARCH}._container",
        "negate(conj(missing))",
        "conj(missing)",
        SYMBOLIC["certify"],
    ),
    edit(
        "states with the same values are joined whatever their branches",
        f"{SEARCH}._joined",
        "negate(mine[0]) in other.facts",
        "True",
        SYMBOLIC["unsettled"],
    ),
    edit(
        "the second edge of a state is not followed",
        f"{SEARCH}._follow",
        "self._arrive(node, number, edge, taken, until)",
        "return self._arrive(node, number, edge, taken, until)",
        SYMBOLIC["certify"],
    ),
    edit("a path is told backwards", f"{SEARCH}._counterexample", "path.reverse()", "pass", SYMBOLIC["unsettled"]),
    edit(
        "claims are the first state of a location",
        "engines.symbolic.claims:claims",
        "_claim(found.get(number, [()]))",
        "_claim(found.get(number, [()])[:1])",
        SYMBOLIC["certify"],
    ),
    edit(
        "a loop is taken once too often",
        "engines.accelerate.engine:_repeated",
        "times(count, steps[v], v.sort)",
        'times(build("+", (count, const(1, INT))), steps[v], v.sort)',
        ACCELERATE["unsettled"],
    ),
    edit(
        "numbers do not move",
        "engines.accelerate.engine:_repeated",
        'build("+", (v, times(count, steps[v], v.sort)))',
        "v",
        ACCELERATE["unsettled"],
    ),
    edit(
        "a stretch is told with one round more",
        "engines.accelerate.engine:_repeated",
        "RepeatedPlan(count, lap.plan)",
        'RepeatedPlan(build("+", (count, const(1, INT))), lap.plan)',
        ACCELERATE["unsettled"],
    ),
    edit(
        "a number moves by twice its step",
        "engines.accelerate.engine:_steps",
        "own = {v: form.constant for",
        "own = {v: 2 * form.constant for",
        ACCELERATE["unsettled"],
    ),
    edit("guards are not demanded of a way", f"{LAYERS}._arrive", "conj([before, guard])", "before", BMC["unsettled"]),
    edit(
        "the inputs of a step are those of the layer before",
        f"{G}.bmc:LayerUnrolling._derivation",
        "input_at(i, layer)]",
        "input_at(i, max(layer - 1, 0))]",
        BMC["unsettled"],
    ),
    edit(
        "the first way is taken whatever the model says",
        f"{G}.bmc:LayerUnrolling._derivation",
        "if way.taken.is_const or answer.values[way.taken]",
        "",
        BMC["unsettled"],
    ),
    edit(
        "a layer forgets how its state came about",
        f"{LAYERS}._spot",
        "conj([way.taken, *moves])",
        "way.taken",
        KINDUCTION["unsettled"],
    ),
    edit("a run is told from its end", f"{G}.bmc:LayerUnrolling._derivation", "steps[::-1]", "steps", BMC["unsettled"]),
    edit(
        "the step is unsatisfiable when it is satisfiable",
        f"{STEP}.is_inductive",
        "isinstance(self._solver.check((disj([way.taken for way in goals]),), until=until), Unsat)",
        "True",
        KINDUCTION["certify"],
    ),
    edit(
        "the last state misses the error, too",
        f"{STEP}.deepen",
        "list(self._lemmas[spot.location])",
        "[*self._lemmas[spot.location], *self._missed.get(spot.location, [])]",
        KINDUCTION["certify"],
    ),
    edit(
        "k is told one too small",
        f"{STEP}.evidence",
        "GraphKInductive(self.k, facts)",
        "GraphKInductive(self.k - 1, facts)",
        KINDUCTION["certify"],
    ),
    edit(
        "2-inductive properties are told as inductive without what is missed",
        f"{STEP}.evidence",
        "self._invariant(self._missed)",
        "facts",
        KINDUCTION["certify"],
    ),
)
