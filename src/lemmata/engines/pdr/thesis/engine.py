"""``Thesis``: figure 3.2 with the improvements that were chosen, and evidence at the end."""

from __future__ import annotations

from lemmata.config import ThesisOptions
from lemmata.engines.names import THESIS
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
from lemmata.engines.pdr.thesis.reporter import StepReporter
from lemmata.engines.turns import InTurns
from lemmata.events import NOBODY, Listener, Progress
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.steps.given import Given
from lemmata.verdict import Safe, Unsafe, Verdict


class Thesis(InTurns):
    """The lifted algorithm, on graphs whose edges have at most one source; others are given up (``incomplete``)."""

    name = THESIS

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
        super().__init__(listener)
        self._graph = graph
        self._options = options or ThesisOptions()
        self._solver = preferred() if solver == "auto" else solver
        self._steps = listener if record else None

    @property
    def queries(self) -> int:
        """Questions to solvers about the last property."""
        return self._oracle.queries

    def _settle(self, prop: int, is_new: bool) -> Verdict:
        if is_new:
            self._begin(prop)
        outcome = self._loop.run()
        if isinstance(outcome, Fixpoint):
            return Safe(invariant_of_local_frames(self._graph, self._frames, outcome.level))
        run = ChainReplay(self._graph, self._cfg, self._oracle)
        return Unsafe(run.along(prop, outcome.chain() if outcome is not None else ()))

    def _begin(self, prop: int) -> None:
        options = self._options
        cfg = self._cfg = cfg_of(self._graph, prop)
        frames = self._frames = ThesisFrames(cfg.start)
        oracle = self._oracle = ThesisOracle(cfg, frames, self._solver, self._limit, options.memory)
        self._queue = CachingQueue(options.caching)
        preconditions: Preconditions = Split(oracle) if options.dnf else Weakest(oracle, self._solver, self._limit)
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
            self._reach,
        )

    def _limit(self) -> float | None:
        """The deadline, unless it is over."""
        self._tick()
        return self._until

    def _tell(self) -> None:
        frames = self._frames
        self._listener(Progress(self.name, self.bound, frames.level, len(frames), len(self._queue), self._oracle.queries))
