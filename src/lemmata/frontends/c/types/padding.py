"""``padding``: the bits of an object that no member has (C11 6.2.6.1p6, 6.7.9p9), whose values nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.frontends.c.types import CHAR_BITS, PADDING, ArrayType, BitField, CType, DataModel, Structure


def padding(kind: CType, data: DataModel) -> Iterator[tuple[int, int]]:
    """Bytes that have such bits, each with a mask of them; of a union all bytes count as taken, as gcc has it."""
    match kind:
        case ArrayType(element, length):
            size, inner = data.size(element) or 0, list(padding(element, data))
            for number in range(length or 0) if inner else ():
                yield from ((number * size + byte, mask) for byte, mask in inner)
        case Structure(is_union=False, is_complete=True):
            yield from _of_structure(kind, data)


def _of_structure(kind: Structure, data: DataModel) -> Iterator[tuple[int, int]]:
    end = 0  # the first bit behind the members so far
    for name in kind.members:
        if name.startswith(PADDING):
            continue
        member, byte = data.member(kind, name), data.offset(kind, name)
        start = byte * CHAR_BITS + (member.shift if isinstance(member, BitField) else 0)
        yield from _gap(end, start)
        yield from ((byte + inner, mask) for inner, mask in padding(member, data))
        end = start + (member.width if isinstance(member, BitField) else (data.size(member) or 0) * CHAR_BITS)
    yield from _gap(end, (data.size(kind) or 0) * CHAR_BITS)


def _gap(first: int, end: int) -> Iterator[tuple[int, int]]:
    """The bits from ``first`` on, up to ``end``."""
    while first < end:
        byte = first // CHAR_BITS
        last = min(end, (byte + 1) * CHAR_BITS)
        yield byte, ((1 << (last - first)) - 1) << (first % CHAR_BITS)
        first = last
