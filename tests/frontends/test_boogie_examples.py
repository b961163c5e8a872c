"""The example programs say what is expected of every property; ``check`` agrees, and certifies it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import lemmata
from lemmata.config import Config
from lemmata.events import NOBODY
from lemmata.frontends import load
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.horn.writer import format_horn
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import HANGS, in_time
from tests.support.paths import ROOT

FOLDER = ROOT / "examples" / "boogie"
ROWS = [(row["file"], row["expected"]) for row in csv.DictReader((FOLDER / "index.csv").open())]
BENCH = ROOT.parent / "shared" / "bench" / "boogie"


def promised(path: Path) -> dict[str, str]:
    """The verdict per property, from the comments."""
    return dict(re.findall(r"^// expected (.+): (safe|unsafe)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def graph_of(path: Path) -> Graph:
    graph = load(path)
    assert isinstance(graph, Graph)
    return graph


def settle(path: Path) -> dict[str, Settled]:
    """What ``lemmata check`` does, without processes; a verdict comes out certified or not at all."""
    until = in_time()
    flow = Flow(Task(str(path), Config(timeout=HANGS), until), NOBODY)
    flow.prepare()
    settled = {prop.name: flow.settle(position, until) for position, prop in enumerate(flow.chosen)}
    return {name: one for name, one in settled.items() if isinstance(one, Settled)}


@pytest.mark.parametrize("name", [name for name, _ in ROWS])
def test_an_example_is_what_its_comment_says(name: str) -> None:
    settled = settle(FOLDER / name)
    assert {prop: one.verdict.word for prop, one in settled.items()} == promised(FOLDER / name)


def test_a_trace_lists_lines_with_values() -> None:
    verdict = settle(FOLDER / "thesis-3.3.1.bpl")["assert at line 9"].verdict
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    told = [(str(fact), fact.line) for fact in verdict.trace.facts]
    assert told[-3:] == [("main:8(x = 0)", 7), ("main:9(x = 1)", 8), ("assert at line 9", 9)]


def test_an_invariant_speaks_of_lines_and_source_names() -> None:
    verdict = settle(FOLDER / "thesis-3.3.2.bpl")["assert at line 14"].verdict
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    lines = verdict.invariant.describe().splitlines()
    assert {"main:9 ‹while (*)›: x = y", "main:9 ‹while (*)›: y = x"} & set(lines)  # which term is older depends on other tests
    assert "main:12 ‹y := y + 1›: x = y + 1" in lines


def test_the_python_call_says_the_same() -> None:
    result = lemmata.check(FOLDER / "contract.bpl", timeout=HANGS, entry="main")
    assert {p.name: p.verdict.word for p in result.properties} == promised(FOLDER / "contract.bpl")


def test_the_index_lists_every_file_and_the_worst_verdict() -> None:
    assert sorted(name for name, _ in ROWS) == sorted(path.name for path in FOLDER.iterdir() if path.suffix == ".bpl")
    for name, expected in ROWS:
        words = set(promised(FOLDER / name).values())
        assert expected == ("unsafe" if "unsafe" in words else "safe"), name


def test_there_are_recursion_arrays_and_several_properties() -> None:
    graphs = [graph_of(FOLDER / name) for name, _ in ROWS]
    sorts = {str(v.sort) for graph in graphs for place in graph.locations for v in place.variables}
    assert {"Int", "Bool", "(Array Int Int)", "(Array Int (Array Int Bool))"} <= sorts
    assert sum(any(len(edge.sources) > 1 for edge in graph.edges) for graph in graphs) == 2
    assert sum(len(graph.questions) > 1 for graph in graphs) >= 5


@pytest.mark.parametrize("name", [name for name, _ in ROWS])
def test_an_example_can_be_written_as_horn_clauses(name: str) -> None:
    graph = graph_of(FOLDER / name)
    again = parse_horn(format_horn(graph), "again.smt2")
    assert len(again.edges) == len(graph.edges)
    assert len(again.locations) == len(graph.locations) - len(graph.questions) + 1


@pytest.mark.skipif(not BENCH.exists(), reason="the benchmarks are not here")
def test_the_small_programs_of_the_benchmarks_are_read() -> None:
    for path in sorted(BENCH.rglob("*.bpl")):
        if path.stat().st_size < 8_000:
            assert graph_of(path).questions, path.name
