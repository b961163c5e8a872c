"""``Transformed``: an engine on another model that answers about the model as it was read.

It is the one wrapper around every engine of a run: a ``Route`` says which model the engine works on and how evidence comes
back. What prepares an engine (reducing, blasting, simplifying) happens in its first turn, so that engines that are never asked
cost nothing. What an engine cannot settle it is not asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lemmata.engines import Engine
from lemmata.errors import GaveUp
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from lemmata.work import now


class Route(Protocol):
    """An engine on another model, and the way back from there; ``position`` counts the properties that were asked for."""

    @property
    def engine(self) -> Engine:
        """The engine."""
        ...

    def asked(self, position: int) -> int:
        """Which property of the other model is meant."""
        ...

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """The engine's answer as one about the model as it was read.

        A proof that took ``spent`` seconds may lose redundant parts on the way. ``GaveUp`` where there is no way back.
        """
        ...


class Transformed:
    """An engine by its name, which is its own if none is given; ``start`` makes its route."""

    def __init__(self, name: str, start: Callable[[], Route]) -> None:
        self.name = self._given = name
        self.bound = -1
        self._start = start
        self._route: Route | None = None
        self._spent: dict[int, float] = {}
        self._refused: dict[int, str] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property; what cannot be settled so is refused (``incomplete``) now and ever after.

        Likewise where somebody has stopped the engine (``interrupted``).
        """
        if prop in self._refused:
            raise GaveUp(self._refused[prop])
        try:
            verdict = self._check(prop, until)
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                raise
            self._refused[prop] = "interrupted" if gave_up.reason == "interrupted" else "incomplete"
            raise GaveUp(self._refused[prop]) from gave_up
        if isinstance(verdict, Unknown):
            self._refused[prop] = "incomplete"
        return verdict

    def _check(self, prop: int, until: float | None) -> Verdict:
        began = now()
        if self._route is None:
            self._route = self._start()
        route = self._route
        try:
            verdict = route.engine.check(route.asked(prop), until)
        finally:
            self.name, self.bound = self._given or route.engine.name, route.engine.bound
            self._spent[prop] = self._spent.get(prop, 0.0) + now() - began
        return verdict if isinstance(verdict, Unknown) else route.back(prop, verdict, self._spent[prop], until)
