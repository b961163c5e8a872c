"""Formulas found so far, tried as invariants of the path program.

What was found for a location along some traces is kept. For a new trace all of it is supposed to hold at each visit, together
with the equations and remainders of its path program (``affine``), sums (``farkas_templates``) and what its edges suggest
(``hints``); what the trace's own edges refute is dropped until nothing changes (Flanagan, Leino 2001). If what is left excludes
the error, it is a proof that does not depend on how often the trace goes through its loops (path invariants: Beyer, Henzinger,
Majumdar, Rybalchenko 2007), and only the part of it that matters is returned: what the error's edge needs, what that needs
before it, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.engines.traces.interpolants.affine import affine_facts
from lemmata.engines.traces.interpolants.ask import Asker
from lemmata.engines.traces.interpolants.hints import hints
from lemmata.engines.traces.interpolants.unfolding import conjuncts
from lemmata.engines.traces.trace import Trace, along
from lemmata.logic.build import conj, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph

_PATIENCE = 1.0  # seconds of the processor for equations and remainders
_MANY = 60  # candidates at a location, the latest ones

Formulas = tuple[Term, ...]


class Pool:
    """Candidates by location."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._candidates: dict[int, dict[Term, None]] = {}
        self._facts: dict[frozenset[int], dict[int, list[Term]]] = {}  # by the edges of a path program

    def add(self, trace: Trace, proof: Sequence[Term]) -> None:
        """Keep what a proof says."""
        for step, formula in zip(trace.steps, proof, strict=True):
            known = self._candidates.setdefault(self._graph.edges[step.edge].target, {})
            for part in conjuncts([formula]):
                if part is not FALSE:
                    known.pop(part, None)
                    known[part] = None

    def prove(self, trace: Trace, asker: Asker) -> Formulas | None:
        """A proof of the trace that is an invariant of its path program, if there is one in the pool."""
        error = self._graph.questions[trace.prop].location
        numbers = list(dict.fromkeys([step.edge for step in trace.steps]))
        places = dict.fromkeys([self._graph.edges[number].target for number in numbers])
        facts = self._path_facts(frozenset(numbers), asker)
        alive = {place: [*facts.get(place, ()), *list(self._candidates.get(place, ()))[-_MANY:]] for place in places}
        alive[error] = [FALSE]
        edges = [_EdgeDesk(self._graph, self._graph.edges[number], asker) for number in numbers]
        if not _fixpoint(edges, alive, error):
            return None
        needed = _needed(edges, alive, error)
        return along(self._graph, trace, {place: conj(formulas) for place, formulas in needed.items()})

    def _path_facts(self, numbers: frozenset[int], asker: Asker) -> dict[int, list[Term]]:
        """Equations and remainders of a path program, and what its edges suggest, computed once."""
        if numbers not in self._facts:
            edges = [self._graph.edges[number] for number in sorted(numbers)]
            facts = asker.patiently(lambda asker: affine_facts(self._graph, edges, asker), _PATIENCE) or {}
            guesses = hints(self._graph, edges)
            self._facts[numbers] = {p: list(dict.fromkeys([*facts.get(p, ()), *found])) for p, found in guesses.items()}
        return self._facts[numbers]


class _EdgeDesk:
    """One edge of the path program, and a solver that knows its guard."""

    def __init__(self, graph: Graph, edge: Edge, asker: Asker) -> None:
        self.edge = edge
        self._desk = asker.desk([edge.guard])
        self._before = [
            dict(zip(graph.locations[source.location].variables, source.variables, strict=True)) for source in edge.sources
        ]
        self._after = dict(zip(graph.locations[edge.target].variables, edge.updates, strict=True))
        self._names = (*[v for source in edge.sources for v in source.variables], *edge.inputs)

    def given(self, alive: dict[int, list[Term]]) -> dict[Term, tuple[int, Term]]:
        """What holds at the sources, in the names of the edge, with where it comes from."""
        return {
            named: (source.location, formula)
            for source, names in zip(self.edge.sources, self._before, strict=True)
            for formula, named in zip(alive[source.location], substitute(alive[source.location], names), strict=True)
        }

    def refuted(self, alive: dict[int, list[Term]]) -> list[Term]:
        """Candidates of the target that do not hold after the edge."""
        goals = dict(zip(alive[self.edge.target], substitute(alive[self.edge.target], self._after), strict=True))
        given = list(self.given(alive))
        dropped: list[Term] = []
        while goals:
            claim = negate(conj(list(goals.values())))
            values = None if claim is FALSE else self._desk.model(self._names, [*given, claim])
            if values is None:
                return dropped
            truths = Program(list(goals.values())).run(values)
            found = [formula for formula, holds in zip(list(goals), truths, strict=True) if not holds]
            if not found:  # the solver divides by zero in its own way
                found = list(goals)
            dropped += found
            for formula in found:
                del goals[formula]
        return dropped

    def needs(self, goal: Term, alive: dict[int, list[Term]]) -> list[tuple[int, Term]]:
        """Candidates of the sources that suffice for one of the target."""
        given = self.given(alive)
        claim = negate(substitute([goal], self._after)[0])
        if claim is FALSE:
            return []
        core = self._desk.least_core([*([] if claim is TRUE else [claim]), *given])
        return [] if core is None else [given[part] for part in core if part in given]


def _fixpoint(edges: Sequence[_EdgeDesk], alive: dict[int, list[Term]], error: int) -> bool:
    """Drop what is refuted until nothing is; ``False`` if the error can be reached then."""
    pending = list(range(len(edges)))
    while pending:
        number = pending.pop(0)
        target = edges[number].edge.target
        dropped = set(edges[number].refuted(alive))
        if not dropped:
            continue
        if target == error:
            return False
        alive[target] = [formula for formula in alive[target] if formula not in dropped]
        for other, desk in enumerate(edges):
            if other not in pending and any(source.location == target for source in desk.edge.sources):
                pending.append(other)
    return True


def _needed(edges: Sequence[_EdgeDesk], alive: dict[int, list[Term]], error: int) -> dict[int, list[Term]]:
    """The part of an inductive set that the error's exclusion rests on."""
    found: dict[int, dict[Term, None]] = {place: {} for place in alive}
    pending: list[tuple[int, Term]] = [(error, FALSE)]
    while pending:
        place, goal = pending.pop()
        for desk in edges:
            if desk.edge.target == place:
                for where, formula in desk.needs(goal, alive):
                    if formula not in found[where]:
                        found[where][formula] = None
                        pending.append((where, formula))
    return {place: list(formulas) for place, formulas in found.items()}
