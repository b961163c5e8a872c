"""Traces as waveforms, whatever they are about: bits of a circuit, words of a system, signals of a design."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lemmata.errors import Place, Unsupported
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.models.aig import Aig
from lemmata.models.derivation import Derivation
from lemmata.models.design import Design
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.models.words import WordTrace
from lemmata.report.formats.waveform import Waveform, WaveRow, format_vcd, joined_bits
from lemmata.verdict import Evidence

_CELLS = 256  # of one array, at most
_SEPARATOR = re.compile(r"(?<=[\w\])])[./](?=[\w$\\])")
_TOP = "model"


def vcd(model: Aig | Graph, trace: Evidence) -> bytes:
    """The run as a value change dump; ``Unsupported`` where it is about numbers."""
    return format_vcd(waveform(model, trace), f"Lemmata: a run of {model.file}")


def waveform(model: Aig | Graph, trace: Evidence) -> Waveform:
    """All signals in all steps."""
    match model, trace:
        case Aig(), Trace():
            return _circuit(model, trace)
        case Graph(), WordTrace():
            system = system_of(model)
            assert system is not None
            states = words(system, trace)
            return _system(system, states) if model.design is None else _design(model.design, system, states)
        case Graph(), Derivation():
            return _derivation(model, trace)
    raise Unsupported(Place(model.file), "such a run has no waveform", "write it as text")


def _circuit(model: Aig, trace: Trace) -> Waveform:
    latches, columns = list(trace.initial), []
    for inputs in trace.inputs:
        columns.append([*inputs, *latches])
        values = [0, *inputs, *latches]
        for left, right in zip(model.lefts, model.rights, strict=True):
            values.append((values[left >> 1] ^ left & 1) & (values[right >> 1] ^ right & 1))
        latches = [values[lit >> 1] ^ lit & 1 for lit in model.nexts]
    names = [*map(model.input_name, range(model.inputs)), *map(model.latch_name, range(model.latches))]
    rows = [WaveRow(_path(name), 1, column) for name, column in zip(names, zip(*columns, strict=True), strict=True)]
    return _with_clock(_TOP, len(columns), joined_bits(rows))


def words(system: System, trace: WordTrace) -> list[dict[Term, Value]]:
    """The values of all variables and inputs in every step."""
    program = Program([system.nexts[v] for v in system.variables])
    state = dict(trace.initial)
    steps = []
    for line in trace.inputs:
        values = state | dict(line)
        steps.append(values)
        state = dict(zip(system.variables, program.run(values), strict=True))
    return steps


def _system(system: System, steps: Sequence[Mapping[Term, Value]]) -> Waveform:
    rows: list[WaveRow] = []
    for v in (*system.variables, *system.inputs):
        rows += _rows(v, _path(name_of(v)), [values[v] for values in steps])
    return _with_clock(_TOP, len(steps), tuple(rows))


def _design(design: Design, system: System, steps: Sequence[Mapping[Term, Value]]) -> Waveform:
    clock = design.clock
    is_drawn = [clock is not None and s.term.is_var and name_of(s.term) == clock.name for s in design.signals]
    shown = [signal for signal, drawn in zip(design.signals, is_drawn, strict=True) if not drawn]
    known = set(steps[0])
    shown = [s for s in shown if known.issuperset(_leaves(s.term))]
    program = Program([signal.term for signal in shown])
    columns = zip(*(program.run(values) for values in steps), strict=True)
    rows = [WaveRow(s.path, s.term.width, column, s.lowest) for s, column in zip(shown, columns, strict=True)]
    for memory in design.memories:
        values = [step[memory.term] for step in steps if memory.term in step]
        rows += _rows(memory.term, memory.path, values, memory.size, memory.first) if values else []
    seen = {signal.term for signal in shown}
    hidden = [v for v in (*system.variables, *system.inputs) if v not in seen and isinstance(v.sort, BitVec)]
    rows += [WaveRow(("$hidden", name_of(v)), v.width, [values[v] for values in steps]) for v in hidden]
    clocks = tuple(s.path for s, drawn in zip(design.signals, is_drawn, strict=True) if drawn)
    return Waveform(design.top, len(steps), tuple(rows), clocks, clock is None or clock.is_rising)


def _leaves(term: Term) -> list[Term]:
    return Program([term]).leaves


def _derivation(model: Graph, derivation: Derivation) -> Waveform:
    """A chain of facts over the same variables."""
    facts = [fact for fact in derivation.facts if fact.values]
    places = {fact.place for fact in facts}
    if len(places) != 1 or any(len(fact.premises) > 1 or fact.stretch is not None for fact in derivation.facts):
        raise Unsupported(Place(model.file), "a run through several places has no waveform", "write it as text (.txt)")
    rows: list[WaveRow] = []
    for position, v in enumerate(places.pop().variables):
        rows += _rows(v, _path(name_of(v)), [fact.values[position] for fact in facts])
    if not rows:
        raise Unsupported(Place(model.file), "a run over numbers has no waveform", "write it as text (.txt)")
    return _with_clock(_TOP, len(facts), tuple(rows))


def _rows(v: Term, path: tuple[str, ...], values: Sequence[Value], size: int | None = None, first: int = 0) -> list[WaveRow]:
    """One row, or one per cell of an array: all of a small memory, else those that differ from the others; none for numbers."""
    sort = v.sort
    if isinstance(sort, BitVec):
        return [WaveRow(path, sort.width, values)]
    if sort is BOOL:
        return [WaveRow(path, 1, [int(value) for value in values])]
    if not (isinstance(sort, Array) and isinstance(sort.element, BitVec)):
        return []
    cells: Sequence[ArrayValue] = values
    indices: Sequence[int] = range(size or 0)
    if size is None or size > _CELLS:
        indices = sorted({index for value in cells for index, _ in value.items})[:_CELLS]
    contents: list[dict[int, int]] = [dict(value.items) for value in cells]
    width = sort.element.width
    return [
        WaveRow(
            (*path[:-1], f"{path[-1]}[{first + index}]"),
            width,
            [content.get(index, int(value.default)) for content, value in zip(contents, cells, strict=True)],
        )
        for index in indices
    ]


def _path(name: str) -> tuple[str, ...]:
    """Names of others are hierarchical by dots or slashes."""
    return tuple(_SEPARATOR.split(name))


def _with_clock(top: str, steps: int, rows: tuple[WaveRow, ...]) -> Waveform:
    """Where no clock is known, a step has one of its own."""
    taken = {row.path for row in rows}
    name = "clock"
    while (name,) in taken:
        name += "_"
    return Waveform(top, steps, rows, ((name,),))
