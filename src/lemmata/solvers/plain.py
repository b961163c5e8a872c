"""``Plain``: a SAT solver whose answers depend on the formula only.

A solver may answer with any model and any core; which one is luck, and changes with its version. For runs that people read and
tests repeat, ``first`` answers with the first model of an order (true before false, variable by variable) and ``contradiction``
with the subset that a deletion filter leaves. Both cost one query per literal: fine for a classroom, too slow for an engine.
"""

from __future__ import annotations

from collections.abc import Sequence

import pysolvers


class Plain:
    """One incremental solver over DIMACS literals; variables are numbered by ``fresh``."""

    __slots__ = ("_handle", "_variables")

    def __init__(self, variables: int = 0) -> None:
        """Variables 1 to ``variables`` exist from the start."""
        self._handle = pysolvers.minisat22_new()
        self._variables = variables

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            pysolvers.minisat22_del(self._handle)

    def fresh(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause for ever."""
        pysolvers.minisat22_add_cl(self._handle, list(clause))

    def satisfiable(self, assumptions: Sequence[int]) -> bool:
        """Is there a model in which all assumptions hold?"""
        return bool(pysolvers.minisat22_solve(self._handle, list(assumptions), 0))

    def first(self, assumptions: Sequence[int], order: Sequence[int]) -> frozenset[int] | None:
        """The true literals of the first model when ``order`` is decided from left to right, each literal true if it can be."""
        if not self.satisfiable(assumptions):
            return None
        held, model = list(assumptions), self._model()
        for lit in order:
            if lit not in model and self.satisfiable([*held, lit]):
                model = self._model()
            held.append(lit if lit in model else -lit)
        self.satisfiable(held)
        return self._model()

    def contradiction(self, parts: Sequence[int], beside: Sequence[int] = ()) -> list[int] | None:
        """Positions of ``parts`` that fail together ``beside`` the others, none superfluous; ``None`` if all can hold."""
        if self.satisfiable([*beside, *parts]):
            return None
        kept = list(range(len(parts)))
        for position in reversed(range(len(parts))):
            without = [other for other in kept if other != position]
            if not self.satisfiable([*beside, *(parts[other] for other in without)]):
                kept = without
        return kept

    def _model(self) -> frozenset[int]:
        return frozenset(pysolvers.minisat22_model(self._handle))
