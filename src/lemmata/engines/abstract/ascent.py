"""``Ascent``: the least solution over the cells, from below: ask for a step that leaves what is known, join where it leads.

A visit of an edge asks ``cells(sources) ∧ guard ∧ ¬cells(target)`` again and again, and joins each model into its cell, until
no step is left. Every join makes a cell larger in a domain whose chains are finite, so this ends; the result is inductive by
construction, since every edge was last visited without finding anything (Reps, Sagiv, Yorsh 2004; Thakur, Reps 2012).

With ``follows=False`` the sources are not the cells but everything that is known for ever: one application of the transformer,
which narrows what widening lost. It is sound for the same reason: what all steps lead to holds after every step.

A run stops at any query when time is over, and goes on there when it is called again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lemmata.engines.abstract.partition import Partition, _PredicateValues
from lemmata.engines.abstract.shape import LocationShape
from lemmata.engines.abstract.steps import Steps
from lemmata.errors import GaveUp
from lemmata.logic.terms import Term, Value


class Ascent:
    """One fixed point; ``steps`` are those along every edge that leads to no error, in a good order."""

    def __init__(
        self, shapes: Sequence[LocationShape], steps: Sequence[Steps], follows: bool = True, most_cells: int = 64
    ) -> None:
        self.partitions = [Partition(shape) for shape in shapes]
        self._steps = steps
        self._follows = follows
        self._most_cells = most_cells
        self._dirty = set(range(len(steps)))
        self._leaving: dict[int, list[int]] = {}
        for number, step in enumerate(steps):
            for source in step.edge.sources:
                self._leaving.setdefault(source.location, []).append(number)

    def run(self, until: float | None = None, breathe: Callable[[], None] = lambda: None) -> None:
        """Go on until nothing changes, ``breathe`` now and then; ``GaveUp("timeout")`` past ``until``."""
        while self._dirty:
            breathe()
            number = min(self._dirty)
            try:
                if self._visit(self._steps[number], until):
                    self._dirty.discard(number)
            except GaveUp as gave_up:
                if gave_up.reason == "timeout":
                    raise
                self._give_up(self._steps[number].edge.target)

    def facts(self, location: int) -> list[Term]:
        """What was found out about a location."""
        return self.partitions[location].facts()

    def _visit(self, steps: Steps, until: float | None) -> bool:
        """Join all steps along one edge; was there none?"""
        partition = self.partitions[steps.edge.target]
        if partition.is_top or (self._follows and not self._can_start(steps)):
            return True
        with steps.scope():
            if self._follows:
                steps.assume_sources(self.partitions)
            is_clean = self._exhaust(steps, False, until)
            return (not partition.has_remainders or self._exhaust_remainders(steps, until)) and is_clean

    def _exhaust_remainders(self, steps: Steps, until: float | None) -> bool:
        """The same for remainders; where they are too hard there are none from now on."""
        try:
            return self._exhaust(steps, True, until)
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                raise
        self.partitions[steps.edge.target].forget_remainders()
        self._leave(steps.edge.target)
        return False

    def _exhaust(self, steps: Steps, modulo: bool, until: float | None) -> bool:
        """Join all steps that leave the cells, by their remainders if ``modulo``, else by other facts; was there none?"""
        partition = self.partitions[steps.edge.target]
        tracked, wanted = partition.shape.tracked, partition.view(steps.target).predicates
        count = len(wanted)
        wanted = [*wanted, *[steps.target[i] for i in tracked]]
        is_clean = True
        with steps.scope():
            steps.assume([partition.outside(key, steps.target, modulo) for key in partition.cells])
            while (values := steps.ask(wanted, until)) is not None:
                is_clean = False
                if not self._join(steps, tuple(values[:count]), dict(zip(tracked, values[count:], strict=True)), modulo):
                    break
        return is_clean

    def _join(self, steps: Steps, key: _PredicateValues, values: Mapping[int, Value], modulo: bool) -> bool:
        """Take one model in; may the visit go on?"""
        location = steps.edge.target
        partition = self.partitions[location]
        is_new = partition.join(key, [values.get(i) for i in range(len(partition.shape.variables))])
        self._leave(location)
        if not is_new:  # a model that its own cell has already: the solver and we disagree
            self._give_up(location)
            return False
        if len(partition.cells) > self._most_cells:
            self._coarsen(location)
            return False
        steps.assume([partition.outside(key, steps.target, modulo)])
        return True

    def _can_start(self, steps: Steps) -> bool:
        partitions = [self.partitions[source.location] for source in steps.edge.sources]
        return all(partition.is_top or partition.cells for partition in partitions)

    def _leave(self, location: int) -> None:
        """The location has more states: look at the edges that leave it again."""
        if self._follows:
            self._dirty.update(self._leaving.get(location, ()))

    def _give_up(self, location: int) -> None:
        self.partitions[location].give_up()
        self._leave(location)

    def _coarsen(self, location: int) -> None:
        """Too many cells: begin again at this location, with the first half of its predicates."""
        shape = self.partitions[location].shape
        fewer = shape.predicates[: len(shape.predicates) // 2]
        self.partitions[location] = Partition(replace(shape, predicates=fewer))
        self._dirty |= {number for number, steps in enumerate(self._steps) if steps.edge.target == location}
