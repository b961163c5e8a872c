"""Shorter evidence about a graph: fewer and plainer lemmas for the same proof, fewer facts for the same derivation.

A *goal* is an edge and a lemma that must hold after it (or the error that must not be reached). The solver's core names the
lemmas before the edge that a goal needs: its *support*; a lemma that the edge keeps as it stands supports itself. What the
errors need, and what that needs in turn, is a proof; the rest goes. What is left is taken apart into clauses (``lemmas``), of
which again some are needed, and these are left out one by one, the longest first; only the goals that they supported must find
another support. In the end clauses are trimmed and bounds are joined. This is Houdini (Flanagan, Leino 2001) with cores, in the
other direction. When the time is up the best set so far is returned; a caller checks it again in any case.

*Facts*: engines hand over what they found, with detours: a step that changes nothing, a loop, a branch that leads nowhere.
Every fact is replaced by the first one that says the same, and what the error does not need is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from lemmata.budgets import MINIMIZING_CLOSING
from lemmata.certify.graph.claims import after, error_of, fitting_lemmas, renamed
from lemmata.certify.graph.lemmas import clauses, join_bounds, trim
from lemmata.certify.graph.points import hold_somewhere
from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value, make, topological, var
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Sat, Smt, open_solver
from lemmata.work import NODE, is_over, now, tally


def shorten_derivation(graph: Graph, derivation: Derivation) -> Derivation:
    """A derivation of the same error with no more facts; one that does not fit the graph comes back as it is."""
    first: dict[tuple[int, tuple[Value, ...]], int] = {}
    same: list[int] = []
    for number, fact in enumerate(derivation.facts):
        if not 0 <= fact.edge < len(graph.edges) or not all(0 <= p < number for p in fact.premises):
            return derivation
        same.append(first.setdefault((graph.edges[fact.edge].target, fact.values), number))
    needed, stack = set[int](), same[-1:]
    while stack:
        number = stack.pop()
        if number not in needed:
            needed.add(number)
            stack += [same[p] for p in derivation.facts[number].premises]
    place = {number: position for position, number in enumerate(sorted(needed))}
    facts: list[Fact] = []
    for number in sorted(needed):
        fact = derivation.facts[number]
        facts.append(replace(fact, premises=tuple(place[same[p]] for p in fact.premises)))
    return replace(derivation, facts=tuple(facts))


_NODES_PER_GOAL = 4  # for the price of which a goal and its support are looked at

_Lemma = tuple[int, Term]  # location and formula
_Goal = tuple[int, Term | None]  # edge and what must hold after it; None: nothing may come after it


def minimize_claims(
    graph: Graph, prop: int, invariant: GraphInvariant, solver: str = "z3", seconds: float = 10.0
) -> GraphInvariant:
    """A part of ``invariant``, in plainer words, that still proves property ``prop``, found within about ``seconds``."""
    lemmas = [(place, lemma) for place, some in fitting_lemmas(graph, invariant).items() for lemma in some]
    error, until = error_of(graph, prop), now() + seconds
    search = _Search(graph, error, lemmas, solver, until + (MINIMIZING_CLOSING - 1) * seconds)
    try:
        if search.close():
            search.take_apart(until)
            for lemma in sorted(search.kept, key=lambda lemma: (-_size(lemma[1]), lemma[1].number)):
                search.leave_out(lemma)
    except GaveUp:
        pass  # out of time, or over the solver's head: what was kept so far is a proof
    claims = []
    kept = _by_place(search.kept)
    scratch = open_solver(solver)
    for claim in invariant.claims:
        terms = [term for _, term in kept.get(claim.location, ())]
        shorter = join_bounds(trim(terms, scratch, until)) if terms else ()
        claims.append(replace(claim, lemmas=shorter) if claim.lemmas else claim)
    return replace(invariant, claims=tuple(claims))


def _by_place(lemmas: Iterable[_Lemma]) -> dict[int, list[_Lemma]]:
    """The lemmas of each location."""
    found: dict[int, list[_Lemma]] = {}
    for lemma in lemmas:
        found.setdefault(lemma[0], []).append(lemma)
    return found


class _Search:
    """A solver per edge, and what is known of each goal; ``kept`` is a proof at any time."""

    def __init__(self, graph: Graph, error: int, lemmas: Iterable[_Lemma], solver: str, until: float) -> None:
        self.kept = dict.fromkeys(lemmas)
        self._at = _by_place(self.kept)
        self._graph = graph
        self._error = error
        self._solver = solver
        self._until = until
        self._into: dict[int, list[int]] = {}
        for number, edge in enumerate(graph.edges):
            self._into.setdefault(edge.target, []).append(number)
        self._edges: dict[int, _Edge] = {}
        self._among = set(self.kept)
        self._support: dict[_Goal, frozenset[_Lemma]] = {}
        self._users: dict[_Lemma, list[_Goal]] = {}  # the goals that it supports
        self._spans: dict[_Goal, tuple[int, int]] = {}  # which goals were found by way of which: see _is_by_way_of

    def close(self) -> bool:
        """Keep what the errors need; false if that is not inductive, which is for the check to say."""
        return self._repair({})

    def take_apart(self, until: float) -> None:
        """Go on with the clauses of what is kept, until then; the supports that are clauses already stay as they are."""
        parts = {lemma: [(lemma[0], part) for part in clauses(lemma[1])] for lemma in self.kept}
        whole = {lemma for lemma, own in parts.items() if own == [lemma]}
        known = {goal: support for goal, support in self._support.items() if support <= whole}
        self._until = until
        self.kept = dict.fromkeys([part for own in parts.values() for part in own])
        self._among = set(self.kept)
        self._at = _by_place(self.kept)
        for number, edge in self._edges.items():
            edge.learn(self._before(number))
        self._repair(known)

    def leave_out(self, lemma: _Lemma) -> None:
        """Do without a lemma, if possible.

        Most cannot be missed, and one goal that is needed anyway and has no other support tells: it is asked first.
        """
        if lemma not in self.kept:
            return
        if is_over(self._until):
            raise GaveUp("timeout")
        self._among.discard(lemma)
        found: dict[_Goal, frozenset[_Lemma]] = {}
        open_goals: list[_Goal] = [(edge, lemma[1]) for edge in self._into.get(lemma[0], ())]
        for goal in self._users.get(lemma, ()):
            if not self._is_by_way_of(open_goals, goal):
                other = self._edge(goal[0]).support(goal[1], self._among, self._until)
                if other is None:
                    self._among.add(lemma)
                    return
                found[goal] = other
                open_goals.append(goal)
        intact = {goal: support for goal, support in self._support.items() if lemma not in support}
        if not self._repair(intact | found):
            self._among.add(lemma)

    def _repair(self, known: dict[_Goal, frozenset[_Lemma]]) -> bool:
        """Find a support for all goals that count; true if there is one, of which the proof then consists."""
        support: dict[_Goal, frozenset[_Lemma]] = {}
        spans: dict[_Goal, tuple[int, int]] = {}
        stack: list[tuple[_Goal, int]] = [((edge, None), -1) for edge in self._into.get(self._error, ())]
        seen = {goal for goal, _ in stack}
        while stack:
            goal, entered = stack.pop()
            if entered >= 0:  # all that was found by way of it is done
                spans[goal] = entered, len(support)
                continue
            found = known[goal] if goal in known else self._edge(goal[0]).support(goal[1], self._among, self._until)
            if found is None:
                return False
            stack.append((goal, len(support)))
            support[goal] = found
            fresh = [(edge, term) for place, term in sorted(found, key=_rank) for edge in self._into.get(place, ())]
            stack += [(new, -1) for new in fresh if new not in seen]
            seen.update(fresh)
        tally[NODE] += _NODES_PER_GOAL * len(support)
        self._support, self._spans = support, spans
        self._users = {}
        for goal, lemmas in support.items():
            for lemma in lemmas:
                self._users.setdefault(lemma, []).append(goal)
        self.kept = dict.fromkeys([lemma for lemma in self.kept if lemma in self._users])
        self._among = set(self.kept)
        return True

    def _is_by_way_of(self, others: Iterable[_Goal], goal: _Goal) -> bool:
        """Was the goal found because one of the others counts? Then it need not count without them."""
        entered, _ = self._spans[goal]
        return any(first <= entered < last for first, last in [self._spans[own] for own in others if own in self._spans])

    def _edge(self, number: int) -> _Edge:
        if number not in self._edges:
            self._edges[number] = _Edge(self._graph, number, self._before(number), self._solver)
        return self._edges[number]

    def _before(self, number: int) -> list[_Lemma]:
        """The lemmas of the sources of an edge."""
        places = dict.fromkeys(source.location for source in self._graph.edges[number].sources)
        return [lemma for place in places for lemma in self._at.get(place, ())]


class _Edge:
    """An edge, the lemmas before it, and, when it is first asked, an incremental solver with a switch for each lemma."""

    def __init__(self, graph: Graph, number: int, lemmas: Sequence[_Lemma], solver: str) -> None:
        self._graph = graph
        self._edge = graph.edges[number]
        self._name = solver
        self._opened: Smt | None = None
        self._fails: dict[Term, Term] = {}
        self._lemma: dict[Term, _Lemma] = {}  # by its switch
        self._formulas: dict[_Lemma, list[Term]] = {}  # one for each time that the place is a source
        self._same: dict[Term, _Lemma] = {}
        self.learn(lemmas)

    def learn(self, lemmas: Iterable[_Lemma]) -> None:
        """These lemmas are before the edge, too."""
        fresh = [lemma for lemma in lemmas if lemma not in self._formulas]
        for source in self._edge.sources:
            own = [lemma for place, lemma in fresh if place == source.location]
            for lemma, formula in zip(own, renamed(self._graph, source, own), strict=True):
                self._formulas.setdefault((source.location, lemma), []).append(formula)
                self._same[formula] = source.location, lemma
        if self._opened is not None:
            self._switch(self._opened, fresh)

    def support(self, goal: Term | None, among: Set[_Lemma], until: float) -> frozenset[_Lemma] | None:
        """The lemmas with which ``goal`` holds after the edge, or ``None`` if these do not suffice."""
        if is_over(until):
            raise GaveUp("timeout")
        wrong: list[Term] = []
        if goal is not None:
            (held,) = after(self._graph, self._edge, [goal])
            if (same := self._same.get(held)) is not None and same in among:
                return frozenset([same])
            if self._opened is None and self._is_refuted(held, among):
                return None
            wrong = [self._failing(held)]
        solver = self._solver
        answer = solver.check([*wrong, *[switch for switch, lemma in self._lemma.items() if lemma in among]], (), until)
        if isinstance(answer, Sat):
            return None
        return frozenset(self._lemma[term] for term in answer.core if term in self._lemma)

    def _is_refuted(self, held: Term, among: Set[_Lemma]) -> bool:
        """Is it seen without a solver that ``held`` may fail?"""
        known = [formula for lemma, formulas in self._formulas.items() if lemma in among for formula in formulas]
        return hold_somewhere([self._edge.guard, *known, make("not", (held,))])

    @property
    def _solver(self) -> Smt:
        if self._opened is None:
            self._opened = open_solver(self._name)
            self._opened.add(self._edge.guard)
            self._switch(self._opened, self._formulas)
        return self._opened

    def _switch(self, solver: Smt, lemmas: Iterable[_Lemma]) -> None:
        """A switch for each of these lemmas."""
        for lemma in lemmas:
            switch = var(f"lemma {len(self._lemma)} holds", BOOL)
            self._lemma[switch] = lemma
            for formula in self._formulas[lemma]:
                solver.add(make("=>", (switch, formula)))

    def _failing(self, held: Term) -> Term:
        """A switch: this does not hold."""
        if held not in self._fails:
            self._fails[held] = switch = var(f"goal {len(self._fails)} fails", BOOL)
            self._solver.add(make("=>", (switch, make("not", (held,)))))
        return self._fails[held]


def _rank(lemma: _Lemma) -> tuple[int, int]:
    return lemma[0], lemma[1].number


def _size(term: Term) -> int:
    return len(topological([term]))
