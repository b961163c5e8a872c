"""An AIGER file as dictionaries of lines, read naively from the report alone (Biere, Heljanko, Wieringa: AIGER 1.9 and beyond).

Literals keep the numbers of the file. ``aag``: one line per input, latch, output, bad, constraint, size of a justice property,
its literals, fairness, and-gate; ``aig``: inputs have no lines, latches leave out their literal, and a gate is two differences,
each seven bits per byte, low bits first, with the top bit set on all bytes but the last. Symbols follow, then comments
after a line ``c``. Every variable is defined once, gates in no cycle. What does not fit is a ``CertificateError``: two readers
that disagree about what a file is do not agree on what it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from lemmata.errors import CertificateError
from lemmata.values import dataclass

_COUNTS = 9  # M I L O A B C J F


@dataclass()
class AigerLines:
    """What the file says; a literal is 2·variable, plus 1 if negated."""

    inputs: list[int] = field(default_factory=list)
    latches: list[int] = field(default_factory=list)
    nexts: dict[int, int] = field(default_factory=dict)
    resets: dict[int, int] = field(default_factory=dict)
    gates: dict[int, tuple[int, int]] = field(default_factory=dict)
    outputs: list[int] = field(default_factory=list)
    bads: list[int] = field(default_factory=list)
    constraints: list[int] = field(default_factory=list)
    justice: int = 0
    symbols: dict[str, str] = field(default_factory=dict)  # "i0": name

    @cached_property
    def is_ordered(self) -> bool:
        """Does every gate read smaller literals only, as in binary files? Then no gate depends on itself."""
        return all(gate > left and gate > right for gate, (left, right) in self.gates.items())

    def questions(self) -> list[int]:
        """The bad literals; outputs, where the file knows neither bads nor justice."""
        return self.bads or ([] if self.justice else self.outputs)

    def resets_to(self, latch: int) -> int | None:
        """The reset literal of a latch, ``None`` if it is not initialised."""
        return None if self.resets[latch] == latch else self.resets[latch]


def read_aiger_lines(path: str) -> AigerLines:
    """The file's lines."""
    return _Reader(path, Path(path).read_bytes()).read()


class _Reader:
    """Takes one line after the other."""

    def __init__(self, path: str, data: bytes) -> None:
        self._path = path
        self._data = data
        self._at = 0
        self._line = 0

    def fail(self, why: str) -> NoReturn:
        raise CertificateError(f"{self._path}:{self._line}: the second reader cannot read this: {why}")

    def read(self) -> AigerLines:
        words = self._take().split()
        if not words or words[0] not in (b"aag", b"aig") or not 5 <= len(words) - 1 <= _COUNTS:
            self.fail("no header")
        counts = [self._number(word) for word in words[1:]]
        largest, inputs, latches, outputs, gates, *rest = counts
        bads, constraints, justice, fairness = rest + [0] * (4 - len(rest))
        lines = AigerLines(justice=justice)
        is_text = words[0] == b"aag"
        lines.inputs = [self._numbers(1, 1)[0] for _ in range(inputs)] if is_text else [2 * k for k in range(1, inputs + 1)]
        for k in range(latches):
            literal, after, *reset = self._numbers(2, 3) if is_text else [2 * (inputs + 1 + k), *self._numbers(1, 2)]
            lines.latches.append(literal)
            lines.nexts[literal], lines.resets[literal] = after, reset[0] if reset else 0
        lines.outputs, lines.bads, lines.constraints = (
            [self._numbers(1, 1)[0] for _ in range(count)] for count in (outputs, bads, constraints)
        )
        sizes = [self._numbers(1, 1)[0] for _ in range(justice)]
        others = [self._numbers(1, 1)[0] for _ in range(sum(sizes) + fairness)]
        if is_text:
            lines.gates = self._gates(gates)
        elif largest == inputs + latches + gates:
            lines.gates = self._differences(inputs + latches + 1, gates)
        else:
            self.fail("M is not I + L + A")
        counted = {"i": inputs, "l": latches, "o": outputs, "b": bads, "c": constraints, "j": justice, "f": fairness}
        lines.symbols = self._symbols(counted)
        self._check(lines, largest, others, gates)
        return lines

    def _take(self) -> bytes:
        self._line += 1
        end = self._data.find(b"\n", self._at)
        if end < 0:
            self.fail("the file ends too early")
        start, self._at = self._at, end + 1
        if self._data[start : start + 1] in (b" ", b"\t"):
            self.fail("a blank before the first number")
        return self._data[start:end]

    def _number(self, word: bytes) -> int:
        if not word.isdigit():
            self.fail(f"{word!r} is no number")
        return int(word)

    def _numbers(self, least: int, most: int) -> list[int]:
        words = self._take().split()
        if not least <= len(words) <= most:
            self.fail(f"{len(words)} numbers instead of {most}")
        return [self._number(word) for word in words]

    def _gates(self, count: int) -> dict[int, tuple[int, int]]:
        gates: dict[int, tuple[int, int]] = {}
        for _ in range(count):
            words = self._take().split()
            if len(words) != 3:
                self.fail(f"{len(words)} numbers instead of 3")
            literal, left, right = map(self._number, words)
            gates[literal] = left, right
        return gates

    def _differences(self, first: int, count: int) -> dict[int, tuple[int, int]]:
        gates: dict[int, tuple[int, int]] = {}
        numbers = self._packed(2 * count)
        for literal in range(2 * first, 2 * (first + count), 2):
            left = literal - next(numbers)
            right = left - next(numbers)
            if not literal > left >= right >= 0:
                self.fail(f"gate {literal} is {left} and {right}")
            gates[literal] = left, right
        return gates

    def _packed(self, count: int) -> Iterator[int]:
        """Numbers of seven bits per byte; the last one has been passed when the last number is given."""
        data, at, size = self._data, self._at, len(self._data)
        for _ in range(count):
            value = shift = 0
            while at < size and data[at] > 127:
                value |= (data[at] & 127) << shift
                at, shift = at + 1, shift + 7
            if at == size:
                self.fail("the file ends within a gate")
            value |= data[at] << shift
            at += 1
            self._at = at
            yield value

    def _symbols(self, counted: dict[str, int]) -> dict[str, str]:
        found: dict[str, str] = {}
        for number, line in enumerate(self._data[self._at :].split(b"\n"), self._line + 1):
            if line[:1] == b"c" and not line[1:2].isdigit():  # ABC writes comments on the same line
                break
            if not line:
                continue
            self._line = number
            place, _, name = line.removesuffix(b"\r").partition(b" ")
            kind, position = place[:1].decode("latin-1"), place[1:]
            if not position.isdigit() or int(position) >= counted.get(kind, 0) or f"{kind}{int(position)}" in found:
                self.fail(f"{line!r} is no symbol, or a second one")
            found[f"{kind}{int(position)}"] = name.decode("utf-8", "surrogateescape")
        return found

    def _check(self, lines: AigerLines, largest: int, others: list[int], gates: int) -> None:
        """Every variable is defined once, and everything that is used is defined."""
        defined = [*lines.inputs, *lines.latches, *lines.gates]
        known = {0, *defined}
        if len(lines.gates) != gates or len(known) != 1 + len(defined) or any(literal & 1 for literal in defined):
            self.fail("a variable is defined twice, or negated")
        used = [lines.nexts.values(), lines.resets.values(), lines.outputs, lines.bads, lines.constraints, others]
        literals = {literal & ~1 for part in used for literal in part}
        for left, right in lines.gates.values():
            literals.add(left & ~1)
            literals.add(right & ~1)
        if not known.issuperset(literals) or max(known) > 2 * largest:
            self.fail("a literal is not defined")
