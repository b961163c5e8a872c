"""Memories as arrays: ``$mem_v2`` cells with asynchronous reads and any number of writes.

Addresses are as wide as the size needs: the commands of ``yosys`` make sure that nothing is read or written elsewhere. Among
writes in the same step the later port wins, as the source orders them. Where several clocks made writes unclocked
(by Yosys' clk2fflogic), reads see what is written in the same step. A word whose initial value is partly unknown starts as
a free one does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from lemmata.errors import Place, Unsupported
from lemmata.frontends.verilog.cells import resized
from lemmata.frontends.verilog.netlist import Bit, Cell
from lemmata.frontends.verilog.words import Names
from lemmata.logic.build import build, equal, ite, negate, truth
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import Term, bv, name_of, var
from lemmata.models.design import Memory
from lemmata.values import dataclass

Word = Callable[[Sequence[Bit]], Term]


@dataclass(slots=True)
class MemoryWords:
    """One memory; ``free`` are inputs that its start needs."""

    cell: Cell
    array: Term
    size: int
    first: int
    width: int
    free: list[Term] = field(default_factory=list)

    @property
    def sort(self) -> Array:
        """Of the variable."""
        sort = self.array.sort
        assert isinstance(sort, Array)
        return sort

    @property
    def clocks(self) -> list[tuple[Bit, bool]]:
        """What the writes are clocked by."""
        return [
            (one, self._flag("WR_CLK_POLARITY", port))
            for port, one in enumerate(self.cell.ports["WR_CLK"])
            if self._flag("WR_CLK_ENABLE", port)
        ]

    def reads(self, word: Word) -> Iterator[tuple[Sequence[Bit], Term]]:
        """The bits of each read port, and what they are."""
        now = self._changed(word) if is_unclocked(self.cell) else self.array
        for port in range(self.cell.number("RD_PORTS")):
            address = self._index(word(self._part("RD_ADDR", port, self.cell.number("ABITS"))))
            yield self._part("RD_DATA", port, self.width), build("select", (now, address))

    def add_to(self, starts: dict[Term, Term | None], nexts: dict[Term, Term], word: Word, names: Names) -> None:
        """The variable with its start and its next value."""
        starts[self.array] = self._start(starts, nexts, names)
        nexts[self.array] = self._changed(word)

    def _changed(self, word: Word) -> Term:
        """The array after all writes of a step."""
        after = self.array
        for port in range(self.cell.number("WR_PORTS")):
            after = self._written(after, port, word)
        return after

    def _written(self, before: Term, port: int, word: Word) -> Term:
        enables = self._part("WR_EN", port, self.width)
        enable = word(enables)
        address = self._index(word(self._part("WR_ADDR", port, self.cell.number("ABITS"))))
        data = word(self._part("WR_DATA", port, self.width))
        if len(set(enables)) == 1 or all(_bit(enable, k) is _bit(enable, 0) for k in range(self.width)):
            active = truth(_bit(enable, 0))
            return ite(active, build("store", (before, _where(active, address), _where(active, data))), before)
        old = build("select", (before, address))
        mixed = build("bvor", (build("bvand", (data, enable)), build("bvand", (old, build("bvnot", (enable,))))))
        active = negate(equal(enable, bv(0, self.width)))
        return ite(active, build("store", (before, address, mixed)), before)

    def _start(self, starts: dict[Term, Term | None], nexts: dict[Term, Term], names: Names) -> Term | None:
        digits = self.cell.parameters["INIT"]
        words = [digits[len(digits) - (k + 1) * self.width : len(digits) - k * self.width] for k in range(self.size)]
        known = {k: int(text, 2) for k, text in enumerate(words) if text and set(text) <= {"0", "1"}}
        if not known:
            return None
        if len(known) == self.size:
            usual = Counter(known.values()).most_common(1)[0][0]
            start = build("filled", (bv(usual, self.width),), self.sort)
            known = {k: value for k, value in known.items() if value != usual}
        else:
            start = var(names.unique(f"{name_of(self.array)}.start"), self.sort)
            self.free.append(after := var(names.unique(f"{name_of(start)}.next"), self.sort))
            starts[start], nexts[start] = None, after
        for k, value in known.items():
            start = build("store", (start, bv(k, self.sort.index.width), bv(value, self.width)))  # type: ignore[attr-defined]
        return start

    def _index(self, address: Term) -> Term:
        width = self.sort.index.width  # type: ignore[attr-defined]
        if self.first:
            address = build("bvsub", (address, bv(self.first, address.width)))
        return resized(address, width)

    def _part(self, port: str, number: int, width: int) -> list[Bit]:
        return self.cell.ports[port][number * width : (number + 1) * width]

    def _flag(self, parameter: str, port: int) -> bool:
        return self.cell.parameters[parameter][::-1][port] == "1"

    def shown(self) -> Memory:
        """The memory for waveforms."""
        return Memory(tuple(name_of(self.array).split(".")), self.array, self.size, self.first)


def is_unclocked(cell: Cell) -> bool:
    """Do the writes of this memory happen at once?"""
    return cell.number("WR_PORTS") > 0 and "1" not in cell.parameters["WR_CLK_ENABLE"]


def read_memory(cell: Cell, names: Names, file: str) -> MemoryWords:
    """The memory that a cell is; ports wider than a word, and reads that are clocked, are not made by our commands."""
    for parameter in ("RD_CLK_ENABLE", "RD_WIDE_CONTINUATION", "WR_WIDE_CONTINUATION"):
        if "1" in cell.parameters[parameter]:
            raise Unsupported(cell.place or Place(file), f"a memory with {parameter} is not supported", "")
    if len(set(cell.parameters["WR_CLK_ENABLE"][: cell.number("WR_PORTS")])) > 1:
        raise Unsupported(cell.place or Place(file), "a memory with clocked and unclocked writes is not supported", "")
    size, width = cell.number("SIZE"), cell.number("WIDTH")
    name = names.unique(cell.parameters["MEMID"].removeprefix("\\"))
    bits = max(1, (size - 1).bit_length())
    return MemoryWords(cell, var(name, Array(BitVec(bits), BitVec(width))), size, cell.number("OFFSET"), width)


def _bit(word: Term, k: int) -> Term:
    return build("extract", (word,), (k, k))


def _where(condition: Term, term: Term) -> Term:
    """The term where the condition holds: a choice by the same condition is decided."""
    while term.op == "ite" and (term.args[0] is condition or term.args[0] is negate(condition)):
        term = term.args[1] if term.args[0] is condition else term.args[2]
    return term
