"""The film of trace abstraction: the automaton, a trace in it, and what is left when it is refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.models.graph import Graph
from lemmata.report.drawing.control_flow import Drawing, DrawnArc, DrawnBox, placed_drawing
from lemmata.report.drawing.dot import edge_texts
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.shots import Camera, Shot
from lemmata.steps.given import Given
from lemmata.steps.traces import Refuted, RemainingTraces, TracePicked

_STATES = 150  # of an automaton that is drawn
_LABEL_LINES, _LINE_CHARACTERS, _NAME_CHARACTERS = 3, 36, 30  # of a state


class TraceCamera(Camera):
    """A shot when a trace is picked, on the automaton that it is in, and one when it is refuted, with the rest."""

    _graph: Graph  # comes with the first step
    _left: RemainingTraces

    def __init__(self) -> None:
        super().__init__()
        self._drawing: Mapping[str, object] | None = None

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """A shot per step."""
        match event:
            case Given(Graph() as graph):
                self._graph = graph
            case RemainingTraces():
                self._draw(event)
                yield Shot(lines, drawing=self._drawing, left=len(self._left.places))
            case TracePicked(edges, premises, is_feasible):
                marks = ("counterexample",) if is_feasible else ("cti",)
                path = tuple(self._path(edges, premises))
                yield Shot(lines, marks=marks, drawing=self._drawing, path=path, left=len(self._left.places))
            case Refuted(_, left):
                self._draw(left)
                yield Shot(lines, marks=("blocked",), drawing=self._drawing, left=len(left.places))

    def _path(self, edges: tuple[int, ...], premises: tuple[tuple[int, ...], ...]) -> Iterator[int]:
        """The transitions of the automaton that the trace takes."""
        moves = {(edge, sources): (number, target) for number, (edge, sources, target) in enumerate(self._left.transitions)}
        states: list[int] = []
        for edge, before in zip(edges, premises, strict=True):
            number, target = moves[edge, tuple([states[one] for one in before])]
            states.append(target)
            yield number

    def _draw(self, left: RemainingTraces) -> None:
        """One box per state; errors have their own look."""
        self._left = left
        if not left.places or len(left.places) > _STATES:
            self._drawing = None
            return
        graph = self._graph
        errors = {question.location for question in graph.questions}
        boxes = [
            DrawnBox("error" if place in errors else "place", f"{number}", self._name(place))
            for number, place in enumerate(left.places)
        ]
        arcs: list[DrawnArc] = []
        for number, (edge, sources, target) in enumerate(left.transitions):
            texts = tuple(map(printable, edge_texts(graph, graph.edges[edge], _LABEL_LINES, _LINE_CHARACTERS)))
            if len(sources) != 1:
                boxes.append(DrawnBox("join" if sources else "start", "", ""))
                arcs += [DrawnArc(source, len(boxes) - 1, (), (number,)) for source in sources]
                sources = (len(boxes) - 1,)
            arcs.append(DrawnArc(sources[0], target, texts, (number,)))
        self._drawing = placed_drawing(Drawing(tuple(boxes), tuple(arcs), len(left.places), len(left.transitions)))

    def _name(self, place: int) -> str:
        location = self._graph.locations[place]
        text = printable(f"{location.path}:{location.line}" if location.words and location.line else location.name)
        return text if len(text) <= _NAME_CHARACTERS else f"…{text[1 - _NAME_CHARACTERS :]}"
