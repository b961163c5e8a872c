"""Layered drawings of directed graphs, after Sugiyama, Tagawa and Toda (1981): where boxes, labels and lines go.

1. Edges that close a cycle are turned around; every node has a layer below those of its predecessors.
2. The label of an edge is a box on its way, and an edge that crosses a layer has a bend there: neighbours are one layer apart,
   and nothing that is placed in a layer overlaps anything else in it.
3. Nodes of a layer are sorted by the mean positions of their neighbours, downwards and upwards in turns; the order with the
   fewest crossings that was seen is kept.
4. In that order each layer is moved as close as possible to its neighbours, in least squares: with distances taken off, that
   is isotonic regression (pool adjacent violators). Bends weigh more, so long edges are straight.

Self-loops leave a box and come back on its right, where their labels are. The layout depends on sizes and edges only, not on
texts. ``None`` is the answer where long edges have more than ``_BENDS`` bends.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lemmata.values import dataclass

Size = tuple[float, float]
Point = tuple[float, float]

_GAP_X, _GAP_Y = 18.0, 14.0
_SWEEPS = 12
_BENDS = 40_000
_STRAIGHT = 6.0  # how much more a bend wants to be above another than above a box
_ASIDE = 0.35  # of the width of a box
_LABEL_LEFT = 6.0  # from a line to its label


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of boxes, left upper corners of labels, and the points of each edge, from its source to its target."""

    boxes: tuple[Point, ...]
    labels: tuple[Point, ...]
    lines: tuple[tuple[Point, ...], ...]
    width: float
    height: float


def layered(sizes: Sequence[Size], edges: Sequence[tuple[int, int]], labels: Sequence[Size]) -> Layout | None:
    """The layout of boxes of these sizes, and edges with labels of these sizes; ``None`` where it would be a tangle."""
    net = _Net(sizes, edges, labels)
    if not net.bend():
        return None
    net.sort()
    return net.placed()


class _Net:
    """Nodes are boxes, then labels, then bends; ``up`` and ``down`` are the neighbours in the layers above and below."""

    def __init__(self, sizes: Sequence[Size], edges: Sequence[tuple[int, int]], labels: Sequence[Size]) -> None:
        self._sizes, self._edges, self._labels = sizes, edges, labels
        self._loops: dict[int, list[int]] = {}
        for number, (source, target) in enumerate(edges):
            if source == target:
                self._loops.setdefault(source, []).append(number)
        boxes = len(sizes)
        self._arcs: list[tuple[int, int]] = []
        backward = _closing(boxes, edges)
        for number, (source, target) in enumerate(edges):
            if source != target:
                ends = (target, source) if number in backward else (source, target)
                self._arcs += [(ends[0], boxes + number), (boxes + number, ends[1])]
        self._backward = backward
        self._extents = [*map(self._box_extent, range(boxes)), *map(self._label_extent, range(len(edges)))]
        self._layer = _layers(len(self._extents), self._arcs)
        self._chains: list[list[int]] = []
        self._absent = {boxes + number for loops in self._loops.values() for number in loops}  # labels beside their boxes

    def _box_extent(self, box: int) -> tuple[float, float, float]:
        """To the left and to the right of the middle, and the height; with loops and their labels."""
        width, height = self._sizes[box]
        loops = [self._labels[number] for number in self._loops.get(box, ())]
        room = max((label[0] for label in loops), default=0) + (26 + _LABEL_LEFT if loops else 0)
        return width / 2, width / 2 + room, max(height, sum(max(label[1], 12) + 6 for label in loops))

    def _label_extent(self, number: int) -> tuple[float, float, float]:
        width, height = self._labels[number]
        return 3.0, width + (_LABEL_LEFT if width else 3.0), height

    def bend(self) -> bool:
        """Cut arcs that cross layers into pieces; false if there are too many."""
        layer, bends = self._layer, 0
        for source, target in self._arcs:
            bends += layer[target] - layer[source] - 1
        if bends > _BENDS:
            return False
        self.down: list[list[int]] = [[] for _ in self._extents]
        self.up: list[list[int]] = [[] for _ in self._extents]
        for source, target in self._arcs:
            chain = [source]
            for between in range(layer[source] + 1, layer[target]):
                chain.append(len(self._extents))
                self._extents.append((2.0, 2.0, 0.0))
                layer.append(between)
                self.down.append([])
                self.up.append([])
            chain.append(target)
            for above, below in pairwise(chain):
                self.down[above].append(below)
                self.up[below].append(above)
            self._chains.append(chain)
        return True

    def sort(self) -> None:
        """An order of each layer with few crossings."""
        layers = self._first_order()
        best, fewest = [list(layer) for layer in layers], self._crossings(layers)
        for sweep in range(_SWEEPS):
            if not fewest:
                break
            is_down = sweep % 2 == 0
            near = self.up if is_down else self.down
            order = range(1, len(layers)) if is_down else range(len(layers) - 2, -1, -1)
            for depth in order:
                at = {node: place for place, node in enumerate(layers[depth - 1 if is_down else depth + 1])}
                now = {node: place for place, node in enumerate(layers[depth])}
                mean = {v: sum(at[w] for w in near[v]) / len(near[v]) if near[v] else float(now[v]) for v in layers[depth]}
                layers[depth].sort(key=lambda node, mean=mean, now=now: (mean[node], now[node]))  # type: ignore[misc]
            if (crossings := self._crossings(layers)) < fewest:
                best, fewest = [list(layer) for layer in layers], crossings
        self._order = best

    def _first_order(self) -> list[list[int]]:
        """In the order in which a search from the top meets the nodes."""
        layers: list[list[int]] = [[] for _ in range(max(self._layer, default=-1) + 1)]
        seen = [False] * len(self._extents)
        for root in range(len(self._extents)):
            stack = [] if self.up[root] or root in self._absent else [root]
            while stack:
                node = stack.pop()
                if not seen[node]:
                    seen[node] = True
                    layers[self._layer[node]].append(node)
                    stack += reversed(self.down[node])
        return layers

    def _crossings(self, layers: Sequence[Sequence[int]]) -> int:
        """How many pairs of pieces between neighbouring layers cross."""
        found = 0
        for above, below in pairwise(layers):
            at = {node: place for place, node in enumerate(below)}
            ends: list[int] = []
            for node in above:
                targets = sorted(at[v] for v in self.down[node])
                found += sum(len(ends) - bisect_right(ends, target) for target in targets)
                for target in targets:
                    insort(ends, target)
        return found

    def placed(self) -> Layout:
        """The coordinates."""
        across = self._across()
        present = [v for layer in self._order for v in layer]
        left = min((across[v] - self._extents[v][0] for v in present), default=0.0)
        right = max((across[v] + self._extents[v][1] for v in present), default=0.0)
        across = [x - left + _GAP_X for x in across]
        tops, heights = self._down()
        boxes, labels = [], []
        for box, (_, height) in enumerate(self._sizes):
            depth = self._layer[box]
            boxes.append((across[box], tops[depth] + (heights[depth] - height) / 2 + height / 2))
        for number, (_, height) in enumerate(self._labels):
            node = len(self._sizes) + number
            depth = self._layer[node]
            labels.append((across[node] + _LABEL_LEFT, tops[depth] + (heights[depth] - height) / 2))
        lines: list[tuple[Point, ...]] = [()] * len(self._edges)
        for box, loops in self._loops.items():
            self._place_loops(box, loops, boxes, labels, lines)
        pieces = iter(self._chains)
        for number, (source, target) in enumerate(self._edges):
            if source != target:
                first, second = next(pieces), next(pieces)
                lines[number] = self._line(number, [*first, *second[1:]], across, boxes, tops, heights)
        bottom = tops[-1] + heights[-1] if tops else 0.0
        return Layout(tuple(boxes), tuple(labels), tuple(lines), right - left + 2 * _GAP_X, bottom + _GAP_Y)

    def _across(self) -> list[float]:
        across = [0.0] * len(self._extents)
        for layer in self._order:
            self._pack(layer, dict.fromkeys(layer, 0.0), across)
        for sweep in range(2 * _SWEEPS):
            is_down = sweep % 2 == 0
            for layer in self._order if is_down else reversed(self._order):
                wish = {node: self._wish(node, across, is_down, sweep >= 2 * _SWEEPS - 2) for node in layer}
                self._pack(layer, wish, across)
        return across

    def _wish(self, node: int, across: list[float], is_down: bool, is_last: bool) -> float:
        """Where a node would be if it were alone in its layer."""
        near = [*self.up[node], *self.down[node]] if is_last else self.up[node] if is_down else self.down[node]
        if not near:
            return across[node]
        first = len(self._sizes)
        weights = [_STRAIGHT if v >= first and node >= first else 1.0 for v in near]
        return sum(across[v] * w for v, w in zip(near, weights, strict=True)) / sum(weights)

    def _pack(self, layer: Sequence[int], wish: dict[int, float], across: list[float]) -> None:
        """Place the nodes of a layer in their order, without overlap, nearest to their wishes."""
        shift, shifts = 0.0, []
        for place, node in enumerate(layer):
            if place:
                shift += self._extents[layer[place - 1]][1] + self._extents[node][0] + _GAP_X
            shifts.append(shift)
        blocks: list[tuple[float, float, int]] = []  # sum of wishes, weight, number of nodes
        for node, moved in zip(layer, shifts, strict=True):
            weight = 1.0 if node < len(self._sizes) else _STRAIGHT
            blocks.append(((wish[node] - moved) * weight, weight, 1))
            while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
                last, before = blocks.pop(), blocks.pop()
                blocks.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
        means = [total / weight for total, weight, number in blocks for _ in range(number)]
        for node, moved, mean in zip(layer, shifts, means, strict=True):
            across[node] = mean + moved

    def _down(self) -> tuple[list[float], list[float]]:
        """The upper borders and the heights of the layers."""
        heights = [max((self._extents[v][2] for v in layer), default=0.0) for layer in self._order]
        tops, y = [], _GAP_Y
        for height in heights:
            tops.append(y)
            y += height + _GAP_Y
        return tops, heights

    def _line(
        self, number: int, chain: list[int], across: list[float], boxes: list[Point], tops: list[float], heights: list[float]
    ) -> tuple[Point, ...]:
        """From the lower border of the upper box to the upper border of the lower one; straight down through layers between."""
        upper, lower = chain[0], chain[-1]
        aside = _ASIDE if number in self._backward else 0.0  # arrows that lead up do not meet those that lead down
        points = [(across[upper] + aside * self._sizes[upper][0], boxes[upper][1] + self._sizes[upper][1] / 2)]
        for node in chain[1:-1]:
            depth = self._layer[node]
            points += [(across[node], tops[depth]), (across[node], tops[depth] + heights[depth])]
        points.append((across[lower] + aside * self._sizes[lower][0], boxes[lower][1] - self._sizes[lower][1] / 2))
        return tuple(reversed(points)) if number in self._backward else tuple(points)

    def _place_loops(
        self, box: int, loops: list[int], boxes: list[Point], labels: list[Point], lines: list[tuple[Point, ...]]
    ) -> None:
        x, y = boxes[box]
        right = x + self._sizes[box][0] / 2
        high = self._extents[box][2]
        top = y - high / 2
        for number in loops:
            tall = max(self._labels[number][1], 12)
            middle = top + tall / 2
            entry = min(max(middle, y - self._sizes[box][1] / 2 + 3), y + self._sizes[box][1] / 2 - 3)
            lines[number] = ((right, entry - 3), (right + 22, middle - 5), (right + 22, middle + 5), (right, entry + 3))
            labels[number] = (right + 24 + _LABEL_LEFT, top)
            top += tall + 6


def _closing(boxes: int, edges: Sequence[tuple[int, int]]) -> set[int]:
    """Edges that lead back to where a search came from: without them there is no cycle."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(boxes)]
    entered = [0] * boxes
    for number, (source, target) in enumerate(edges):
        if source != target:
            leaving[source].append((number, target))
            entered[target] += 1
    state, closing = [0] * boxes, set[int]()
    for root in sorted(range(boxes), key=lambda box: (entered[box] > 0, box)):
        if state[root]:
            continue
        state[root] = 1
        stack: list[tuple[int, Iterator[tuple[int, int]]]] = [(root, iter(leaving[root]))]
        while stack:
            node, rest = stack[-1]
            number, target = next(rest, (-1, -1))
            if number < 0:
                state[node] = 2
                stack.pop()
            elif state[target] == 1:
                closing.add(number)
            elif not state[target]:
                state[target] = 1
                stack.append((target, iter(leaving[target])))
    return closing


def _layers(nodes: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """As high as predecessors allow; what has none is just above its first successor."""
    down: list[list[int]] = [[] for _ in range(nodes)]
    missing = [0] * nodes
    for source, target in arcs:
        down[source].append(target)
        missing[target] += 1
    sources = [node for node in range(nodes) if not missing[node] and down[node]]
    layer, ready = [0] * nodes, [node for node in range(nodes) if not missing[node]]
    for node in ready:
        for target in down[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    for node in sources:
        layer[node] = min(layer[target] for target in down[node]) - 1
    return layer
