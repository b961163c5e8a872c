"""Designs read again: does the evidence also hold for the BTOR2 that Yosys itself writes of the same netlist?

Our front end gives the cells of Yosys a meaning of its own, bits their words, words their names. Yosys' writer of BTOR2 has all
that done by other people; the naive reader of BTOR2 reads what it writes, and runs and proofs are checked there as those of
BTOR2 files are. What both readings share is Yosys: its parser of Verilog and the passes up to the netlist.

The comments of that file say which cell a line belongs to. Variables of the model consist of pieces of cells; where the file
lacks one that the evidence speaks of, there is no second opinion, nor where a memory begins at an address that its index cannot
tell from 0: the file keeps its words, and their initial values, in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from lemmata.certify.reading.btor2 import Btor2Reading
from lemmata.certify.reading.btor2_lines import Btor2Lines, btor2_lines
from lemmata.certify.reading.btor2_run import ArrayState, WordOrArray
from lemmata.certify.reading.btor2_text import name
from lemmata.certify.words.question import variables_of_interest
from lemmata.errors import GaveUp
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import variables
from lemmata.models.design import Design, Memory
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.verdict import Safe, Unsafe

_Part = tuple[int, int, int]  # a node, its lowest bit that counts, how many
_FIRST = "$initstate"


def read_design_again(model: Graph, prop: int, verdict: Safe | Unsafe, until: float | None) -> str | None:
    """Who agrees; ``CertificateError`` where Yosys' own BTOR2 says something else."""
    design, system = model.design, system_of(model)
    if design is None or system is None:
        return None
    data = design.covers if model.questions[prop].is_cover else design.btor2
    if not data or any(_is_rotated(memory) for memory in design.memories):
        return None
    lines, cells, bads = _read(data)
    if (index := bads.get(design.checks[prop])) is None:
        return None
    return _DesignReading(lines, cells, model, system, design, prop, index).agrees(verdict, until)


def _is_rotated(memory: Memory) -> bool:
    """Has the file another word at index 0? It cuts addresses to the width of the index; the model counts from the lowest."""
    sort = memory.term.sort
    assert isinstance(sort, Array) and isinstance(sort.index, BitVec)
    return memory.first % (1 << sort.index.width) != 0


@lru_cache(maxsize=2)
def _read(data: bytes) -> tuple[Btor2Lines, dict[str, list[int]], dict[str, int]]:
    """The lines, the states and inputs of each cell, and the number of each cell's bad line."""
    lines = btor2_lines(data, "Yosys' BTOR2")
    cells: dict[str, list[int]] = {}
    bads: dict[str, int] = {}
    open_cells: list[str] = []
    for raw in data.splitlines():
        words = raw.split()
        if words[:2] == [b";", b"begin"]:
            open_cells.append(b" ".join(words[2:]).decode("utf-8", "surrogateescape"))
        elif words[:2] == [b";", b"end"] and open_cells:
            open_cells.pop()
        elif len(words) > 1 and words[1] == b"input" and len(words) > 3:
            cells.setdefault(f"input {words[3].decode('utf-8', 'surrogateescape')}", []).append(int(words[0]))
        elif len(words) > 1 and words[1] in (b"state", b"input") and open_cells:
            cells.setdefault(open_cells[-1], []).append(int(words[0]))
        elif len(words) > 1 and words[1] == b"bad" and open_cells:
            bads[open_cells[-1]] = len(bads)
    return lines, cells, bads


class _DesignReading(Btor2Reading):
    """Yosys' lines beside the model."""

    _reader = "Yosys' BTOR2"

    def __init__(
        self,
        lines: Btor2Lines,
        cells: Mapping[str, list[int]],
        model: Graph,
        system: System,
        design: Design,
        prop: int,
        bad: int,
    ) -> None:
        self._lines = lines
        self._model = model
        self._system = system
        self._prop = bad
        self._ours = prop
        self._nodes: dict[Term, int] = {}
        self._parts: dict[Term, list[_Part]] = {}
        known = {*system.variables, *system.inputs}
        for v, pieces in design.cells:
            parts = [(node, piece.low, piece.width) for piece in pieces if (node := self._node(v, piece.cell, cells))]
            if v in known and len(parts) == len(pieces):
                self._parts[v] = parts

    def _node(self, v: Term, cell: str, cells: Mapping[str, list[int]]) -> int:
        """The state or input of a cell; 0 if the file has none."""
        lines = self._lines
        if not cell:
            return next(iter(cells.get(f"input {name_of(v)}", [0])))
        if cell == _FIRST:
            first = [s for s in lines.states if lines.sort(s) == 1 and self._is_first(s)]
            return first[0] if len(first) == 1 else 0
        found = cells.get(cell, [])
        if len(found) > 1:  # some are but what initial values are made of
            found = [node for node in found if node in lines.nexts or node in lines.inits]
        return found[0] if len(found) == 1 else 0

    def _is_first(self, state: int) -> bool:
        """Is it 1 in the first step and 0 ever after?"""
        lines = self._lines
        constants = [lines.nodes.get(table.get(state, 0)) for table in (lines.inits, lines.nexts)]
        return [c.detail if c is not None and c.tag == "const" else None for c in constants] == [(1,), (0,)]

    # Runs.

    def _words(self, values: Mapping[Term, Value]) -> dict[int, WordOrArray]:
        found: dict[int, WordOrArray] = {}
        for v, parts in self._parts.items():
            if v not in values:
                continue
            if isinstance(value := values[v], ArrayValue):
                found[parts[0][0]] = ArrayState(value.default, dict(value.items))
                continue
            for node, low, width in parts:
                before = found.get(node, 0)
                assert isinstance(before, int)
                found[node] = before | (value & (1 << width) - 1) << low
                value >>= width
        bases = {base: value for node, value in found.items() for base in self._bases(node)}
        return self._unknown(found) | bases | found

    def _bases(self, state: int) -> list[int]:
        """The free states that an initial value is a change of; the initial value itself is one that fits."""
        start = self._lines.inits.get(state)
        return [] if start is None else [node for node in self._lines.cone([start]) if node in self._lines.states]

    def _unknown(self, found: Mapping[int, WordOrArray]) -> dict[int, WordOrArray]:
        """What the model has left out: initial values where they are constants, else zeros."""
        rest: dict[int, WordOrArray] = {}
        for node in (*self._lines.states, *self._lines.inputs):
            if node not in found:
                sort, start = self._lines.sort(node), self._lines.nodes.get(self._lines.inits.get(node, 0))
                value = start.detail[0] if start is not None and start.tag == "const" else 0
                rest[node] = value if isinstance(sort, int) else ArrayState(value, {})
        return rest

    def run(
        self, initial: Sequence[tuple[Term, Value]], inputs: Sequence[Sequence[tuple[Term, Value]]], until: float | None
    ) -> str:
        """Simulate; states that have a next value keep what the lines say."""
        from lemmata.certify.reading.btor2_run import run_btor2

        first = self._words(dict(initial))
        given = [
            {node: value for node, value in self._words(dict(line)).items() if node not in self._lines.nexts} for line in inputs
        ]
        given[0] = {**given[0], **{n: value for n, value in first.items() if n in self._lines.states and not self._is_input(n)}}
        run_btor2(self._lines, self._prop, first, given, until)
        return f"{self._reader} (simulation)"

    def _is_input(self, node: int) -> bool:
        """Is this state what the model has as an input?"""
        inputs = set(self._system.inputs)
        return any(node == part[0] for v, parts in self._parts.items() if v in inputs for part in parts)

    # Proofs.

    def _spoken(self, lemmas: Sequence[Term]) -> list[int]:
        found = variables(lemmas)
        if not all(v in self._parts for v in found):
            raise GaveUp("incomplete")
        return sorted({node for v in found for node, _, _ in self._parts[v]})

    def _names(self, now: int) -> dict[tuple[str, Sort], str]:
        return {v.data: self._text(v, now) for v in self._parts}

    def _text(self, v: Term, now: int) -> str:
        text = ""
        for node, low, width in self._parts[v]:
            is_whole = isinstance(v.sort, Array) or (low == 0 and width == self._lines.sort(node))
            part = name(node, now) if is_whole else f"((_ extract {low + width - 1} {low}) {name(node, now)})"
            text = f"(concat {part} {text})" if text else part
        return text

    def _differences(self, states: Iterable[int], i: int, j: int) -> list[str]:
        """States are those of the model; where the file has none of them, it has no opinion."""
        there = set(states)
        roots = [self._system.constraint, self._system.bads[self._ours]]
        kept = variables_of_interest(self._system, roots)
        if not all(v in self._parts for v in kept):
            raise GaveUp("incomplete")
        shown = [v for v in kept if all(node in there for node, _, _ in self._parts[v])]
        return [f"(distinct {self._text(v, i)} {self._text(v, j)})" for v in shown]
