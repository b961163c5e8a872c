"""``CertificateSolver``: the SAT solver behind certificates, kept apart from the one behind proofs.

A check is worth more when it does not share the solver with what it checks: PDR runs on MiniSat, BMC and k-induction on MiniSat
and CaDiCaL 1.9.5, so certificates are checked by CaDiCaL 1.5.3, or by Glucose 4 where somebody wants a third opinion. Answers
are values: ``CheckedSat`` with a model or ``CheckedUnsat`` with the assumptions that were needed. A solver that runs past
``until`` raises ``GaveUp``: an unknown answer is never mistaken for one of the two.

It speaks to PySAT's compiled module directly, because importing ``pysat.solvers`` costs ten times as much as most checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import pysolvers

from lemmata.budgets import CHECKER_SLICE_CONFLICTS
from lemmata.errors import GaveUp
from lemmata.values import dataclass
from lemmata.work import CADICAL, CLAUSE, MINISAT, SAT, now, tally

Backend = Literal["cadical153", "glucose4"]


@dataclass(frozen=True, slots=True)
class CheckedSat:
    """There is a model: entry ``v - 1`` of ``values`` is ``v`` or ``-v``; variables past its end are free."""

    values: Sequence[int]

    def true(self, lit: int) -> bool:
        """Whether the literal is true in the model; a free variable counts as false."""
        var = abs(lit)
        return (var <= len(self.values) and self.values[var - 1] > 0) == (lit > 0)


@dataclass(frozen=True, slots=True)
class CheckedUnsat:
    """There is none; ``core`` holds the assumptions that were needed."""

    core: tuple[int, ...]


CheckedAnswer = CheckedSat | CheckedUnsat


class CertificateSolver:
    """One solver instance over DIMACS literals."""

    def __init__(self, backend: Backend = "cadical153", until: float | None = None) -> None:
        self.backend = backend
        self._until = until
        stem = "cadical153" if backend == "cadical153" else "glucose41"
        self._call = {
            f: getattr(pysolvers, f"{stem}_{f}") for f in ("acc_stats", "core", "cbudget", "del", "model", "solve", "solve_lim")
        }
        self._handle = getattr(pysolvers, f"{stem}_new")()
        self._add = getattr(pysolvers, f"{stem}_add_cl")
        self._made = 0  # propagations that the work clock knows about

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._call["del"](self._handle, *((None,) if self.backend == "cadical153" else ()))

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self._add(self._handle, clause)

    def add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add many clauses."""
        add, handle = self._add, self._handle
        for clause in clauses:
            tally[CLAUSE] += 1
            add(handle, clause)

    def solve(self, assumptions: Sequence[int] = ()) -> CheckedAnswer:
        """Is there a model of the clauses in which all ``assumptions`` hold?"""
        assumed = list(assumptions)
        tally[SAT] += 1
        if self._until is None:
            found = self._call["solve"](self._handle, assumed, 0)
            self._note_effort()
        else:
            found = self._solve_until(assumed, self._until)
        if found:
            return CheckedSat(self._call["model"](self._handle))
        return CheckedUnsat(self._core(assumed))

    def _solve_until(self, assumed: list[int], until: float) -> bool:
        while now() < until:
            self._call["cbudget"](self._handle, CHECKER_SLICE_CONFLICTS)
            if self.backend == "cadical153":  # says 1, -1, 0 where Glucose says True, False, None
                found = {1: True, -1: False}.get(self._call["solve_lim"](self._handle, assumed, 0))
            else:
                found = self._call["solve_lim"](self._handle, assumed, 0, 0)
            self._note_effort()
            if found is not None:
                return bool(found)
        raise GaveUp("timeout")

    def _note_effort(self) -> None:
        made = self._call["acc_stats"](self._handle)["propagations"]
        tally[CADICAL if self.backend == "cadical153" else MINISAT] += made - self._made
        self._made = made

    def _core(self, assumed: list[int]) -> tuple[int, ...]:
        if not assumed:
            return ()
        core = self._call["core"](self._handle, assumed) if self.backend == "cadical153" else self._call["core"](self._handle)
        return tuple(core or ())
