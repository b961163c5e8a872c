"""Which loops of a graph are accelerated.

- Every edge that leads back to its location.
- Cycles through a few locations; where a location on the way has accelerated loops of its own, also with one of those.
- At a location with several loops, two of them in turn: one after the other, or one accelerated and then the other.
  (Large-block encoding often turns a loop within a loop into that.)

All within limits, since each becomes an edge that bounded model checking has to look at in every layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from lemmata.engines.graphs.accelerate_laps import Lap, Loop, Names, again, joined, lap_of
from lemmata.engines.graphs.accelerate_loops import accelerated
from lemmata.logic.terms import FALSE
from lemmata.models.graph import Graph

_LOOPS = 60  # edges of one location that are accelerated, and those of all cycles
_PAIRS = 24
_LONG = 5  # edges of a cycle, accelerated ones not counted
_LOOKS = 600  # laps that are made in search of cycles


def shortcuts(graph: Graph) -> list[Lap]:
    """Accelerated loops of a linear graph; the simple ones first."""
    names = Names(graph)
    edges = [lap_of(graph, number, names) for number, edge in enumerate(graph.edges) if edge.sources]
    loops: dict[int, list[Lap]] = {}
    quick: dict[int, list[Lap]] = {}
    for lap in edges:
        if lap.place == lap.target and len(quick.setdefault(lap.place, [])) < _LOOPS:
            loops.setdefault(lap.place, []).append(lap)
            quick[lap.place] += accelerated(graph, lap, names)
    wider = [*_pairs(graph, loops, quick, names), *islice(_cycles(graph, edges, quick, names), _LOOPS)]
    more = [fast for lap in wider if lap.guard is not FALSE for fast in accelerated(graph, lap, names)]
    return [*(lap for laps in quick.values() for lap in laps), *more]


def _pairs(graph: Graph, loops: dict[int, list[Lap]], quick: dict[int, list[Lap]], names: Names) -> list[Lap]:
    """Two loops of one location in turn."""
    found: list[Lap] = []
    for place, own in loops.items():
        fast = [(first, then) for first in quick[place] for then in own if not _is_of(first, then)]
        slow = list(combinations(own, 2))
        chosen = [*fast[:_PAIRS], *slow[:_PAIRS]]
        found += [joined(graph, again(first, names), again(then, names)) for first, then in chosen]
    return found


def _is_of(fast: Lap, lap: Lap) -> bool:
    """Is the first lap the second one, accelerated?"""
    return any(isinstance(part, Loop) and part.body == lap.plan for part in fast.plan)


def _cycles(graph: Graph, edges: list[Lap], quick: dict[int, list[Lap]], names: Names) -> Iterator[Lap]:
    """Ways from a location back to it, with others in between."""
    leaving: dict[int, list[Lap]] = {}
    for lap in edges:
        if lap.place != lap.target:
            leaving.setdefault(lap.place, []).append(lap)
    looks = 0
    for start in leaving:
        stack: list[tuple[Lap, tuple[int, ...]]] = [
            (again(lap, names), (start, lap.target)) for lap in reversed(leaving[start])
        ]
        while stack and looks < _LOOKS:
            path, seen = stack.pop()
            if path.target == start:
                yield path
                continue
            if len(seen) > _LONG:
                continue
            ways = [path, *(joined(graph, path, again(lap, names)) for lap in quick.get(path.target, ()))]
            for way in reversed(ways):
                for lap in reversed(leaving.get(path.target, [])):
                    if lap.target == start or lap.target not in seen:
                        looks += 1
                        longer = joined(graph, way, again(lap, names))
                        if longer.guard is not FALSE:
                            stack.append((longer, (*seen, lap.target)))
