"""Acceleration: errors behind many rounds of a loop, found as if it were one.

Loops that count (``shortcuts``) become edges with an input that says how often they are taken, beside the edges that the graph
has. In that graph a counterexample of 2·10⁹ steps is a few edges deep, and bounded model checking finds it. Its accelerated
edges are then told as stretches of the original ones (``models.stretches``). Acceleration adds no runs, it makes some shorter:
nothing is proved here, and where no loop counts the engine gives up at once. (Bozga, Iosif, Konečný 2010; Kroening, Lewis,
Weissenbacher 2013.)

*One loop* (``accelerated``): a lap that leads back to where it began becomes a lap with an input n. First the choices in the
updates are made, each way a lap of its own. Then each number gets a step: d where the update is ``v + d`` (a remainder around
it is looked through), otherwise that of its update, if variables in it move; all else stays. That is a guess, and the guard
asks for it: ``update = v + d`` in every round, together with the lap's own guard. So a variable that is reset, or lags behind,
joins in from the second round on; inputs are the same in all rounds. After n rounds v is ``v + n·d``. A lap in which nothing
moves counts nothing, and is left alone.

*Which loops*: every edge that leads back to its location; cycles through a few locations, where a location on the way has
accelerated loops of its own also with one of those; at a location with several loops, two of them in turn (large-block encoding
often turns a loop within a loop into that). All within limits, since each becomes an edge that bounded model checking has to
look at in every layer.

For linear graphs. Left out: steps that are variables, polynomials, loops that write arrays at a counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice

from lemmata.budgets import ACCELERATE_LAPS
from lemmata.engines.accelerate.laps import FreshInputs, Lap, RepeatedPlan, again, joined, lap_of, stretch_of
from lemmata.engines.accelerate.rounds import Rounds, _Number, times
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.names import ACCELERATE
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import build, conj, negate
from lemmata.logic.linear import linearize
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, Term, const, topological
from lemmata.logic.walk import fold, substitute
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.models.stretches import follow
from lemmata.oracles.derive import derived_fact
from lemmata.oracles.shape import has_linear_runs
from lemmata.verdict import Unknown, Unsafe, Verdict

_CASES = 8  # ways through the choices of the updates
_LAGS = 4  # variables that lag behind each other


def accelerated(graph: Graph, lap: Lap, names: FreshInputs) -> list[Lap]:
    """Laps that are ``lap`` taken some number of times; none if it does not count."""
    variables = graph.locations[lap.place].variables
    found: list[Lap] = []
    for case in _cases(lap):
        steps = _steps(variables, case, names)
        if steps:
            try:
                found.append(_repeated(variables, case, steps, names))
            except GaveUp:
                continue
    return [lap for lap in found if lap.guard is not FALSE]


def _cases(lap: Lap) -> list[Lap]:
    """One lap for each way through the choices of the updates; not all of them if they are many."""
    done: list[Lap] = []
    waiting = [lap]
    while waiting and len(done) < _CASES:
        one = waiting.pop()
        choice = next((t for t in topological(one.updates) if t.op == "ite" and t.sort in (INT, REAL)), None)
        if choice is None:
            done.append(one)
            continue
        condition, if_true, if_false = choice.args
        for fact, branch in ((negate(condition), if_false), (condition, if_true)):
            guard = conj((one.guard, fact))
            updates = tuple(substitute(one.updates, {choice: branch}))
            if guard is not FALSE:
                waiting.append(Lap(one.place, one.target, one.inputs, guard, updates, one.plan))
    return done


def _steps(variables: tuple[Term, ...], lap: Lap, names: FreshInputs) -> dict[Term, _Number]:
    """How far each number moves in a round; those that stay are left out."""
    pairs = [(v, update) for v, update in zip(variables, lap.updates, strict=True) if v.sort in (INT, REAL)]
    plain = _without_remainders([update for _, update in pairs])
    sums = [(v, linearize(build("-", (update, v)))) for (v, _), update in zip(pairs, plain, strict=True)]
    own = {v: form.constant for v, form in sums if not form.terms}
    others = [(v, update) for v, update in pairs if v not in own]
    known = own
    for _ in range(_LAGS):
        rounds = Rounds(const(1, INT), known, names)
        drifts = [(v, rounds.drift(update)) for v, update in others]
        known = own | {v: drift.step for v, drift in drifts if drift is not None}
    return {v: step if v.sort is INT else Fraction(step) for v, step in known.items() if step}


def _repeated(variables: tuple[Term, ...], lap: Lap, steps: dict[Term, _Number], names: FreshInputs) -> Lap:
    """The lap, n times."""
    count = names.fresh("rounds", INT)
    rounds = Rounds(count, steps, names)
    moves = [build("+", (v, const(steps[v], v.sort))) if v in steps else v for v in variables]
    demands = [build("=", (update, move)) for update, move in zip(lap.updates, moves, strict=True)]
    guard = conj([build("<=", (const(1, INT), count)), *(rounds.always(part) for part in (lap.guard, *demands))])
    updates = [build("+", (v, times(count, steps[v], v.sort))) if v in steps else v for v in variables]
    inputs = (*lap.inputs, count, *rounds.inputs)
    return Lap(lap.place, lap.target, inputs, guard, tuple(updates), (RepeatedPlan(count, lap.plan),))


def _without_remainders(terms: list[Term]) -> list[Term]:
    """``t mod m`` becomes t."""

    def visit(term: Term, args: Sequence[Term]) -> Term:
        if term.op == "mod":
            return args[0]
        return term if tuple(args) == term.args else build(term.op, tuple(args), term.data)

    results = fold(terms, visit)
    return [results[term] for term in terms]


_LOOPS = 60  # edges of one location that are accelerated, and those of all cycles
_PAIRS = 24
_CYCLE_EDGES = 5  # edges of a cycle, accelerated ones not counted


def shortcuts(graph: Graph) -> list[Lap]:
    """Accelerated loops of a linear graph; the simple ones first."""
    names = FreshInputs(graph)
    edges = [lap_of(graph, number, names) for number, edge in enumerate(graph.edges) if edge.sources]
    loops: dict[int, list[Lap]] = {}
    quick: dict[int, list[Lap]] = {}
    for lap in edges:
        if lap.place == lap.target and len(quick.setdefault(lap.place, [])) < _LOOPS:
            loops.setdefault(lap.place, []).append(lap)
            quick[lap.place] += accelerated(graph, lap, names)
    wider = [*_pairs(graph, loops, quick, names), *islice(_cycles(graph, edges, quick, names), _LOOPS)]
    more = [fast for lap in wider if lap.guard is not FALSE for fast in accelerated(graph, lap, names)]
    return [*(lap for laps in quick.values() for lap in laps), *more]


def _pairs(graph: Graph, loops: dict[int, list[Lap]], quick: dict[int, list[Lap]], names: FreshInputs) -> list[Lap]:
    """Two loops of one location in turn."""
    found: list[Lap] = []
    for place, own in loops.items():
        fast = [(first, then) for first in quick[place] for then in own if not _is_of(first, then)]
        slow = list(combinations(own, 2))
        chosen = [*fast[:_PAIRS], *slow[:_PAIRS]]
        found += [joined(graph, again(first, names), again(then, names)) for first, then in chosen]
    return found


def _is_of(fast: Lap, lap: Lap) -> bool:
    """Is the first lap the second one, accelerated?"""
    return any(isinstance(part, RepeatedPlan) and part.body == lap.plan for part in fast.plan)


def _cycles(graph: Graph, edges: list[Lap], quick: dict[int, list[Lap]], names: FreshInputs) -> Iterator[Lap]:
    """Ways from a location back to it, with others in between."""
    leaving: dict[int, list[Lap]] = {}
    for lap in edges:
        if lap.place != lap.target:
            leaving.setdefault(lap.place, []).append(lap)
    looks = 0
    for start in leaving:
        stack: list[tuple[Lap, tuple[int, ...]]] = [
            (again(lap, names), (start, lap.target)) for lap in reversed(leaving[start])
        ]
        while stack and looks < ACCELERATE_LAPS:
            path, seen = stack.pop()
            if path.target == start:
                yield path
                continue
            if len(seen) > _CYCLE_EDGES:
                continue
            ways = [path, *(joined(graph, path, again(lap, names)) for lap in quick.get(path.target, ()))]
            for way in reversed(ways):
                for lap in reversed(leaving.get(path.target, [])):
                    if lap.target == start or lap.target not in seen:
                        looks += 1
                        longer = joined(graph, way, again(lap, names))
                        if longer.guard is not FALSE:
                            stack.append((longer, (*seen, lap.target)))


_DEPTH_EDGES = 12  # edges beyond one for each location


class Accelerator:
    """Deep counterexamples of linear graphs whose loops count."""

    name = ACCELERATE

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "") -> None:
        self.bound = -1
        self._graph = graph
        self._listener = listener
        self._solver = solver
        self._laps: list[Lap] = []
        self._bmc: GraphBmc | None = None

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A counterexample of property ``prop``, or ``Unknown("incomplete")``; ``GaveUp`` if no loop counts."""
        if not has_linear_runs(self._graph):
            raise GaveUp("incomplete")
        bmc = self._faster()
        while not bmc.is_exhausted(prop) and bmc.bound < len(self._graph.locations) + _DEPTH_EDGES:
            found = bmc.deepen(prop, until)
            self.bound = bmc.bound
            if found is not None:
                return Unsafe(self._told(found))
        return Unknown("incomplete")

    def _faster(self) -> GraphBmc:
        if self._bmc is None:
            self._laps = shortcuts(self._graph)
            if not self._laps:
                raise GaveUp("incomplete")
            edges = (*self._graph.edges, *[lap.edge(self._graph) for lap in self._laps])
            self._bmc = GraphBmc(replace(self._graph, edges=edges), self._listener, self._solver, self.name)
        return self._bmc

    def _told(self, derivation: Derivation) -> Derivation:
        """The run over the edges of the graph."""
        facts: list[Fact] = []
        last = -1
        for fact in derivation.facts:
            own = fact.edge - len(self._graph.edges)
            if own < 0:
                facts.append(derived_fact(self._graph, fact.edge, (last,) if fact.premises else (), facts, dict(fact.inputs)))
                last = len(facts) - 1
            else:
                (loop,) = self._laps[own].plan
                assert isinstance(loop, RepeatedPlan)
                last = follow(self._graph, facts, last, stretch_of(loop, dict(fact.inputs)))
        return Derivation(derivation.prop, tuple(facts))
