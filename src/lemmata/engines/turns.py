"""Engines that work in turns: a deadline on the work clock, signs of life, and a search that goes on after an interruption."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lemmata import work
from lemmata.budgets import PULSE_S
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Listener
from lemmata.verdict import Verdict


class InTurns(ABC):
    """What such engines have in common. After a time-out, the same property goes on; another one begins anew."""

    name: str

    def __init__(self, listener: Listener) -> None:
        self.bound = -1
        self._listener = listener
        self._until: float | None = None
        self._spoke = 0.0
        self._interrupted: int | None = None  # the property whose search is not over

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property."""
        self._until = until
        is_new = prop != self._interrupted
        if is_new:
            self.bound = -1
        self._interrupted = None
        try:
            return self._settle(prop, is_new)
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                self._interrupted = prop
            raise

    @abstractmethod
    def _settle(self, prop: int, is_new: bool) -> Verdict:
        """Begin, or go on."""

    @abstractmethod
    def _tell(self) -> None:
        """Tell the listener where the search is."""

    def _tick(self) -> None:
        """Is the deadline over? Now and then a sign of life."""
        now = work.now()
        if self._until is not None and now >= self._until:
            raise GaveUp("timeout")
        if now - self._spoke > PULSE_S:
            self._spoke = now
            self._tell()

    def _reach(self, bound: int) -> None:
        """No bad state is within ``bound`` steps."""
        if bound > self.bound:
            self.bound = bound
            self._listener(BoundReached(self.name, bound))
