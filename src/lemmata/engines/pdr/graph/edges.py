"""One edge as PDR asks about it: frames of the sources, and a cube of the target.

The guard is asserted once (``oracles.edge``). A lemma ¬cube of a source at level k is ``on_k ⇒ ¬cube`` over the names that the
edge has for the source's variables, with ``on_k ⇒ on_{k+1}``, so that one assumption per source selects F_k. Lemmas are taken
up when the edge is next asked. The goal, a cube of the target over the updates, is assumed literal by literal: cores are free.
When the solver is built anew it hears only of the lemmas that are left.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.budgets import HARD_QUESTION_S
from lemmata.engines.pdr.graph.cube import GraphCube
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.build import disj, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, var
from lemmata.models.graph import Graph
from lemmata.oracles.edge import EdgeSolver
from lemmata.solvers.smt import Sat, Unsat

_RENEW_TERMS = 2000  # assumed terms after which a solver is built anew


class FramedEdge(EdgeSolver):
    """The questions about one edge."""

    def __init__(self, graph: Graph, number: int, frames: GraphFrames, solver: str) -> None:
        super().__init__(graph, graph.edges[number], solver, hard=HARD_QUESTION_S, renew=_RENEW_TERMS)
        self.number = number
        self._frames = frames
        self._begin()
        self.solver.open()

    def _begin(self) -> None:
        """The solver knows the guard, and no lemma."""
        self._seen = [0] * len(self.edge.sources)
        self._levels = 1

    def ask(
        self,
        goal: Sequence[Term],
        levels: Sequence[int | None],
        extra: Sequence[Term] = (),
        until: float | None = None,
        patience: float | None = None,
    ) -> Sat | Unsat | None:
        """⋀ F_levels[j](source j) ∧ guard ∧ extra ∧ goal; a level ``None`` is no frame; the core names goals.

        With ``patience`` (seconds) the answer may be ``None``: too hard. Without, a question that is hard for one solver is
        handed over to another, and so is the edge.
        """
        if 0 in levels or FALSE in goal:
            return Unsat((FALSE,) if FALSE in goal else ())
        on = [_on(j, k) for j, k in enumerate(levels) if k is not None and k < INFINITY]
        given = [*on, *extra, *[x for x in goal if x is not TRUE]]
        if self.solver.is_worn:
            self.solver.restart([self.edge.guard])
            self._begin()
        self._take_up()
        if patience is None:
            return self.solver.check(given, self.wanted, until)
        return self.solver.attempt(given, self.wanted, until, patience)

    def _take_up(self) -> None:
        """State the lemmas that are new at the sources."""
        for j, source in enumerate(self.edge.sources):
            log = self._frames.log[source.location]
            if not self._seen[j]:
                news = [(lemma.cube, lemma.level) for lemma in self._frames.lemmas[source.location]]
            else:
                news = log[self._seen[j] :]
            for cube, level in news:
                self._state(j, cube, level)
            self._seen[j] = len(log)

    def _state(self, j: int, cube: GraphCube, level: int) -> None:
        clause = self.clause(j, cube)
        if level >= INFINITY:
            self.solver.add(clause)
            return
        while self._levels <= level:
            for i in range(len(self.edge.sources)):
                self.solver.add(disj([negate(_on(i, self._levels)), _on(i, self._levels + 1)]))
            self._levels += 1
        self.solver.add(disj([negate(_on(j, level)), clause]))

    def clause(self, j: int, cube: GraphCube) -> Term:
        """¬cube over the variables of the j-th source."""
        return disj([negate(x) for x in self.to_source[j].all(cube.literals)])

    def frame(self, j: int, level: int) -> list[Term]:
        """F_level of the j-th source, as clauses."""
        return [self.clause(j, lemma.cube) for lemma in self._frames.at(self.edge.sources[j].location, level)]


def _on(source: int, level: int) -> Term:
    return var(f"⟨on {source} {level}⟩", BOOL)  # no file has such a name
