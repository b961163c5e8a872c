"""The header ``aag|aig M I L O A [B C J F]``, checked against the size of the file before anything is allocated."""

from __future__ import annotations

from lemmata.errors import InputError, Place
from lemmata.frontends.aiger.text import LARGEST_VARIABLE, AigerText
from lemmata.frontends.files import shown
from lemmata.values import dataclass

SPARE_INPUTS = 1_000_000  # an input that nobody reads takes no byte of a binary file; so many are believed
_SLACK = 1_000  # bytes; a file that misses fewer is read until it ends, which gives a better place

_NAMES = (
    "variables",
    "inputs",
    "latches",
    "outputs",
    "gates",
    "bads",
    "constraints",
    "justice properties",
    "fairness constraints",
)
_SHAPE = "expected: aag|aig M I L O A [B C J F]"
# The least bytes that one input, latch, … takes: "2\n", "2 0\n", "0\n", "6 2 4\n".
_ASCII_BYTES = (0, 2, 4, 2, 6, 2, 2, 2, 2)
_BINARY_BYTES = (0, 0, 2, 2, 2, 2, 2, 2, 2)


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says it has."""

    binary: bool
    maximum: int  # the highest variable
    inputs: int
    latches: int
    outputs: int
    gates: int
    bads: int
    constraints: int
    justice: int
    fairness: int


def read_header(text: AigerText) -> Header:
    """Read the first line; counts that the file cannot hold are refused."""
    fields = text.header()
    if not 6 <= len(fields) <= 10:
        place = text.place(1, 0, min(len(fields), 10))
        raise InputError(place, f"the header has {len(fields) - 1} counts instead of 5 to 9", _SHAPE)
    counts = [text.number(field, 1, 0, i) for i, field in enumerate(fields) if i]
    counts += [0] * (9 - len(counts))
    header = Header(fields[0] == b"aig", *counts)
    _check_variables(text, header)
    _check_sizes(text, header, counts)
    return header


def _check_variables(text: AigerText, header: Header) -> None:
    defined = header.inputs + header.latches + header.gates
    maximum = header.maximum
    if maximum > LARGEST_VARIABLE:
        raise InputError(text.place(1, 0, 1), f"{maximum} variables are too many", f"the limit is {LARGEST_VARIABLE}")
    if maximum < defined or (header.binary and maximum > defined):
        relation = "equal" if header.binary else "be at least"
        cause = f"M is {maximum}, but inputs, latches and gates are {defined} together"
        raise InputError(text.place(1, 0, 1), cause, f"M must {relation} I + L + A")
    if header.binary and header.inputs > len(text.data) + SPARE_INPUTS:
        raise _too_many(text, 1, header.inputs)


def _check_sizes(text: AigerText, header: Header, counts: list[int]) -> None:
    left = len(text.data) - text.position
    for index, count in enumerate(counts):
        left -= count * (_BINARY_BYTES if header.binary else _ASCII_BYTES)[index]
        if left < -_SLACK:
            raise _too_many(text, index, count)


def _too_many(text: AigerText, index: int, count: int) -> InputError:
    cause = f"the header announces {count} {_NAMES[index]}, more than a file of {len(text.data)} bytes can hold"
    return InputError(text.place(1, 0, index + 1), cause, "the file may be truncated, or the count is wrong")


def check_magic(data: bytes, file: str) -> None:
    """Refuse what does not start like an AIGER file."""
    if not data:
        raise InputError(Place(file, 1, 1), "the file is empty", _SHAPE)
    if data[:3] not in (b"aag", b"aig") or data[3:4] not in (b" ", b"\t"):
        raise InputError(Place(file, 1, 1), f"not an AIGER file: it starts with {shown(data[:8])}", _SHAPE)
