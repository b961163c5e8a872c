"""Interval simulation: what can a term be when its variables are only known to lie in arcs?

Ternary simulation for words (Welp, Kuehlmann 2013, section 3.1.1). The answer always contains every value that the term can
take; it may contain more, because two occurrences of one variable are taken to be independent: (x > 2 ∧ y > 2) ∨ x ≤ 2 is
unknown for y ≥ 3 and any x. ``word_intervals`` says what an arc is, ``word_interval_rules`` what each operator does to it.

A ``Simulation`` is prepared once: nodes in topological order, one closure for each that reads its arguments from a list.
Lifting then moves one bound of one variable at a time, thousands of times, so ``widen`` visits only nodes above that variable,
in order, and goes on only from those whose value changes. Each change leaves the old value on a trail; ``rollback`` takes it
from there. Words whose arguments are points are computed by ``values``: exactly, and faster than by the rules.

Left out: narrowing the branches of ``ite`` by its condition, and arrays, numbers and functions, about which nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from heapq import heapify, heappop, heappush
from operator import itemgetter
from typing import Any

from lemmata.logic.domains.word_interval_rules import ALWAYS, MAYBE, NEVER, Rule, rule_of
from lemmata.logic.domains.word_intervals import WordBounds, WordInterval, everything, pointer
from lemmata.logic.sorts import BOOL, BitVec, Sort
from lemmata.logic.terms import Term, topological, value_of
from lemmata.logic.values import MEANINGS, detail

__all__ = ["Simulation", "WordInterval"]

_Step = Callable[[], Any]
_TRUTHS = {NEVER: WordInterval.point(0, 1), MAYBE: WordInterval.top(1), ALWAYS: WordInterval.point(1, 1)}


class Simulation:
    """The values of ``roots`` while the arcs of their variables change. A Bool has an arc of one bit.

    Begin with ``assign``; before it, everything but constants is taken to be anything.
    """

    def __init__(self, roots: Sequence[Term]) -> None:
        self.roots = tuple(roots)
        order = topological(roots)
        self._at = {term: position for position, term in enumerate(order)}
        self._values: list[Any] = [_constant(term) if term.is_const else _anything(term.sort) for term in order]
        self._steps: list[_Step | None] = [self._step(term) for term in order]
        self._program = [(position, step) for position, step in enumerate(self._steps) if step is not None]
        self._variables = [(term, position) for term, position in self._at.items() if term.is_var]
        self._users = self._readers(order)
        self._queued = bytearray(len(order))
        self._trail: list[tuple[int, Any]] = []

    def assign(self, bounds: Mapping[Term, WordInterval]) -> None:
        """Evaluate everything for these arcs; variables without one can be anything. Earlier marks are void."""
        self._trail.clear()
        for variable, position in self._variables:
            arc = bounds.get(variable)
            self._values[position] = _anything(variable.sort) if arc is None else _inside(arc, variable.sort)
        values = self._values
        for position, step in self._program:
            values[position] = step()

    def simulate(self, bounds: Mapping[Term, WordInterval]) -> list[WordInterval]:
        """The arcs of the roots for these arcs of the variables."""
        self.assign(bounds)
        return [self.value(root) for root in self.roots]

    def value(self, term: Term) -> WordInterval:
        """What ``term``, a root or anything below one, can be now."""
        sort, value = term.sort, self._values[self._at[term]]
        if sort is BOOL:
            return _TRUTHS[value]
        if not isinstance(sort, BitVec):
            raise ValueError(f"there are no arcs of sort {sort}")
        return WordInterval._make((*value, sort.width))

    def widen(self, variable: Term, arc: WordInterval) -> None:
        """Give ``variable`` another arc; a variable that no root reads is no matter."""
        position = self._at.get(variable)
        if position is None:
            return
        value = _inside(arc, variable.sort)
        if value != self._values[position]:
            self._trail.append((position, self._values[position]))
            self._values[position] = value
            self._spread(self._users[position])

    def mark(self) -> int:
        """Remember the values of now."""
        return len(self._trail)

    def rollback(self, mark: int) -> None:
        """Go back to the values that ``mark`` remembers."""
        values, trail = self._values, self._trail
        while len(trail) > mark:
            position, value = trail.pop()
            values[position] = value

    def _spread(self, start: Iterable[int]) -> None:
        """Evaluate what reads a changed node, lowest position first, each node once."""
        values, steps, users, queued, trail = self._values, self._steps, self._users, self._queued, self._trail
        heap = list(start)
        heapify(heap)
        for position in heap:
            queued[position] = 1
        while heap:
            position = heappop(heap)
            queued[position] = 0
            step, old = steps[position], values[position]
            assert step is not None
            new = step()
            if new != old:
                trail.append((position, old))
                values[position] = new
                for user in users[position]:
                    if not queued[user]:
                        queued[user] = 1
                        heappush(heap, user)

    def _readers(self, order: Sequence[Term]) -> list[list[int]]:
        users: list[list[int]] = [[] for _ in order]
        for position, term in enumerate(order):
            if self._steps[position] is not None:
                for arg in set(term.args):
                    users[self._at[arg]].append(position)
        return users

    def _step(self, term: Term) -> _Step | None:
        """A function that evaluates ``term`` from the values of its arguments; ``None``: they do not matter."""
        args = term.args
        if not args:
            return None
        sorts = tuple([arg.sort for arg in args])
        rule = rule_of(term.op, sorts, term.data)
        if rule is None:
            return None
        places = [self._at[arg] for arg in args]
        if isinstance(term.sort, BitVec) and term.op != "ite":
            return _word_step(self._values, places, rule, _exact(term.op, sorts, term.data), pointer(term.width))
        return _plain_step(self._values, places, rule)


@cache
def _exact(op: str, sorts: tuple[Sort, ...], data: Any) -> Callable[..., int]:
    """What ``op`` does to points."""
    return partial(MEANINGS[op], detail(op, data, sorts))


def _word_step(
    values: list[Any], places: list[int], rule: Rule, exact: Callable[..., int], point: Callable[[int], WordBounds]
) -> _Step:
    if len(places) == 1:
        (i,) = places

        def unary() -> WordBounds:
            a = values[i]
            return point(exact(a[0])) if a[0] == a[1] else rule(a)

        return unary
    i, j = places

    def binary() -> WordBounds:
        a, b = values[i], values[j]
        if a[0] == a[1] and b[0] == b[1]:
            return point(exact(a[0], b[0]))
        return rule(a, b)  # type: ignore[no-any-return]

    return binary


def _plain_step(values: list[Any], places: list[int], rule: Rule) -> _Step:
    match places:
        case [i]:
            return lambda: rule(values[i])
        case [i, j]:
            return lambda: rule(values[i], values[j])
        case [i, j, k]:
            return lambda: rule(values[i], values[j], values[k])
    pick = itemgetter(*places)
    return lambda: rule(pick(values))


def _anything(sort: Sort) -> Any:
    if sort is BOOL:
        return MAYBE
    return everything(sort.width) if isinstance(sort, BitVec) else None


def _constant(term: Term) -> Any:
    if term.sort is BOOL:
        return ALWAYS if value_of(term) else NEVER
    return pointer(term.width)(value_of(term)) if isinstance(term.sort, BitVec) else None


def _inside(arc: WordInterval, sort: Sort) -> Any:
    """An arc as the simulation keeps it."""
    if sort is BOOL:
        return arc.umin + arc.umax
    if not isinstance(sort, BitVec) or sort.width != arc.width:
        raise ValueError(f"an arc of {arc.width} bits for a variable of sort {sort}")
    return tuple(arc)[:6]
