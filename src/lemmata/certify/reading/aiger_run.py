"""A run of an AIGER file, gate by gate on bits."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.reading.aiger_lines import AigerLines
from lemmata.certify.reading.aiger_order import gates_below, latches_below
from lemmata.errors import CertificateError, GaveUp
from lemmata.work import GATE, is_over, tally


class _Step:
    """Evaluates the gates below some literals."""

    def __init__(self, lines: AigerLines, roots: Sequence[int]) -> None:
        order = gates_below(lines, roots)
        place = {variable: 2 * k for k, variable in enumerate([0, *lines.inputs, *lines.latches, *order])}
        self._bits = bytearray(2 * len(place))  # at place the value, after it the negated one
        self._bits[1] = 1
        self._leaves = range(2, 2 * (1 + len(lines.inputs) + len(lines.latches)), 2)
        at = [(lines.gates[gate], place[gate]) for gate in order]
        self._program = [(place[a & ~1] + (a & 1), place[b & ~1] + (b & 1), to) for (a, b), to in at]
        self._roots = [place[root & ~1] + (root & 1) for root in roots]

    def run(self, inputs: Sequence[int], latches: Sequence[int]) -> list[int]:
        """The values of the roots."""
        bits = self._bits
        for place, value in zip(self._leaves, (*inputs, *latches), strict=True):
            bits[place] = value
            bits[place + 1] = 1 - value
        for left, right, to in self._program:
            value = bits[left] & bits[right]
            bits[to] = value
            bits[to + 1] = 1 - value
        return [bits[root] for root in self._roots]


def run_aiger(
    lines: AigerLines, prop: int, initial: Sequence[int], inputs: Sequence[Sequence[int]], until: float | None
) -> None:
    """Raise ``CertificateError`` unless the run is one of the file and ends in bad state ``prop``."""
    if not inputs:
        raise CertificateError("the trace has no step")
    _check_shape(lines, initial, inputs)
    _check_start(lines, initial, inputs[0])
    bad, state = lines.questions()[prop], list(initial)
    needed = latches_below(lines, [bad, *lines.constraints])
    positions = {latch: position for position, latch in enumerate(lines.latches)}
    step = _Step(lines, [bad, *lines.constraints, *(lines.nexts[latch] for latch in needed)])
    count = 1 + len(lines.constraints)
    for number, line in enumerate(inputs):
        if is_over(until):
            raise GaveUp("timeout")
        tally[GATE] += len(lines.gates)
        values = step.run(line, state)
        if not all(values[1:count]):
            raise CertificateError(f"the second reader has a constraint violated in step {number}")
        for latch, value in zip(needed, values[count:], strict=True):
            state[positions[latch]] = value
    if not values[0]:
        raise CertificateError(f"the second reader does not have bad {prop} true in the last step, {len(inputs) - 1}")


def _check_shape(lines: AigerLines, initial: Sequence[int], inputs: Sequence[Sequence[int]]) -> None:
    sizes = {len(line) for line in inputs}
    if len(initial) != len(lines.latches) or sizes != {len(lines.inputs)}:
        raise CertificateError("the trace does not fit the second reading: it has other numbers of latches or inputs")
    if any(bit not in (0, 1) for line in (initial, *inputs) for bit in line):
        raise CertificateError("the trace does not fit the second reading: a value is neither 0 nor 1")


def _check_start(lines: AigerLines, initial: Sequence[int], inputs: Sequence[int]) -> None:
    starts = _Step(lines, [lines.resets[latch] for latch in lines.latches]).run(inputs, initial)
    for position, (value, expected) in enumerate(zip(initial, starts, strict=True)):
        if value != expected:  # a latch that is not initialised resets to itself
            raise CertificateError(f"the second reader starts latch {position} as {expected}, the trace as {value}")
