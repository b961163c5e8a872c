"""``Limited``: an incremental SAT solver for few and hard questions, with a deadline that holds inside a question.

An answer is a value: a ``SatModel`` or a ``Core``. The solver works in slices: between two slices the work clock is read,
progress is told, and an interrupt gets through; what was learnt in a slice is kept for the next. Effort is counted in
propagations, which take about the same time on every circuit, so a run can be repeated. MiniSat's slices are short. CaDiCaL
simplifies its clauses only every few thousand conflicts of one call and was half as fast without, so its slices are long.

MiniSat is quick while questions are easy, CaDiCaL gets through hard ones. CaDiCaL's "lucky" tricks are off: they walk over all
clauses in every call and did not pay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pysolvers

from lemmata.budgets import FIRST_SLICE_CONFLICTS, LEAST_SLICE_CONFLICTS
from lemmata.errors import GaveUp
from lemmata.values import dataclass
from lemmata.work import CADICAL, MINISAT, SAT, is_over, tally, units

_Clause = Sequence[int]

_ENDLESS = 1 << 60


@dataclass(frozen=True, slots=True)
class SatModel:
    """An assignment: ``values[v-1]`` is +v or -v."""

    values: list[int]

    def holds(self, lit: int) -> bool:
        """Is ``lit`` true? Variables that the solver has never seen are false."""
        var = abs(lit)
        value = self.values[var - 1] if var <= len(self.values) else -var
        return (value > 0) == (lit > 0)


@dataclass(frozen=True, slots=True)
class Core:
    """Assumptions that cannot hold together; none if the clauses alone are contradictory."""

    failed: tuple[int, ...]


def _nothing() -> None:
    pass


class Limited:
    """One solver over DIMACS literals; the caller numbers the variables, gaps are allowed."""

    add: Callable[[_Clause], object]  # a clause, not empty, for ever
    _kind: int  # of work
    _slice_effort = 1_000_000  # propagations

    def __init__(self) -> None:
        self.queries = 0
        self._cost = 0.0  # propagations per conflict, 0 = not known yet

    def solve(
        self, assumptions: _Clause, until: float | None = None, breathe: Callable[[], None] = _nothing
    ) -> SatModel | Core:
        """Settle the clauses under ``assumptions``; ``breathe`` after each slice; past ``until`` raise ``GaveUp``."""
        answer = self.attempt(assumptions, _ENDLESS, until, breathe)
        assert answer is not None
        return answer

    def attempt(
        self, assumptions: _Clause, effort: int, until: float | None = None, breathe: Callable[[], None] = _nothing
    ) -> SatModel | Core | None:
        """The same, or ``None`` if (about) so many propagations do not suffice."""
        self.queries += 1
        tally[SAT] += 1
        lits = list(assumptions)
        conflicts, propagations = self._counts()
        last = propagations + effort
        while propagations < last:
            if is_over(until):
                raise GaveUp("timeout")
            answer = self._slice(lits, self._budget(last - propagations, until))
            before, (conflicts, propagations) = (conflicts, propagations), self._counts()
            tally[self._kind] += propagations - before[1]
            breathe()
            if answer is not None:
                return answer
            self._cost = max(propagations - before[1], 1) / max(conflicts - before[0], 1)
        return None

    @property
    def effort(self) -> int:
        """How many propagations the solver has made so far."""
        return self._counts()[1]

    def _budget(self, left: int, until: float | None) -> int:
        """The conflicts of the next slice, which may cost ``left`` and about a quarter of the work that is left."""
        if not self._cost:
            return FIRST_SLICE_CONFLICTS
        quarter = (units(until, self._kind) or _ENDLESS) // 4
        return max(LEAST_SLICE_CONFLICTS, int(min(self._slice_effort, left, quarter) / self._cost))

    def _counts(self) -> tuple[int, int]:
        """Conflicts and propagations so far."""
        raise NotImplementedError

    def _slice(self, lits: list[int], budget: int) -> SatModel | Core | None:
        raise NotImplementedError


class Minisat(Limited):
    """MiniSat 2.2: quick to fill, quick on easy questions."""

    _kind = MINISAT

    def __init__(self) -> None:
        super().__init__()
        self._handle = pysolvers.minisat22_new()
        self.add = partial(pysolvers.minisat22_add_cl, self._handle)

    def __del__(self) -> None:
        pysolvers.minisat22_del(self._handle)

    def _counts(self) -> tuple[int, int]:
        counts = pysolvers.minisat22_acc_stats(self._handle)
        return counts["conflicts"], counts["propagations"]

    def _slice(self, lits: list[int], budget: int) -> SatModel | Core | None:
        pysolvers.minisat22_cbudget(self._handle, budget)
        status = pysolvers.minisat22_solve_lim(self._handle, lits, 0, 0)  # True, False, or None for "budget spent"
        if status is None:
            return None
        if status:
            return SatModel(pysolvers.minisat22_model(self._handle) or [])
        return Core(tuple(pysolvers.minisat22_core(self._handle) or ()))


class Cadical(Limited):
    """CaDiCaL 1.9.5: strong on hard questions."""

    _kind = CADICAL
    _slice_effort = 10_000_000

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._handle = pysolvers.cadical195_new()
        pysolvers.cadical195_set(self._handle, "lucky", 0)
        pysolvers.cadical195_set(self._handle, "seed", seed)
        self.add = partial(pysolvers.cadical195_add_cl, self._handle)

    def __del__(self) -> None:
        pysolvers.cadical195_del(self._handle, None)

    def _counts(self) -> tuple[int, int]:
        counts = pysolvers.cadical195_acc_stats(self._handle)
        return counts["conflicts"], counts["propagations"]

    def _slice(self, lits: list[int], budget: int) -> SatModel | Core | None:
        pysolvers.cadical195_cbudget(self._handle, budget)
        status = pysolvers.cadical195_solve_lim(self._handle, lits, 0)  # 1, -1, or 0 for "budget spent"
        if status == 0:
            return None
        if status > 0:
            return SatModel(pysolvers.cadical195_model(self._handle) or [])
        return Core(tuple(pysolvers.cadical195_core(self._handle, lits) or ()))
