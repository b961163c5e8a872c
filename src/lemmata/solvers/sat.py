"""``SatSolver``: an incremental SAT solver, close to the metal.

PDR asks tens of thousands of tiny queries per second, so this goes straight to PySAT's compiled module and does nothing
else: literals are DIMACS integers, an answer is a value. ``refute`` answers with the failed assumptions or ``None``;
``find`` answers with the values of all variables or ``None``. Whoever needs limits runs the engine in a process of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import pysolvers

from lemmata.work import CADICAL, MINISAT, SAT, tally

SAT_BACKENDS = ("minisat22", "glucose4", "cadical153", "cadical195")


_COUNTED = 8  # questions between two looks at what the solver counts: a look costs as much as an easy question


class SatSolver:
    """One solver. Variables are numbered by the caller, from 1, without gaps."""

    __slots__ = ("_add", "_core", "_counts", "_delete", "_handle", "_is_cadical", "_made", "_model", "_solve", "queries")

    def __init__(self, backend: str = "minisat22") -> None:
        stem = {"glucose4": "glucose41"}.get(backend, backend)
        self._is_cadical = stem.startswith("cadical")  # whose calls take one argument more
        self._handle = getattr(pysolvers, f"{stem}_new")()
        self._add = getattr(pysolvers, f"{stem}_add_cl")
        self._solve = getattr(pysolvers, f"{stem}_solve")
        self._core = getattr(pysolvers, f"{stem}_core")
        self._model = getattr(pysolvers, f"{stem}_model")
        self._delete = getattr(pysolvers, f"{stem}_del")
        self._counts = getattr(pysolvers, f"{stem}_acc_stats")
        self._made = 0  # propagations that the work clock knows about
        self.queries = 0

    def __del__(self) -> None:
        if hasattr(self, "_delete"):
            self._delete(self._handle, *((None,) if self._is_cadical else ()))

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause for ever."""
        self._add(self._handle, clause)

    def refute(self, assumptions: Sequence[int]) -> list[int] | None:
        """The assumptions that fail together (empty if none are needed), or ``None`` if there is a model."""
        self.queries += 1
        tally[SAT] += 1
        is_possible = self._solve(self._handle, assumptions, 0)
        if self.queries % _COUNTED == 0:
            self._note_effort()
        if is_possible:
            return None
        core = self._core(self._handle, list(assumptions)) if self._is_cadical else self._core(self._handle)
        return core or []

    def _note_effort(self) -> None:
        made = self._counts(self._handle)["propagations"]
        tally[CADICAL if self._is_cadical else MINISAT] += made - self._made
        self._made = made

    def values(self) -> list[int]:
        """The model behind the last ``refute`` that answered ``None``: entry v-1 is +v or -v. Ask before anything else."""
        return self._model(self._handle)  # type: ignore[no-any-return]

    def find(self, assumptions: Sequence[int]) -> list[int] | None:
        """A model as a list whose entry v-1 is +v or -v, or ``None``."""
        return self.values() if self.refute(assumptions) is None else None
