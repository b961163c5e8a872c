"""A solver that knows only the cones it was asked about.

``Cones`` loads gate definitions from the ``Relation`` on demand and numbers variables compactly, so a frame that needs a
tenth of the circuit searches a tenth of the circuit. The translation is one list indexed by the signed literal: Python's
negative indices make ``local[-v] == -local[v]`` cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from lemmata.solvers.relation import Relation
from lemmata.solvers.sat import SatSolver
from lemmata.work import CLAUSE, tally


class Cones:
    """A ``SatSolver`` over the circuit's own (signed) variables."""

    __slots__ = ("_last", "_latch_of", "_latches", "_pick", "_relation", "local", "retired", "sat")

    def __init__(self, relation: Relation, backend: str) -> None:
        self._relation = relation
        self.sat = SatSolver(backend)
        self.local = [0] * (2 * relation.true + 2)
        self._last = 0
        self._latches: list[int] = []  # positions of loaded latches in a model
        self._latch_of: dict[int, int] = {}  # signed local to signed global
        self._pick: Callable[[list[int]], tuple[int, ...]] | None = None
        self.retired = 0

    def load(self, variables: Iterable[int]) -> None:
        """Make sure that the definitions of ``variables`` and of all they read are there."""
        local, relation = self.local, self._relation
        first, end = relation.model.first_latch, relation.model.first_gate
        owned: list[list[tuple[int, ...]]] = []
        stack = [v for v in variables if not local[v]]
        while stack:
            v = stack.pop()
            if local[v]:
                continue
            self._last = number = self._last + 1
            local[v], local[-v] = number, -number
            if v >= end:
                clauses, reads = relation.definition(v)
                owned.append(clauses)
                stack += reads
            elif v >= first:
                self._latches.append(number - 1)
                self._latch_of[number], self._latch_of[-number] = v, -v
                self._pick = None
        translate, add = local.__getitem__, self.sat.add
        for clauses in owned:
            tally[CLAUSE] += len(clauses)
            for clause in clauses:
                add(list(map(translate, clause)))

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause over loaded or new variables."""
        self.sat.add(self.translate(clause))

    def translate(self, literals: Sequence[int]) -> list[int]:
        """Local literals; what is not there yet is loaded."""
        local = self.local
        translated = [local[x] for x in literals]
        if 0 in translated:
            self.load(map(abs, literals))
            translated = [local[x] for x in literals]
        return translated

    def state(self, model: list[int]) -> frozenset[int]:
        """The latches of a model that was found just now."""
        if len(self._latches) < 2:
            return frozenset(self._latch_of[model[n]] for n in self._latches if n < len(model))
        if self._pick is None:
            self._pick = itemgetter(*self._latches)
        return frozenset(map(self._latch_of.__getitem__, self._pick(model)))

    def temporary(self, clause: Sequence[int]) -> int:
        """A clause that holds while the returned (local) literal is assumed, until ``retire``."""
        translated = self.translate(clause)
        self._last = guard = self._last + 1
        translated.append(-guard)
        self.sat.add(translated)
        return guard

    def retire(self, guard: int) -> None:
        """The clause behind ``guard`` is never wanted again."""
        self.sat.add((-guard,))
        self.retired += 1
