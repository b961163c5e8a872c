"""Several engines in one process, taking turns.

Bounded model checking finds shallow bugs at once and goes on forever; PDR proves, and finds bugs too, but may need long for
one that is nine steps away. The turn is always that of the engine which is furthest behind its share; turns grow, and each
engine keeps what it learned, so the price is a constant factor: an answer comes at the latest after ``1 / share`` times what
its engine needs alone. Some engines take long to prepare and cannot be stopped meanwhile: the others catch up afterwards.
Shares are measured, see ``docs/ablation.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from lemmata.budgets import FIRST_TURN_ON_BITS_S, FIRST_TURN_S
from lemmata.engines import Engine
from lemmata.errors import GaveUp
from lemmata.verdict import Unknown, Verdict
from lemmata.work import is_over, now


class Turns(Engine, Protocol):
    """Several engines as one, which can do without one of them."""

    def leave_out(self, prop: int) -> None:
        """The engine that answered about the property last is not asked about it any more."""
        ...

    def has_others(self, prop: int) -> bool:
        """Beside the engine that answered last, is there one that has not given the property up?"""
        ...


class Interleave:
    """Engines with their shares of the time."""

    def __init__(
        self,
        engines: Sequence[tuple[Callable[[], Engine], float]],
        is_on_bits: bool = False,
        between: Callable[[], object] = lambda: None,
    ) -> None:
        """``between`` is called before every turn."""
        self._makers = engines
        self._first_turn = min(FIRST_TURN_S, FIRST_TURN_ON_BITS_S) if is_on_bits else FIRST_TURN_S
        self._made: dict[int, Engine] = {}
        self._between = between
        self._answered: dict[int, int] = {}  # by property: who did so last
        self._left_out: set[tuple[int, int]] = set()  # properties, and who is not asked about them any more
        self._gave_up: set[tuple[int, int]] = set()
        self.name = ""
        self.bound = -1

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """The first answer of any engine."""
        self.bound = -1
        left = {n: share for n, (_, share) in enumerate(self._makers) if (prop, n) not in self._left_out}
        spent = dict.fromkeys(left, 0.0)
        reason = "incomplete"
        while left:
            self._between()
            number = min(left, key=lambda number: spent[number] / left[number])  # who is behind; the first one of equals
            turn = left[number] * max(self._first_turn, sum(spent.values()))
            began = now()
            try:
                verdict = self._engine(number).check(prop, self._end(turn, until, len(left) == 1))
            except GaveUp as gave_up:
                reason = gave_up.reason
                if is_over(until):
                    raise GaveUp("timeout") from gave_up
                if reason != "timeout":
                    self._gave_up.add((prop, number))
                    del left[number]
                continue
            finally:
                spent[number] += now() - began
                self.bound = max(self.bound, self._engine(number).bound)
            if not isinstance(verdict, Unknown):
                self._answered[prop] = number
                self.name = self._engine(number).name
                self.bound = self._engine(number).bound
                return verdict
            reason = verdict.reason
            self._gave_up.add((prop, number))
            del left[number]
        return Unknown(reason)

    def leave_out(self, prop: int) -> None:
        """The engine that answered about the property last is not asked about it any more."""
        self._left_out.add((prop, self._answered[prop]))

    def has_others(self, prop: int) -> bool:
        """Beside the engine that answered last, is there one that has not given the property up?"""
        without = self._left_out | self._gave_up | {(prop, self._answered.get(prop, -1))}
        return any((prop, number) not in without for number in range(len(self._makers)))

    def _engine(self, number: int) -> Engine:
        if number not in self._made:
            self._made[number] = self._makers[number][0]()
            self.name = self._made[number].name
        return self._made[number]

    def _end(self, seconds: float, until: float | None, is_alone: bool) -> float | None:
        if is_alone:
            return until
        end = now() + seconds
        return end if until is None else min(end, until)


class InOrder:
    """A quick engine, which soon has nothing more to say, and then others."""

    def __init__(self, first: Engine, then: Turns) -> None:
        self._engines = (first, then)
        self._passed: set[int] = set()  # properties that the first one cannot settle
        self.name, self.bound = first.name, -1

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """The answer of the first one that has one; a time-out is none."""
        first, then = self._engines
        if prop not in self._passed:
            try:
                verdict = self._ask(first, prop, until)
            except GaveUp as gave_up:
                if gave_up.reason == "timeout":
                    raise
            else:
                if not isinstance(verdict, Unknown):
                    return verdict
            self._passed.add(prop)
        return self._ask(then, prop, until)

    def leave_out(self, prop: int) -> None:
        """The engine that answered about the property last is not asked about it any more."""
        if prop in self._passed:
            self._engines[1].leave_out(prop)
        self._passed.add(prop)

    def has_others(self, prop: int) -> bool:
        """Beside the engine that answered last, is there one that has not given the property up?"""
        return prop not in self._passed or self._engines[1].has_others(prop)

    def _ask(self, engine: Engine, prop: int, until: float | None) -> Verdict:
        try:
            return engine.check(prop, until)
        finally:
            self.name, self.bound = engine.name, engine.bound
