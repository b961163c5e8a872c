"""Are the rounds of a stretch really taken, and do they lead to the values of its fact?

A short stretch is executed, edge by edge. A long one is proved by induction on the round, by the solvers that the caller names
(cvc5 first). Each number moves by the same distance in each round, so it must be that of its values before and after, divided
by the count; all else must not change. With ``x(k) = before + k · distance``, what is asked for a round of guards G and updates
F is

    0 ≤ k < count  ∧  ¬(G(x(k)) ∧ F(x(k)) = x(k + 1))

which must be unsatisfiable. An inner stretch has a counter of its own and its own induction; its distance is that of its first
round. Where rounds differ from each other nothing is proved, and the stretch is refused: whoever tells one must cut it into
straight pieces. Nothing that may be divided by zero is accepted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from lemmata.budgets import REPLAY_EDGES
from lemmata.certify.graph.claims import edge_text, require_shape
from lemmata.certify.graph.open_values import OPEN, OpenProgram, may_be_open
from lemmata.certify.query import Panel
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.projection.purify import value_term
from lemmata.logic.sorts import INT, REAL, Sort
from lemmata.logic.terms import Term, Value, const, make, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import Fact, Stretch, Turn
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Sat

Runner = Callable[[Mapping[Term, Value]], list[Value]]
_Terms = tuple[Term, ...]


def runner(terms: Sequence[Term]) -> Runner:
    """The terms, ready to be evaluated; what may be open stays so."""
    return OpenProgram(terms).run if may_be_open(terms) else Program(terms).run


def check_stretch(graph: Graph, what: str, before: Fact, fact: Fact, panel: Panel) -> None:
    """Raise ``CertificateError`` unless the stretch of ``fact`` leads from the values of ``before`` to its own."""
    assert fact.stretch is not None
    place = graph.edges[before.edge].target
    if _end(graph, what, place, fact.stretch) != graph.edges[fact.edge].target or [*fact.stretch.turns()][-1].edge != fact.edge:
        raise CertificateError(f"{what}: its stretch does not end with its edge")
    if fact.inputs:
        raise CertificateError(f"{what}: the inputs of a stretch are told by its steps")
    if fact.stretch.length <= REPLAY_EDGES:
        if _Execution(graph, what).rounds(place, before.values, fact.stretch) != fact.values:
            raise CertificateError(f"{what}: the rounds of its stretch lead to other values")
        return
    _Induction(graph, what, panel).check(place, before.values, fact.values, fact.stretch)


def _end(graph: Graph, what: str, place: int, stretch: Stretch) -> int:
    """Where a well-formed stretch ends: where it began."""
    if stretch.count < 1 or not stretch.steps:
        raise CertificateError(f"{what}: a stretch has at least one round and one step")
    at = mark = place
    for step in stretch.steps:
        if isinstance(step, Turn):
            at = _target(graph, what, at, mark, step)
        else:
            at = mark = _end(graph, what, at, step)
    if at != place:
        names = graph.locations[place].name, graph.locations[at].name
        raise CertificateError(f"{what}: a round that begins at {names[0]} ends at {names[1]}")
    return at


def _target(graph: Graph, what: str, at: int, mark: int, turn: Turn) -> int:
    if not 0 <= turn.edge < len(graph.edges):
        raise CertificateError(f"{what}: there is no edge {turn.edge}")
    edge = graph.edges[turn.edge]
    require_shape(graph, edge)
    if [source.location for source in edge.sources] != [at]:
        raise CertificateError(f"{what}: {edge_text(edge)} does not start at {graph.locations[at].name} alone")
    terms = [term for _, term in turn.inputs]
    if [v for v, _ in turn.inputs] != list(edge.inputs) or any(v.sort is not term.sort for v, term in turn.inputs):
        raise CertificateError(f"{what}: {edge_text(edge)} needs exactly one term for each input")
    if not set(variables(terms)) <= set(graph.locations[mark].variables):
        raise CertificateError(f"{what}: inputs of {edge_text(edge)} speak of what is no variable of the stretch")
    return edge.target


class _Execution:
    """Rounds one by one."""

    def __init__(self, graph: Graph, what: str) -> None:
        self._graph = graph
        self._what = what
        self._ready: dict[Turn, tuple[Runner, Runner]] = {}

    def rounds(self, place: int, state: tuple[Value, ...], stretch: Stretch) -> tuple[Value, ...]:
        for _ in range(stretch.count):
            at, mark = place, _named(self._graph, place, state)
            for step in stretch.steps:
                if isinstance(step, Turn):
                    state = self._turn(state, mark, step)
                    at = self._graph.edges[step.edge].target
                else:
                    state = self.rounds(at, state, step)
                    mark = _named(self._graph, at, state)
        return state

    def _turn(self, state: tuple[Value, ...], mark: Mapping[Term, Value], turn: Turn) -> tuple[Value, ...]:
        edge = self._graph.edges[turn.edge]
        if turn not in self._ready:
            self._ready[turn] = runner([term for _, term in turn.inputs]), runner([edge.guard, *edge.updates])
        inputs, moves = self._ready[turn]
        here = dict(zip(edge.inputs, inputs(mark), strict=True))
        if any(value is OPEN for value in here.values()):
            raise GaveUp("incomplete")
        guard, *reached = moves(here | dict(zip(edge.sources[0].variables, state, strict=True)))
        if guard is OPEN or any(value is OPEN for value in reached):
            raise GaveUp("incomplete")
        if not guard:
            raise CertificateError(f"{self._what}: the guard of {edge_text(edge)} does not hold in every round")
        return tuple(reached)


class _Induction:
    """All rounds at once."""

    def __init__(self, graph: Graph, what: str, panel: Panel) -> None:
        self._graph = graph
        self._what = what
        self._panel = panel
        self._bounds: list[Term] = []
        self._counters: list[Term] = []
        self._goals: list[Term] = []

    def check(self, place: int, before: tuple[Value, ...], after: tuple[Value, ...], stretch: Stretch) -> None:
        """One question about all rounds of all stretches."""
        used = [self._graph.edges[turn.edge] for turn in stretch.turns()]
        terms = [t for edge in used for t in (edge.guard, *edge.updates)]
        if may_be_open([*terms, *(term for turn in stretch.turns() for _, term in turn.inputs)]):
            raise GaveUp("incomplete")
        sorts = [v.sort for v in self._graph.locations[place].variables]
        gaps = [self._gap(a, b, stretch.count, sort) for a, b, sort in zip(before, after, sorts, strict=True)]
        self._repeat(place, tuple([value_term(a, sort) for a, sort in zip(before, sorts, strict=True)]), gaps, stretch)
        wrong = make("or", tuple(make("not", (goal,)) for goal in dict.fromkeys(self._goals)))
        if isinstance(self._panel.ask([*self._bounds, wrong]), Sat):
            raise CertificateError(f"{self._what}: not every round of its stretch leads where it is said to lead")

    def _gap(self, before: Value, after: Value, count: int, sort: Sort) -> Value:
        """How far a number moves in each round; 0 for all that stays."""
        if sort not in (INT, REAL) and before != after:
            raise CertificateError(f"{self._what}: a {sort} changes in the course of its stretch")
        if before == after:
            return 0
        gap = Fraction(after - before, count) if sort is INT else Fraction(after - before) / count
        if sort is INT and gap.denominator != 1:
            raise CertificateError(f"{self._what}: its numbers do not move by the same distance in every round")
        return int(gap) if sort is INT else gap

    def _repeat(self, place: int, state: _Terms, gaps: Sequence[Value], stretch: Stretch) -> _Terms:
        """The state after all rounds; the goals say that they are taken, and lead there."""
        counter = var(f"round {len(self._counters)}", INT)
        self._counters.append(counter)
        self._bounds.append(make("<=", (const(0, INT), counter)))
        self._bounds.append(make("<", (counter, const(stretch.count, INT))))
        here = _moved(state, gaps, counter)
        there = _moved(state, gaps, make("+", (counter, const(1, INT))))
        reached = self._round(place, here, stretch.steps)
        self._goals += [make("=", pair) for pair in zip(reached, there, strict=True)]
        return _moved(state, gaps, const(stretch.count, INT))

    def _round(self, place: int, state: _Terms, steps: Iterable[Turn | Stretch]) -> _Terms:
        mark = _named(self._graph, place, state)
        for step in steps:
            if isinstance(step, Turn):
                edge = self._graph.edges[step.edge]
                inputs = substitute([term for _, term in step.inputs], mark, make)
                here = dict(zip(edge.inputs, inputs, strict=True)) | dict(zip(edge.sources[0].variables, state, strict=True))
                guard, *updates = substitute([edge.guard, *edge.updates], here, make)
                self._goals.append(guard)
                place, state = edge.target, tuple(updates)
            elif step.count == 1:
                state = self._round(place, state, step.steps)
                mark = _named(self._graph, place, state)
            else:
                state = self._repeat(place, state, self._first(place, state, step), step)
                mark = _named(self._graph, place, state)
        return state

    def _first(self, place: int, state: _Terms, stretch: Stretch) -> list[Value]:
        """How far each number moves in the first round of an inner stretch, when all counters are zero."""
        values = evaluate(state, dict.fromkeys(self._counters, 0))
        return self._distances(place, values, self._run(place, values, stretch.steps))

    def _run(self, place: int, values: Sequence[Value], steps: Iterable[Turn | Stretch]) -> Sequence[Value]:
        """One round, whether or not guards hold; stretches in it move as their first round does."""
        mark = _named(self._graph, place, values)
        for step in steps:
            if isinstance(step, Turn):
                edge = self._graph.edges[step.edge]
                inputs = evaluate([term for _, term in step.inputs], mark)
                given = zip((*edge.inputs, *edge.sources[0].variables), (*inputs, *values), strict=True)
                place, values = edge.target, evaluate(edge.updates, dict(given))
            else:
                after = self._run(place, values, step.steps)
                if step.count > 1:
                    gaps = self._distances(place, values, after)
                    after = [value + step.count * gap if gap else value for value, gap in zip(values, gaps, strict=True)]
                values, mark = after, _named(self._graph, place, after)
        return values

    def _distances(self, place: int, before: Sequence[Value], after: Sequence[Value]) -> list[Value]:
        """How far each number moved; 0 for all that is no number."""
        triples = zip(self._graph.locations[place].variables, before, after, strict=True)
        return [b - a if v.sort in (INT, REAL) else 0 for v, a, b in triples]


def _moved(state: _Terms, gaps: Sequence[Value], rounds: Term) -> _Terms:
    """``state + rounds · gaps``."""
    return tuple(
        [term if gap == 0 else make("+", (term, _times(gap, rounds, term.sort))) for term, gap in zip(state, gaps, strict=True)]
    )


def _times(gap: Value, rounds: Term, sort: Sort) -> Term:
    return make("*", (rounds if sort is INT else make("to_real", (rounds,)), const(gap, sort)))


def _named(graph: Graph, place: int, state: Sequence[Value]) -> dict[Term, Value]:
    """The state by the variables of its location."""
    return dict(zip(graph.locations[place].variables, state, strict=True))
