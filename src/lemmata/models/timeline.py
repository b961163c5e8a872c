"""``Timeline``: a run as people look at it, variables × steps.

A row has a value for every step. ``needed`` says where the value of an input matters: elsewhere any other value would lead to
the bad state, too (``run.evidence.states`` finds that out). What never changes, and inputs that never matter, are left out
unless all is asked for, and so are signals whose names a tool made up, beside signals that people named. Where the table is
too wide there is a line per step, with what is new in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lemmata.escapes import printable
from lemmata.values import dataclass

PAGE_WIDTH = 100  # characters, where nobody says how many there are
_GAP = 2  # blanks between columns
_REMARK_CHARACTERS = 16  # characters of the remark that there is more
# What Yosys calls what has no name: $auto$file.cc:7:call$12, top.$procdff$3, $0\x. A name of Boogie has one $ only: $i0.
_MADE_UP = re.compile(r"(?:^|[.\\/])\$\w+[$\\]", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeRow:
    """One variable in all steps; ``needed`` is empty where every value matters."""

    name: str
    texts: tuple[str, ...]
    is_input: bool = False
    needed: tuple[bool, ...] = ()

    @property
    def is_steady(self) -> bool:
        """Is it the same in every step?"""
        return all(text == self.texts[0] for text in self.texts)

    @property
    def is_needed(self) -> bool:
        """Does it ever matter?"""
        return not self.needed or any(self.needed)

    @property
    def is_made_up(self) -> bool:
        """Did a tool make up the name?"""
        return _MADE_UP.search(self.name) is not None

    def shown(self, step: int) -> str:
        """The value in a step, or nothing where it does not matter."""
        return self.texts[step] if not self.needed or self.needed[step] else ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """All rows, states before inputs; every row has as many steps."""

    rows: tuple[TimeRow, ...]
    steps: int

    @property
    def changing(self) -> tuple[TimeRow, ...]:
        """What people want to see: states that change, inputs that matter; all states of a run of one step."""
        return tuple(r for r in self.rows if (r.is_needed if r.is_input else self.steps == 1 or not r.is_steady))

    @property
    def steady(self) -> tuple[TimeRow, ...]:
        """States that are the same all the time."""
        return tuple(r for r in self.rows if not r.is_input and self.steps > 1 and r.is_steady)

    def lines(self, width: int = PAGE_WIDTH, verbose: bool = False) -> list[str]:
        """The table, or a line per step where it does not fit; ``verbose``: all rows, all values."""
        if verbose:
            return _fitting(tuple(TimeRow(r.name, r.texts, r.is_input) for r in self.rows), self.steps, width)
        rows, steady = self.changing, self.steady
        if all(row.is_made_up for row in rows or steady):
            return [*_fitting(rows, self.steps, width), *_unchanged(steady, width)]
        named, named_steady = _named(rows), _named(steady)
        left = len(rows) + len(steady) - len(named) - len(named_steady)
        told = [f"{left} signal{'' if left == 1 else 's'} named by a tool", "-v shows all"]
        remark = _folded("left out: ", told, width) if left else []
        return [*_fitting(named, self.steps, width), *_unchanged(named_steady, width), *remark]


def _named(rows: Sequence[TimeRow]) -> tuple[TimeRow, ...]:
    return tuple(row for row in rows if not row.is_made_up)


def _fitting(rows: Sequence[TimeRow], steps: int, width: int) -> list[str]:
    """The table, or a line per step where that is too wide."""
    found = _table(rows, steps)
    return found if max(map(len, found)) <= width else list(_by_step(rows, steps, width))


def _unchanged(rows: Sequence[TimeRow], width: int) -> list[str]:
    rest = [f"{printable(row.name)} = {printable(row.texts[0])}" for row in rows]
    return _folded("unchanged: ", rest, width, most=1) if rest else []


def circuit_timeline(
    latch_names: Sequence[str],
    input_names: Sequence[str],
    states: Sequence[Sequence[int]],
    inputs: Sequence[Sequence[int]],
    needed: Sequence[Sequence[int]] = (),
) -> Timeline:
    """Bits per step, words where names say that bits are one."""
    rows = [*_bit_rows(latch_names, states), *_bit_rows(input_names, inputs, needed, is_input=True)]
    return Timeline(tuple(rows), len(inputs))


def _bit_rows(
    names: Sequence[str], lines: Sequence[Sequence[int]], needed: Sequence[Sequence[int]] = (), is_input: bool = False
) -> Iterator[TimeRow]:
    from lemmata.models.vectors import vectors

    columns, matter = list(zip(*lines, strict=True)), list(zip(*needed, strict=True))
    if not columns:
        return
    words = {min(bits): (name, bits) for name, (_, bits) in vectors(names).items()}
    parts = {position for _, bits in words.values() for position in bits}
    for position, name in enumerate(names):
        if position in words:
            word, bits = words[position]
            values = [sum(bit << k for k, bit in enumerate(row)) for row in zip(*(columns[b] for b in bits), strict=True)]
            flags = tuple(any(row) for row in zip(*(matter[b] for b in bits), strict=True)) if matter else ()
            yield TimeRow(word, tuple(map(word_text, values)), is_input, flags)
        elif position not in parts:
            yield TimeRow(
                name, tuple(map(str, columns[position])), is_input, tuple(map(bool, matter[position])) if matter else ()
            )


def word_text(number: int) -> str:
    """Decimal, or hexadecimal from 2¹⁶ on."""
    return str(number) if number < 1 << 16 else f"0x{number:x}"


def _table(rows: Sequence[TimeRow], steps: int) -> list[str]:
    """Aligned columns under the numbers of the steps."""
    cells = [[row.shown(step) for step in range(steps)] for row in rows]
    names = [printable(row.name) for row in rows]
    head = max(map(len, ["inputs:", *names]))
    widths = [max(map(len, [str(step), *(printable(line[step]) for line in cells)])) for step in range(steps)]
    lines = ["step".ljust(head) + _columns(map(str, range(steps)), widths)]
    for position, (row, name, line) in enumerate(zip(rows, names, cells, strict=True)):
        if row.is_input and (position == 0 or not rows[position - 1].is_input):
            lines.append("inputs:")
        lines.append((name.ljust(head) + _columns(map(printable, line), widths)).rstrip())
    return lines


def _columns(texts: Iterator[str], widths: Sequence[int]) -> str:
    return "".join(" " * _GAP + text.rjust(width) for text, width in zip(texts, widths, strict=True))


def _by_step(rows: Sequence[TimeRow], steps: int, width: int) -> Iterator[str]:
    """What is new in every step, states before inputs."""
    last: dict[int, str] = {}
    for step in range(steps):
        news: list[list[str]] = [[], []]
        for number, row in enumerate(rows):
            if (text := row.shown(step)) and last.get(number) != text:
                last[number] = text
                news[row.is_input].append(f"{printable(row.name)} = {printable(text)}")
        states, inputs = news
        inputs = [f"inputs {inputs[0]}", *inputs[1:]] if inputs else []
        yield from _folded(f"step {step}: ", [*states, *inputs] or ["nothing new"], width)


def _folded(head: str, items: Sequence[str], width: int, most: int | None = None) -> list[str]:
    """Items after ``head``, as many to a line as fit, at most ``most`` lines."""
    lines: list[str] = []
    line = head
    width -= 0 if most is None else _REMARK_CHARACTERS
    for position, item in enumerate(items):
        if line.strip() and line != head and len(line) + len(item) >= width:
            if most is not None and len(lines) + 1 == most:
                return [*lines, f"{line}… ({len(items) - position} more)"]
            lines.append(line.rstrip())
            line = " " * len(head)
        line += item + (", " if position + 1 < len(items) else "")
    return [*lines, line.rstrip()]
