"""Variables over words, numbers and arrays as rows of a ``Timeline``."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.sorts import Array
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import value_text
from lemmata.models.timeline import TimeRow

_CELLS = 64  # of an array that have rows of their own


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
