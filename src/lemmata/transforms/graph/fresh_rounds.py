"""Stretches on the way back from ``fresh``: who gives arbitrary variables the values that later edges read, round after round.

Every stretch is first told as one round less and then its last round on its own. So whatever comes after a round within the
stretch is the same: the first edge of the next one. From an edge that gives a variable, the value is followed forwards through
the edges that pass it on, to the one that reads it, whose input it is there; from the end of a round on, to its beginning.
A variable that is passed on all the way is not touched. Values that are read are the same in all rounds here; where they are
terms, nobody knows them a round earlier, and the derivation is given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from lemmata.errors import GaveUp
from lemmata.logic.entangled import value_term
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import default_value
from lemmata.logic.walk import variables
from lemmata.models.derivation import Fact, Stretch, Turn
from lemmata.models.graph import Graph
from lemmata.models.stretches import follow

Slot = tuple[int, int]  # location, position of the variable


def with_last_rounds(graph: Graph, facts: Sequence[Fact]) -> list[Fact]:
    """The same facts, where every stretch is followed by its last round, told on its own."""
    told: list[Fact] = []
    at: list[int] = []
    for fact in facts:
        premises = tuple([at[p] for p in fact.premises])
        if fact.stretch is None:
            told.append(_moved(fact, premises))
            at.append(len(told) - 1)
        else:
            at.append(_rounds(graph, told, premises[0], fact.stretch))
    return told


def _moved(fact: Fact, premises: tuple[int, ...]) -> Fact:
    return Fact(fact.edge, premises, fact.inputs, fact.place, fact.values, fact.line)


def _rounds(graph: Graph, told: list[Fact], at: int, stretch: Stretch) -> int:
    """Append all rounds but one as a stretch, and then the last one."""
    if stretch.count > 1:
        steps = tuple(_parted(stretch.steps))
        at = follow(graph, told, at, Stretch(stretch.count - 1, steps))
    for step in stretch.steps:
        at = follow(graph, told, at, Stretch(1, (step,))) if isinstance(step, Turn) else _rounds(graph, told, at, step)
    return at


def _parted(steps: Sequence[Turn | Stretch]) -> Iterator[Turn | Stretch]:
    """Every inner stretch as one round less, and then that round."""
    for step in steps:
        if isinstance(step, Turn):
            yield step
            continue
        inner = tuple(_parted(step.steps))
        if step.count > 1:
            yield Stretch(step.count - 1, inner)
        yield Stretch(1, inner)


class Givers:
    """A stretch, in whose edges the ``arbitrary`` variables must be given values; ``chosen`` are those that it ends with."""

    def __init__(self, old: Graph, arbitrary: Set[Slot], stretch: Stretch, chosen: Sequence[Value]) -> None:
        self._old = old
        self._arbitrary = arbitrary
        self._stretch = stretch
        self._turns: list[Turn] = []
        self._ends: dict[int, list[int]] = {}  # where rounds end, and where they begin again
        self._lay(stretch, is_repeated=True)
        self._place = old.edges[self._turns[0].edge].sources[0].location
        self._chosen = dict(zip(self._slots(), chosen, strict=True))

    def _slots(self) -> list[int]:
        return [k for k in range(len(self._old.locations[self._place].variables)) if (self._place, k) in self._arbitrary]

    def _lay(self, stretch: Stretch, is_repeated: bool) -> None:
        start = len(self._turns)
        for step in stretch.steps:
            if isinstance(step, Turn):
                self._turns.append(step)
            else:
                self._lay(step, step.count > 1)
        if is_repeated:
            self._ends.setdefault(len(self._turns), []).append(start)

    def before(self) -> tuple[Value, ...]:
        """What the arbitrary variables must be before the first round."""
        return tuple([self._read(0, slot) for slot in self._slots()])

    def given(self) -> Stretch:
        """The stretch over the old graph."""
        return self._given(self._stretch, iter(range(len(self._turns))))

    def _given(self, stretch: Stretch, positions: Iterator[int]) -> Stretch:
        steps = [
            self._turn(next(positions), step) if isinstance(step, Turn) else self._given(step, positions)
            for step in stretch.steps
        ]
        return Stretch(stretch.count, tuple(steps))

    def _turn(self, position: int, turn: Turn) -> Turn:
        edge, known = self._old.edges[turn.edge], dict(turn.inputs)
        inputs: list[tuple[Term, Term]] = []
        for v in edge.inputs:
            if v in known:
                inputs.append((v, known[v]))
                continue
            slots = [k for k, update in enumerate(edge.updates) if update is v and (edge.target, k) in self._arbitrary]
            value = self._read(*self._next(position, slots[0], set()), set()) if slots else default_value(v.sort)
            inputs.append((v, value_term(value, v.sort)))
        return Turn(turn.edge, tuple(inputs))

    def _next(self, position: int, slot: int, seen: set[tuple[int, int, int]]) -> tuple[int, int]:
        """Where a variable is after a turn: at the beginning of the round that ended, unless it came from there already."""
        after = position + 1
        for start in self._ends.get(after, ()):
            if (start, after, slot) not in seen:
                seen.add((start, after, slot))
                return start, slot
        return after, slot

    def _read(self, position: int, slot: int, seen: set[tuple[int, int, int]] | None = None) -> Value:
        """The value with which a variable is read that has this slot before the turn at ``position``."""
        seen = set() if seen is None else seen
        while position < len(self._turns):
            turn = self._turns[position]
            edge = self._old.edges[turn.edge]
            v = edge.sources[0].variables[slot]
            known = dict(turn.inputs)
            if v in known:
                return _value(known, v)
            passed = [k for k, update in enumerate(edge.updates) if update is v and (edge.target, k) in self._arbitrary]
            if not passed:
                return default_value(v.sort)
            position, slot = self._next(position, passed[0], seen)
        return self._chosen[slot]


def _value(known: Mapping[Term, Term], v: Term) -> Value:
    if variables([known[v]]):
        raise GaveUp("incomplete")
    return evaluate([known[v]], {})[0]
