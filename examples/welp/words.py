"""A few lines to write word-level transition systems in: words with ``+ - < ==``, states whose next value is set later.

Only ``generate.py`` uses this. A word is a node of an expression; comparisons are signed and give words of one bit; a number
beside a word becomes a constant of its width. ``System.text`` numbers the nodes that are used and writes them as BTOR2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class Word:
    """A node: a BTOR2 operator, its arguments, and numbers or a name behind them."""

    op: str
    width: int
    args: tuple[Word, ...] = ()
    data: tuple[int | str, ...] = ()

    def __add__(self, other: Word | int) -> Word:
        return self._same("add", other)

    def __sub__(self, other: Word | int) -> Word:
        return self._same("sub", other)

    def __mul__(self, factor: int) -> Word:
        return self._same("mul", factor)

    def __neg__(self) -> Word:
        return Word("neg", self.width, (self,))

    def __and__(self, other: Word) -> Word:
        return self._same("and", other)

    def __or__(self, other: Word) -> Word:
        return self._same("or", other)

    def __invert__(self) -> Word:
        return Word("not", self.width, (self,))

    def __lt__(self, other: Word | int) -> Word:
        return self._compare("slt", other)

    def __le__(self, other: Word | int) -> Word:
        return self._compare("slte", other)

    def __gt__(self, other: Word | int) -> Word:
        return self._compare("sgt", other)

    def __ge__(self, other: Word | int) -> Word:
        return self._compare("sgte", other)

    def is_(self, other: Word | int) -> Word:
        """``self == other``, which Python keeps for itself."""
        return self._compare("eq", other)

    def then(self, yes: Word | int, no: Word) -> Word:
        """``self ? yes : no``."""
        return Word("ite", no.width, (self, no.beside(yes), no))

    def wide(self, bits: int) -> Word:
        """The same signed number in a word with so many more bits."""
        return Word("sext", self.width + bits, (self,), (bits,))

    def is_odd(self) -> Word:
        """The least significant bit."""
        return Word("slice", 1, (self,), (0, 0))

    def beside(self, other: Word | int) -> Word:
        """``other`` as a word of this width."""
        if isinstance(other, Word):
            assert other.width == self.width, (self, other)
            return other
        return number(other, self.width)

    def _same(self, op: str, other: Word | int) -> Word:
        return Word(op, self.width, (self, self.beside(other)))

    def _compare(self, op: str, other: Word | int) -> Word:
        return Word(op, 1, (self, self.beside(other)))


def number(value: int, width: int) -> Word:
    """A constant; it must fit as a signed number, or be a single bit."""
    assert -(1 << width - 1) <= value < 1 << max(1, width - 1), (value, width)
    return Word("constd", width, (), (value,))


@dataclass(eq=False)
class System:
    """States and inputs in order of appearance, next values, constraints and the bad states."""

    width: int = 32
    states: list[Word] = field(default_factory=list)
    starts: dict[Word, Word] = field(default_factory=dict)
    nexts: dict[Word, Word] = field(default_factory=dict)
    constraints: list[Word] = field(default_factory=list)
    bads: dict[str, Word] = field(default_factory=dict)

    @property
    def top(self) -> int:
        """The greatest signed number, INT_MAX."""
        return (1 << self.width - 1) - 1

    @property
    def bottom(self) -> int:
        """The least signed number, INT_MIN."""
        return -1 - self.top

    def scaled(self, full: int, small: int) -> int:
        """``full`` in a system of 32 bits, ``small`` in one with fewer, where the full number has no room."""
        return full if self.width >= 32 else small

    def state(self, name: str, start: Word | int | None = None, width: int | None = None) -> Word:
        """A state; without a start it begins anywhere, and it keeps its value until ``drive`` says otherwise."""
        state = Word("state", width or self.width, (), (name,))
        self.states.append(state)
        self.nexts[state] = state
        if start is not None:
            self.starts[state] = state.beside(start)
        return state

    def choice(self, name: str) -> Word:
        """An input of one bit."""
        return Word("input", 1, (), (name,))

    def drive(self, when: Word, **values: Word | int) -> None:
        """In a step with ``when`` the states of these names get these values; what was said later wins."""
        for state in self.states:
            if (name := state.data[0]) in values:
                self.nexts[state] = when.then(values[str(name)], self.nexts[state])

    def text(self, comments: Sequence[str] = ()) -> str:
        """The system in BTOR2."""
        return _Writer(comments).write(self)


class _Writer:
    """Numbers lines; a node gets its line when it is needed first."""

    def __init__(self, comments: Sequence[str]) -> None:
        self._lines = [f"; {line}".rstrip() for line in comments]
        self._ids: dict[object, int] = {}

    def write(self, system: System) -> str:
        for state in system.states:  # a start is written before its state: its number has to be smaller
            start = system.starts.get(state)
            value = None if start is None else self._node(start)
            self._node(state)
            if value is not None:
                self._line("init", self._sort(state.width), self._node(state), value)
        for state in system.states:
            value = self._node(system.nexts[state])
            self._line("next", self._sort(state.width), self._node(state), value)
        for constraint in system.constraints:
            self._line("constraint", self._node(constraint))
        for name, bad in system.bads.items():
            self._line("bad", self._node(bad), name)
        return "\n".join(self._lines) + "\n"

    def _node(self, word: Word) -> int:
        args = [self._node(arg) for arg in word.args]
        key = (word.op, word.width, *args, *word.data)
        if key not in self._ids:
            self._ids[key] = self._line(word.op, self._sort(word.width), *args, *word.data)
        return self._ids[key]

    def _sort(self, width: int) -> int:
        if ("sort", width) not in self._ids:
            self._ids["sort", width] = self._line("sort", "bitvec", width)
        return self._ids["sort", width]

    def _line(self, *parts: object) -> int:
        number = 1 + sum(1 for line in self._lines if not line.startswith(";"))
        self._lines.append(" ".join(map(str, (number, *parts))))
        return number
