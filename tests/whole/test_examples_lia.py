"""The examples over numbers say what is expected of every property; ``check`` agrees, and certifies it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import lemmata
from lemmata.config import Config
from lemmata.events import NOBODY
from lemmata.frontends import load
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from tests.support.clock import HANGS, in_time
from tests.support.paths import ROOT

FOLDER = ROOT / "examples" / "lia"
ROWS = [(row["file"], row["expected"]) for row in csv.DictReader((FOLDER / "index.csv").open())]


def promised(path: Path) -> dict[str, str]:
    """The verdict per property, from the comments."""
    found = re.findall(r"^; expected ?(\w*): (safe|unsafe)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name or "false": word for name, word in found}


@pytest.mark.parametrize("name", [name for name, _ in ROWS])
def test_an_example_is_what_its_comment_says(name: str) -> None:
    """What ``lemmata check`` does, without processes; a verdict comes out certified or not at all."""
    until = in_time()
    flow = Flow(Task(str(FOLDER / name), Config(timeout=HANGS), until), NOBODY)
    flow.prepare()
    settled = [flow.settle(position, until) for position in range(len(flow.chosen))]
    assert all(isinstance(one, Settled) for one in settled)
    words = {prop.name: one.verdict.word for prop, one in zip(flow.chosen, settled, strict=True)}
    assert words == promised(FOLDER / name)


def test_the_python_call_says_the_same() -> None:
    result = lemmata.check(FOLDER / "tickets.vmt", timeout=HANGS)
    assert {p.name: p.verdict.word for p in result.properties} == promised(FOLDER / "tickets.vmt")
    assert result.verdict == "unsafe" and all(p.certified for p in result.properties)


def test_the_index_lists_every_file_and_both_formats() -> None:
    assert sorted(name for name, _ in ROWS) == sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".csv")
    assert {Path(name).suffix for name, _ in ROWS} == {".vmt", ".smt2"}


def test_an_index_entry_is_unsafe_if_some_property_is() -> None:
    for name, expected in ROWS:
        words = set(promised(FOLDER / name).values())
        assert expected == ("unsafe" if "unsafe" in words else "safe"), name


def test_there_are_clauses_with_two_premises_reals_and_arrays() -> None:
    graphs = [graph for name, _ in ROWS if isinstance(graph := load(FOLDER / name), Graph)]
    sorts = {str(v.sort) for graph in graphs for place in graph.locations for v in place.variables}
    assert {"Int", "Real", "Bool", "(Array Int Int)"} <= sorts
    assert sum(any(len(edge.sources) > 1 for edge in graph.edges) for graph in graphs) >= 4
    assert any(len(graph.questions) > 2 for graph in graphs)
