"""A second reading of AIGER 1.9, text and binary, from its report: a dictionary of literals, evaluated by recursion.

Nothing of ``lemmata`` is used. ``Malformed`` where the report's grammar is left.
"""

from __future__ import annotations

import re
from itertools import product

from tests.fuzz.world import Beyond


class Malformed(Exception):
    """This is not AIGER."""


class Circuit:
    """The parts of a circuit by their literals in the file."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        magic, *counts = _words(self._line()) or [b""]
        if magic not in (b"aag", b"aig") or not 5 <= len(counts) <= 9:
            raise Malformed("header")
        numbers = [_number(word) for word in counts] + [0] * (9 - len(counts))
        self.top, i, latches, o, gates, b, c, j, f = numbers
        is_binary = magic == b"aig"
        if self.top < i + latches + gates or (is_binary and self.top != i + latches + gates):
            raise Malformed("M")
        if max(numbers) > 1000:
            raise Beyond("a large circuit")
        self.inputs = [2 * (k + 1) for k in range(i)] if is_binary else [self._row(1)[0] for _ in range(i)]
        self.nexts: dict[int, int] = {}
        self.resets: dict[int, int] = {}
        for k in range(latches):
            row = self._row(1, 2) if is_binary else self._row(2, 3)
            lit, following, *reset = [2 * (i + k + 1), *row] if is_binary else row
            self.nexts[lit], self.resets[lit] = following, reset[0] if reset else 0
        self.outputs = [self._row(1)[0] for _ in range(o)]
        self.bads = [self._row(1)[0] for _ in range(b)]
        self.constraints = [self._row(1)[0] for _ in range(c)]
        sizes = [self._row(1)[0] for _ in range(j)]
        self.justice = [[self._row(1)[0] for _ in range(min(size, 1000))] for size in sizes]
        self.fairness = [self._row(1)[0] for _ in range(f)]
        self.gates: dict[int, tuple[int, int]] = {}
        for k in range(gates):
            if is_binary:
                lhs = 2 * (i + latches + k + 1)
                left = lhs - self._delta()
                self.gates[lhs] = left, left - self._delta()
            else:
                lhs, left, right = self._row(3)
                self.gates[lhs] = left, right
        self._check(latches, gates)
        self._symbols(self._data[self._at :], {"i": i, "l": latches, "o": o, "b": b, "c": c, "j": j, "f": f})

    # Text.

    def _line(self) -> bytes:
        end = self._data.find(b"\n", self._at)
        if end < 0:
            raise Malformed("the end comes too early")
        line, self._at = self._data[self._at : end], end + 1
        return line

    def _row(self, *lengths: int) -> list[int]:
        words = _words(self._line())
        if len(words) not in lengths:
            raise Malformed("a line of another length")
        return [_number(word) for word in words]

    def _delta(self) -> int:
        value = shift = 0
        while True:
            if self._at >= len(self._data):
                raise Malformed("the end comes too early")
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def _symbols(self, rest: bytes, counts: dict[str, int]) -> None:
        for line in rest.removesuffix(b"\n").split(b"\n") if rest else ():
            if line == b"c":
                return
            found = re.fullmatch(rb"([ilobcjf])(\d+) (.*)", line)
            if found is None and line.startswith(b"c"):
                return  # a comment whose first line says something already
            if found is None or int(found[2]) >= counts[found[1].decode()]:
                raise Malformed("symbol")

    def _check(self, latches: int, gates: int) -> None:
        defined = [*self.inputs, *self.nexts, *self.gates]
        if any(lit % 2 or lit < 2 for lit in defined) or len(set(defined)) < len(self.inputs) + latches + gates:
            raise Malformed("a literal that is defined must be even, and once")
        used = [*self.outputs, *self.bads, *self.constraints, *self.fairness, *self.nexts.values(), *self.resets.values()]
        used += [lit for pair in self.gates.values() for lit in pair] + [lit for lits in self.justice for lit in lits]
        known = {0, *defined}
        if any(lit < 0 or lit // 2 > self.top or lit & ~1 not in known for lit in used):
            raise Malformed("an unknown literal")

    # Meaning.

    def questions(self) -> list[int]:
        """The bads; where there are none, and no justice, the outputs."""
        return self.bads or ([] if self.justice else self.outputs)

    def _values(self, leaves: dict[int, int]) -> dict[int, int]:
        values = {0: 0, **leaves}
        for gate in self.gates:
            self._value(gate, values, set())
        return values

    def _value(self, lit: int, values: dict[int, int], above: set[int]) -> int:
        even = lit & ~1
        if even not in values:
            if even in above:
                raise Malformed("a cycle of gates")
            left, right = self.gates[even]
            values[even] = self._value(left, values, above | {even}) & self._value(right, values, above | {even})
        return values[even] ^ (lit & 1)

    def depths(self) -> list[int | None]:
        """For each question the number of steps to the nearest bad state."""
        if len(self.inputs) + len(self.nexts) > 9:
            raise Beyond("many states")
        inputs = list(product((0, 1), repeat=len(self.inputs)))
        latches = list(self.nexts)
        found: list[int | None] = [None] * len(self.questions())
        moves = [(s, i) for s in product((0, 1), repeat=len(latches)) for i in inputs if self._is_initial(s, i)]
        seen: set[tuple[int, ...]] = set()
        depth = 0
        while moves:
            following = set()
            for state, chosen in moves:
                values = self._values(dict(zip([*latches, *self.inputs], [*state, *chosen], strict=True)))
                if not all(_at(values, lit) for lit in self.constraints):
                    continue
                found = [
                    depth if old is None and _at(values, q) else old for old, q in zip(found, self.questions(), strict=True)
                ]
                following.add(tuple(_at(values, self.nexts[latch]) for latch in latches))
            following -= seen
            seen |= following
            moves = [(s, i) for s in sorted(following) for i in inputs]
            depth += 1
        return found

    def _is_initial(self, state: tuple[int, ...], chosen: tuple[int, ...]) -> bool:
        values = self._values(dict(zip([*self.nexts, *self.inputs], [*state, *chosen], strict=True)))
        return all(_at(values, self.resets[latch]) == bit for latch, bit in zip(self.nexts, state, strict=True))

    def replays(self, prop: int, initial: list[int], steps: list[list[int]]) -> bool:
        """Does a run with these values end in a bad state?"""
        latches = list(self.nexts)
        state, is_bad = list(initial), False
        for number, chosen in enumerate(steps):
            values = self._values(dict(zip([*latches, *self.inputs], [*state, *chosen], strict=True)))
            if number == 0 and not self._is_initial(tuple(state), tuple(chosen)):
                return False
            if not all(_at(values, lit) for lit in self.constraints):
                return False
            is_bad = bool(_at(values, self.questions()[prop]))
            state = [_at(values, self.nexts[latch]) for latch in latches]
        return is_bad


def _at(values: dict[int, int], lit: int) -> int:
    return values[lit & ~1] ^ (lit & 1)


def _words(line: bytes) -> list[bytes]:
    """More spaces than one, and tabs, are more than the report allows, but harmless; before the first number they are not."""
    if line[:1] in (b" ", b"\t"):
        raise Malformed("a blank before the first number")
    return line.split()


def _number(word: bytes) -> int:
    if not re.fullmatch(rb"\d{1,18}", word):
        raise Malformed("a number is wanted")
    return int(word)
