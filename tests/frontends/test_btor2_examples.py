"""The BTOR2 examples say what is expected of them; enumeration agrees. The benchmarks next to the repository can be read."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from lemmata.frontends import load
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from tests.support.btor2_interpreter import reachable
from tests.support.paths import ROOT

FILES = sorted((ROOT / "examples" / "btor2").glob("*.btor2"))
SHARED = sorted((ROOT.parent / "shared" / "bench" / "btor2").glob("*/*.btor*"))
# What would take long to enumerate gets a smaller environment: items of the queue below 2.
SMALLER = {"fifo.btor2": "100 slice 1 6 1 1\n101 constraint -100\n"}


def expected(text: str, names: list[str]) -> list[int | None]:
    """The expected number of steps of each property, None if it is safe."""
    found = dict(re.findall(r"^; expected ?(\w*): (.*)$", text, re.MULTILINE))
    words = [found.get(name) or found[""] for name in names]
    assert all(re.fullmatch(r"safe|unsafe \(\d+ steps?\)", word) for word in words)
    return [int(digits[0]) if (digits := re.findall(r"\d+", word)) else None for word in words]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_is_what_its_comment_says(path: Path) -> None:
    text = path.read_text()
    graph = load(path)
    assert isinstance(graph, Graph)
    names = [question.name for question in graph.questions]
    assert reachable(text + SMALLER.get(path.name, "")) == expected(text, names)


def test_there_are_examples() -> None:
    assert len(FILES) >= 10


@pytest.mark.skipif(not SHARED, reason="the benchmarks are not here")
def test_benchmarks_are_read_and_quickly() -> None:
    for path in {*SHARED[::10], *sorted(SHARED, key=lambda path: path.stat().st_size)[-2:]}:
        start = time.process_time()
        graph = load(path)
        assert isinstance(graph, Graph) and system_of(graph) is not None and graph.questions
        assert time.process_time() - start < 2, path.name
