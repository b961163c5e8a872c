"""The run told as steps (``steps.thesis``), if it is recorded."""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.obligations import CachingQueue, ThesisObligation
from lemmata.engines.pdr.thesis.oracle import Unsatisfiable
from lemmata.events import Listener
from lemmata.logic.terms import TRUE, Term, make
from lemmata.logic.walk import conjuncts, substitute
from lemmata.models.graph import Edge
from lemmata.models.system import primed
from lemmata.steps.thesis import (
    EdgeQuery,
    EdgeRow,
    FrameCell,
    FrameTable,
    Goal,
    Interpolated,
    NextLevel,
    ReachedError,
    Row,
    ThesisPosed,
    ThesisPropagation,
    ThesisZeroCheck,
)


class StepReporter:
    """Tells steps; without a listener nothing is made."""

    def __init__(self, cfg: Cfg, frames: ThesisFrames, tell: Listener | None) -> None:
        self._cfg = cfg
        self._frames = frames
        self._tell = tell
        self._frame = FrameCell(True)

    def zero_check(self, is_error: bool) -> None:
        """The graph, and the first step."""
        if self._tell is not None:
            graph, places = self._cfg.graph, self._cfg.places
            edges = [edge for number, edge in enumerate(graph.edges) if edge.sources and number != self._cfg.entry]
            variables = dict.fromkeys(v for place in places for v in graph.locations[place].variables)
            names = (*map(self._name, places), self._name(self._cfg.error))
            start, error = self._name(self._cfg.start), self._name(self._cfg.error)
            self._tell(ThesisPosed(tuple(variables), names, tuple(map(self._transition, edges)), start, error))
            self._tell(ThesisZeroCheck(is_error, () if is_error else self._table()))

    def next_level(self, queue: CachingQueue) -> None:
        """New frames."""
        if self._tell is not None:
            self._tell(NextLevel(self._frames.level, self._goals(queue.listed()), self._table()))

    def asks(self, edge: int, level: int) -> None:
        """A query about the frame of an edge's source as it is now."""
        if self._tell is not None:
            self._frame = self._frames.cell(self._cfg.source(edge), level)

    def entered(self, obligation: ThesisObligation, edge: int, found: Iterable[ThesisObligation]) -> None:
        """A query was satisfiable."""
        if self._tell is not None:
            self._tell(self._query(obligation, edge, found=self._goals(found)))

    def shut(self, obligation: ThesisObligation, edge: int, answer: Unsatisfiable, added: Term | None) -> None:
        """A query was unsatisfiable."""
        if self._tell is not None:
            self._tell(self._query(obligation, edge, added=added, is_remembered=answer.is_remembered))

    def blocked(self, obligation: ThesisObligation, lemma: Term | None) -> None:
        """All queries about an obligation were, and that gave a lemma."""
        if self._tell is not None and lemma is not None:
            self._tell(Interpolated(self._goal(obligation), lemma, self._table()))

    def propagation(self, fixpoint: int | None) -> None:
        """The end of a level."""
        if self._tell is not None:
            self._tell(ThesisPropagation(self._frames.level, fixpoint, self._table()))

    def reached(self, obligation: ThesisObligation) -> None:
        """A counterexample."""
        if self._tell is not None:
            places = [self._name(link.place) for link in obligation.chain()]
            self._tell(ReachedError(self._goal(obligation), (*places, self._name(self._cfg.error))))

    def _query(
        self,
        obligation: ThesisObligation,
        edge: int,
        found: tuple[Goal, ...] = (),
        added: Term | None = None,
        is_remembered: bool = False,
    ) -> EdgeQuery:
        goal = self._goal(obligation)
        transition = self._transition(self._cfg.graph.edges[edge])
        variables = self._cfg.graph.locations[obligation.place].variables
        (later,) = substitute([goal.formula], {v: primed(v) for v in variables})
        return EdgeQuery(goal, transition, self._frame, later, found, added, is_remembered, self._table())

    def _table(self) -> FrameTable:
        return tuple([Row(self._name(place), self._frames.row(place)) for place in self._cfg.places])

    def _goals(self, obligations: Iterable[ThesisObligation]) -> tuple[Goal, ...]:
        return tuple(map(self._goal, obligations))

    def _goal(self, obligation: ThesisObligation) -> Goal:
        return Goal(obligation.formula, self._name(obligation.place), self._frames.level - obligation.depth)

    def _name(self, place: int) -> str:
        return self._cfg.graph.locations[place].name

    def _transition(self, edge: Edge) -> EdgeRow:
        """``guard ∧ v′ = update`` for the variables that change, over the names at the source."""
        graph, (source,) = self._cfg.graph, edge.sources
        own = graph.locations[source.location].variables
        guard, *updates = substitute([edge.guard, *edge.updates], dict(zip(source.variables, own, strict=True)))
        targets = graph.locations[edge.target].variables
        changes = [make("=", (primed(v), update)) for v, update in zip(targets, updates, strict=True) if v is not update]
        parts = tuple([part for part in (*conjuncts(guard), *changes) if part is not TRUE])
        return EdgeRow(self._name(source.location), parts, self._name(edge.target))
