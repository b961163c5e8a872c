"""Misread on purpose: the model of one text, checked against another text as the file."""

from __future__ import annotations

from pathlib import Path

import lemmata
from lemmata.certify.reading import read_again
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.options import make_config
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time


def written(folder: Path, name: str, text: str) -> str:
    """The path of a file with this text."""
    path = folder / name
    path.write_text(text, newline="")
    return str(path)


def settled(source: str | Graph, engine: str = "auto", prop: int = 0) -> Settled:
    """What the flow makes of one property: certified, or the test fails."""
    flow = Flow(Task(source, make_config(engine=engine, workers=1)), lambda event: None)
    flow.prepare()
    found = flow.settle(prop, in_time())
    assert isinstance(found, Settled), found
    return found


def certified(graph: Graph, engine: str = "auto", prop: int = 0) -> Safe | Unsafe:
    """A verdict about the graph as it is, certified there."""
    verdict = settled(graph, engine, prop).verdict
    assert isinstance(verdict, Safe | Unsafe)
    return verdict


def opinion(path: str, graph: Graph, verdict: Safe | Unsafe, prop: int = 0) -> str | None:
    """What the second reader says, with all the time it wants."""
    return read_again(path, graph, prop, verdict, in_time())


def load_graph(path: str) -> Graph:
    """The graph that our front end reads."""
    graph = lemmata.load(path)
    assert isinstance(graph, Graph)
    return graph
