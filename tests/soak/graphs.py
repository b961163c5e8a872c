"""Every step of the simplification on random graphs: same verdict, and evidence that finds its way back.

The truth comes from enumeration. The suite takes a few dozen graphs per step; ``python -m tests.soak.graphs 500 [STEP …]``
takes as many as one likes. Graphs as C programs have them go through the steps that look at ranges, and through all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

from lemmata.errors import CertificateError
from lemmata.models.graph import Graph
from tests.support.c_like import c_like_graph
from tests.support.graph_steps import STEPS, agree, finds_back, graphs

RANGES = ("ranges", "all")  # steps that take graphs which are not closed


def complaints(name: str, seed: int) -> Iterator[str]:
    """What a step gets wrong about the graphs of a seed."""
    (graph,) = graphs(f"many {name}", [seed])
    for prop in range(len(graph.questions)):
        yield from _complaint(name, seed, graph, prop, is_closed=True)
    if name in RANGES:
        yield from _complaint(name, seed, c_like_graph(Random(f"many ranges {seed}")), 0, is_closed=False)


def _complaint(name: str, seed: int, graph: Graph, prop: int, is_closed: bool) -> Iterator[str]:
    try:
        (agree if is_closed else finds_back)(graph, prop, STEPS[name](graph, prop))
    except (AssertionError, CertificateError) as error:
        yield f"{name}, seed {seed}, property {prop}: {error!r}\n{graph}"


def soak(count: int, names: list[str]) -> int:
    """Take each step on ``count`` graphs; the number of complaints."""
    found = 0
    for seed in range(count):
        for name in names:
            for complaint in complaints(name, seed):
                found += 1
                print(complaint, flush=True)
        if (seed + 1) % 100 == 0:
            print(f"{seed + 1} graphs, {found} complaints", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(1 if soak(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2:] or list(STEPS)) else 0)
