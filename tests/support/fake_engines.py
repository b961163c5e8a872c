"""Engines that misbehave in one way each, and the tiny circuits that they misbehave on.

``python fake_engines.py NAME ARGUMENTS…`` is the program ``lemmata`` with the fake engine NAME in the place of all engines.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace

from lemmata.engines.registry import ENGINES, EngineRecord
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Progress
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.verdict import Safe, Unsafe
from lemmata.work import OTHER, is_over, tally

SAFE = "aag 1 0 1 0 0 1\n2 2\n2\nl0 still\nb0 moved\n"
UNSAFE = "aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 hot\n"
TWO = "aag 2 0 2 0 0 2\n2 3\n4 4\n2\n4\nl0 toggle\nl1 zero\nb0 hot\nb1 cold\n"


class Fake:
    """Listens to nothing, knows nothing."""

    name = "fake"

    def __init__(self, model: Aig, listener) -> None:
        self.model = model
        self.listener = listener
        self.bound = -1

    def reach(self, bound: int) -> None:
        self.bound = bound
        self.listener(BoundReached(self.name, bound))
        self.listener(Progress(self.name, bound, frames=bound + 1, lemmas=12, obligations=3, queries=45678))


class Sleepy(Fake):
    def check(self, prop, until=None):
        self.reach(7)
        time.sleep(600)


class Stubborn(Fake):
    """In one solver call for a long time: Python's signals do not arrive there, and the lock is held."""

    def check(self, prop, until=None):
        self.reach(3)
        solver = pigeons(13)
        import pysolvers

        pysolvers.minisat22_solve(solver, [], 0)


class Hungry(Fake):
    def check(self, prop, until=None):
        self.reach(1)
        food = []
        while True:
            food.append(bytearray(os.urandom(1 << 20)))


class Greedy(Fake):
    """Wants everything at once."""

    def check(self, prop, until=None):
        bytearray(1 << 45)


class GreedyInC(Fake):
    """As a C++ solver does it: says what is wrong and aborts."""

    def check(self, prop, until=None):
        os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
        os.abort()


class Reserving(Fake):
    """Reserves much and touches nothing, as many young solvers do."""

    def check(self, prop, until=None):
        import mmap

        reserved = [mmap.mmap(-1, 1 << 28, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) for _ in range(8)]
        return Safe(Invariant(() if reserved else ((),), first_latch=self.model.first_latch))


class Raising(Fake):
    def check(self, prop, until=None):
        raise ValueError("the engine is broken")


class Segfaulting(Fake):
    def check(self, prop, until=None):
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(600)


class Lying(Fake):
    """Calls everything safe without a reason."""

    def check(self, prop, until=None):
        return Safe(Invariant((), first_latch=self.model.first_latch))


class LyingTrace(Fake):
    """Calls everything unsafe at once."""

    def check(self, prop, until=None):
        return Unsafe(Trace(prop, (0,) * self.model.latches, ((0,) * self.model.inputs,)))


class Honest(Fake):
    """Knows TWO, SAFE and UNSAFE by heart, reduced or not: a latch that keeps its value is never bad, one that toggles is."""

    def check(self, prop, until=None):
        bad = self.model.properties()[prop].bad
        if bad > 1 and self.model.nexts[(bad >> 1) - self.model.first_latch] != bad:
            return Unsafe(Trace(prop, (0,) * self.model.latches, ((), ())))
        return Safe(Invariant(((bad,),) if bad > 1 else (), first_latch=self.model.first_latch))


class HardFirst(Honest):
    """Settles all properties at once but property 0, which it gives up when it has settled another, and not before."""

    has_settled = False  # in this worker

    def check(self, prop, until=None):
        if prop:
            HardFirst.has_settled = True
            return super().check(prop, until)
        self.reach(5)
        while not is_over(until):
            if HardFirst.has_settled:
                raise GaveUp("incomplete")
            tally[OTHER] += 10_000_000
            time.sleep(0.001)
        raise GaveUp("timeout")


class Helpless(Fake):
    def check(self, prop, until=None):
        self.reach(2)
        raise GaveUp("incomplete")


def pigeons(holes: int) -> object:
    """A solver with the pigeon-hole formula, which keeps it busy for ever."""
    import pysolvers

    solver = pysolvers.minisat22_new()
    at = lambda pigeon, hole: 1 + pigeon * holes + hole  # noqa: E731
    for pigeon in range(holes + 1):
        pysolvers.minisat22_add_cl(solver, [at(pigeon, hole) for hole in range(holes)])
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                pysolvers.minisat22_add_cl(solver, [-at(one, hole), -at(other, hole)])
    return solver


def faked(*kinds: type[Fake]) -> dict[str, EngineRecord]:
    """Records of fake engines on circuits: PDR is the first kind, the others follow in their order."""
    found = {}
    for place, name in enumerate(("pdr", "bmc", "kinduction")):
        kind = kinds[min(place, len(kinds) - 1)]
        found[name] = replace(ENGINES[name], builds={"circuit": lambda model, order, kind=kind: kind(model, order.listener)})
    return found


def install(monkeypatch, *kinds: type[Fake]) -> None:
    """Put fake engines in the place of all engines; workers are forked, so that they know."""
    for name, record in faked(*kinds).items():
        monkeypatch.setitem(ENGINES, name, record)
    monkeypatch.setattr("lemmata.run.processes.process.can_fork", lambda: True)


if __name__ == "__main__":
    from lemmata.cli import command_line

    ENGINES.update(faked(*(globals()[name] for name in sys.argv[1].split(","))))  # type: ignore[attr-defined]
    del sys.argv[1]
    command_line()
