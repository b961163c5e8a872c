"""Fewer lemmas over words for the same proof: ``certify.circuit.minimize`` with one consecution query for all lemmas.

1. Closure: start from the lemmas that the safety query needs (its core), ask ``Inv ∧ C ∧ T ∧ ¬kept′``, and keep what that core
   needs, too, until nothing is missing.
2. Deletion: leave one lemma out; if the rest is still safe and inductive, go on with what the cores of these two queries keep.

Initiation holds lemma by lemma. When the time is up the best set so far is returned; a caller checks it again in any case.

Kept apart from the minimiser of circuits, which asks one query per lemma and so finds a set from which nothing can be left out
(a query over words costs too much for that), and from that of graphs, which asks one query per edge and lemma and changes the
lemmas: what PDR on words found is told in its own literals.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lemmata.certify.words.question import later, question, require_formulas, transition
from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, make, var
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph
from lemmata.models.words import WordInvariant
from lemmata.solvers.smt import Sat, open_solver
from lemmata.work import now


def minimize_words(
    graph: Graph, prop: int, invariant: WordInvariant, solver: str = "bitwuzla", seconds: float = 10.0
) -> WordInvariant:
    """A part of ``invariant`` that still proves property ``prop``, found within ``seconds``."""
    lemmas = tuple(dict.fromkeys(invariant.lemmas))
    kept = frozenset(range(len(lemmas)))
    if len(lemmas) > 1:
        try:
            search = _Search(graph, prop, lemmas, solver, now() + seconds)
            kept = search.closed(kept) or kept
            for number in sorted(kept):
                if number in kept:
                    kept = search.closed(kept - {number}) or kept
        except GaveUp:
            pass  # out of time: what was kept so far is a proof
    return replace(invariant, lemmas=tuple(lemmas[i] for i in sorted(kept)))


class _Search:
    """One incremental solver with C, T, bad and a switch per lemma, now and later."""

    def __init__(self, graph: Graph, prop: int, lemmas: tuple[Term, ...], solver: str, until: float) -> None:
        system, bad = question(graph, prop)
        require_formulas(system, lemmas)
        self._until = until
        self._solver = open_solver(solver)
        self._holds = [var(f"lemma {i} holds", BOOL) for i in range(len(lemmas))]
        self._fails = [var(f"lemma {i} fails later", BOOL) for i in range(len(lemmas))]
        self._bad = var("the state is bad", BOOL)
        self._number = {switch: i for i, switch in enumerate(self._holds)}
        for formula in (system.constraint, *transition(system, variables(lemmas)), make("=>", (self._bad, bad))):
            self._solver.add(formula)
        for holds, lemma in zip(self._holds, lemmas, strict=True):
            self._solver.add(make("=>", (holds, lemma)))
        for fails, lemma in zip(self._fails, later(lemmas, system), strict=True):
            self._solver.add(make("=>", (fails, make("not", (lemma,)))))

    def closed(self, among: frozenset[int]) -> frozenset[int] | None:
        """An inductive and safe subset, or ``None`` if these lemmas are not safe, or what that needs is not inductive."""
        kept = self._needed(self._bad, among)
        while kept:
            goal = make("or", tuple(self._fails[i] for i in sorted(kept)))
            core = self._needed(goal, kept)
            if core is not None:
                return kept
            core = self._needed(goal, among)
            if core is None:
                return None
            kept |= core
        return kept

    def _needed(self, goal: Term, among: Iterable[int]) -> frozenset[int] | None:
        """The lemmas that make ``goal`` impossible, or ``None`` if it is possible."""
        answer = self._solver.check([goal, *(self._holds[i] for i in sorted(among))], (), self._until)
        if isinstance(answer, Sat):
            return None
        return frozenset(self._number[term] for term in answer.core if term in self._number)
