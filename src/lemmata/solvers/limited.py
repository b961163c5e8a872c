"""``Limited``: an incremental SAT solver for few and hard questions, with a deadline that holds inside a question.

An answer is a value: a ``Model`` or a ``Core``. The solver works in slices of conflicts: between two slices the clock is read,
progress is told, and an interrupt gets through; what was learnt in a slice is kept for the next. MiniSat does not mind short
slices. CaDiCaL simplifies its clauses only every few thousand conflicts of one call, and without that it was half as fast; so
its slices are long while the deadline is far, and become short when it comes near.

MiniSat is quick while questions are easy, CaDiCaL gets through hard ones. CaDiCaL's "lucky" tricks are off: they walk over all
clauses in every call and did not pay.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pysolvers

from lemmata.errors import GaveUp

Clause = Sequence[int]

_SLICE_S = 0.4
_FIRST_SLICE = 100  # conflicts
_LEAST_SLICE = 50
_ENDLESS = 1 << 60


@dataclass(frozen=True, slots=True)
class Model:
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

    add: Callable[[Clause], object]  # a clause, not empty, for ever
    _worth = 0  # conflicts that a slice should have if there is time

    def __init__(self) -> None:
        self.queries = 0
        self._rate = 0.0  # conflicts per second, 0 = not known yet

    def solve(self, assumptions: Clause, until: float | None = None, breathe: Callable[[], None] = _nothing) -> Model | Core:
        """Settle the clauses under ``assumptions``; ``breathe`` after each slice; past ``until`` raise ``GaveUp``."""
        answer = self.attempt(assumptions, _ENDLESS, until, breathe)
        assert answer is not None
        return answer

    def attempt(
        self, assumptions: Clause, conflicts: int, until: float | None = None, breathe: Callable[[], None] = _nothing
    ) -> Model | Core | None:
        """The same, or ``None`` if so many conflicts do not suffice."""
        self.queries += 1
        lits = list(assumptions)
        last = self.conflicts + conflicts
        while (left := last - self.conflicts) > 0:
            if until is not None and time.monotonic() > until:
                raise GaveUp("timeout")
            start, budget = time.monotonic(), min(left, self._budget(until))
            answer = self._slice(lits, budget)
            breathe()
            if answer is not None:
                return answer
            self._rate = budget / max(time.monotonic() - start, 1e-3)
        return None

    def _budget(self, until: float | None) -> int:
        """The conflicts of the next slice: some tenths of a second, or a quarter of what is left if that is worth more."""
        if not self._rate:
            return _FIRST_SLICE
        seconds = self._worth / self._rate
        if until is not None:
            seconds = min(seconds, (until - time.monotonic()) / 4)
        return max(_LEAST_SLICE, int(self._rate * max(seconds, _SLICE_S)))

    @property
    def conflicts(self) -> int:
        """How many conflicts the solver has had so far."""
        raise NotImplementedError

    def _slice(self, lits: list[int], budget: int) -> Model | Core | None:
        raise NotImplementedError


class Minisat(Limited):
    """MiniSat 2.2: quick to fill, quick on easy questions."""

    def __init__(self) -> None:
        super().__init__()
        self._handle = pysolvers.minisat22_new()
        self.add = partial(pysolvers.minisat22_add_cl, self._handle)

    def __del__(self) -> None:
        pysolvers.minisat22_del(self._handle)

    @property
    def conflicts(self) -> int:
        """How many conflicts the solver has had so far."""
        return int(pysolvers.minisat22_acc_stats(self._handle)["conflicts"])

    def _slice(self, lits: list[int], budget: int) -> Model | Core | None:
        pysolvers.minisat22_cbudget(self._handle, budget)
        status = pysolvers.minisat22_solve_lim(self._handle, lits, 0, 0)  # True, False, or None for "budget spent"
        if status is None:
            return None
        if status:
            return Model(pysolvers.minisat22_model(self._handle) or [])
        return Core(tuple(pysolvers.minisat22_core(self._handle) or ()))


class Cadical(Limited):
    """CaDiCaL 1.9.5: strong on hard questions."""

    _worth = 20_000

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._handle = pysolvers.cadical195_new()
        pysolvers.cadical195_set(self._handle, "lucky", 0)
        pysolvers.cadical195_set(self._handle, "seed", seed)
        self.add = partial(pysolvers.cadical195_add_cl, self._handle)

    def __del__(self) -> None:
        pysolvers.cadical195_del(self._handle, None)

    @property
    def conflicts(self) -> int:
        """How many conflicts the solver has had so far."""
        return int(pysolvers.cadical195_acc_stats(self._handle)["conflicts"])

    def _slice(self, lits: list[int], budget: int) -> Model | Core | None:
        pysolvers.cadical195_cbudget(self._handle, budget)
        status = pysolvers.cadical195_solve_lim(self._handle, lits, 0)  # 1, -1, or 0 for "budget spent"
        if status == 0:
            return None
        if status > 0:
            return Model(pysolvers.cadical195_model(self._handle) or [])
        return Core(tuple(pysolvers.cadical195_core(self._handle, lits) or ()))
