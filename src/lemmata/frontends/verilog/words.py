"""Bits become words: which variable or cell output each bit of the netlist is a part of.

``Wiring`` knows for every bit the term that it belongs to and its position there. A vector of bits is then a concatenation of
slices of terms; neighbours that lie together in one term stay together, so that a register that the source has as a word is
one word here, however the netlist splits it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from lemmata.frontends.verilog.netlist import Bit, Net
from lemmata.logic.build import build
from lemmata.logic.terms import Term, bv


class Wiring:
    """The term and the position of each bit."""

    def __init__(self) -> None:
        self._places: dict[Bit, tuple[Term, int]] = {"0": (bv(0, 1), 0), "1": (bv(1, 1), 0)}

    def __contains__(self, bit: Bit) -> bool:
        return bit in self._places

    def connect(self, bits: Sequence[Bit], term: Term) -> None:
        """From here on the bits are those of the term; a bit that is known already stays what it is."""
        for position, one in enumerate(bits):
            self._places.setdefault(one, (term, position))

    def word(self, bits: Sequence[Bit]) -> Term:
        """The word that consists of these bits, the lowest first."""
        parts = list(self._parts(bits))
        result = parts[0]
        for part in parts[1:]:
            result = build("concat", (part, result))
        return result

    def _parts(self, bits: Sequence[Bit]) -> Iterator[Term]:
        start = 0
        while start < len(bits):
            if isinstance(bits[start], str):
                end = start + 1
                while end < len(bits) and isinstance(bits[end], str) and bits[end] in self._places:
                    end += 1
                digits = "".join(str(bits[k]) for k in reversed(range(start, end)))
                if set(digits) <= {"0", "1"}:
                    yield bv(int(digits, 2), end - start)
                    start = end
                    continue
            term, low = self._places[bits[start]]
            end = start + 1
            while end < len(bits) and self._places[bits[end]] == (term, low + end - start):
                end += 1
            yield build("extract", (term,), (low + end - start - 1, low))
            start = end


class Names:
    """Names of the source for vectors of bits; no two words get the same one."""

    def __init__(self, nets: Sequence[Net]) -> None:
        self._at: dict[Bit, list[tuple[Net, int]]] = defaultdict(list)
        for net in nets:
            for position, one in enumerate(net.bits):
                self._at[one].append((net, position))
        self._taken: set[str] = set()

    def of(self, bits: Sequence[Bit], otherwise: str) -> str:
        """A public net that has these bits side by side, else ``otherwise``; made unique."""
        found = [
            (not net.is_register, len(net.bits), len(net.path), net.name, position, net)
            for net, position in self._at[bits[0]]
            if net.is_public and net.bits[position : position + len(bits)] == list(bits)
        ]
        if not found:
            return self.unique(otherwise)
        *_, position, net = min(found, key=lambda entry: entry[:-1])
        return self.unique(net.part(position, position + len(bits) - 1))

    def unique(self, name: str) -> str:
        """``name``, or something like it that is free."""
        number, first = 1, name
        while name in self._taken:
            number += 1
            name = f"{first}#{number}"
        self._taken.add(name)
        return name
