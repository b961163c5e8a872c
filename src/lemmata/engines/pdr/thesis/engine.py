"""``Thesis``: figure 3.2 with the improvements that were chosen, and evidence at the end."""

from __future__ import annotations

from lemmata import work
from lemmata.budgets import PULSE_S
from lemmata.config import ThesisOptions
from lemmata.engines.pdr.frames import Fixpoint
from lemmata.engines.pdr.thesis.blocking import Blocker, Negating
from lemmata.engines.pdr.thesis.cfg import cfg_of
from lemmata.engines.pdr.thesis.equality import Equality
from lemmata.engines.pdr.thesis.evidence import ChainReplay, invariant_of_local_frames
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.interpolation import Interpolating
from lemmata.engines.pdr.thesis.loop import ThesisLoop
from lemmata.engines.pdr.thesis.obligations import CachingQueue
from lemmata.engines.pdr.thesis.oracle import ThesisOracle
from lemmata.engines.pdr.thesis.preconditions import Preconditions, Split, Weakest
from lemmata.engines.pdr.thesis.story import StepReporter
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, Listener, Progress
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.steps.given import Given
from lemmata.verdict import Safe, Unsafe, Verdict


class Thesis:
    """The lifted algorithm, on graphs whose edges have at most one source; others are given up (``incomplete``)."""

    name = "thesis"

    def __init__(
        self,
        graph: Graph,
        listener: Listener = NOBODY,
        options: ThesisOptions | None = None,
        solver: str = "auto",
        *,
        record: bool = False,
    ) -> None:
        if record:
            listener(Given(graph))
        self.bound = -1
        self._graph = graph
        self._listener = listener
        self._options = options or ThesisOptions()
        self._solver = preferred() if solver == "auto" else solver
        self._steps = listener if record else None
        self._until: float | None = None
        self._spoke = 0.0
        self._interrupted: int | None = None

    @property
    def queries(self) -> int:
        """Questions to solvers about the last property."""
        return self._oracle.queries

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property; after a time-out, the same property goes on where it was."""
        self._until = until
        if prop != self._interrupted:
            self._begin(prop)
        self._interrupted = prop  # until there is an outcome
        outcome = self._loop.run()
        self._interrupted = None
        if isinstance(outcome, Fixpoint):
            return Safe(invariant_of_local_frames(self._graph, self._frames, outcome.level))
        run = ChainReplay(self._graph, self._cfg, self._oracle)
        return Unsafe(run.along(prop, outcome.chain() if outcome is not None else ()))

    def _begin(self, prop: int) -> None:
        self.bound = -1
        self._interrupted = None
        options = self._options
        cfg = self._cfg = cfg_of(self._graph, prop)
        frames = self._frames = ThesisFrames(cfg.start)
        oracle = self._oracle = ThesisOracle(cfg, frames, self._solver, self._tick, options.memory)
        self._queue = CachingQueue(options.caching)
        preconditions: Preconditions = Split(oracle) if options.dnf else Weakest(oracle, self._solver, self._tick)
        blocker: Blocker = Interpolating(cfg, frames, oracle) if options.interpolation else Negating(frames)
        self._loop = ThesisLoop(
            cfg,
            frames,
            oracle,
            preconditions,
            blocker,
            self._queue,
            Equality(cfg, frames, oracle),
            StepReporter(cfg, frames, self._steps),
            self._opened,
        )

    def _opened(self, level: int) -> None:
        """Level ``level`` is done, the next one begins."""
        self.bound = level
        self._listener(BoundReached(self.name, level))

    def _tick(self) -> float | None:
        """The deadline; now and then a sign of life."""
        now = work.now()
        if self._until is not None and now >= self._until:
            raise GaveUp("timeout")
        if now - self._spoke > PULSE_S:
            self._spoke = now
            frames = self._frames
            self._listener(Progress(self.name, self.bound, frames.level, len(frames), len(self._queue), self._oracle.queries))
        return self._until
