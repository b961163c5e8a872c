"""From locations to a variable: a graph over words becomes a system with a program counter, for engines over bits.

A state of the system is a location and the values of its variables; those of other locations are 0 meanwhile. In each step the
input ``choice`` says which of the edges that leave the location is tried. Where its guard does not hold nothing changes, so
every state has a successor. The counter begins before all initial edges. A state is bad where the error is an edge away.

Way back: what an invariant says of a location is what is left of it when the counter is that location. In a run, steps that
change nothing are left out. (Programs as sequential circuits: Clarke, Kroening, Lerda, TACAS 2004, section 2.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.budgets import BITBLAST_CASES
from lemmata.logic.build import build, conj, disj, equal
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import BOOL, BitVec, Sort
from lemmata.logic.terms import TRUE, Term, bv, const, name_of, value_of, var
from lemmata.logic.values import default_value
from lemmata.logic.walk import conjuncts, substitute
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph
from lemmata.models.system import System, graph_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.transforms.graph.back import claimed
from lemmata.transforms.graph.naming import take_name
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class _Step:
    """One edge in terms of the system: when it is taken, where its inputs come from, and the values at its target."""

    number: int
    taken: Term
    inputs: Mapping[Term, Term]
    updates: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CounterBack:
    """From evidence about the system to evidence about the graph."""

    graph: Graph
    prop: int
    system: System
    codes: Mapping[int, Term]  # of locations, as values of the counter
    steps: tuple[_Step, ...]  # those to the error first

    def invariant(self, invariant: WordInvariant) -> GraphInvariant:
        """What holds at each location."""
        counter, *words = self.system.variables
        told: dict[int, tuple[Term, ...]] = {}
        for n, code in self.codes.items():
            here = set(self.graph.locations[n].variables)
            known = {v: _zero(v.sort) for v in words if v not in here} | {counter: code}
            lemmas = [part for lemma in substitute(invariant.lemmas, known) for part in conjuncts(lemma)]
            told[n] = tuple([part for part in lemmas if part is not TRUE])
        return claimed(self.graph, told)

    def trace(self, trace: WordTrace) -> Derivation:
        """The run, edge by edge."""
        locations = self.graph.locations
        state = dict(trace.initial)
        taken = Program([step.taken for step in self.steps])
        zeros = {leaf: default_value(leaf.sort) for leaf in taken.leaves}
        facts: list[Fact] = []
        for line in trace.inputs:
            given = zeros | state | dict(line)
            step = next((step for step, is_taken in zip(self.steps, taken.run(given), strict=True) if is_taken), None)
            if step is None:
                continue
            edge = self.graph.edges[step.number]
            place = locations[edge.target]
            inputs = tuple([(i, given[leaf]) for i, leaf in step.inputs.items()])
            values = tuple(evaluate(step.updates, given))
            facts.append(Fact(step.number, (len(facts) - 1,) if edge.sources else (), inputs, place, values))
            if edge.target not in self.codes:
                break
            state = {v: default_value(v.sort) for v in state} | dict(zip(place.variables, values, strict=True))
            state[self.system.variables[0]] = value_of(self.codes[edge.target])
        return Derivation(self.prop, tuple(facts))


@dataclass(frozen=True, slots=True)
class CounterReduction:
    """A graph that ``system_of`` takes for a system, and the way back; no ``Reduction``, as in ``functional``."""

    graph: Graph
    back: CounterBack


def with_program_counter(graph: Graph, prop: int) -> CounterReduction | None:
    """The graph as a system with one property; ``None`` if it is no linear graph over words, or a large one."""
    errors = {question.location for question in graph.questions}
    inner = [n for n in range(len(graph.locations)) if n not in errors]
    edges = [(k, edge) for k, edge in enumerate(graph.edges) if edge.target == graph.questions[prop].location]
    edges += [(k, edge) for k, edge in enumerate(graph.edges) if edge.target not in errors]  # what is bad comes first
    words = list(dict.fromkeys(v for n in inner for v in graph.locations[n].variables))
    offered = [*words, *(i for _, edge in edges for i in edge.inputs)]
    if any(len(edge.sources) > 1 for _, edge in edges) or not all(
        isinstance(v.sort, BitVec) or v.sort is BOOL for v in offered
    ):
        return None
    if len(words) * len(edges) > BITBLAST_CASES:
        return None
    names = _Names(words)
    width = max(1, len(inner).bit_length())
    counter = names.variable("location", BitVec(width))
    codes = {n: bv(k, width) for k, n in enumerate(inner, 1)}
    steps, inputs = _steps(graph, edges, counter, codes, names)
    errors_first = [step for step in steps if graph.edges[step.number].target not in codes]
    rest = steps[len(errors_first) :]
    nexts = {counter: _chosen([(step.taken, codes[graph.edges[step.number].target]) for step in rest], counter)}
    updated = [
        dict(zip(graph.locations[graph.edges[step.number].target].variables, step.updates, strict=True)) for step in rest
    ]
    for v in words:
        zero = _zero(v.sort)
        nexts[v] = _chosen([(step.taken, after.get(v, zero)) for step, after in zip(rest, updated, strict=True)], v)
    system = System(
        (counter, *words),
        inputs,
        {v: _zero(v.sort) for v in (counter, *words)},
        nexts,
        TRUE,
        (disj([step.taken for step in errors_first]),),
    )
    back = CounterBack(graph, prop, system, codes, tuple(steps))
    return CounterReduction(graph_of(system, (graph.questions[prop].name,), graph.origin, graph.file), back)


class _Names:
    """Variables with names that nobody has."""

    def __init__(self, known: Sequence[Term]) -> None:
        self._taken = {name_of(v) for v in known}
        self._leaves: dict[Sort, list[Term]] = {}

    def variable(self, name: str, sort: Sort) -> Term:
        """A variable called ``name``, or nearly so."""
        return take_name(var(name, sort), self._taken)

    def leaves(self, wanted: Sequence[Term]) -> dict[Term, Term]:
        """An input of the system for each of these inputs of one edge; those of other edges may be the same ones."""
        found: dict[Term, Term] = {}
        used: dict[Sort, int] = {}
        for i in wanted:
            leaves = self._leaves.setdefault(i.sort, [])
            position = used.get(i.sort, 0)
            if position == len(leaves):
                leaves.append(self.variable(name_of(i), i.sort))
            found[i] = leaves[position]
            used[i.sort] = position + 1
        return found

    @property
    def inputs(self) -> tuple[Term, ...]:
        """All that were made for edges."""
        return tuple([leaf for leaves in self._leaves.values() for leaf in leaves])


def _steps(
    graph: Graph, edges: Sequence[tuple[int, Edge]], counter: Term, codes: Mapping[int, Term], names: _Names
) -> tuple[list[_Step], tuple[Term, ...]]:
    """Every edge as a step, and the inputs of the system."""
    start = bv(0, counter.sort.width)  # type: ignore[attr-defined]
    leaving: dict[Term, int] = {}  # edges that are no errors, by the value of the counter
    found: list[tuple[int, Term, int | None, Term, dict[Term, Term], tuple[Term, ...]]] = []
    for number, edge in edges:
        here = codes[edge.sources[0].location] if edge.sources else start
        inputs = names.leaves(edge.inputs)
        known = dict(inputs)
        for source in edge.sources:
            known |= zip(source.variables, graph.locations[source.location].variables, strict=True)
        guard, *updates = substitute([edge.guard, *edge.updates], known)
        position = None
        if edge.target in codes:
            position = leaving.get(here, 0)
            leaving[here] = position + 1
        found.append((number, here, position, guard, inputs, tuple(updates)))
    most = max(leaving.values(), default=1)
    choice = names.variable("choice", BitVec(max(1, (most - 1).bit_length())))
    steps = []
    for number, here, position, guard, inputs, values in found:
        is_chosen = TRUE if position is None or leaving[here] == 1 else _is_choice(choice, position, leaving[here])
        steps.append(_Step(number, conj([equal(counter, here), is_chosen, guard]), inputs, values))
    return steps, (choice, *names.inputs) if most > 1 else names.inputs


def _is_choice(choice: Term, position: int, choices: int) -> Term:
    """Is this edge tried? The last one is whenever no other one is."""
    value = bv(position, choice.sort.width)  # type: ignore[attr-defined]
    return equal(choice, value) if position < choices - 1 else build("bvule", (value, choice))


def _chosen(cases: Sequence[tuple[Term, Term]], default: Term) -> Term:
    """The value of the case that is taken, of which there is at most one; edges with the same value are one case."""
    by_value: dict[Term, list[Term]] = {}
    for condition, value in cases:
        if value is not default:
            by_value.setdefault(value, []).append(condition)
    chosen = default
    for value, conditions in by_value.items():
        chosen = build("ite", (disj(conditions), value, chosen))
    return chosen


def _zero(sort: Sort) -> Term:
    return const(default_value(sort), sort)
