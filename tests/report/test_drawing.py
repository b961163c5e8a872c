"""Control-flow graphs of pages: nothing overlaps, lines end at boxes, large graphs are folded, tangles are not drawn."""

from __future__ import annotations

import time
from itertools import combinations, pairwise
from random import Random

import pytest

from lemmata.frontends import load
from lemmata.report.drawing.control_flow import Drawing, DrawnArc, DrawnBox, drawn, placed_drawing
from lemmata.report.drawing.layout import Layout, layered
from tests.support.paths import ROOT


def rectangles(layout: Layout, sizes, labels) -> list[tuple[float, float, float, float]]:
    boxes = [(x - w / 2, y - h / 2, w, h) for (x, y), (w, h) in zip(layout.boxes, sizes, strict=True)]
    return boxes + [(x, y, w, h) for (x, y), (w, h) in zip(layout.labels, labels, strict=True) if w and h]


def overlap(one, other) -> bool:
    return all(one[k] < other[k] + other[k + 2] and other[k] < one[k] + one[k + 2] for k in (0, 1))


@pytest.mark.parametrize("seed", range(40))
def test_boxes_and_labels_do_not_overlap_and_lines_lead_from_box_to_box(seed):
    random = Random(seed)
    nodes = random.randrange(1, 14)
    sizes = [(random.randrange(10, 90), random.choice((10, 24))) for _ in range(nodes)]
    edges = [(random.randrange(nodes), random.randrange(nodes)) for _ in range(random.randrange(0, 24))]
    labels = [(random.choice((0, 30, 120)), random.choice((0, 15, 45))) for _ in edges]
    layout = layered(sizes, edges, labels)
    assert layout is not None and layout == layered(sizes, edges, labels)
    drawn_boxes = rectangles(layout, sizes, labels)
    assert not [pair for pair in combinations(drawn_boxes, 2) if overlap(*pair)]
    assert all(x >= 0 and y >= 0 and x + w <= layout.width and y + h <= layout.height for x, y, w, h in drawn_boxes)
    for (source, target), line in zip(edges, layout.lines, strict=True):
        for box, (x, y) in ((source, line[0]), (target, line[-1])):
            (middle_x, middle_y), (width, height) = layout.boxes[box], sizes[box]
            assert abs(x - middle_x) <= width / 2 + 0.1 and abs(y - middle_y) <= height / 2 + 0.1


def test_a_straight_piece_is_straight():
    layout = layered([(50, 24)] * 5, list(pairwise(range(5))), [(80, 15)] * 4)
    assert layout is not None and len({round(x) for x, _ in layout.boxes}) == 1
    assert [y for _, y in layout.boxes] == sorted(y for _, y in layout.boxes)


def test_2000_locations_are_drawn_within_five_seconds_of_a_processor():
    random = Random(0)
    arcs = [DrawnArc(k, k + 1, ("x := x + 1",), (k,)) for k in range(1999)]
    arcs += [DrawnArc(k, max(0, k - random.randrange(40)), ("x < 10",), (k,)) for k in range(0, 2000, 4)]
    began = time.process_time()
    placed = placed_drawing(
        Drawing(tuple(DrawnBox("place", f"p{k}", f"main:{k}") for k in range(2000)), tuple(arcs), 2000, 2499)
    )
    assert time.process_time() - began < 5
    assert len(placed["boxes"]) == 2000


def tangle(boxes: int) -> Drawing:
    random = Random(0)
    arcs = [DrawnArc(k, k + 1, (), (k,)) for k in range(boxes - 1)]
    arcs += [DrawnArc(*sorted(random.sample(range(boxes), 2)), (), (boxes + k,)) for k in range(boxes)]
    kinds = ["start", *["place"] * (boxes - 1)]
    return Drawing(tuple(DrawnBox(kind, f"p{k}", f"p{k}") for k, kind in enumerate(kinds)), tuple(arcs), boxes, len(arcs))


def test_of_a_tangle_a_part_is_drawn_with_the_path_of_a_run():
    placed = placed_drawing(tangle(800), {600, 601})
    assert placed["cut"] and placed["places"] == 800 and len(placed["boxes"]) <= 300
    assert {"p600", "p601", "p602"} <= {box["name"] for box in placed["boxes"]}
    assert {600, 601} <= {edge for arc in placed["arcs"] for edge in arc["edges"]}
    assert "p0" in {box["name"] for box in placed_drawing(tangle(800))["boxes"]}


def program(lines: int) -> str:
    return "procedure main()\n{\n  var x : int;\n" + "  x := x + 1;\n" * lines + "  assert x != 7;\n}\n"


def test_a_large_graph_is_folded_and_keeps_every_edge(tmp_path):
    (tmp_path / "long.bpl").write_text(program(700))
    graph = load(tmp_path / "long.bpl")
    drawing = drawn(graph)
    assert drawing is not None and drawing.is_folded and len(drawing.boxes) < 10
    assert sorted({edge for arc in drawing.arcs for edge in arc.edges}) == list(range(len(graph.edges)))


def test_a_small_graph_has_a_box_per_location_and_an_arc_per_edge(tmp_path):
    (tmp_path / "short.bpl").write_text(program(3))
    graph = load(tmp_path / "short.bpl")
    drawing = drawn(graph)
    assert drawing is not None and not drawing.is_folded
    assert [arc.edges for arc in drawing.arcs] == [(number,) for number in range(len(graph.edges))]
    assert {box.name for box in drawing.boxes} - {""} == {place.name for place in graph.locations}
    assert ("x := x + 1",) in [arc.texts for arc in drawing.arcs]


def test_a_transition_system_has_no_drawing():
    assert drawn(load(ROOT / "examples" / "lia" / "counter.vmt")) is None


def test_an_arrow_has_its_statement_where_its_label_is_cut(tmp_path):
    names = [f"number_{k}" for k in range(12)]
    text = f"x := {' + '.join(names)};\n" + "  assert x != 7;\n"
    declared = "".join(f"  var {name} : int;\n" for name in ("x", *names))
    (tmp_path / "long.bpl").write_text(f"procedure main()\n{{\n{declared}  {text}}}\n")
    drawing = drawn(load(tmp_path / "long.bpl"))
    cut = [arc for arc in drawing.arcs if arc.texts != arc.whole]
    assert len(cut) == 2 and all(arc.texts[0].endswith("…") for arc in cut)
    assert cut[0].whole == (f"havoc x, {', '.join(names)}",)
    assert all(name in cut[1].whole[0] for name in names) and cut[1].whole[0].startswith("x := ")
