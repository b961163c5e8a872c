"""BTOR2 witnesses: traces as text, as ``btorsim -c MODEL WITNESS`` reads them.

::

    sat
    b0                 the property, counted among the bads
    #0                 states without init, by their position among the states of the file
    2 0011 x#0
    3 [01] 0011 m#0    one cell of an array; cells that are not listed are 0
    @0                 the inputs, by their position among the inputs of the file
    0 1 i@0
    #1                 states without next
    @1
    .

*Writing* lists every value that is free, and cells that are not 0. An array whose default is another value is written out whole
where its index is narrow. Where it is wide, the cells are written at which the run looks, and the others become 0; whether the
run still is one, is found out by running it.

*Reading* takes what is missing and what is ``x`` as 0; the trace that comes out is complete, and its replay decides. A value
for a state that is not free must be the one that the state has there. Of several properties in one witness the first is read.
(Niemetz, Preiner, Wolf, Biere, CAV 2018, section 4.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from lemmata.errors import InputError, Place, Unsupported
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of, topological
from lemmata.logic.text import value_text
from lemmata.logic.values import ArrayValue, default_value
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.models.words import Values, WordTrace
from lemmata.values import dataclass

_STATUS = {"unsat": "the witness says that the property was proved", "unknown": "the witness says that nothing is known"}
_PART = re.compile(r"([#@])([0-9]{1,18})")
_ASSIGNMENT = re.compile(r"([0-9]{1,18})[ \t]+(?:\[([01x]+)\][ \t]*)?([01x]+)(?:[ \t].*)?")


@dataclass(frozen=True, slots=True)
class _Assignment:
    """``leaf`` (at ``index``, if it is an array) has ``value``."""

    leaf: Term
    index: int | None
    value: int
    line: int
    column: int


@dataclass(slots=True)
class _Frame:
    """What a witness says about one step."""

    states: list[_Assignment] = field(default_factory=list)
    inputs: list[_Assignment] = field(default_factory=list)
    has_inputs: bool = False  # has its ``@`` part begun?


@dataclass(frozen=True, slots=True)
class _Line:
    file: str
    number: int
    text: str

    def fault(self, cause: str, remedy: str = "", column: int = 1) -> InputError:
        return InputError(Place(self.file, self.number, column), cause, remedy)


def read_witness(text: str, graph: Graph, file: str) -> tuple[int, list[_Frame]]:
    """The property and the frames, of which there is at least one."""
    lines = _text_lines(text, file)
    _read_status(next(lines))
    prop = _read_property(next(lines), graph)
    frames: list[_Frame] = []
    part: list[_Assignment] = []
    leaves: Sequence[Term] = ()
    taken: set[tuple[Term, int | None]] = set()  # what this part has given a value
    for line in lines:
        if line.text == ".":
            if not frames or not frames[-1].has_inputs:
                raise line.fault("the last step has no inputs", f"give a part @{max(len(frames) - 1, 0)}, even an empty one")
            return prop, frames
        if found := _PART.fullmatch(line.text):
            frame = _open(line, found[1], int(found[2]), frames)
            taken.clear()
            part, leaves = (frame.states, graph.origin.states) if found[1] == "#" else (frame.inputs, graph.origin.inputs)
        elif not frames:
            raise line.fault(f"expected #0 or @0, not {line.text[:20]!r}")
        else:
            assignment = _assignment(line, leaves, "states" if part is frames[-1].states else "inputs")
            if (assignment.leaf, assignment.index) in taken:
                raise line.fault(f"a second value for {name_of(assignment.leaf)} in this step")
            taken.add((assignment.leaf, assignment.index))
            part.append(assignment)
    raise AssertionError("the lines of a witness do not end")


def _text_lines(text: str, file: str) -> Iterator[_Line]:
    """The lines that count; the end of the file is an error, since a witness ends with a dot."""
    number = 0
    for number, line in enumerate(text.split("\n"), 1):
        if (stripped := line.rstrip()) and not stripped.startswith(";"):
            yield _Line(file, number, stripped)
    raise InputError(Place(file, number, 1), "the witness ends too early", "it must end with a line '.'")


def _read_status(line: _Line) -> None:
    if line.text in _STATUS:
        raise line.fault(f"{_STATUS[line.text]}: there is no trace in it", "give a witness that starts with sat")
    if line.text != "sat":
        raise line.fault(f"a witness starts with sat, not {line.text[:20]!r}")


def _read_property(line: _Line, graph: Graph) -> int:
    words = line.text.split()
    if not all(re.fullmatch(r"[bj][0-9]{1,18}", word) for word in words):
        raise line.fault(f"expected a property such as b0, not {line.text[:20]!r}")
    if words[0][0] == "j":
        raise Unsupported(Place(line.file, line.number, 1), "a justice property: liveness is not supported yet")
    prop, count = int(words[0][1:]), len(graph.questions)
    if prop >= count:
        raise line.fault(f"b{prop} does not exist: {graph.file} has {count} properties")
    return prop


def _open(line: _Line, mark: str, step: int, frames: list[_Frame]) -> _Frame:
    """The frame that a header opens or goes on with; parts come in order: #0 @0 #1 @1 …, where a # part may be missing."""
    is_open = bool(frames) and not frames[-1].has_inputs
    expected = [f"@{len(frames) - 1}"] if is_open else [f"#{len(frames)}", f"@{len(frames)}"]
    if f"{mark}{step}" not in expected:
        raise line.fault(f"{mark}{step} does not follow here", f"expected {' or '.join(expected)}")
    if not is_open:
        frames.append(_Frame())
    frames[-1].has_inputs = mark == "@"
    return frames[-1]


def _assignment(line: _Line, leaves: Sequence[Term], noun: str) -> _Assignment:
    found = _ASSIGNMENT.fullmatch(line.text)
    if found is None:
        raise line.fault(f"{line.text[:20]!r} is no assignment", "expected '<position> <bits>' or '<position> [<bits>] <bits>'")
    position = int(found[1])
    if position >= len(leaves):
        raise line.fault(f"there is no {position}: the model has {len(leaves)} {noun}", "positions count from 0")
    leaf = leaves[position]
    is_array = isinstance(leaf.sort, Array)
    if is_array and found[2] is None:
        raise line.fault(f"{name_of(leaf)} is an array", "give the index of a cell: [<bits>]", found.start(3) + 1)
    if not is_array and found[2] is not None:
        raise line.fault(f"{name_of(leaf)} is no array", "", found.start(2) + 1)
    index = _number(line, found[2], leaf.sort.index, found.start(2)) if isinstance(leaf.sort, Array) else None
    value = _number(line, found[3], leaf.sort.element if isinstance(leaf.sort, Array) else leaf.sort, found.start(3))
    return _Assignment(leaf, index, value, line.number, found.start(3) + 1)


def _number(line: _Line, bits: str, sort: Sort, start: int) -> int:
    assert isinstance(sort, BitVec)
    if len(bits) != sort.width:
        raise line.fault(f"{len(bits)} bits instead of {sort.width}", "", start + 1)
    return int(bits.replace("x", "0"), 2)


_State = dict[Term, Value]
_NARROW = 12  # bits of an index


def _run(system: System, trace: WordTrace) -> Iterator[_State]:
    """The values of variables and inputs at each step; what the trace does not say is 0."""
    program = Program([system.nexts[v] for v in system.variables])
    state = _start(system, dict(trace.initial))
    for given in trace.inputs:
        inputs = dict(given)
        values = {**state, **{i: inputs[i] if i in inputs else default_value(i.sort) for i in system.inputs}}
        yield values
        state = dict(zip(system.variables, program.run(values), strict=True))


def _start(system: System, given: Mapping[Term, Value]) -> _State:
    """The initial state whose free variables have the values ``given``."""
    free = {v: given[v] if v in given else default_value(v.sort) for v in system.variables if system.starts[v] is None}
    fixed = [(v, term) for v in system.variables if (term := system.starts[v]) is not None]
    return free | dict(zip([v for v, _ in fixed], evaluate([term for _, term in fixed], free), strict=True))


def listable(graph: Graph, system: System, trace: WordTrace) -> WordTrace:
    """The trace, or one like it, with wide arrays that are 0 almost everywhere; it reaches the same bad state."""
    if not any(_is_wide(v.sort) and value.default for values in (trace.initial, *trace.inputs) for v, value in values):
        return trace
    seen = _indices(system, trace)
    changed = replace(
        trace, initial=_with_cells(trace.initial, seen), inputs=tuple(_with_cells(line, seen) for line in trace.inputs)
    )
    if not _is_bad(system, changed):
        cause = "the trace depends on arrays as a whole, and a BTOR2 witness cannot list so many cells"
        raise Unsupported(Place(graph.file), cause, "ask for the trace as text or JSON")
    return changed


def cells(value: ArrayValue) -> Iterator[tuple[Value, Value]]:
    """What a witness must list: the cells that are not 0."""
    if value.default == 0:
        return iter(value.items)
    assert isinstance(value.sort.index, BitVec)
    everywhere = ((index, value.select(index)) for index in range(1 << value.sort.index.width))
    return ((index, cell) for index, cell in everywhere if cell)


def _is_wide(sort: Sort) -> bool:
    return isinstance(sort, Array) and isinstance(sort.index, BitVec) and sort.index.width > _NARROW


def _indices(system: System, trace: WordTrace) -> dict[Sort, set[Value]]:
    """Where the run looks into arrays, by the sort of the index."""
    roots = [system.constraint, system.bads[trace.prop], *system.nexts.values()]
    roots += [term for term in system.starts.values() if term is not None]
    terms = [term.args[1] for term in topological(roots) if term.op in ("select", "store")]
    program = Program(terms)
    seen: dict[Sort, set[Value]] = {}
    for values in _run(system, trace):
        for term, index in zip(terms, program.run(values), strict=True):
            seen.setdefault(term.sort, set()).add(index)
    return seen


def _with_cells(values: Values, seen: Mapping[Sort, set[Value]]) -> Values:
    return tuple((v, _with_cell(value, seen) if _is_wide(v.sort) else value) for v, value in values)


def _with_cell(value: ArrayValue, seen: Mapping[Sort, set[Value]]) -> ArrayValue:
    indices = [*seen.get(value.sort.index, ()), *(index for index, _ in value.items)]
    return ArrayValue(value.sort, 0, {index: value.select(index) for index in indices})


def _is_bad(system: System, trace: WordTrace) -> bool:
    states: Sequence[_State] = list(_run(system, trace))
    program = Program([system.constraint, system.bads[trace.prop]])
    answers = [program.run(values) for values in states]
    return all(holds for holds, _ in answers) and bool(answers[-1][1])


def format_btor2_witness(graph: Graph, trace: WordTrace) -> str:
    """The BTOR2 witness of ``trace``; ``graph`` as the front end made it."""
    system = _system(graph)
    trace = listable(graph, system, trace)
    lines = ["sat", f"b{trace.prop}"]
    states, loose = graph.origin.states, _loose(graph, system)
    first = [(position, state) for position, state in enumerate(states) if system.starts.get(state) is None]
    later = [(position, state) for position, state in enumerate(states) if state in loose]
    for step, values in enumerate(_run(system, trace)):
        listed = later if step else first
        if listed or step == 0:
            lines.append(f"#{step}")
            lines += [line for position, v in listed for line in _lines(position, v, values[v], f"#{step}")]
        lines.append(f"@{step}")
        lines += [line for position, i in enumerate(graph.origin.inputs) for line in _lines(position, i, values[i], f"@{step}")]
    return "\n".join([*lines, "."]) + "\n"


def parse_btor2_witness(text: str, graph: Graph, file: str = "<memory>") -> WordTrace:
    """The trace in a witness of ``graph``; ``InputError`` says where it is not one."""
    system = _system(graph)
    prop, frames = read_witness(text, graph, file)
    states = [_values(frame.states) for frame in frames]
    start = {v: states[0].get(v, default_value(v.sort)) for v in system.variables}
    loose, later = _loose(graph, system), [*states[1:], {}]
    steps = [
        _inputs(system, loose, _values(frame.inputs) | here, after)
        for frame, here, after in zip(frames, states, later, strict=True)
    ]
    trace = WordTrace(prop, tuple(start.items()), tuple(tuple(step.items()) for step in steps))
    first, *_ = reached = list(_run(system, trace))
    for values, frame in zip(reached, frames, strict=True):
        _check_states(frame, values, file)
    return WordTrace(prop, tuple((v, first[v]) for v in system.variables), trace.inputs)


def _system(graph: Graph) -> System:
    system = system_of(graph)
    assert system is not None and graph.origin.kind == "btor2"
    return system


def _loose(graph: Graph, system: System) -> set[Term]:
    """The states that have no ``next`` in the file: the system has an input in its place, which the file does not know."""
    known = {*graph.origin.inputs, *graph.origin.states}
    inputs = {i for i in system.inputs if i not in known}
    return {state for state in graph.origin.states if state not in system.nexts or system.nexts[state] in inputs}


def _lines(position: int, leaf: Term, value: Value, suffix: str) -> Iterator[str]:
    name = name_of(leaf) + suffix
    if isinstance(leaf.sort, Array):
        index, element = leaf.sort.index, leaf.sort.element
        for at, cell in cells(value):
            yield f"{position} [{_bits(at, index)}] {_bits(cell, element)} {name}"
    else:
        yield f"{position} {_bits(value, leaf.sort)} {name}"


def _bits(value: int, sort: Sort) -> str:
    assert isinstance(sort, BitVec)
    return format(value, f"0{sort.width}b")


def _values(assignments: list[_Assignment]) -> _State:
    """The values that a part gives; an array has 0 in the cells that it does not list."""
    words: _State = {}
    arrays: dict[Term, dict[int | None, int]] = {}
    for a in assignments:
        if isinstance(a.leaf.sort, Array):
            arrays.setdefault(a.leaf, {})[a.index] = a.value
        else:
            words[a.leaf] = a.value
    return words | {leaf: _array(leaf.sort, listed) for leaf, listed in arrays.items()}


def _array(sort: Sort, listed: dict[int | None, int]) -> ArrayValue:
    assert isinstance(sort, Array)
    return ArrayValue(sort, 0, listed)


def _inputs(system: System, loose: set[Term], given: _State, after: _State) -> _State:
    """The inputs of a step: those of the file, states without ``next``, and the next values of such states."""
    given = given | {system.nexts[state]: after[state] for state in loose if state in after and state in system.nexts}
    return {i: given[i] if i in given else default_value(i.sort) for i in system.inputs}


def _check_states(frame: _Frame, values: _State, file: str) -> None:
    for a in frame.states:
        sort, value = a.leaf.sort, values[a.leaf]
        if isinstance(sort, Array):
            sort, value = sort.element, value.select(a.index)
        if value != a.value:
            texts = value_text(a.value, sort), value_text(value, sort)
            place = Place(file, a.line, a.column)
            raise InputError(place, f"{name_of(a.leaf)} cannot be {texts[0]} here: it is {texts[1]}")
