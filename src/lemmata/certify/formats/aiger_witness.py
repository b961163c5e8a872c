"""AIGER witnesses: traces as text, as ``aigsim -c MODEL WITNESS`` reads them.

::

    1           a counterexample (0: proved, 2: unknown; neither has a trace)
    b0          the property, counted among the bad literals (or the outputs, where they stand for bads)
    0110        the initial value of every latch
    10          the inputs, one line per step; an empty line when there are none
    11
    .

Lines that start with ``c`` or ``u`` are comments and progress. We write concrete bits only. When reading, ``x`` is taken as
the latch's reset where that is constant, and as 0 elsewhere, which is what ``aigsim -c`` does: the trace that comes out is
concrete, and it is the replay of that trace that decides, so no witness is accepted on the strength of an ``x``. Of several
witnesses in one file the first is read, of several properties in one witness the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lemmata.errors import InputError, Place, Unsupported
from lemmata.models.aig import Aig
from lemmata.models.trace import Trace

STATUS = {"0": "the witness says that the property was proved", "2": "the witness says that nothing is known"}
_Line = tuple[int, str]  # line number, text


def format_witness(model: Aig, trace: Trace) -> str:
    """The AIGER witness of ``trace``."""
    assert len(trace.initial) == model.latches
    lines = ["1", f"b{trace.prop}", _bits(trace.initial), *map(_bits, trace.inputs), "."]
    return "\n".join(lines) + "\n"


def parse_witness(text: str, model: Aig, file: str | Path = "<memory>") -> Trace:
    """The first trace in a witness file of ``model``; ``InputError`` says where it is not one."""
    lines = _lines(text, file)
    _read_status(next(lines), file)
    prop = _read_property(next(lines), model, file)
    resets = tuple(reset if reset <= 1 else 0 for reset in model.resets)
    initial = _read_bits(next(lines), resets, "latches", file)
    steps = []
    for number, line in lines:
        if line == ".":
            break
        steps.append(_read_bits((number, line), (0,) * model.inputs, "inputs", file))
    if not steps:
        raise InputError(Place(file, number, 1), "a witness without a step", "give one line of inputs per step")
    latch_names = tuple(map(model.latch_name, range(model.latches)))
    return Trace(prop, initial, tuple(steps), latch_names, tuple(map(model.input_name, range(model.inputs))))


def _bits(bits: tuple[int, ...]) -> str:
    return "".join(map(str, bits))


def _lines(text: str, file: str | Path) -> Iterator[_Line]:
    """The lines that count; the end of the file is an error, since a witness ends with a dot."""
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith(("c", "u")):
            yield number, line
    raise InputError(Place(file, number + 1, 1), "the witness ends too early", "it must end with a line '.'")


def _read_status(line: _Line, file: str | Path) -> None:
    number, word = line
    if word in STATUS:
        raise InputError(
            Place(file, number, 1), f"{STATUS[word]}: there is no trace in it", "give a witness that starts with 1"
        )
    if word != "1":
        raise InputError(Place(file, number, 1), f"a witness starts with 0, 1 or 2, not {word[:20]!r}")


def _read_property(line: _Line, model: Aig, file: str | Path) -> int:
    number, word = line
    match = re.match(r"([bj])(\d{1,18})", word)
    if match is None or not re.fullmatch(r"([bj]\d{1,18})+", word):
        raise InputError(Place(file, number, 1), f"expected a property such as b0, not {word[:20]!r}")
    if match[1] == "j":
        raise Unsupported(Place(file, number, 1), "a justice property: liveness is not supported yet")
    count = len(model.properties())
    if int(match[2]) >= count:
        raise InputError(Place(file, number, 1), f"b{match[2]} does not exist: {model.file} has {count} properties")
    return int(match[2])


def _read_bits(line: _Line, unknown: tuple[int, ...], noun: str, file: str | Path) -> tuple[int, ...]:
    number, word = line
    for column, char in enumerate(word, 1):
        if char not in "01x":
            raise InputError(Place(file, number, column), f"expected 0, 1 or x, not {char!r}")
    if len(word) != len(unknown):
        place = Place(file, number, min(len(word), len(unknown)) + 1)
        raise InputError(place, f"{len(word)} bits, but the model has {len(unknown)} {noun}")
    return tuple(x if char == "x" else int(char) for char, x in zip(word, unknown, strict=True))
