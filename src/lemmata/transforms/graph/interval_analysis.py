"""The analysis behind ``ranges``: for each location a span for each variable of interest, inductive together.

It climbs from the initial edges (Cousot, Cousot 1977). A bound that moves again and again jumps to the next number that the
program has, to powers of two that C has, and in the end to infinity (widening); then come two rounds of descent (narrowing).
Each evaluation of an edge takes what its guard leaves of the box of its sources (``boxes``), so relations between variables
count as far as they bound one of them. The work is limited; where it is not enough, nothing is known.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from lemmata.budgets import INTERVAL_NODES
from lemmata.logic.domains.congruence_intervals import TOP, CongruenceInterval, End, congruence_interval, join, meet
from lemmata.logic.rewrite.arithmetic import Arithmetic
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, topological, value_of
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.boxes import IntervalBox, propagate_bounds
from lemmata.transforms.graph.live import Slot
from lemmata.transforms.graph.tidy import guard_conjuncts
from lemmata.values import dataclass

_DELAY_CHANGES = 3  # changes of a variable before it is widened
_MOST_CHANGES = 30  # and before it is widened to everything
_NARROWINGS = 2  # after the widening, at most
_POWERS = (7, 8, 15, 16, 31, 32, 63, 64)  # of two, which are thresholds of the widening

IntervalState = Mapping[Term, CongruenceInterval]  # of one location; variables that are not there can be anything


def interval_fixpoint(graph: Graph, wanted: Set[Slot]) -> list[IntervalState | None]:
    """Spans of the wanted variables that hold at each location; ``None`` where nothing arrives."""
    return _Fixpoint(graph, wanted).states()


def known_at(graph: Graph, edge: Edge, states: Sequence[IntervalState | None]) -> IntervalBox | None:
    """What is known where the edge starts, in its own names; ``None`` if nothing gets there."""
    known: dict[Term, CongruenceInterval] = {}
    for source in edge.sources:
        state = states[source.location]
        if state is None:
            return None
        own = graph.locations[source.location].variables
        known |= {here: state[v] for v, here in zip(own, source.variables, strict=True) if v in state}
    return known


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What matters about an edge; ``size`` is what one evaluation costs."""

    edge: Edge
    parts: tuple[Term, ...]  # of the guard
    numbers: tuple[tuple[Term, Term], ...]  # variables of the target, and their updates
    size: int


def _prepared(graph: Graph, edge: Edge, wanted: Set[Slot]) -> _Prepared:
    concerned = {v for s in edge.sources for k, v in enumerate(s.variables) if (s.location, k) in wanted} | set(edge.inputs)
    parts = tuple(
        [part for part in guard_conjuncts([edge.guard]) if concerned.intersection(variables([part])) or part.is_const]
    )
    stored = zip(graph.locations[edge.target].variables, edge.updates, strict=True)
    numbers = tuple([pair for k, pair in enumerate(stored) if pair[0].sort is INT and (edge.target, k) in wanted])
    return _Prepared(edge, parts, numbers, len(topological([*parts, *[update for _, update in numbers]])))


class _Fixpoint:
    """The analysis."""

    def __init__(self, graph: Graph, wanted: Set[Slot]) -> None:
        self._graph = graph
        self._edges = [_prepared(graph, edge, wanted) for edge in graph.edges]
        self._limits = _limits([term for one in self._edges for term in (*one.parts, *[update for _, update in one.numbers])])
        self._states: list[IntervalState | None] = [None] * len(graph.locations)
        self._changes: Counter[tuple[int, Term]] = Counter()
        self._work = INTERVAL_NODES

    def states(self) -> list[IntervalState | None]:
        """Spans that hold at each location; ``None`` where nothing arrives."""
        if not self._ascend():
            return [{} for _ in self._states]
        for _ in range(_NARROWINGS):
            if not self._descend():
                break
        return self._states

    def _ascend(self) -> bool:
        """Is it done, within the work that is allowed?"""
        leaving: list[list[int]] = [[] for _ in self._states]
        for number, prepared in enumerate(self._edges):
            for location in dict.fromkeys(source.location for source in prepared.edge.sources):
                leaving[location].append(number)
        queue = dict.fromkeys(number for number, prepared in enumerate(self._edges) if not prepared.edge.sources)
        while queue:
            number = next(iter(queue))
            del queue[number]
            target = self._edges[number].edge.target
            after = self._after(self._edges[number])
            if self._work < 0:
                return False
            if after is None:
                continue
            before = self._states[target]
            new = after if before is None else self._widened(target, before, after)
            if new != before:
                self._states[target] = new
                queue |= dict.fromkeys(leaving[target])
        return True

    def _descend(self) -> bool:
        """Every edge once more, from what is known; has anything become narrower?"""
        new: list[IntervalState | None] = [None] * len(self._states)
        for prepared in self._edges:
            target = prepared.edge.target
            after, before = self._after(prepared), new[target]
            if after is not None:
                new[target] = after if before is None else _joined(before, after)
        if self._work < 0:
            return False
        old = self._states
        self._states = [None if was is None or now is None else _met(was, now) for was, now in zip(old, new, strict=True)]
        return self._states != old

    def _after(self, prepared: _Prepared) -> IntervalState | None:
        """What the target's variables can be when the edge was taken."""
        self._work -= prepared.size
        known = known_at(self._graph, prepared.edge, self._states)
        box = None if known is None else propagate_bounds(Arithmetic(known).rewritten(prepared.parts), known)
        if box is None:
            return None
        arithmetic = Arithmetic(box)
        updates = arithmetic.rewritten([update for _, update in prepared.numbers])
        found = {v: arithmetic.spans.of(update) for (v, _), update in zip(prepared.numbers, updates, strict=True)}
        return {v: values for v, values in found.items() if not values.is_top}

    def _widened(self, location: int, before: IntervalState, after: IntervalState) -> IntervalState:
        found: dict[Term, CongruenceInterval] = {}
        for v, values in _joined(before, after).items():
            found[v] = values
            if values != before[v]:
                self._changes[location, v] += 1
                if self._changes[location, v] > _DELAY_CHANGES:
                    limits = self._limits if self._changes[location, v] <= _MOST_CHANGES else ()
                    found[v] = _stretched(before[v], values, limits)
        return {v: values for v, values in found.items() if not values.is_top}


def _limits(terms: Sequence[Term]) -> Sequence[int]:
    """Numbers where a bound may come to rest."""
    found = {value_of(term) for term in topological(terms) if term.is_const and term.sort is INT}
    return sorted(found | {end for power in _POWERS for end in (-(1 << power), (1 << power) - 1)})


def _stretched(before: CongruenceInterval, after: CongruenceInterval, limits: Sequence[int]) -> CongruenceInterval:
    """``after``, whose ends are limits where they are not as before."""
    low: End = after.low
    high: End = after.high
    if low is not None and low != before.low:
        at = bisect_right(limits, low)
        low = limits[at - 1] if at else None
    if high is not None and high != before.high:
        at = bisect_left(limits, high)
        high = limits[at] if at < len(limits) else None
    return congruence_interval(low, high, after.step or 1, after.rest if after.step else 0) or TOP


def _joined(a: IntervalState, b: IntervalState) -> IntervalState:
    found = {v: join(values, b[v]) for v, values in a.items() if v in b}
    return {v: values for v, values in found.items() if not values.is_top}


def _met(a: IntervalState, b: IntervalState) -> IntervalState:
    """What both say; they hold at the same states."""
    found = dict(a)
    for v, values in b.items():
        both = meet(found.get(v, TOP), values)
        if both is not None:
            found[v] = both
    return found
