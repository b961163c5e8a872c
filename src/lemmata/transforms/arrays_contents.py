"""From a run in which memories answered anything to a run in which they are arrays, where that is possible.

Both systems run side by side. Where a read of an array that started free gets another answer than the array gives, and that
place was not read before, the answer becomes its initial content. In the end the run is checked step by step: what was guessed
wrong (the place had been written, the array started with given contents) is no run, and nothing is returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lemmata.logic.evaluate import Program
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import default_value
from lemmata.models.system import System
from lemmata.models.words import WordTrace
from lemmata.transforms.words import initial_values, is_run


@dataclass(frozen=True, slots=True)
class HavocRead:
    """``answer`` is the input that stands for ``select(array, index)``; the index speaks about the new system."""

    array: Term
    index: Term
    answer: Term


def with_contents(old: System, new: System, reads: Sequence[HavocRead], trace: WordTrace) -> WordTrace | None:
    """The run ``trace`` of ``new`` as a run of ``old``, if contents of the arrays are found that allow it."""
    initial = dict(initial_values(old, dict(trace.initial)))
    now = dict(initial)
    contents = _Contents({v for v in old.variables if old.starts[v] is None})
    indices = Program([read.index for read in reads])
    step = Program([old.nexts[v] for v in old.variables])
    state = dict(trace.initial)
    follow = Program([new.nexts[v] for v in new.variables])
    lines = []
    for values in trace.inputs:
        given = {**state, **dict(values)}
        line = {v: given.get(v, default_value(v.sort)) for v in old.inputs}
        for read, index in zip(reads, indices.run(given), strict=True):
            contents.answer(read.array, index, given[read.answer], initial, now, line)
        lines.append(tuple(line.items()))
        now = dict(zip(old.variables, step.run({**now, **line}), strict=True))
        state = dict(zip(new.variables, follow.run(given), strict=True))
    run = WordTrace(trace.prop, tuple(initial.items()), tuple(lines))
    return run if is_run(old, run) else None


class _Contents:
    """Which places of which arrays have been looked at."""

    def __init__(self, free: set[Term]) -> None:
        self._free = free
        self._seen: set[tuple[Term, Value]] = set()

    def answer(
        self,
        array: Term,
        index: Value,
        value: Value,
        initial: dict[Term, Value],
        now: dict[Term, Value],
        line: dict[Term, Value],
    ) -> None:
        """Let ``array`` hold ``value`` at ``index`` now, if that is still open."""
        if array in line:
            line[array] = line[array].store(index, value)
        elif array in self._free and (array, index) not in self._seen and now[array].select(index) != value:
            initial[array] = initial[array].store(index, value)
            now[array] = now[array].store(index, value)
        self._seen.add((array, index))
