"""A run of a design as a testbench in Verilog: any simulator replays it, and the assertion must fire there, too.

Registers and words of memories get their first values from outside, after the initial blocks of the design; then every step
sets the inputs, waits, and lets the clock tick. What the design leaves undefined stays undefined in simulation: a run that
needs a certain value there may not fire. Inputs have no value before the first step: processes that wait for a change
see one. ``$anyconst`` and ``$anyseq`` are forced where they have a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lemmata.errors import Place, Unsupported
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, Value, name_of
from lemmata.models.aig import Aig
from lemmata.models.design import Design, Signal
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.models.words import WordTrace
from lemmata.run.evidence.waveforms import words
from lemmata.verdict import Evidence

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_ELEMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*\[\d+\]")  # a block of a generate loop
_NAME = "lemmata_tb"


def format_testbench(model: Aig | Graph, trace: Evidence) -> bytes:
    """The whole module."""
    system = system_of(model) if isinstance(model, Graph) else None
    if not isinstance(model, Graph) or model.design is None or system is None or not isinstance(trace, WordTrace):
        raise Unsupported(Place(model.file), "only a run of a design has a testbench", "write it as a waveform (.vcd)")
    design, steps = model.design, words(system, trace)
    name = model.questions[trace.prop].name
    clock = design.clock.name if design.clock else ""
    ports = {port: width for port, width in design.ports if port != clock}
    lines = [
        f"// Written by Lemmata: {name} is {_happens(model, trace)} in step {trace.depth}.",
        f"// iverilog -g2012 -s {_NAME} -o bug bug_tb.v {model.file.rsplit('/', 1)[-1]} && vvp bug",
        "`timescale 1ns/1ns",
        f"module {_NAME};",
        *(f"  reg {_span(width)}{_escaped(port)};" for port, width in ports.items()),
    ]
    rest = "0" if design.clock is None or design.clock.is_rising else "1"
    lines += [f"  reg {_escaped(clock)} = 1'b{rest};"] if clock in dict(design.ports) else []
    connected = ", ".join(f".{_escaped(port)}({_escaped(port)})" for port, _ in design.ports)
    lines += [f"  {_escaped(design.top)} dut({connected});", "  initial begin", "    #1;"]
    lines += _start(design, steps[0])
    for number, values in enumerate(steps):
        lines += [f"    // step {number}"]
        lines += [f"    {_escaped(port)} = {_literal(values, port, width)};" for port, width in ports.items()]
        lines += _forced(design, system, values)
        lines += ["    #4;"]
        lines += (
            [f"    {_escaped(clock)} = 1'b{1 - int(rest)}; #5; {_escaped(clock)} = 1'b{rest}; #1;"]
            if clock in dict(design.ports)
            else []
        )
    lines += ["    #10 $finish;", "  end", "endmodule", ""]
    return "\n".join(lines).encode("utf-8", "replace")


def _happens(model: Graph, trace: WordTrace) -> str:
    return "reached" if model.questions[trace.prop].is_cover else "violated"


def _start(design: Design, values: Mapping[Term, Value]) -> Iterator[str]:
    """First values of registers, by the names that they have in the source."""
    for signal in design.signals:
        if signal.is_register and (word := _stored(signal, values)) is not None:
            yield f"    dut.{_hierarchical(signal.path)} = {signal.term.width}'d{word};"
    for memory in design.memories:
        if memory.term in values:
            content = dict(values[memory.term].items)
            width = memory.term.sort.element.width  # type: ignore[attr-defined]
            for index in range(memory.size):
                word = content.get(index, values[memory.term].default)
                yield f"    dut.{_hierarchical(memory.path)}[{memory.first + index}] = {width}'d{word};"


def _stored(signal: Signal, values: Mapping[Term, Value]) -> int | None:
    """What the register holds: its own variable, or what it held before asynchronous controls."""
    from lemmata.logic.evaluate import Program

    stored = next((v for v in values if name_of(v) == f"{signal.name}.stored" and v.sort is signal.term.sort), None)
    if stored is not None:
        return int(values[stored])
    program = Program([signal.term])
    return int(program.run(values)[0]) if all(leaf in values for leaf in program.leaves) else None


def _forced(design: Design, system: System, values: Mapping[Term, Value]) -> Iterator[str]:
    """Values that are free in the source and have a name there."""
    ports = dict(design.ports)
    free = {v for v in system.inputs if name_of(v) not in ports} | {v for v in system.variables if system.nexts[v] is v}
    for signal in design.signals:
        if signal.term in free and not signal.is_register and isinstance(signal.term.sort, BitVec):
            yield f"    force dut.{_hierarchical(signal.path)} = {signal.term.width}'d{values[signal.term]};"


def _literal(values: Mapping[Term, Value], port: str, width: int) -> str:
    found = next((value for v, value in values.items() if name_of(v) == port), 0)
    return f"{width}'d{found}"


def _span(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _hierarchical(path: Sequence[str]) -> str:
    *scopes, last = path
    return ".".join([*(part if _ELEMENT.fullmatch(part) else _escaped(part) for part in scopes), _escaped(last)])


def _escaped(name: str) -> str:
    """An identifier; an escaped one ends with a blank."""
    return name if _PLAIN.fullmatch(name) else f"\\{name} "
