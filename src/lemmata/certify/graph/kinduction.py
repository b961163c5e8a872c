"""Is this property of a graph k-inductive, given these claims?

For graphs whose edges have at most one source, so that a derivation is a run. ``GraphKInductive`` says what is claimed; three
things are asked, each of fresh solvers:

- the claims are inductive (``claims``), so every state of every run satisfies its claim;
- base: an initial edge and at most k - 1 more do not lead to the error;
- step: k edges in a row do not lead to the error, where the states on the way satisfy their claims, and all of them but the
  last miss the error (inputs that the guard defines are put in; for the others *some* values miss it, which says less).

A shortest run to the error has n + 1 edges. If n < k the base excludes it. Otherwise its last k edges start in a state of the
run, and no state before the last has an edge to the error, since the run would be shorter: the step excludes it.

A path is written as one formula: at each time a state is at some location, and came there by an edge (but for the first).
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.graph.claims import (
    NUMBER_SOLVERS,
    LemmasByLocation,
    check_inductive,
    error_of,
    fitting_lemmas,
    require_shape,
)
from lemmata.certify.journal import Journal
from lemmata.certify.query import Panel
from lemmata.errors import CertificateError
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, Term, make, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import GraphKInductive
from lemmata.models.graph import Edge, Graph
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.smt import Sat


def check_claims_kinductive(
    graph: Graph,
    prop: int,
    evidence: GraphKInductive,
    solvers: Sequence[str] = NUMBER_SOLVERS,
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Who checked that property ``prop`` is k-inductive as ``evidence`` says; ``CertificateError`` if it is not.

    ``GaveUp`` if no solver gets through until ``until``.
    """
    paths = _Paths(graph, error_of(graph, prop), fitting_lemmas(graph, evidence.invariant))
    if evidence.k < 1:
        raise CertificateError(f"k-induction with k = {evidence.k}")
    if any(len(edge.sources) > 1 for edge in graph.edges):
        raise CertificateError("k-induction with an edge that has several sources")
    for edge in graph.edges:
        require_shape(graph, edge)
    panel = Panel(solvers, until, journal)
    check_inductive(graph, evidence.invariant, panel)
    for length in range(evidence.k):
        run = [*paths.starting(), *paths.going(length), paths.failing(length)]
        if isinstance(panel.discharge(ProofObligation("base"), run), Sat):
            raise CertificateError(f"base fails: a run of {length + 1} edges reaches the error")
    k = evidence.k
    path = [paths.anywhere(), *paths.going(k), *paths.lawful(k), paths.failing(k)]
    if isinstance(panel.discharge(ProofObligation("step"), path), Sat):
        raise CertificateError(f"step fails: {k} edges in a row lead to the error though the claims hold on the way")
    return ", ".join(panel.answered)


class _Paths:
    """The formulas of a path; at time t it has taken t edges, besides an initial one."""

    def __init__(self, graph: Graph, error: int, lemmas: LemmasByLocation) -> None:
        self._graph = graph
        self._error = error
        self._lemmas = lemmas
        self._inner = sorted(lemmas)
        self._edges = [(number, edge) for number, edge in enumerate(graph.edges) if edge.target in (error, *self._inner)]

    def starting(self) -> list[Term]:
        """The state at time 0 comes from an initial edge."""
        return self._arriving([(number, edge) for number, edge in self._edges if not edge.sources], 0)

    def anywhere(self) -> Term:
        """The state at time 0 is at some location other than the error."""
        return _some([self._at(location, 0) for location in self._inner])

    def going(self, length: int) -> list[Term]:
        """Edges lead from each time to the next."""
        moves = [(number, edge) for number, edge in self._edges if edge.sources]
        return [formula for time in range(1, length + 1) for formula in self._arriving(moves, time)]

    def lawful(self, length: int) -> list[Term]:
        """Before the last edge the claims hold; before the one before it no edge to the error can be taken."""
        formulas: list[Term] = []
        for time in range(length):
            for location in self._inner:
                names = self._names(location, time)
                claims = substitute(self._lemmas[location], names, make)
                formulas += [make("=>", (self._at(location, time), claim)) for claim in claims]
            if time < length - 1:
                formulas += [self._missed(number, edge, time) for number, edge in self._edges if self._is_last(edge)]
        return formulas

    def failing(self, time: int) -> Term:
        """The state is at the error."""
        return self._at(self._error, time)

    def _is_last(self, edge: Edge) -> bool:
        return edge.target == self._error and len(edge.sources) == 1

    def _missed(self, number: int, edge: Edge, time: int) -> Term:
        """At ``time`` the guard of an edge to the error does not hold, for some values of the inputs that are left in it."""
        (source,) = edge.sources
        names = self._edge_names(number, edge, time, "missed")
        guard = solve_inputs(edge.guard, edge.inputs).guard
        return make("not", (make("and", (self._at(source.location, time), *substitute([guard], names, make))),))

    def _arriving(self, edges: Sequence[tuple[int, Edge]], time: int) -> list[Term]:
        """The state at ``time`` is where one of the edges has led; whoever is at a location came there so."""
        taken = {number: var(f"edge {number} to {time}", BOOL) for number, _ in edges}
        formulas = [_some(list(taken.values()))]
        formulas += [make("=>", (taken[number], self._move(number, edge, time))) for number, edge in edges]
        for location in (*self._inner, self._error):
            into = [taken[number] for number, edge in edges if edge.target == location]
            formulas.append(make("=>", (self._at(location, time), _some(into))))
        return formulas

    def _move(self, number: int, edge: Edge, time: int) -> Term:
        names = self._edge_names(number, edge, time - 1, "taken")
        guard, *updates = substitute([edge.guard, *edge.updates], names, make)
        here = [self._at(source.location, time - 1) for source in edge.sources]
        target = self._names(edge.target, time)
        reached = [
            make("=", (target[v], u)) for v, u in zip(self._graph.locations[edge.target].variables, updates, strict=True)
        ]
        return make("and", (*here, guard, self._at(edge.target, time), *reached))

    def _edge_names(self, number: int, edge: Edge, time: int, use: str) -> dict[Term, Term]:
        names = {v: var(f"{use} {number} {name_of(v)}@{time}", v.sort) for v in edge.inputs}
        for source in edge.sources:
            there = self._names(source.location, time)
            names |= zip(source.variables, there.values(), strict=True)
        return names

    def _names(self, location: int, time: int) -> dict[Term, Term]:
        """The variables of a location at a time."""
        return {v: var(f"{location} {name_of(v)}@{time}", v.sort) for v in self._graph.locations[location].variables}

    def _at(self, location: int, time: int) -> Term:
        return var(f"at {location}@{time}", BOOL)


def _some(formulas: Sequence[Term]) -> Term:
    return make("or", tuple(formulas)) if formulas else FALSE
