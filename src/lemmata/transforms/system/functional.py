"""From relations to functions: a graph in VMT's form becomes a system, so that engines over words and bits can work on it.

Such a graph has one location, an initial edge with a formula I(x), a loop with a relation T(x, i, x′) and edges to errors. The
system has the same reachable states:

- ``solved_form`` finds ``x′ = f(x, i, s)`` where R(x, i, s), with new inputs s that choose among branches of T. Next values
  that nothing defines stay inputs. Where R does not hold nothing changes (``x′ = x``), so every state has a successor, and
  one that violates the property counts even if T leads nowhere from it.
- Equations of I become start values. If more is left, J(x), a new variable ``first`` that is true in the first state only says
  where it holds: the constraint is ``first → J(x)``.

``FunctionalBack`` is the way back. An invariant Inv(x, first) comes back as ``I ∨ Inv(x, false)``: a state is initial or has
been reached by a step. In a run, steps that change nothing are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count

from lemmata.logic.build import disj, implies
from lemmata.logic.evaluate import Program
from lemmata.logic.rewrite.solved import solve_inputs as solve_equations
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, Value, name_of, var
from lemmata.logic.values import default_value
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, GraphKInductive
from lemmata.models.graph import Edge, Graph, Source
from lemmata.models.invariant import KInductive
from lemmata.models.system import System, graph_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.transforms.system.solved_form import SolvedForm, branches, chosen, first_of, solve_relation
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class _VmtShape:
    """The edges of a graph in VMT's form, by their numbers; ``errors`` in the order of the properties."""

    start: int
    loop: int
    errors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FunctionalBack:
    """From evidence about the system to evidence about the graph; ``inputs`` are those of the loop in a step of the system."""

    graph: Graph
    shape: _VmtShape
    system: System
    inputs: Mapping[Term, Term]
    first: Term | None

    @property
    def _place(self) -> int:
        return self.graph.edges[self.shape.loop].target

    def invariant(self, invariant: WordInvariant) -> GraphInvariant:
        """What holds at the location: every lemma, or the state is initial."""
        lemmas: Iterable[Term] = invariant.lemmas
        if self.first is not None:
            initial = self.graph.edges[self.shape.start].guard
            lemmas = [disj([initial, lemma]) for lemma in substitute(invariant.lemmas, {self.first: FALSE})]
        return self._claims(tuple(dict.fromkeys(lemma for lemma in lemmas if lemma is not TRUE)))

    def kinductive(self, proof: KInductive) -> GraphKInductive | None:
        """The property is as inductive on the graph, which has fewer paths; ``None`` if only simple paths were looked at."""
        return None if proof.simple else GraphKInductive(proof.k + 1, self._claims(()))

    def _claims(self, lemmas: tuple[Term, ...]) -> GraphInvariant:
        errors = {question.location for question in self.graph.questions}
        places = [(n, place) for n, place in enumerate(self.graph.locations) if n not in errors]
        return GraphInvariant(tuple(Claim(n, place, lemmas if n == self._place else ()) for n, place in places))

    def trace(self, trace: WordTrace) -> Derivation:
        """The run, without steps that change nothing."""
        system, known = self.system, self.graph.locations[self._place].variables
        program = Program([*(system.nexts[v] for v in system.variables), *self.inputs.values()])
        zeros = {leaf: default_value(leaf.sort) for leaf in program.leaves}
        state = dict(trace.initial)
        facts = [self._fact(self.shape.start, (), state, state)]
        for line in trace.inputs[:-1]:
            values = program.run({**zeros, **state, **dict(line)})
            following = dict(zip(system.variables, values, strict=False))
            if any(following[v] != state[v] for v in known):
                given = dict(zip(self.inputs, values[len(following) :], strict=True))
                facts.append(self._fact(self.shape.loop, (len(facts) - 1,), given, following))
            state = following
        last = self._fact(self.shape.errors[trace.prop], (len(facts) - 1,), {**state, **dict(trace.inputs[-1])}, {})
        return Derivation(trace.prop, (*facts, last))

    def _fact(self, number: int, premises: tuple[int, ...], given: Mapping[Term, Value], state: Mapping[Term, Value]) -> Fact:
        edge = self.graph.edges[number]
        place = self.graph.locations[edge.target]
        inputs = tuple((i, given[i] if i in given else default_value(i.sort)) for i in edge.inputs)
        return Fact(number, premises, inputs, place, tuple(state[v] for v in place.variables))


@dataclass(frozen=True, slots=True)
class FunctionalReduction:
    """A graph that ``system_of`` takes for a system, and the way back.

    No ``Reduction``: evidence about words goes in and evidence about a graph comes out.
    """

    graph: Graph
    back: FunctionalBack


def functional(graph: Graph) -> FunctionalReduction | None:
    """The graph as a system, with all its properties; ``None`` if it has another form."""
    shape = shape_of(graph)
    if shape is None:
        return None
    start, loop = graph.edges[shape.start], graph.edges[shape.loop]
    states = loop.sources[0].variables
    fresh = _Fresh(graph)
    nexts, inputs = _steps(loop, fresh.choice)
    given = solve_equations(start.guard, states)
    starts = {v: given.definitions.get(v) for v in states}
    bads = tuple(graph.edges[number].guard for number in shape.errors)
    first, constraint = None, TRUE
    if given.guard is not TRUE:
        first = fresh.named("first")
        starts, nexts, constraint = {**starts, first: TRUE}, {**nexts, first: FALSE}, implies(first, given.guard)
    read = set(variables([*nexts.values(), *bads]))
    offered = dict.fromkeys([*fresh.choices, *loop.inputs, *(i for n in shape.errors for i in graph.edges[n].inputs)])
    system = System(tuple(nexts), tuple(i for i in offered if i in read), starts, nexts, constraint, bads)
    names = tuple(question.name for question in graph.questions)
    back = FunctionalBack(graph, shape, system, inputs, first)
    return FunctionalReduction(graph_of(system, names, graph.origin, graph.file), back)


def shape_of(graph: Graph) -> _VmtShape | None:
    """Where the edges are, if there is one location with one way in, one loop, and one edge to each error."""
    errors = {question.location for question in graph.questions}
    numbers = range(len(graph.edges))
    into = {graph.edges[n].target: n for n in numbers if graph.edges[n].target in errors}
    starts = [n for n in numbers if not graph.edges[n].sources and graph.edges[n].target not in errors]
    loops = [n for n in numbers if graph.edges[n].sources and graph.edges[n].target not in errors]
    is_small = len(starts) == len(loops) == 1 and len(numbers) == len(into) + 2
    if not is_small or not len(into) == len(errors) == len(graph.questions):
        return None
    start, loop = graph.edges[starts[0]], graph.edges[loops[0]]
    here = Source(loop.target, graph.locations[loop.target].variables)
    if any(graph.edges[n].sources != (here,) for n in (loops[0], *into.values())):
        return None
    if start.target != loop.target or start.updates != here.variables or not set(start.inputs) <= set(here.variables):
        return None
    return _VmtShape(starts[0], loops[0], tuple(into[question.location] for question in graph.questions))


class _Fresh:
    """Variables that no edge has."""

    def __init__(self, graph: Graph) -> None:
        self.choices: list[Term] = []
        self._taken = {name_of(v) for edge in graph.edges for source in edge.sources for v in source.variables}
        self._taken |= {name_of(v) for edge in graph.edges for v in edge.inputs}

    def named(self, name: str) -> Term:
        """A Boolean called ``name``, or nearly so."""
        free = next(text for n in count() if (text := f"{name}~{n}" if n else name) not in self._taken)
        self._taken.add(free)
        return var(free, BOOL)

    def choice(self) -> Term:
        """An input that chooses."""
        self.choices.append(self.named(f"choice{len(self.choices)}"))
        return self.choices[-1]


def _steps(loop: Edge, choice: Callable[[], Term]) -> tuple[dict[Term, Term], dict[Term, Term]]:
    """The next value of each variable, and the value of each input of the loop, in a step of the system."""
    inputs = set(loop.inputs)
    unknown = list(dict.fromkeys([*(v for v in loop.updates if v in inputs), *loop.inputs]))
    cases = [solve_relation(branch, unknown, choice) for branch in branches(loop.guard)]
    conditions = first_of(cases, choice)
    nexts = {}
    for v, update in zip(loop.sources[0].variables, loop.updates, strict=True):
        given = [SolvedForm(case.residual, {v: substitute([update], case.definitions)[0]}) for case in cases]
        nexts[v] = chosen(v, given, conditions, v)
    return nexts, {i: chosen(i, cases, conditions, i) for i in loop.inputs}
