"""Ranges of variables: remainders that cannot wrap around are sums, conditions that ranges decide go.

Programs that come from C write ``x mod 2³² ≤ 98`` for a counter that never gets beyond 99. An interval analysis
(``interval_analysis``), with remainders as in Granger 1989, finds for each location spans of the variables that something
divided depends on; guards and updates are rewritten under these spans (``logic.rewrite.arithmetic``), and edges that cannot be
taken go. No solver is asked. Conditions between variables are left alone even where the spans decide them, since they may help
an engine.

Way back: the spans are lemmas. They are inductive together, and under them both graphs have the same steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from lemmata.logic.build import conj, equal
from lemmata.logic.linear import atom, canonical
from lemmata.logic.linear.atoms import is_literal
from lemmata.logic.rewrite.arithmetic import Arithmetic
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, Term, const, make, topological
from lemmata.models.graph import Edge, Graph
from lemmata.transforms.graph.back import Adapted, GraphReduction, unchanged_edge
from lemmata.transforms.graph.boxes import propagate_bounds
from lemmata.transforms.graph.interval_analysis import IntervalState, interval_fixpoint, known_at
from lemmata.transforms.graph.live import Slot
from lemmata.transforms.graph.tidy import guard_conjuncts

_DIVIDED = ("mod", "div")
_NEIGHBOUR_VARIABLES = 2  # variables of a comparison that makes them neighbours


def use_ranges(graph: Graph) -> GraphReduction:
    """The graph with guards and updates that are simpler where the variables are in their ranges."""
    every = tuple(range(len(graph.locations)))
    if not _is_divided(graph):
        recipes = [unchanged_edge(number, edge) for number, edge in enumerate(graph.edges)]
        return GraphReduction(graph, Adapted(graph, graph, 0, every, tuple(recipes), {}))
    states = interval_fixpoint(graph, _wanted(graph))
    edges: list[Edge] = []
    recipes = []
    for number, edge in enumerate(graph.edges):
        simpler = _rewritten(graph, edge, states)
        if simpler is not None:
            edges.append(simpler)
            recipes.append(unchanged_edge(number, edge))
    new = replace(graph, edges=tuple(edges))
    extra = {number: range_lemmas(state) for number, state in enumerate(states)}
    return GraphReduction(new, Adapted(graph, new, 0, every, tuple(recipes), extra))


def _wanted(graph: Graph) -> set[Slot]:
    """The variables that something divided depends on, and those that they are compared with."""
    near: dict[Slot, dict[Slot, None]] = defaultdict(dict)
    found: dict[Slot, None] = {}
    for edge in graph.edges:
        slots = {v: (source.location, k) for source in edge.sources for k, v in enumerate(source.variables)}
        for part in guard_conjuncts([edge.guard]):
            below = topological([part])
            read = dict.fromkeys(slots[v] for v in below if v in slots)
            if any(term.op in _DIVIDED for term in below):
                found |= read
            elif len(read) <= _NEIGHBOUR_VARIABLES:
                for slot in read:
                    near[slot] |= read
        for k, update in enumerate(edge.updates):
            below = topological([update])
            read = dict.fromkeys(slots[v] for v in below if v in slots)
            near[edge.target, k] |= read
            if any(term.op in _DIVIDED for term in below):
                found |= read
    stack = list(found)
    while stack:
        more = [slot for slot in near[stack.pop()] if slot not in found]
        found |= dict.fromkeys(more)
        stack += more
    return set(found)


def _is_divided(graph: Graph) -> bool:
    """Is there anything to do? Choices alone are no reason: synchronous programs have many, and ranges decide few of them."""
    terms = topological([term for edge in graph.edges for term in (edge.guard, *edge.updates)])
    return any(term.op in _DIVIDED for term in terms)


def range_lemmas(state: IntervalState | None) -> tuple[Term, ...]:
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


def _rewritten(graph: Graph, edge: Edge, states: Sequence[IntervalState | None]) -> Edge | None:
    """The edge under the states of its sources; ``None`` if it cannot be taken.

    Bounds of variables stay as they are, and everything else may rely on them.
    """
    known = known_at(graph, edge, states)
    parts = guard_conjuncts([edge.guard])
    firm = [part for part in parts if is_literal(part) and _is_bound(part)]
    box = None if known is None else propagate_bounds(firm, known)
    if box is None:
        return None
    others = guard_conjuncts(Arithmetic(box).rewritten([part for part in parts if not (is_literal(part) and _is_bound(part))]))
    box = propagate_bounds(others, box)
    if box is None:
        return None
    return replace(edge, guard=conj([*firm, *others]), updates=tuple(Arithmetic(box).rewritten(edge.updates)))


def _is_bound(literal: Term) -> bool:
    found = atom(literal)
    return found is not None and found.kind not in ("mod", "nmod")
