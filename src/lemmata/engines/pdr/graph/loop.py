"""PDR on graphs, on one page.

F_i(ℓ) contains every state at ℓ that has a derivation of height ≤ i; F_0 is empty. The root obligation is the error location
at the frontier. An obligation is blocked (and becomes a lemma, generalized), or has a cube before it (a new obligation one
level below), or is reached (and then so is its parent, or the edge between them is asked again). When the error is blocked at
the frontier, lemmas are pushed; a level that keeps none of its lemmas equals the next one: an invariant.

Hoder, Bjørner 2012 (GPDR); Komuravelli, Gurfinkel, Chaki 2014 (Spacer).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from lemmata.engines.pdr.frames import Fixpoint
from lemmata.engines.pdr.graph.cube import GraphCube
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphFrames, GraphLemma
from lemmata.engines.pdr.graph.obligations import GraphObligation, GraphQueue
from lemmata.engines.pdr.graph.questions import Blocked, GraphGeneralizer, GraphQuestions, Guide, PredecessorCube, Reached
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.values import dataclass


@dataclass(slots=True)
class GraphPdrLoop:
    """PDR; frames outlive one call, so that the next property finds the lemmas of the last."""

    oracle: GraphQuestions
    generalizer: GraphGeneralizer
    guide: Guide
    frames: GraphFrames
    tick: Callable[[], None] = lambda: None  # called between queries: progress, limits
    opened: Callable[[int], ReachFact | None] = lambda level: None  # the error has no derivation of height ``level``
    learned: Callable[[GraphCube, int], None] = lambda cube, level: None
    pushed: Callable[[GraphCube, int], None] = lambda cube, level: None  # a lemma of the level below holds there, too
    closed: Callable[[int], None] = lambda level: None  # called when F_level is found to be inductive
    queue: GraphQueue = field(default_factory=GraphQueue)
    frontier: int = 1
    returned: GraphObligation | None = None  # the one that came back most often

    def run(self, error: GraphCube) -> Fixpoint | ReachFact:
        """Decide whether the error location is reachable."""
        self.queue.clear()
        self.frontier, self.returned = 1, None
        return self.go_on(error)

    def go_on(self, error: GraphCube) -> Fixpoint | ReachFact:
        """Decide the same after an interruption."""
        while True:
            while not self.frames.blocks(error, self.frontier):
                if not self.queue:
                    self.queue.push(GraphObligation(error, self.frontier))
                reached = self._strengthen()
                if reached is not None:
                    return reached
            self.queue.clear()
            met = self.opened(self.frontier)
            if met is not None:
                return met
            level = self._propagate()
            if level is not None:
                return self._fixpoint(level)
            self.frontier += 1

    def _strengthen(self) -> ReachFact | None:
        """Work the queue off; the fact that reaches the error, if there is one."""
        while self.queue:
            self.tick()
            obligation = self.queue.first()
            reached = self._attend(obligation)
            if reached is not None:
                return reached
        return None

    def _attend(self, obligation: GraphObligation) -> ReachFact | None:
        """One obligation: block it, go before it, or reach it. It leaves the queue when it is settled at its level."""
        cube, level = obligation.cube, obligation.level
        parent = obligation.parent
        if obligation.is_over or (parent is not None and parent.is_over):
            obligation.is_over = True
            self.queue.pop()
            return None
        if self.frames.blocks(cube, level):
            self._again(obligation, level + 1)
            return None
        fact = self.oracle.known(cube)
        if fact is not None:
            return self._reached(obligation, fact)
        match self.oracle.consecution(cube, level):
            case Reached(found):
                return self._reached(obligation, found)
            case PredecessorCube(before, edge):
                self.queue.push(
                    GraphObligation(before, level - 1, obligation, edge, obligation.depth + 1, is_may=obligation.is_may)
                )
            case Blocked(core):
                lemma = self._learn(self.generalizer.generalize(core, obligation), level)
                obligation.attempts += 1
                self._again(obligation, lemma.level + 1)
                for guess in self.guide.guesses(lemma, obligation):
                    self.queue.push(guess)
        return None

    def _again(self, obligation: GraphObligation, level: int) -> None:
        """Blocked obligations come back at the next level: what is bad now will be bad then."""
        self.queue.pop()
        if level <= self.frontier and not obligation.is_may:
            obligation.level = level
            obligation.returns += 1
            if self.returned is None or obligation.returns > self.returned.returns:
                self.returned = obligation
            self.queue.push(obligation)

    def _reached(self, obligation: GraphObligation, fact: ReachFact) -> ReachFact | None:
        """The obligation is reached, and so perhaps are those above it; the fact, if the error is among them."""
        while True:
            obligation.is_over = True
            parent = obligation.parent
            if parent is None:
                return None if obligation.is_may else fact
            if parent.is_over:
                return None
            above = self.oracle.derive(parent.cube, obligation.edge)
            if above is None:
                return None
            obligation, fact = parent, above

    def _learn(self, cube: GraphCube, level: int) -> GraphLemma:
        """¬cube holds up to ``level``: carry it to the highest level that takes it, and tell the frames."""
        if self.oracle.inductive(cube, INFINITY) is not None:
            level = INFINITY
        while level < self.frontier and (core := self.oracle.inductive(cube, level + 1)) is not None:
            cube = core
            level += 1
        lemma = self.frames.add(cube, level)
        self.learned(cube, level)
        return lemma

    def _propagate(self) -> int | None:
        """Push lemmas forward; a level that keeps none of its lemmas equals the next one."""
        for level in range(1, self.frontier + 1):
            for lemma in [lemma for lemma in self.frames.all() if lemma.level == level]:
                if lemma.level == level:
                    self._push(lemma)
            if not any(lemma.level == level for lemma in self.frames.all()):
                return level
        self._immortalize()
        return None

    def _push(self, lemma: GraphLemma) -> None:
        """One lemma one level up, with what its core does not need dropped."""
        self.tick()
        if lemma.tried == self.frames.changes:
            return
        core = self.oracle.inductive(lemma.cube, lemma.level + 1)
        if core is None:
            lemma.tried = self.frames.changes
        elif len(core.literals) < len(lemma.cube.literals):
            self.pushed(core, lemma.level + 1)
            self.frames.add(core, lemma.level + 1)
        else:
            self.pushed(lemma.cube, lemma.level + 1)
            self.frames.raise_to(lemma, lemma.level + 1)

    def _immortalize(self) -> None:
        """Lemmas above the frontier that are inductive relative to F_∞ alone hold for ever."""
        for lemma in [lemma for lemma in self.frames.all() if self.frontier < lemma.level < INFINITY]:
            self.tick()
            if lemma.level < INFINITY and self.oracle.inductive(lemma.cube, INFINITY) is not None:
                self.pushed(lemma.cube, INFINITY)
                self.frames.raise_to(lemma, INFINITY)

    def _fixpoint(self, level: int) -> Fixpoint:
        """F_level is inductive: its lemmas hold for ever, and the next property may start from them."""
        self.closed(level)
        for lemma in [lemma for lemma in self.frames.all() if level <= lemma.level < INFINITY]:
            if lemma.level < INFINITY:
                self.frames.raise_to(lemma, INFINITY)
        return Fixpoint(INFINITY)
