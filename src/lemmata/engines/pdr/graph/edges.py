"""One edge and its solver: all questions of PDR about a single edge.

The guard is asserted once. A lemma ¬cube of a source at level k is ``on_k ⇒ ¬cube`` over the names that the edge has for the
source's variables, with ``on_k ⇒ on_{k+1}``, so that one assumption per source selects F_k. Lemmas are taken up when the edge
is next asked. The goal, a cube of the target over the updates, is assumed literal by literal: cores are free. What was assumed
stays in a solver as dead weight, so after many questions it is built anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from lemmata.engines.pdr.graph.cube import Cube
from lemmata.engines.pdr.graph.frames import INFINITY, Frames
from lemmata.errors import GaveUp
from lemmata.logic.build import disj, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, var
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.solvers.smt import Inexpressible, Sat, Smt, Unsat, open_solver

_RENEW = 2000  # assumed terms after which a solver is built anew
_HARD = 1.5  # seconds after which a question goes to another solver


class Renaming:
    """Literals over one set of variables as terms over another, remembered."""

    __slots__ = ("_known", "_mapping")

    def __init__(self, old: Sequence[Term], new: Sequence[Term]) -> None:
        self._mapping = {a: b for a, b in zip(old, new, strict=True) if a is not b}
        self._known: dict[Term, Term] = {}

    def __call__(self, literal: Term) -> Term:
        """The literal over the new variables."""
        if not self._mapping:
            return literal
        found = self._known.get(literal)
        if found is None:
            found = self._known[literal] = substitute([literal], self._mapping)[0]
        return found

    def all(self, literals: Iterable[Term]) -> list[Term]:
        """Several."""
        return [self(literal) for literal in literals]


class EdgeSolver:
    """The questions about one edge; ``to_source[j]`` and ``to_here[j]`` rename the variables of its j-th source."""

    def __init__(self, graph: Graph, number: int, frames: Frames, solver: str) -> None:
        self.edge: Edge = graph.edges[number]
        self.number = number
        edge, places = self.edge, graph.locations
        own = [places[s.location].variables for s in edge.sources]
        self.goal = Renaming(places[edge.target].variables, edge.updates)
        self.to_source = [Renaming(v, s.variables) for v, s in zip(own, edge.sources, strict=True)]
        self.to_here = [Renaming(s.variables, v) for v, s in zip(own, edge.sources, strict=True)]
        self.wanted = (*[v for s in edge.sources for v in s.variables], *edge.inputs)
        self.updates = Program(edge.updates)
        self._frames = frames
        self.solver = solver
        self._solver: Smt = self._fresh()

    def _fresh(self) -> Smt:
        solver = open_solver(self.solver)
        solver.add(self.edge.guard)
        self._seen = [0] * len(self.edge.sources)
        self._levels = 1
        self._assumed: set[Term] = set()
        return solver

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
        handed over to z3, and so is the edge; also when that solver has no words for a literal.
        """
        if 0 in levels or FALSE in goal:
            return Unsat((FALSE,) if FALSE in goal else ())
        on = [_on(j, k) for j, k in enumerate(levels) if k is not None and k < INFINITY]
        given = [*on, *extra, *[x for x in goal if x is not TRUE]]
        if self.solver != "z3":
            try:
                answer = self._ask(given, until, patience or _HARD)
                if answer is not None or patience is not None:
                    return answer
            except Inexpressible:
                pass
            self.solver = "z3"
            self._solver = self._fresh()
        return self._ask(given, until, patience)

    def _ask(self, given: list[Term], until: float | None, patience: float | None) -> Sat | Unsat | None:
        if len(self._assumed) > _RENEW:
            self._solver = self._fresh()
        self._take_up()
        self._assumed.update(given)
        now = time.monotonic()
        limit = until if patience is None else now + patience if until is None else min(until, now + patience)
        try:
            return self._solver.check(given, self.wanted, limit)
        except Inexpressible:
            raise
        except GaveUp:
            if patience is None or (until is not None and time.monotonic() >= until):
                raise
            return None

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

    def _state(self, j: int, cube: Cube, level: int) -> None:
        clause = self.clause(j, cube)
        if level >= INFINITY:
            self._solver.add(clause)
            return
        while self._levels <= level:
            for i in range(len(self.edge.sources)):
                self._solver.add(disj([negate(_on(i, self._levels)), _on(i, self._levels + 1)]))
            self._levels += 1
        self._solver.add(disj([negate(_on(j, level)), clause]))

    def clause(self, j: int, cube: Cube) -> Term:
        """¬cube over the variables of the j-th source."""
        return disj([negate(x) for x in self.to_source[j].all(cube.literals)])

    def frame(self, j: int, level: int) -> list[Term]:
        """F_level of the j-th source, as clauses."""
        return [self.clause(j, lemma.cube) for lemma in self._frames.at(self.edge.sources[j].location, level)]


def _on(source: int, level: int) -> Term:
    return var(f"⟨on {source} {level}⟩", BOOL)  # no file has such a name
