"""Graphs as pictures: every location and edge is there, names are quoted, and what cannot be drawn is refused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from lemmata.cli.picture import draw_graph
from lemmata.errors import UsageError
from lemmata.frontends.boogie import parse_boogie
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph, Location
from lemmata.report.drawing.dot import dot_text

TEXT = b"""procedure p(n : int) returns (r : int)
{
  if (n > 0) { call r := p(n - 1); }
  assert r >= 0;
}
"""


def test_a_picture_has_every_location_and_edge() -> None:
    graph = parse_boogie(TEXT, "p.bpl")
    text = dot_text(graph)
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == len(graph.locations)
    joins = [edge for edge in graph.edges if len(edge.sources) == 2]
    starts = [edge for edge in graph.edges if not edge.sources]
    assert text.count("->") == len(graph.edges) + 2 * len(joins)
    assert text.count("shape=diamond") == len(joins) == 1 and text.count("shape=point") == len(starts) == 1
    assert '[label="assert at line 4", color=red, shape=octagon];' in text
    assert 'label="line 4\\lr < 0\\l"' in text


def test_names_are_quoted_and_long_formulas_are_cut() -> None:
    assert r'label="a \"b\" \\c"' in dot_text(Graph((Location('a "b" \\c'),), (), ()))
    sums = " + ".join(f"n * {number}" for number in range(2, 40))
    graph = parse_boogie(f"procedure p(n : int) {{ assert {sums} > 0; }}".encode(), "p.bpl")
    assert all(len(line) < 200 for line in dot_text(graph).splitlines()) and "…" in dot_text(graph)


def test_edges_that_do_more_than_the_program_are_dashed() -> None:
    text = b"procedure p(a : [int]int) { assume (forall i : int :: a[i] > 0); }"
    assert "style=dashed" in dot_text(parse_boogie(text, "p.bpl"))


def test_the_suffix_says_how_to_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = parse_boogie(TEXT, "p.bpl")
    draw_graph(graph, tmp_path / "p.bpl", tmp_path / "p.dot")
    assert (tmp_path / "p.dot").read_text(encoding="utf-8") == dot_text(graph)
    with pytest.raises(UsageError, match=r"use the suffix \.dot or \.svg"):
        draw_graph(graph, tmp_path / "p.bpl", tmp_path / "p.gif")
    with pytest.raises(UsageError, match="is a circuit"):
        draw_graph(Aig(0, (), (), (), ()), tmp_path / "p.aag", tmp_path / "p.dot")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UsageError, match="drawing needs Graphviz"):
        draw_graph(graph, tmp_path / "p.bpl", tmp_path / "p.svg")
