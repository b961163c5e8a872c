"""The control-flow graph of a result's page: what is drawn (``drawn``), and where everything goes (``placed_drawing``).

Locations are boxes, edges carry their statements. Every edge to an error has a sign of its own, so that errors do not pull the
drawing together; initial edges come out of dots, and an edge with two sources, a call and a summary, runs through a small
diamond. What no way from a start leads to is left out. Graphs with more than ``_WHOLE_LOCATIONS`` are folded: straight pieces
become one edge; of what has more than ``_PLACES`` boxes even so a part is drawn. Texts do not matter for the layout but for
their lengths, and leave as data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from unicodedata import east_asian_width

from lemmata.escapes import printable
from lemmata.models.graph import Edge, Graph
from lemmata.report.drawing.dot import edge_texts
from lemmata.report.drawing.layout import Point, layered
from lemmata.values import dataclass

_WHOLE_LOCATIONS = 300  # locations that are drawn one by one
_PLACES = 2500  # boxes of a drawing
_PART_BOXES = 300  # boxes of a part of a graph that is too large
_LABEL_LINES, _LINE_CHARACTERS = 4, 44  # lines of a label, characters of a line
_STATEMENT_LINES, _STATEMENT_CHARACTERS = 24, 400  # of a statement that is asked for, and of each line of it
_NAME_CHARACTERS = 36  # characters of a location
_CHARACTER, _LINE = 7.3, 15.0  # pixels


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """A box: ``kind`` is place, error, start or join; ``name`` is that of the location, ``text`` what is written in it."""

    kind: str
    name: str
    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnArc:
    """An arrow between boxes that stands for some edges of the graph, which follow each other.

    ``texts`` are its label, ``statement`` says all that the label leaves out, and is empty where it leaves nothing out.
    """

    source: int
    target: int
    texts: tuple[str, ...]
    edges: tuple[int, ...]
    statement: tuple[str, ...] = ()

    @property
    def whole(self) -> tuple[str, ...]:
        """The statement, whether the label has all of it or not."""
        return self.statement or self.texts


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn; ``places`` and ``edges`` count those of the graph."""

    boxes: tuple[DrawnBox, ...]
    arcs: tuple[DrawnArc, ...]
    places: int
    edges: int
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class Pictures:
    """What a page shows beside a result: the control-flow graph, and for each property the regions of its invariant."""

    drawing: Drawing | None = None
    regions: tuple[tuple[Mapping[str, object], ...], ...] = ()


def drawn(graph: Graph) -> Drawing | None:
    """The drawing of a graph; ``None`` for a transition system, which has one place."""
    errors = {question.location: question.name for question in graph.questions}
    if len(graph.locations) - len(errors) < 2:
        return None
    boxes = [_box(graph, number) for number in range(len(graph.locations))]
    arcs: list[DrawnArc] = []

    def add(box: DrawnBox) -> int:
        boxes.append(box)
        return len(boxes) - 1

    for number, edge in enumerate(graph.edges):
        texts, statement = _label(graph, edge)
        is_error = edge.target in errors
        target = (
            add(DrawnBox("error", graph.locations[edge.target].name, f"✗ {_cut(errors[edge.target])}"))
            if is_error
            else edge.target
        )
        if len(edge.sources) == 1:
            arcs.append(DrawnArc(edge.sources[0].location, target, texts, (number,), statement))
            continue
        middle = add(DrawnBox("join" if edge.sources else "start", "", ""))
        arcs += [DrawnArc(source.location, middle, (), (number,)) for source in edge.sources]
        arcs.append(DrawnArc(middle, target, texts, (number,), statement))
    arcs = _reached(boxes, arcs)
    is_folded = len(graph.locations) > _WHOLE_LOCATIONS
    if is_folded:
        arcs = _folded(boxes, arcs)
    used = sorted({end for arc in arcs for end in (arc.source, arc.target)})
    place = {box: number for number, box in enumerate(used)}
    kept = tuple(replace(arc, source=place[arc.source], target=place[arc.target]) for arc in arcs)
    return Drawing(tuple(boxes[box] for box in used), kept, len(graph.locations), len(graph.edges), is_folded)


def _label(graph: Graph, edge: Edge) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The label of an edge, and its statement where the label is cut."""
    texts = tuple(map(printable, edge_texts(graph, edge, _LABEL_LINES, _LINE_CHARACTERS)))
    if not any(text.startswith("…") or text.endswith("…") for text in texts):
        return texts, ()
    return texts, tuple(map(printable, edge_texts(graph, edge, _STATEMENT_LINES, _STATEMENT_CHARACTERS)))


def _box(graph: Graph, number: int) -> DrawnBox:
    place = graph.locations[number]
    text = f"{place.path}:{place.line}" if place.words and place.line else place.name
    return DrawnBox("place", place.name, _cut(text), place.line)


def _cut(text: str) -> str:
    """The end of a long text, where places of programs differ; boxes are as wide as what is read in them."""
    text = printable(text)
    return text if len(text) <= _NAME_CHARACTERS else f"…{text[1 - _NAME_CHARACTERS :]}"


def _reached(boxes: Sequence[DrawnBox], arcs: Sequence[DrawnArc]) -> list[DrawnArc]:
    """The arcs that some way from a start leads to."""
    leaving: dict[int, list[int]] = {}
    for arc in arcs:
        leaving.setdefault(arc.source, []).append(arc.target)
    found = {number for number, box in enumerate(boxes) if box.kind == "start"}
    fresh = list(found)
    while fresh:
        news = set(leaving.get(fresh.pop(), ())) - found
        found |= news
        fresh += news
    return [arc for arc in arcs if arc.source in found]


def _folded(boxes: Sequence[DrawnBox], arcs: Sequence[DrawnArc]) -> list[DrawnArc]:
    """One arc for each straight piece: places with one arc in and one arc out go."""
    into, out = Counter(arc.target for arc in arcs), Counter(arc.source for arc in arcs)
    following = {
        arc.source: arc for arc in arcs if into[arc.source] == out[arc.source] == 1 and boxes[arc.source].kind == "place"
    }
    found = []
    for arc in arcs:
        if arc.source in following:
            continue
        pieces = [arc]
        while pieces[-1].target in following:
            pieces.append(following[pieces[-1].target])
        texts = [text for piece in pieces for text in piece.texts]
        whole = tuple(text for piece in pieces for text in piece.whole)
        label, statement = _first(texts, _LABEL_LINES), _first(whole, _STATEMENT_LINES)
        numbers = tuple(number for piece in pieces for number in piece.edges)
        found.append(DrawnArc(arc.source, pieces[-1].target, label, numbers, () if label == statement else statement))
    return found


def _first(texts: Sequence[str], most: int) -> tuple[str, ...]:
    more = (f"… {len(texts) - most} more",) if len(texts) > most else ()
    return (*texts[:most], *more)


def placed_drawing(drawing: Drawing, paths: Set[int] = frozenset()) -> dict[str, object]:
    """The drawing with coordinates, for the page; a part of it, with the edges of ``paths``, if it is too large or entangled.

    There are no boxes if that is a tangle, too.
    """
    whole = _placed(drawing)
    return whole if "boxes" in whole else _placed(_part(drawing, paths)) | {"cut": True}


def _part(drawing: Drawing, paths: Set[int]) -> Drawing:
    """The boxes of these edges, or of the starts, and what arrows lead to from there, up to ``_PART_BOXES`` boxes."""
    near: dict[int, list[int]] = {}
    for arc in drawing.arcs:
        near.setdefault(arc.source, []).append(arc.target)
    on_paths = [end for arc in drawing.arcs if not paths.isdisjoint(arc.edges) for end in (arc.source, arc.target)]
    starts = [number for number, box in enumerate(drawing.boxes) if box.kind == "start"]
    kept = list(dict.fromkeys(on_paths or starts))[:_PART_BOXES]
    known = set(kept)
    for box in kept:
        for other in near.get(box, ()):
            if len(kept) < _PART_BOXES and other not in known:
                known.add(other)
                kept.append(other)
    place = {box: number for number, box in enumerate(sorted(kept))}
    arcs = [arc for arc in drawing.arcs if arc.source in place and arc.target in place]
    shown = tuple([replace(arc, source=place[arc.source], target=place[arc.target]) for arc in arcs])
    return Drawing(tuple([drawing.boxes[box] for box in sorted(kept)]), shown, drawing.places, drawing.edges, drawing.is_folded)


def _placed(drawing: Drawing) -> dict[str, object]:
    head: dict[str, object] = {"places": drawing.places, "edges": drawing.edges, "folded": drawing.is_folded}
    sizes = [_size(box) for box in drawing.boxes]
    labels = [(max(map(_width, arc.texts), default=0.0), _LINE * len(arc.texts)) for arc in drawing.arcs]
    ends = [(arc.source, arc.target) for arc in drawing.arcs]
    layout = layered(sizes, ends, labels) if len(sizes) <= _PLACES else None
    if layout is None:
        return head
    boxes = [
        {
            "x": round(x, 1),
            "y": round(y, 1),
            "w": round(w, 1),
            "h": h,
            "kind": box.kind,
            "name": box.name,
            "text": box.text,
            "line": box.line,
        }
        for box, (x, y), (w, h) in zip(drawing.boxes, layout.boxes, sizes, strict=True)
    ]
    arcs = [
        {
            "path": _path(line),
            "x": round(x, 1),
            "y": round(y, 1),
            "texts": list(arc.texts),
            "edges": list(arc.edges),
            "statement": list(arc.statement),
            "ends": [arc.source, arc.target],
        }
        for arc, line, (x, y) in zip(drawing.arcs, layout.lines, layout.labels, strict=True)
    ]
    return head | {"boxes": boxes, "arcs": arcs, "width": round(layout.width), "height": round(layout.height)}


def _size(box: DrawnBox) -> Point:
    match box.kind:
        case "start" | "join":
            return 10.0, 10.0
        case _:
            return max(28.0, _width(box.text) + 16), 24.0


def _width(text: str) -> float:
    return _CHARACTER * sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _path(points: Sequence[Point]) -> str:
    """A smooth line through the points, straight down where they are above each other."""
    (x, y), *rest = points
    parts = [f"M{x:.0f} {y:.0f}"]
    if len(points) == 4 and abs(points[0][1] - points[3][1]) < 10:  # a loop: layers are further apart
        (a, b), (c, d), (e, f) = rest
        return f"{parts[0]}C{a:.0f} {b:.0f} {c:.0f} {d:.0f} {e:.0f} {f:.0f}"
    for next_x, next_y in rest:
        middle = (y + next_y) / 2
        parts.append(
            f"V{next_y:.0f}" if next_x == x else f"C{x:.0f} {middle:.0f} {next_x:.0f} {middle:.0f} {next_x:.0f} {next_y:.0f}"
        )
        x, y = next_x, next_y
    return "".join(parts)
