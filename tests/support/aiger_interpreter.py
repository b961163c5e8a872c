"""A second reading of ASCII AIGER: its lines, evaluated from the definition of the format, with nothing of ``lemmata``.

It trusts its input, as ``btor2_interpreter`` does. ``binary`` writes the same circuit in the binary format.
"""

from __future__ import annotations

from collections.abc import Sequence


class Interpreter:
    """Values are 0 and 1, in the order of the file."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        self.counts = [int(word) for word in lines[0].split()[1:]] + [0] * 9
        _, inputs, latches, outputs, gates, bads, constraints = self.counts[:7]
        rows = [[int(word) for word in line.split()] for line in lines[1 : 1 + sum(self.counts[1:7])]]
        self.inputs = [row[0] for row in _cut(rows, inputs)]
        self.latches = [row if len(row) == 3 else [*row, 0] for row in _cut(rows, latches)]
        self.outputs = [row[0] for row in _cut(rows, outputs)]
        self.bads = [row[0] for row in _cut(rows, bads)]
        self.constraints = [row[0] for row in _cut(rows, constraints)]
        self.gates = {out: (left, right) for out, left, right in _cut(rows, gates)}

    def value(self, literal: int, known: dict[int, int]) -> int:
        """Of one literal, where inputs and latches have known values."""
        if literal & 1:
            return 1 - self.value(literal - 1, known)
        if literal == 0:
            return 0
        if literal not in known:
            known[literal] = min(self.value(argument, known) for argument in self.gates[literal])
        return known[literal]

    def step(self, inputs: Sequence[int], state: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        """The next state, the constraints, and the bads."""
        known = dict(zip([*self.inputs, *(row[0] for row in self.latches)], [*inputs, *state], strict=True))
        return tuple(
            [self.value(x, known) for x in part] for part in ([r[1] for r in self.latches], self.constraints, self.bads)
        )

    def start(self, inputs: Sequence[int], free: Sequence[int]) -> list[int]:
        """The initial state where latches without a reset have the values ``free``."""
        known = dict(zip(self.inputs, inputs, strict=True))
        open_ones = {own: value for (own, _, reset), value in zip(self.latches, free, strict=True) if own == reset}
        known |= open_ones
        waiting = [row for row in self.latches if row[0] not in open_ones]
        while waiting:
            own, _, reset = waiting.pop(0)
            try:
                known[own] = self.value(reset, dict(known))
            except KeyError:  # it depends on a latch that comes later
                waiting.append([own, 0, reset])
        return [known[row[0]] for row in self.latches]


def _cut(rows: list[list[int]], count: int) -> list[list[int]]:
    taken, rows[:count] = rows[:count], []
    return taken


def binary(text: str) -> bytes:
    """The same circuit as ``aig``; its variables must be numbered in the order of the format."""
    lines = text.splitlines()
    header = lines[0].split()
    inputs, latches, gates = int(header[2]), int(header[3]), int(header[5])
    others = sum(map(int, header[2:])) - inputs - latches - gates
    rows = lines[1 + inputs :]
    plain = [" ".join(row.split()[1:]) for row in rows[:latches]] + rows[latches : latches + others]
    packed = b""
    for row in rows[latches + others : latches + others + gates]:
        out, left, right = (int(word) for word in row.split())
        left, right = max(left, right), min(left, right)
        packed += _packed(out - left) + _packed(left - right)
    return "\n".join([" ".join(["aig", *header[1:]]), *plain, ""]).encode() + packed


def _packed(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _packed(number >> 7)
