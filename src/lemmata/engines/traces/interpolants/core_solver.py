"""Questions about sets of formulas: is this a contradiction, and which of them does it need?

A ``CoreSolver`` is one solver. What is given to it with ``push`` stays until ``pop``; all else comes with the question, as
assumptions. Cores are made smaller by leaving formulas out one by one (Dershowitz, Hanna, Nadel 2006), in the order
given, the first first, while there are questions left. ``last_core`` is the preferred one instead (Junker 2004): it has the
latest formulas that will do.

Work that only makes something better has a limit that is looked at between questions: to stop Yices within one is costly, and
sometimes more than that. Only a question that hangs is stopped. It is not replaced on
the way (``oracles.fallback``): where it has no answer, all of a trace is decided again by another one (``checker``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from lemmata.budgets import CORE_QUERIES, TRACE_QUESTION_S
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term, Value
from lemmata.solvers.smt import Unsat, open_solver
from lemmata.values import dataclass
from lemmata.work import is_over, now

_X = TypeVar("_X")


@dataclass(frozen=True, slots=True)
class SolverLimits:
    """Which solver is asked, until when (on the work clock), and until when what only makes something better goes on."""

    backend: str
    until: float | None = None
    spent: float | None = None  # likewise, looked at between questions

    def core_solver(self, facts: Sequence[Term] = ()) -> CoreSolver:
        """A new solver with some facts."""
        return CoreSolver(self, facts)

    def question_until(self) -> float | None:
        """When a question that is asked now has to be answered; ``GaveUp`` if it is too late to ask."""
        if self.spent is None:
            return self.until
        if is_over(self.spent):
            raise GaveUp("timeout")
        last = now() + TRACE_QUESTION_S
        return last if self.until is None else min(last, self.until)

    def patiently(self, work: Callable[[SolverLimits], _X | None], patience: float) -> _X | None:
        """The result of ``work``; ``None`` if it takes more than ``patience`` or a solver cannot answer."""
        try:
            return work(replace(self, spent=now() + patience))
        except GaveUp:
            if is_over(self.until):
                raise
            return None


class CoreSolver:
    """One solver."""

    def __init__(self, limits: SolverLimits, facts: Sequence[Term] = ()) -> None:
        self.limits = limits
        self._solver = open_solver(limits.backend)
        self.add(facts)

    def add(self, facts: Sequence[Term]) -> None:
        """Add facts."""
        for fact in facts:
            self._solver.add(fact)

    def push(self, facts: Sequence[Term]) -> None:
        """Add facts, to be taken away by ``pop``."""
        self._solver.push()
        self.add(facts)

    def pop(self) -> None:
        """Take the facts of the last ``push`` away."""
        self._solver.pop()

    def core(self, assumptions: Sequence[Term]) -> tuple[Term, ...] | None:
        """Assumptions that contradict what was added; ``None`` if all of them do not."""
        answer = self._solver.check(assumptions, (), self.limits.question_until())
        return answer.core if isinstance(answer, Unsat) else None

    def model(self, wanted: Sequence[Term], assumptions: Sequence[Term] = ()) -> dict[Term, Value] | None:
        """Values of ``wanted`` where everything holds; ``None`` if that is impossible."""
        answer = self._solver.check(assumptions, wanted, self.limits.question_until())
        return None if isinstance(answer, Unsat) else dict(answer.values)

    def least_core(self, assumptions: Sequence[Term], tries: int = CORE_QUERIES) -> tuple[Term, ...] | None:
        """A core from which nothing can be left out, as far as ``tries`` questions tell."""
        found = self.core(assumptions)
        if found is None:
            return None
        chosen = set(found)
        kept = [part for part in assumptions if part in chosen]
        at = 0
        while at < len(kept) and tries:
            tries -= 1
            smaller = self.core([*kept[:at], *kept[at + 1 :]])
            if smaller is None:
                at += 1
            else:
                chosen = set(smaller)
                kept = [*kept[:at], *[part for part in kept[at + 1 :] if part in chosen]]  # those before are all needed
        return tuple(kept)

    def last_core(self, assumptions: Sequence[Term]) -> tuple[Term, ...]:
        """The core that has as few as possible of the first assumptions: the longest part that can go goes, then on.

        Together the assumptions are contradictory.
        """
        kept: list[Term] = []
        at = 0
        while at < len(assumptions) and self.core(kept) is None:
            at = self._needed(kept, assumptions, at)
            kept.append(assumptions[at])
            at += 1
        return tuple(kept)

    def _needed(self, kept: Sequence[Term], assumptions: Sequence[Term], low: int) -> int:
        """The place of the next assumption that is needed: all before it can go. Contradictory from ``low`` on."""
        step, high = 1, low + 1
        while high < len(assumptions) and self.core([*kept, *assumptions[high:]]) is not None:
            low, step = high, 2 * step
            high = min(low + step, len(assumptions))
        while high - low > 1:
            middle = (low + high) // 2
            if self.core([*kept, *assumptions[middle:]]) is None:
                high = middle
            else:
                low = middle
        return low
