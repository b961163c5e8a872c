"""Bounded model checking and k-induction, whatever is unrolled: circuits, systems over words, graphs.

``BoundedSearch`` is BMC (Biere, Cimatti, Clarke, Zhu 1999): is a bad state reachable in 0 steps, in 1 step, in 2 …? Every bound
is asked, in order, so the first counterexample is a shortest one. What one bound means, and how it is asked, is a
``PropertyUnrolling``. BMC proves nothing: it ends without a counterexample only where no run is longer, or where all bounds are
alike: always ``incomplete``.

``Induction`` is k-induction (Sheeran, Singh, Stålmarck 2000): no bad state within k steps, and none after k good steps from
anywhere. Its base is a ``BoundedSearch``, one bound before each step; the step on an unrolling that starts anywhere is an
``InductionStep``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, Protocol, TypeVar

from lemmata.engines.pulse import Pulse
from lemmata.events import BoundReached, Listener
from lemmata.verdict import Evidence, Safe, Unknown, Unsafe, Verdict
from lemmata.work import SAT, tally

Breathe = Callable[[], None]
Run = TypeVar("Run", bound=Evidence)
RunOut = TypeVar("RunOut", bound=Evidence, covariant=True)


class PropertyUnrolling(Protocol[RunOut]):
    """The unrolling of one property, from its initial states on."""

    @property
    def bound(self) -> int:
        """No bad state within this many steps; -1 = nothing known."""
        ...

    @property
    def exhausted(self) -> bool:
        """No deeper bound can find more."""
        ...

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        ...

    def deepen(self, until: float | None, breathe: Breathe) -> RunOut | None:
        """Ask the next bound: a run of that length, or none and ``bound`` goes up; ``GaveUp`` past ``until``."""
        ...


class BoundedSearch(Generic[Run]):
    """Counterexamples, shortest first; built once per model and asked for several properties."""

    def __init__(
        self, name: str, listener: Listener, start: Callable[[int], PropertyUnrolling[Run]], max_bound: int | None = None
    ) -> None:
        """``start`` begins the unrolling of one property; no bound above ``max_bound`` is asked."""
        self.name = name
        self.bound = -1
        self._listener = listener
        self._pulse = Pulse(listener)
        self._start = start
        self._max_bound = max_bound
        self._unrollings: dict[int, PropertyUnrolling[Run]] = {}
        self._found: dict[int, Run] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A shortest counterexample of property ``prop``, or ``Unknown("incomplete")``."""
        unrolling = self._unrolling(prop)
        while not self.is_exhausted(prop) and (self._max_bound is None or unrolling.bound < self._max_bound):
            run = self.deepen(prop, until)
            if run is not None:
                return Unsafe(run)
        return Unknown("incomplete")

    def deepen(self, prop: int, until: float | None = None) -> Run | None:
        """Ask the next bound: a counterexample of that length, or none and ``bound`` goes up."""
        unrolling = self._unrolling(prop)
        if prop in self._found or unrolling.exhausted:
            return self._found.get(prop)

        def breathe() -> None:
            self._pulse.beat(self.name, unrolling.bound, unrolling.bound + 2, unrolling.queries)

        breathe()
        tally[SAT] += 1  # also where there is nothing to ask
        run = unrolling.deepen(until, breathe)
        self.bound = unrolling.bound
        if run is not None:
            self._found[prop] = run
        else:
            self._listener(BoundReached(self.name, unrolling.bound))
        return run

    def is_exhausted(self, prop: int) -> bool:
        """Is it known that no deeper bound finds a counterexample?"""
        return self._unrolling(prop).exhausted

    def _unrolling(self, prop: int) -> PropertyUnrolling[Run]:
        if prop not in self._unrollings:
            self._unrollings[prop] = self._start(prop)
        self.bound = self._unrollings[prop].bound
        return self._unrollings[prop]


def repeated_states(states: Iterable[Hashable]) -> list[tuple[int, int]]:
    """The positions of states that were met before, each with the last position at which they were: the earlier one first."""
    last: dict[Hashable, int] = {}
    pairs = []
    for position, state in enumerate(states):
        if state in last:
            pairs.append((last[state], position))
        last[state] = position
    return pairs


class InductionStep(Protocol):
    """The inductive step of one property, for growing k."""

    k: int

    @property
    def base(self) -> int:
        """The bound that must have been refuted before this step is a proof."""
        ...

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        ...

    def holds(self, until: float | None, breathe: Breathe) -> bool:
        """After k good steps from anywhere, is no bad state possible? ``GaveUp`` past ``until``."""
        ...

    def widen(self) -> None:
        """Go on to k + 1."""
        ...

    def evidence(self) -> Evidence:
        """What the last proof rests on."""
        ...


class Induction(Generic[Run]):
    """Proofs by k-induction and shortest counterexamples; built once per model and asked for several properties."""

    def __init__(self, base: BoundedSearch[Run], listener: Listener, start: Callable[[int], InductionStep]) -> None:
        """``start`` begins the step of one property."""
        self.name = base.name
        self.bound = -1
        self._base = base
        self._pulse = Pulse(listener)
        self._start = start
        self._steps: dict[int, InductionStep] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle property ``prop``."""
        step = self._steps.get(prop) or self._steps.setdefault(prop, self._start(prop))

        def breathe() -> None:
            self._pulse.beat(self.name, self.bound, step.k + 1, step.queries)

        while True:
            try:
                run = self._base.deepen(prop, until)
            finally:
                self.bound = self._base.bound
            if run is not None:
                return Unsafe(run)
            if (proof := self._vacuous(until)) is not None:
                return Safe(proof)
            while step.base <= self.bound or self._base.is_exhausted(prop):
                breathe()
                if step.holds(until, breathe):
                    return Safe(step.evidence())
                step.widen()

    def _vacuous(self, until: float | None) -> Evidence | None:
        """A proof that there is no initial state at all, where one is looked for."""
        return None
