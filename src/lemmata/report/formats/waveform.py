"""Waveforms as value change dumps (VCD, IEEE 1364-2005, section 18): GTKWave, Surfer and others open them.

A step of a run lasts ten units of time. Where there is a clock, its active edge ends a step: what registers take over at that
edge is there from the next step on. Values are those of two-valued runs; nothing is ``x``.

Written by hand: the format is a header and a list of changes, and a library for it costs more per change than all of this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lemmata.escapes import printable
from lemmata.models.vectors import vectors
from lemmata.values import dataclass

STEP = 10  # units of time
_DIGITS = "".join(map(chr, range(33, 127)))
_BLANK = re.compile(r"\s+")
_NO_NAME = "\0"  # between the parts of a path: no name has it


@dataclass(frozen=True, slots=True)
class WaveRow:
    """A row of the picture: the path of its scopes and its name, how many bits, and its value in every step."""

    path: tuple[str, ...]
    width: int
    values: Sequence[int]
    lowest: int = 0


@dataclass(frozen=True, slots=True)
class Waveform:
    """All rows; ``clocks`` are the paths of those that are clocks, whose values are drawn and not given."""

    top: str
    steps: int
    traces: tuple[WaveRow, ...]
    clocks: tuple[tuple[str, ...], ...] = ()
    is_rising: bool = True


def format_vcd(waveform: Waveform, remark: str = "") -> bytes:
    """The whole file."""
    lines = [f"$comment {printable(remark).replace('$', '')} $end"] if remark else []
    lines += ["$timescale 1ns $end"]
    rows = sorted([(trace.path, trace) for trace in waveform.traces], key=lambda row: (row[0][:-1], row[0][-1]))
    codes = [_code(number) for number in range(len(rows) + 1)]
    declared: list[tuple[tuple[str, ...], str]] = [
        (path, _declared(trace, code)) for (path, trace), code in zip(rows, codes, strict=False)
    ]
    declared += [(path, f"$var wire 1 {codes[-1]} {_plain(path[-1])} $end") for path in waveform.clocks]
    lines += _scopes(waveform.top, declared)
    lines += ["$enddefinitions $end"]
    lines += _changes(waveform, [trace for _, trace in rows], codes)
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _declared(trace: WaveRow, code: str) -> str:
    span = f" [{trace.lowest + trace.width - 1}:{trace.lowest}]" if trace.width > 1 else ""
    return f"$var wire {trace.width} {code} {_plain(trace.path[-1])}{span} $end"


def _scopes(top: str, declared: Sequence[tuple[tuple[str, ...], str]]) -> Iterator[str]:
    """Declarations in their scopes, each opened once."""
    yield f"$scope module {_plain(top)} $end"
    here: tuple[str, ...] = ()
    for path, line in sorted(declared, key=lambda entry: (entry[0][:-1], entry[1])):
        scopes = path[:-1]
        common = next((k for k, (a, b) in enumerate(zip(here, scopes, strict=False)) if a != b), min(len(here), len(scopes)))
        yield from ["$upscope $end"] * (len(here) - common)
        yield from (f"$scope module {_plain(name)} $end" for name in scopes[common:])
        here = scopes
        yield line
    yield from ["$upscope $end"] * (len(here) + 1)


def _changes(waveform: Waveform, traces: Sequence[WaveRow], codes: Sequence[str]) -> Iterator[str]:
    """What changes when; everything has a value at time 0."""
    columns = [_texts(trace, code) for trace, code in zip(traces, codes, strict=False)]
    active, passive = (f"{int(level)}{codes[-1]}" for level in (waveform.is_rising, not waveform.is_rising))
    has_clock = bool(waveform.clocks)
    for step in range(waveform.steps):
        yield f"#{STEP * step}"
        if has_clock:
            yield active if step else passive
        yield from [text for column in columns if (text := column[step])]
        if has_clock and step:
            yield f"#{STEP * step + STEP // 2}"
            yield passive
    yield f"#{STEP * waveform.steps}"
    if has_clock:
        yield active


def _texts(trace: WaveRow, code: str) -> list[str]:
    """Per step the new value, or nothing where it stays."""
    values = trace.values
    is_new = [True, *(a != b for a, b in pairwise(values))]
    if trace.width == 1:
        return [f"{value}{code}" if new else "" for value, new in zip(values, is_new, strict=True)]
    return [f"b{value:b} {code}" if new else "" for value, new in zip(values, is_new, strict=True)]


def _code(number: int) -> str:
    """A short identifier of printable characters."""
    text = _DIGITS[number % len(_DIGITS)]
    while number := number // len(_DIGITS):
        text += _DIGITS[number % len(_DIGITS)]
    return text


def _plain(name: str) -> str:
    """A name without blanks: they end names."""
    return _BLANK.sub("_", printable(name)) or "_"


def joined_bits(traces: Sequence[WaveRow]) -> tuple[WaveRow, ...]:
    """Rows called ``x[0]`` to ``x[n]`` as one row ``x``; others, and vectors with gaps, as they are."""
    words = vectors([_NO_NAME.join(trace.path) if trace.width == 1 else "" for trace in traces])
    names = {trace.path for trace in traces}
    words = {name: bits for name, bits in words.items() if tuple(name.split(_NO_NAME)) not in names}
    used = {position for _, bits in words.values() for position in bits}
    rest = [trace for position, trace in enumerate(traces) if position not in used]
    for name, (low, bits) in words.items():
        columns = [traces[position].values for position in bits]
        values = [sum(bit << k for k, bit in enumerate(row)) for row in zip(*columns, strict=True)]
        rest.append(WaveRow(tuple(name.split(_NO_NAME)), len(bits), values, low))
    return tuple(rest)
