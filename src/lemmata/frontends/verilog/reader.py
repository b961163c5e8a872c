"""From a netlist to a transition system in the names of the source.

Variables are registers (as words, where the source has words), memories (as arrays), ``$anyconst`` and whether this is the
first step; inputs are those of the top module, ``$anyseq``, and every undefined value. Combinational cells become terms, in
topological order. An assertion is bad where it is enabled and false, a cover is reached where it is enabled and true, an
assumption constrains every step in which it is enabled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lemmata.config import DesignOptions
from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.frontends.verilog.cells import FUNCTIONS
from lemmata.frontends.verilog.language import compare_widths
from lemmata.frontends.verilog.memories import MemoryWords, is_unclocked, read_memory
from lemmata.frontends.verilog.netlist import Bit, Cell, Module, read_module
from lemmata.frontends.verilog.words import Names, Wiring
from lemmata.frontends.verilog.yosys import Synthesized, synthesize
from lemmata.logic.build import conj, implies, negate, truth
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, bv, name_of, var
from lemmata.logic.walk import variables
from lemmata.models.design import Clock, Design, Piece, Signal
from lemmata.models.graph import Graph, GraphProperty, Origin
from lemmata.models.system import System, graph_of

_FLIP_FLOPS = frozenset({"$dff", "$ff", "$anyinit", "$_DFF_P_", "$_DFF_N_", "$_FF_"})
_CHECKS = frozenset({"$assert", "$cover"})
_SOURCES = frozenset({*_FLIP_FLOPS, "$anyseq", "$anyconst", "$initstate"})
_QUANTIFIED = frozenset({"$allconst", "$allseq"})


def parse_design(files: Sequence[str], options: DesignOptions) -> Graph:
    """The system of the design in ``files``; what is wrong with it is an ``InputError`` with its place."""
    netlist = synthesize(files, options)
    module = read_module(netlist.json, netlist.before)
    if netlist.elaboration is not None:
        compare_widths(netlist.elaboration, module.nets, files[0])
    return _Reader(module, files[0], options).graph(netlist)


class _Reader:
    """One flat module on its way to a system."""

    def __init__(self, module: Module, file: str, options: DesignOptions) -> None:
        self._module = module
        self._file = file
        self._options = options
        self._wiring = Wiring()
        self._names = Names(module.nets)
        self._inputs: list[Term] = []
        self._starts: dict[Term, Term | None] = {}
        self._cells: dict[Term, list[Piece]] = {}
        self._nexts: dict[Term, Sequence[Bit] | Term] = {}
        self._memories: list[MemoryWords] = []
        self._signals: list[Signal] = []
        self._contested: dict[Term, Bit] = {}  # bits with several drivers: an error, if anything depends on them
        self._is_exact = True  # does Yosys' BTOR2 say the same?

    def graph(self, netlist: Synthesized) -> Graph:
        """The whole design."""
        self._contests()
        self._ports()
        self._free_values()
        self._registers()
        for cell in self._of("$mem_v2"):
            self._memory(cell)
        self._combinational()
        system, checks = self._system()
        names = property_names(checks)
        questions = [
            GraphProperty(index, name, 1 + index, cell.type == "$cover", cell.place)
            for index, (name, cell) in enumerate(zip(names, checks, strict=True))
        ]
        origin = Origin("verilog", system.variables, system.inputs, *self._liveness())
        graph = graph_of(system, tuple(names), origin, self._file)
        return Graph(graph.locations, graph.edges, tuple(questions), origin, self._file, self._design(netlist, checks))

    def _of(self, *types: str) -> list[Cell]:
        return [cell for cell in self._module.cells if cell.type in types]

    # Leaves.

    def _contests(self) -> None:
        """Bits with several drivers are variables of their own, on which nothing that counts may depend."""
        drivers = Counter(one for bits in self._module.inputs.values() for one in bits)
        for cell in self._module.cells:
            drivers.update(one for port in cell.outputs for one in cell.ports[port])
        for one, count in drivers.items():
            if count > 1 and not isinstance(one, str):
                term = var(self._names.unique("contested"), BitVec(1))
                self._contested[term] = one
                self._wiring.connect([one], term)

    def _ports(self) -> None:
        for name, bits in self._module.inputs.items():
            self._input(bits, self._names.unique(name), "")

    def _input(self, bits: Sequence[Bit], name: str, cell: str) -> Term:
        term = var(name, BitVec(len(bits)))
        self._inputs.append(term)
        self._cells[term] = [Piece(cell, 0, len(bits))]
        self._wiring.connect(bits, term)
        return term

    def _free_values(self) -> None:
        """``$anyseq``, ``$anyconst``, ``$initstate``, and bits that nobody drives."""
        free = {one: (cell, position) for cell in self._of("$anyseq") for position, one in enumerate(cell.ports["Y"])}
        for net in sorted((net for net in self._module.nets if net.is_public), key=lambda net: (len(net.path), net.name)):
            for low, high in _runs(net.bits, free, {}, self._wiring):
                self._any(net.bits[low : high + 1], self._names.unique(net.part(low, high)), free)
        for cell in self._of("$anyseq"):
            for low, high in _runs(cell.ports["Y"], free, {}, self._wiring):
                self._any(cell.ports["Y"][low : high + 1], self._names.unique(_hidden(cell, "undefined")), free)
        for cell in self._of("$anyconst"):
            term = var(self._names.of(cell.ports["Y"], _hidden(cell, "anyconst")), BitVec(len(cell.ports["Y"])))
            self._state(term, None, term, cell.ports["Y"], [Piece(cell.name, 0, len(cell.ports["Y"]))])
        if first := self._of("$initstate"):
            term = var(self._names.unique("$initstate"), BitVec(1))
            for cell in first:
                self._state(term, bv(1, 1), bv(0, 1), cell.ports["Y"], [Piece("$initstate", 0, 1)])
        for cell in self._of(*_QUANTIFIED):
            raise Unsupported(self._place(cell), f"{cell.type} is not supported", "use $anyconst or $anyseq")

    def _any(self, bits: Sequence[Bit], name: str, free: dict[Bit, tuple[Cell, int]]) -> None:
        """An input made of bits of ``$anyseq``."""
        term = self._input(bits, name, "")
        self._cells[term] = [Piece(free[one][0].name, free[one][1], 1) for one in bits]

    def _state(
        self, term: Term, start: Term | None, after: Sequence[Bit] | Term, bits: Sequence[Bit], cells: list[Piece]
    ) -> None:
        self._starts[term] = start
        self._nexts[term] = after
        self._cells[term] = cells
        self._wiring.connect(bits, term)

    def _registers(self) -> None:
        """Words of the source first; then what is left, by flip-flops."""
        flops: dict[Bit, tuple[Cell, int]] = {}
        for cell in self._of(*_FLIP_FLOPS):
            for position, one in enumerate(cell.ports["Q"]):
                flops[one] = cell, position
        init = self._initial_values()
        registers = [net for net in self._module.nets if net.is_register and net.is_public]
        for net in sorted(registers, key=lambda net: net.name):
            for low, high in _runs(net.bits, flops, init, self._wiring):
                self._register(net.bits[low : high + 1], self._names.unique(net.part(low, high)), flops, init)
        for cell in self._of(*_FLIP_FLOPS):
            bits = cell.ports["Q"]
            stored = self._module.stored.get(cell.name)
            for low, high in _runs(bits, flops, init, self._wiring):
                name = f"{stored}.stored" if stored else self._hidden_net(bits[low : high + 1], cell)
                self._register(bits[low : high + 1], self._names.of(bits[low : high + 1], name), flops, init)

    def _register(self, bits: Sequence[Bit], name: str, flops: dict[Bit, tuple[Cell, int]], init: dict[Bit, str]) -> None:
        term = var(name, BitVec(len(bits)))
        digits = [init.get(one, "x") for one in bits]
        start = None if "x" in digits else bv(int("".join(reversed(digits)), 2), len(bits))
        after: list[Bit] = []
        for one in bits:
            cell, position = flops[one]
            clock = next((cell.ports[port][0] for port in ("CLK", "C") if port in cell.ports), None)
            if clock in ("0", "1"):  # it never ticks
                self._is_exact = False
                after.append(one)
            else:
                after.append(cell.ports["D"][position])
        self._state(term, start, after, bits, [Piece(flops[one][0].name, flops[one][1], 1) for one in bits])

    def _hidden_net(self, bits: Sequence[Bit], cell: Cell) -> str:
        hidden = [net.name for net in self._module.nets if not net.is_public and net.bits == list(bits)]
        return min(hidden, default=cell.name)

    def _initial_values(self) -> dict[Bit, str]:
        digits = [pair for net in self._module.nets for pair in zip(net.bits, reversed(net.init), strict=False)]
        return {one: digit for one, digit in digits if digit in "01"}

    def _memory(self, cell: Cell) -> None:
        memory = read_memory(cell, self._names, self._file)
        self._memories.append(memory)
        self._cells[memory.array] = [Piece(cell.name, 0, memory.width)]

    # Gates.

    def _combinational(self) -> None:
        """Terms of all cells, each after those that drive it."""
        drivers: dict[Bit, Cell] = {}
        for cell in self._module.cells:
            if cell.type in _SOURCES:
                continue
            drivers.update((one, cell) for port in cell.outputs for one in cell.ports[port] if one not in self._wiring)
        for cell in _sorted([c for c in self._module.cells if c.outputs and c.type not in _SOURCES], drivers, self._loop):
            self._compute(cell)

    def _compute(self, cell: Cell) -> None:
        if cell.type == "$mem_v2":
            memory = next(one for one in self._memories if one.cell is cell)
            for bits, term in memory.reads(self._word):
                self._wiring.connect(bits, term)
            return
        if (function := FUNCTIONS.get(cell.type)) is None:
            raise Unsupported(self._place(cell), f"the cell {cell.type.removeprefix('$')} is not supported", "")
        given = {port: self._word(bits) for port, bits in cell.ports.items() if port not in cell.outputs and bits}
        parameters = {name: int(text, 2) for name, text in cell.parameters.items() if set(text) <= {"0", "1"} and text}
        try:
            term = function(given, parameters)
        except NotImplementedError:
            remedy = "powers of 2 and small constant exponents are"
            raise Unsupported(self._place(cell), "powers in general are not supported", remedy) from None
        self._wiring.connect(cell.ports["Y"], term)

    def _word(self, bits: Sequence[Bit]) -> Term:
        for one in bits:
            if one not in self._wiring:  # undriven, or z: anything
                self._is_exact = False
                self._input(
                    [one], self._names.of([one], "undefined") if one not in ("x", "z") else self._names.unique("undefined"), ""
                )
        return self._wiring.word(bits)

    def _loop(self, cells: Sequence[Cell]) -> InputError:
        bits = {one for cell in cells for port in cell.outputs for one in cell.ports[port]}
        names = [net.name for net in self._module.nets if net.is_public and bits.intersection(net.bits)]
        through = f" through {', '.join(sorted(names)[:4])}" if names else ""
        place = next((cell.place for cell in cells if cell.place), None) or Place(self._file)
        return InputError(place, f"a combinational loop{through}", "put a register into it")

    def _many_drivers(self, one: Bit) -> InputError:
        net = next((net for net in self._module.nets if net.is_public and one in net.bits), None)
        place = (net.place if net else None) or Place(self._file)
        return InputError(place, f"{net.name if net else 'a net'} has several drivers", "drive it once")

    # Everything together.

    def _system(self) -> tuple[System, list[Cell]]:
        checks = sorted(self._of(*_CHECKS), key=_position)
        bads = [self._enabled(cell, is_false=cell.type == "$assert") for cell in checks]
        constraint = conj([implies(self._truth(cell, "EN"), self._truth(cell, "A")) for cell in self._of("$assume")])
        nexts = {v: after if isinstance(after, Term) else self._word(after) for v, after in self._nexts.items()}
        starts = dict(self._starts)
        for memory in self._memories:
            memory.add_to(starts, nexts, self._word, self._names)
        free = [v for memory in self._memories for v in memory.free]
        inputs = dict.fromkeys([*self._inputs, *free])
        if contested := [v for v in self._influence([*bads, constraint], starts, nexts) if v in self._contested]:
            raise self._many_drivers(min(self._contested[v] for v in contested))
        self._signals = self._known_signals(starts, nexts)
        kept = self._influence([*bads, constraint, *(signal.term for signal in self._signals)], starts, nexts)
        starts = {v: start for v, start in starts.items() if v in kept}
        nexts = {v: after for v, after in nexts.items() if v in kept}
        used = set(variables([*bads, constraint, *nexts.values()]))
        clock = self._clock()
        shown = [v for v in inputs if v in used or (v in kept and (clock is None or name_of(v) != clock.name))]
        return System(tuple(starts), tuple(shown), starts, nexts, constraint, tuple(bads)), checks

    def _influence(self, roots: Sequence[Term], starts: dict[Term, Term | None], nexts: dict[Term, Term]) -> set[Term]:
        """The variables and inputs that the terms depend on, in any step; memories are always among them."""
        found: set[Term] = set()
        new = {*variables(roots), *(memory.array for memory in self._memories)}
        while new:
            found |= new
            below = [nexts[v] for v in new if v in nexts] + [start for v in new if (start := starts.get(v)) is not None]
            new = set(variables(below)) - found
        return found

    def _known_signals(self, starts: dict[Term, Term | None], nexts: dict[Term, Term]) -> list[Signal]:
        """All nets of the source, but those that depend on a bit with several drivers."""
        enables = {f"{cell.name}_EN" for cell in self._module.cells if not cell.outputs}  # Yosys' own, beside labels
        signals = [
            Signal(net.path, self._wiring.word(net.bits), net.offset, net.is_register)
            for net in sorted(self._module.nets, key=lambda net: net.path)
            if net.is_public and net.name not in enables and all(one in self._wiring for one in net.bits)
        ]
        if not self._contested:
            return signals
        return [one for one in signals if self._influence([one.term], starts, nexts).isdisjoint(self._contested)]

    def _enabled(self, cell: Cell, is_false: bool) -> Term:
        holds = self._truth(cell, "A")
        return conj([self._truth(cell, "EN"), negate(holds) if is_false else holds])

    def _truth(self, cell: Cell, port: str) -> Term:
        return truth(self._word(cell.ports[port]))

    def _liveness(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        lines = {kind: tuple((c.place.line or 0) if c.place else 0 for c in self._of(kind)) for kind in ("$live", "$fair")}
        return lines["$live"], (), lines["$fair"]

    def _clock(self) -> Clock | None:
        """The one clock; ``InputError`` if there are several and none of them was chosen for all."""
        if self._options.multiclock:
            return None
        names = {one: port for port, bits in self._module.inputs.items() for one in bits}
        nets = {net.name: net.bits for net in self._module.nets}
        edges: dict[tuple[Bit, bool], Place | None] = {}
        for cell in self._of("$dff", "$_DFF_P_", "$_DFF_N_"):
            one = cell.ports["CLK" if cell.type == "$dff" else "C"][0]
            is_rising = cell.parameters["CLK_POLARITY"].endswith("1") if cell.type == "$dff" else cell.type == "$_DFF_P_"
            edges.setdefault((one, is_rising), cell.place)
        for memory in self._memories:
            for edge in memory.clocks:
                edges.setdefault(edge, memory.cell.place)
        for trigger in self._module.triggers:
            if len(bits := nets.get(trigger.signal, [])) == 1:
                edges.setdefault((bits[0], trigger.is_rising), None)
        ticking = {edge: place for edge, place in edges.items() if not isinstance(edge[0], str)}
        shown = {edge: names.get(edge[0]) or self._net_name(edge[0]) for edge in ticking}
        if self._options.clock is not None and self._options.clock not in {*shown.values()}:
            raise UsageError(
                f"{self._options.clock} is no clock of {self._file}: it has {', '.join(sorted(set(shown.values()))) or 'none'}"
            )
        if len(ticking) > 1:
            listed = sorted(f"{'posedge' if rising else 'negedge'} {shown[one, rising]}" for one, rising in ticking)
            place = next((place for place in list(ticking.values())[1:] if place), None) or Place(self._file)
            raise Unsupported(place, f"the design has several clocks: {', '.join(listed)}", "check it with --multiclock")
        return next((Clock(shown[edge], edge[1]) for edge in ticking), None)

    def _net_name(self, one: Bit) -> str:
        return min(
            (net.part(k, k) for net in self._module.nets if net.is_public for k, b in enumerate(net.bits) if b == one),
            default="?",
        )

    def _design(self, netlist: Synthesized, checks: Sequence[Cell]) -> Design:
        return Design(
            self._module.name,
            tuple(self._signals),
            tuple(memory.shown() for memory in self._memories),
            tuple((name, len(bits)) for name, bits in self._module.inputs.items()),
            self._clock(),
            tuple((v, tuple(_joined(pieces))) for v, pieces in self._cells.items()),
            tuple(cell.name for cell in checks),
            netlist.btor2 if self._is_exact else b"",
            netlist.covers if self._is_exact else b"",
            netlist.log,
        )

    def _place(self, cell: Cell) -> Place:
        return cell.place or Place(self._file)


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Neighbours that lie together in one cell are one piece."""
    last = pieces[0]
    for piece in pieces[1:]:
        if piece.cell == last.cell and piece.low == last.low + last.width:
            last = Piece(last.cell, last.low, last.width + piece.width)
        else:
            yield last
            last = piece
    yield last


def _hidden(cell: Cell, kind: str) -> str:
    return f"{kind}@{_short(cell.place)}" if cell.place else kind


def _short(place: Place) -> str:
    return f"{Path(place.file).name}:{place.line}"


def _position(cell: Cell) -> tuple[str, int, int, str]:
    place = cell.place
    return (str(place.file), place.line or 0, place.column or 0, cell.name) if place else ("", 0, 0, cell.name)


def property_names(checks: Sequence[Cell]) -> list[str]:
    """The label, else ``file:line``, with the instance where that is not the top; with the column where a line has several."""
    short = [_property_name(cell, False) for cell in checks]
    names = [name if short.count(name) == 1 else _property_name(cell, True) for name, cell in zip(short, checks, strict=True)]
    unique = Names(())
    return [unique.unique(name) for name in names]


def _property_name(cell: Cell, with_column: bool) -> str:
    if not cell.name.startswith("$"):
        return cell.name
    if cell.place is None:
        return cell.name
    name = _short(cell.place) + (f":{cell.place.column}" if with_column else "")
    instance = cell.name.removeprefix("$flatten\\").partition(".$")[0] if cell.name.startswith("$flatten\\") else ""
    return f"{name} in {instance.replace(chr(92), '')}" if instance else name


def _runs(
    bits: Sequence[Bit], flops: dict[Bit, tuple[Cell, int]], init: dict[Bit, str], wiring: Wiring
) -> list[tuple[int, int]]:
    """The longest parts that are bits of flip-flops, not yet known, and all with or all without an initial value."""
    runs: list[tuple[int, int]] = []
    seen: set[Bit] = set()
    before: bool | None = None
    for position, one in enumerate(bits):
        kind = (one in init) if one in flops and one not in wiring and one not in seen else None
        seen.add(one)
        if kind is not None and kind == before:
            runs[-1] = runs[-1][0], position
        elif kind is not None:
            runs.append((position, position))
        before = kind
    return runs


def _sorted(cells: Sequence[Cell], drivers: dict[Bit, Cell], loop: Callable[[Sequence[Cell]], InputError]) -> list[Cell]:
    """The cells in topological order; a cycle is an error."""
    order: list[Cell] = []
    opened: dict[str, bool] = {}  # true: its term is known once we are here again
    for root in cells:
        stack: list[tuple[Cell, list[Cell]]] = []
        if root.name not in opened:
            opened[root.name] = False
            stack.append((root, _below(root, drivers)))
        while stack:
            cell, below = stack[-1]
            while below and opened.get(below[-1].name):
                below.pop()
            if not below:
                opened[cell.name] = True
                order.append(cell)
                stack.pop()
                continue
            child = below.pop()
            if child.name in opened:
                names = [one.name for one, _ in stack]
                raise loop([one for one, _ in stack[names.index(child.name) :]])
            opened[child.name] = False
            stack.append((child, _below(child, drivers)))
    return order


def _below(cell: Cell, drivers: dict[Bit, Cell]) -> list[Cell]:
    """The cells that the outputs of a cell depend on at once; a clocked write takes a step."""
    ports = [port for port in cell.ports if port not in cell.outputs]
    if cell.type == "$mem_v2" and not is_unclocked(cell):
        ports = ["RD_ADDR"]
    found = {drivers[one].name: drivers[one] for port in ports for one in cell.ports[port] if one in drivers}
    return list(found.values())
