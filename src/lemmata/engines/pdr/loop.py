"""Property Directed Reachability on one page.

The loop keeps F_0 = I ⊆ F_1 ⊆ … ⊆ F_k, where F_i contains every state reachable within i steps and no F_i below the frontier
meets a bad state. It finds a bad cube at the frontier, blocks it backwards through obligations, learns lemmas on the way,
opens a level when the frontier is clean, and pushes lemmas forward until two neighbouring frames are equal: an invariant.

Bradley 2011 (IC3); Eén, Mishchenko, Brayton 2011 (PDR). Frames do not start as P, so every lemma speaks of the circuit alone
and serves all of its properties; what is known when one property is settled is there for the next.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.engines.pdr.frames import Fixpoint, Frames, Lemma
from lemmata.engines.pdr.generalize import Generalizer
from lemmata.engines.pdr.obligations import Obligation, ObligationQueue
from lemmata.engines.pdr.oracle import INFINITY, Cti, Cube, Inductive, Oracle
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The first obligation meets an initial state, the last one is bad."""

    path: list[Obligation]


@dataclass(slots=True)
class PdrLoop:
    """PDR; ``frames`` outlive one call, so that the next property finds the lemmas of the last."""

    oracle: Oracle
    generalizer: Generalizer
    frames: Frames
    requeue: bool = True
    forever: bool = True
    tick: Callable[[], None] = lambda: None  # called between queries: progress, limits
    opened: Callable[[int], None] = lambda level: None  # called when no bad state is reachable within ``level`` steps
    learned: Callable[[Cube, int], None] = lambda cube, level: None
    attended: Callable[[Obligation], None] = lambda obligation: None  # called when an obligation's turn has come
    obligations: int = 0
    returned: Obligation | None = None  # the one that came back most often
    frontier: int = 0
    immortals: int = 0  # lemmas that came to F_∞

    def run(self) -> Fixpoint | Counterexample:
        """Decide the oracle's current property."""
        if self.frames.forever and self.oracle.bad(INFINITY) is None:
            return Fixpoint(INFINITY)
        self.frontier, self.returned = 0, None
        return self.go_on()

    def go_on(self) -> Fixpoint | Counterexample:
        """Decide the same property after an interruption: no level below the frontier meets a bad state."""
        while True:
            while (cti := self.oracle.bad(self.frontier)) is not None:
                found = self._block(Obligation(cti.cube, self.frontier, cti.inputs))
                if found is not None:
                    return Counterexample(found.path())
            self.opened(self.frontier)
            if self.frontier == self.frames.depth:
                self.frames.open()
                self.oracle.open()
            self.frontier += 1
            level = self._propagate()
            if level is not None:
                return self._fixpoint(level)

    def _block(self, root: Obligation) -> Obligation | None:
        """Block the root at its level; or the obligation where a counterexample starts."""
        if root.level == 0 or self.oracle.initial(root.cube):
            return root
        queue = ObligationQueue()
        queue.push(root)
        while queue:
            self.tick()
            obligation = queue.pop()
            self.obligations = len(queue) + 1
            self.attended(obligation)
            if self.frames.blocks(obligation.cube, obligation.level):
                self._again(queue, obligation, obligation.level + 1)
                continue
            match self.oracle.consecution(obligation.cube, obligation.level - 1):
                case Cti(cube, inputs):
                    earlier = Obligation(cube, obligation.level - 1, inputs, obligation, obligation.depth + 1)
                    if earlier.level == 0 or self.oracle.initial(cube):
                        return earlier
                    queue.push(earlier)
                    queue.push(obligation)
                case Inductive(core):
                    level = self._learn(core, obligation)
                    obligation.attempts += 1
                    self._again(queue, obligation, level + 1)
        return None

    def _again(self, queue: ObligationQueue, obligation: Obligation, level: int) -> None:
        """Blocked obligations come back at the next level: what is bad now will be bad then."""
        if self.requeue and level <= self.frontier:
            obligation.level = level
            obligation.returns += 1
            if self.returned is None or obligation.returns > self.returned.returns:
                self.returned = obligation
            queue.push(obligation)

    def _learn(self, core: Cube, obligation: Obligation) -> int:
        """Generalize the core of an obligation that is blocked at its level; how far the lemma got."""
        cube = self.generalizer.generalize(core, obligation.level - 1, obligation.attempts)
        return self.carry(cube, obligation.level)

    def carry(self, cube: Cube, level: int) -> int:
        """¬cube holds in F_1 … F_level: carry it to the highest level that takes it, and tell the frames."""
        while level < self.frontier and (core := self.oracle.inductive(cube, level)) is not None:
            cube = core
            level += 1
        self.learn(cube, level)
        return level

    def learn(self, cube: Cube, level: int) -> Lemma:
        """¬cube holds in F_1 … F_level."""
        lemma = self.frames.add(cube, level)
        self.oracle.block(cube, 1, level)
        self.generalizer.reward(cube)
        self.learned(cube, level)
        return lemma

    def _propagate(self) -> int | None:
        """Push lemmas forward; a level that keeps none of its lemmas equals the next one."""
        for level in range(1, self.frontier):
            for lemma in sorted(self.frames.unstick(level), key=lambda lemma: len(lemma.cube)):
                if lemma in self.frames.at(level):
                    self._push(lemma)
            if not self.frames.at(level):
                return level
        if self.forever:
            self._immortalize()
        return None

    def _fixpoint(self, level: int) -> Fixpoint:
        """F_level is inductive: its lemmas hold for ever, and the next property may start from them."""
        for lemma in self.frames.from_level(level):
            self._hold_forever(lemma)
        return Fixpoint(INFINITY)

    def _immortalize(self) -> None:
        """Lemmas that reached the frontier and are inductive relative to F_∞ alone hold for ever."""
        for lemma in list(self.frames.at(self.frontier)):
            if lemma.mortal == self.immortals:
                continue  # F_∞ has not changed since it was asked last
            self.tick()
            if self.oracle.inductive(lemma.cube, INFINITY) is not None:
                self._hold_forever(lemma)
            else:
                lemma.mortal = self.immortals

    def _hold_forever(self, lemma: Lemma) -> None:
        if lemma.level != INFINITY:
            self.oracle.block(lemma.cube, lemma.level + 1, INFINITY)
            self.frames.move(lemma, INFINITY)
            self.immortals += 1

    def _push(self, lemma: Lemma) -> None:
        """One lemma one level up, with what its core does not need dropped; or note the state that stops it."""
        self.tick()
        level = lemma.level
        answer = self.oracle.pushes(lemma.cube, level)
        if not isinstance(answer, tuple):
            lemma.cti = answer
        elif len(answer) < len(lemma.cube):
            self.learn(answer, level + 1)
        else:
            self.frames.move(lemma, level + 1)
            self.oracle.block(lemma.cube, level + 1, level + 1)
