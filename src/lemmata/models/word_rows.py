"""Variables over words, numbers and arrays as rows of a ``Timeline``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import value_text
from lemmata.models.timeline import TimeRow, word_text
from lemmata.models.vectors import slices

_CELLS = 64  # of an array that have rows of their own


def rows_of(
    variables: Sequence[Term], lines: Sequence[Sequence[Value]], is_input: bool = False, needed: Sequence[Sequence[bool]] = ()
) -> Iterator[TimeRow]:
    """The rows of variables that have the values of a line in each step; ``needed`` has a line per step, too, or none at all.

    Parts of a word are one row.
    """
    names = [name_of(v) for v in variables]
    columns = list(zip(*lines, strict=True))
    matter = list(zip(*needed, strict=True)) or [()] * len(names)
    words = slices(names, [v.width if isinstance(v.sort, BitVec) else 0 for v in variables])
    first = {min(position for position, _ in parts): name for name, parts in words.items()}
    inner = {position for parts in words.values() for position, _ in parts}
    for position, v in enumerate(variables):
        if position in first:
            name = first[position]
            parts = words[name]
            values = zip(*(columns[part] for part, _ in parts), strict=True)
            numbers = [sum(value << low for value, (_, low) in zip(line, parts, strict=True)) for line in values]
            flags = tuple(map(any, zip(*(matter[part] for part, _ in parts), strict=True)))
            yield TimeRow(name, tuple(map(word_text, numbers)), is_input, flags)
        elif position not in inner:
            yield from word_rows(v, columns[position], is_input, matter[position])


def word_rows(v: Term, values: Sequence[Value], is_input: bool = False, needed: tuple[bool, ...] = ()) -> list[TimeRow]:
    """One row; of an array one per cell that is told apart from the others, and one for these."""
    sort, name = v.sort, name_of(v)
    if not isinstance(sort, Array):
        return [TimeRow(name, tuple(value_text(value, sort) for value in values), is_input, needed)]
    contents: list[dict[Value, Value]] = [dict(value.items) for value in values]
    indices = sorted({index for content in contents for index in content})[:_CELLS]
    cells = [
        TimeRow(
            f"{name}[{value_text(index, sort.index)}]",
            tuple(value_text(c.get(index, v.default), sort.element) for c, v in zip(contents, values, strict=True)),
            is_input,
            needed,
        )
        for index in indices
    ]
    others = tuple(value_text(value.default, sort.element) for value in values)
    return [*cells, TimeRow(f"{name}[…]" if cells else f"{name}[*]", others, is_input, needed)]
