"""Ranges of variables: remainders that cannot wrap around are sums, conditions that ranges decide go.

Programs that come from C write ``x mod 2³² ≤ 98`` for a counter that never gets beyond 99. An interval analysis (Cousot,
Cousot 1977), with remainders as in Granger 1989, finds for each location a span for each integer variable; guards and updates
are rewritten under these spans (``logic.arithmetic``), and edges that cannot be taken go. No solver is asked.

The analysis climbs from the initial edges. A bound that moves again and again jumps to the next number that the program
compares with, to powers of two that C has, and in the end to infinity (widening); then two rounds of descent. Conditions
between variables are left alone even where the spans decide them, since they may help an engine.

Way back: the spans are lemmas. They are inductive together, and under them both graphs have the same steps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lemmata.logic.arithmetic import Arithmetic
from lemmata.logic.atoms import is_literal
from lemmata.logic.build import conj, equal
from lemmata.logic.linear import atom, canonical
from lemmata.logic.sorts import INT
from lemmata.logic.spans import TOP, End, Span, join, meet, span
from lemmata.logic.terms import FALSE, Term, const, make, topological, value_of
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.back import Adapted, GraphReduction, Recipe, same
from lemmata.transforms.graph.boxes import Box, within
from lemmata.transforms.graph.tidy import conjuncts

_DELAY = 3  # changes of a variable before it is widened
_PATIENCE = 30  # and before it is widened to everything
_NARROWINGS = 2
_WORK = 400_000  # nodes that are evaluated in all
_POWERS = (7, 8, 15, 16, 31, 32, 63, 64)

State = Mapping[Term, Span]  # of one location; variables that are not there can be anything


def use_ranges(graph: Graph) -> GraphReduction:
    """The graph with guards and updates that are simpler where the variables are in their ranges."""
    every = tuple(range(len(graph.locations)))
    if not _is_worth_it(graph):
        return GraphReduction(
            graph, Adapted(graph, graph, 0, every, tuple(map(same, range(len(graph.edges)), graph.edges)), {})
        )
    states = _Climb(graph).states()
    edges: list[Edge] = []
    recipes: list[Recipe] = []
    for number, edge in enumerate(graph.edges):
        simpler = _rewritten(graph, edge, states)
        if simpler is not None:
            edges.append(simpler)
            recipes.append(same(number, edge))
    new = replace(graph, edges=tuple(edges))
    extra = {number: _lemmas(state) for number, state in enumerate(states)}
    return GraphReduction(new, Adapted(graph, new, 0, every, tuple(recipes), extra))


def _is_worth_it(graph: Graph) -> bool:
    """Is anything divided? Choices alone are no reason: synchronous programs have many, and ranges decide few of them."""
    terms = topological([term for edge in graph.edges for term in (edge.guard, *edge.updates)])
    return any(term.op in ("mod", "div") for term in terms)


def _lemmas(state: State | None) -> tuple[Term, ...]:
    """A state in words."""
    if state is None:
        return (FALSE,)
    found: list[Term] = []
    for v, values in state.items():
        if values.step == 0:
            found.append(equal(v, const(values.rest, INT)))
            continue
        if values.low is not None:
            found.append(canonical(make("<=", (const(values.low, INT), v))))
        if values.high is not None:
            found.append(canonical(make("<=", (v, const(values.high, INT)))))
        if values.step > 1:
            remainder = make("mod", (v, const(values.step, INT)))
            found.append(canonical(equal(remainder, const(values.rest, INT))))
    return tuple(found)


def _known(graph: Graph, edge: Edge, states: Sequence[State | None]) -> Box | None:
    """What is known where the edge starts, in its own names; ``None`` if nothing gets there."""
    known: dict[Term, Span] = {}
    for source in edge.sources:
        state = states[source.location]
        if state is None:
            return None
        own = graph.locations[source.location].variables
        known |= {here: state[v] for v, here in zip(own, source.variables, strict=True) if v in state}
    return known


def _rewritten(graph: Graph, edge: Edge, states: Sequence[State | None]) -> Edge | None:
    """The edge under the states of its sources; ``None`` if it cannot be taken.

    Bounds of variables stay as they are, and everything else may rely on them.
    """
    known = _known(graph, edge, states)
    parts = conjuncts([edge.guard])
    firm = [part for part in parts if is_literal(part) and _is_bound(part)]
    box = None if known is None else within(firm, known)
    if box is None:
        return None
    others = conjuncts(Arithmetic(box).rewritten([part for part in parts if not (is_literal(part) and _is_bound(part))]))
    box = within(others, box)
    if box is None:
        return None
    return replace(edge, guard=conj([*firm, *others]), updates=tuple(Arithmetic(box).rewritten(edge.updates)))


def _is_bound(literal: Term) -> bool:
    found = atom(literal)
    return found is not None and found.kind not in ("mod", "nmod")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An edge with its guard taken apart; ``size`` is what one evaluation costs."""

    edge: Edge
    parts: tuple[Term, ...]
    size: int


class _Climb:
    """The analysis."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        terms = [(edge, topological([edge.guard, *edge.updates])) for edge in graph.edges]
        self._edges = [_Prepared(edge, tuple(conjuncts([edge.guard])), len(below)) for edge, below in terms]
        self._limits = _limits([term for _, below in terms for term in below])
        self._states: list[State | None] = [None] * len(graph.locations)
        self._changes: Counter[tuple[int, Term]] = Counter()
        self._work = _WORK

    def states(self) -> list[State | None]:
        """Spans that hold at each location; ``None`` where nothing arrives."""
        if not self._climb():
            return [{} for _ in self._states]
        for _ in range(_NARROWINGS):
            if not self._descend():
                break
        return self._states

    def _climb(self) -> bool:
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
        new: list[State | None] = [None] * len(self._states)
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

    def _after(self, prepared: _Prepared) -> State | None:
        """What the target's variables can be when the edge was taken."""
        edge = prepared.edge
        self._work -= prepared.size
        known = _known(self._graph, edge, self._states)
        box = None if known is None else within(Arithmetic(known).rewritten(prepared.parts), known)
        if box is None:
            return None
        arithmetic = Arithmetic(box)
        own = self._graph.locations[edge.target].variables
        numbers = [(v, update) for v, update in zip(own, edge.updates, strict=True) if v.sort is INT]
        updates = arithmetic.rewritten([update for _, update in numbers])
        found = {v: arithmetic.spans.of(update) for (v, _), update in zip(numbers, updates, strict=True)}
        return {v: values for v, values in found.items() if not values.is_top}

    def _widened(self, location: int, before: State, after: State) -> State:
        found: dict[Term, Span] = {}
        for v, values in _joined(before, after).items():
            found[v] = values
            if values != before[v]:
                self._changes[location, v] += 1
                if self._changes[location, v] > _DELAY:
                    limits = self._limits if self._changes[location, v] <= _PATIENCE else ()
                    found[v] = _stretched(before[v], values, limits)
        return {v: values for v, values in found.items() if not values.is_top}


def _limits(terms: Sequence[Term]) -> Sequence[int]:
    """Numbers where a bound may come to rest."""
    found = {value_of(term) for term in terms if term.is_const and term.sort is INT}
    return sorted(found | {end for power in _POWERS for end in (-(1 << power), (1 << power) - 1)})


def _stretched(before: Span, after: Span, limits: Sequence[int]) -> Span:
    """``after``, whose ends are limits where they are not as before."""
    low: End = after.low
    high: End = after.high
    if low is not None and low != before.low:
        at = bisect_right(limits, low)
        low = limits[at - 1] if at else None
    if high is not None and high != before.high:
        at = bisect_left(limits, high)
        high = limits[at] if at < len(limits) else None
    return span(low, high, after.step or 1, after.rest if after.step else 0) or TOP


def _joined(a: State, b: State) -> State:
    found = {v: join(values, b[v]) for v, values in a.items() if v in b}
    return {v: values for v, values in found.items() if not values.is_top}


def _met(a: State, b: State) -> State:
    """What both say; they hold at the same states."""
    found = dict(a)
    for v, values in b.items():
        both = meet(found.get(v, TOP), values)
        if both is not None:
            found[v] = both
    return found
