"""Write AIGER: the model's own numbering is that of the file, so writing is listing.

Counts of zero at the end of the header are left out beyond the first five, a reset of 0 is left out too. A file appears under
its name only when it is complete.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

from lemmata.errors import UsageError
from lemmata.models.aig import Aig

_KINDS = "ilobcjf"


def write_aiger(model: Aig, path: str | Path, binary: bool) -> None:
    """Write ``model`` to ``path``, at once or not at all."""
    data = format_aiger(model, binary)
    target = Path(path)
    try:
        _replace(target.resolve(), data)
    except (OSError, ValueError) as error:
        raise UsageError(f"{target}: cannot write: {getattr(error, 'strerror', None) or error}") from None


def _replace(target: Path, data: bytes) -> None:
    if target.exists() and not target.is_file():
        target.write_bytes(data)  # a pipe or a device; a directory fails here
        return
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(data)
        os.replace(part, target)  # noqa: PTH105
    finally:
        part.unlink(missing_ok=True)


def format_aiger(model: Aig, binary: bool) -> bytes:
    """The bytes of an ``aig`` (binary) or ``aag`` file."""
    lines = [_header(model, binary)]
    if not binary:
        lines += [str(2 * variable) for variable in range(1, model.first_latch)]
    lines += [_latch(model, position, binary) for position in range(model.latches)]
    for lits in (model.outputs, model.bads, model.constraints, map(len, model.justice), *model.justice, model.fairness):
        lines += map(str, lits)
    gates = b"" if binary else "".join(_ascii_gates(model)).encode()
    body = "".join(f"{line}\n" for line in lines).encode() + (_binary_gates(model) if binary else gates)
    return body + b"".join(_tail(model))


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


def _ascii_gates(model: Aig) -> Iterator[str]:
    lhs = 2 * model.first_gate
    for left, right in zip(model.lefts, model.rights, strict=True):
        yield f"{lhs} {left} {right}\n"
        lhs += 2


def _binary_gates(model: Aig) -> bytes:
    out = bytearray()
    lhs = 2 * model.first_gate
    for left, right in zip(model.lefts, model.rights, strict=True):
        if left < right:
            left, right = right, left
        for delta in (lhs - left, left - right):
            while delta > 127:
                out.append(delta & 127 | 128)
                delta >>= 7
            out.append(delta)
        lhs += 2
    return bytes(out)


def _tail(model: Aig) -> Iterable[bytes]:
    for kind, position in sorted(model.symbols, key=lambda key: (_KINDS.index(key[0]), key[1])):
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
