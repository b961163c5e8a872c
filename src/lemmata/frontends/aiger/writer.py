"""Write AIGER: the model's own numbering is that of the file, so writing is listing.

Counts of zero at the end of the header are left out beyond the first five, a reset of 0 is left out too. A file appears under
its name only when it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lemmata.errors import UsageError
from lemmata.models.aig import Aig
from lemmata.writes import write_whole


def write_aiger(model: Aig, path: str | Path, binary: bool) -> None:
    """Write ``model`` to ``path``, at once or not at all."""
    write_whole(path, format_aiger(model, binary))


def format_aiger(model: Aig, binary: bool) -> bytes:
    """The bytes of an ``aig`` (binary) or ``aag`` file."""
    lines = [_header(model, binary)]
    if not binary:
        lines += [str(2 * variable) for variable in range(1, model.first_latch)]
    lines += [_latch(model, position, binary) for position in range(model.latches)]
    for lits in (model.outputs, model.bads, model.constraints, map(len, model.justice), *model.justice, model.fairness):
        lines += map(str, lits)
    gates = _binary_gates(model) if binary else _ascii_gates(model)
    return b"".join((*(f"{line}\n".encode() for line in lines), gates, *_tail(model)))


def _header(model: Aig, binary: bool) -> str:
    counts = [model.variables - 1, model.inputs, model.latches, len(model.outputs), model.gates]
    extra = [len(model.bads), len(model.constraints), len(model.justice), len(model.fairness)]
    while extra and not extra[-1]:
        extra.pop()
    return " ".join(["aig" if binary else "aag", *map(str, counts + extra)])


def _latch(model: Aig, position: int, binary: bool) -> str:
    lits = [] if binary else [model.latch_lit(position)]
    lits.append(model.nexts[position])
    if model.resets[position]:
        lits.append(model.resets[position])
    return " ".join(map(str, lits))


def _ascii_gates(model: Aig) -> bytes:
    outs = range(2 * model.first_gate, 2 * model.variables, 2)
    return "".join(
        [f"{out} {left} {right}\n" for out, left, right in zip(outs, model.lefts, model.rights, strict=True)]
    ).encode()


def _binary_gates(model: Aig) -> bytes:
    data = bytearray()
    outs = range(2 * model.first_gate, 2 * model.variables, 2)
    for out, left, right in zip(outs, map(max, model.lefts, model.rights), map(min, model.lefts, model.rights), strict=True):
        for difference in (out - left, left - right):
            while difference > 127:
                data.append(difference & 127 | 128)
                difference >>= 7
            data.append(difference)
    return bytes(data)


def _tail(model: Aig) -> Iterator[bytes]:
    counts = {
        "i": model.inputs,
        "l": model.latches,
        "o": len(model.outputs),
        "b": len(model.bads),
        "c": len(model.constraints),
        "j": len(model.justice),
        "f": len(model.fairness),
    }
    kinds = list(counts)
    for kind, position in sorted(model.symbols, key=lambda key: (kinds.index(key[0]), key[1])):
        if not 0 <= position < counts[kind]:
            raise UsageError(f"cannot write a symbol for {kind}{position}: the model has {counts[kind]} of this kind")
        yield f"{kind}{position} ".encode() + _encode(model.symbols[kind, position])
    if model.comments:
        yield b"c\n"
        yield from map(_encode, model.comments)


def _encode(name: str) -> bytes:
    if "\n" in name:
        raise UsageError(f"{name!r} cannot be written as AIGER: it holds a line end")
    try:
        return name.encode("utf-8", "surrogateescape") + b"\n"
    except UnicodeEncodeError:
        raise UsageError(f"{name!r} cannot be written as AIGER: it is no text") from None
