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

We list every value that is free, and cells that are not 0. When reading, what is missing and what is ``x`` is taken as 0; the
trace that comes out is complete, and its replay decides. A value for a state that is not free must be the one that the
state has there. Of several properties in one witness the first is read. (Niemetz, Preiner, Wolf, Biere, CAV 2018, section 4.)
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.certify.btor2_run import cells, listable, run
from lemmata.certify.btor2_witness_text import Assignment, Frame, read_witness
from lemmata.errors import InputError, Place
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import value_text
from lemmata.logic.values import ArrayValue, default_value
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from lemmata.models.words import WordTrace

State = dict[Term, Value]


def format_btor2_witness(graph: Graph, trace: WordTrace) -> str:
    """The BTOR2 witness of ``trace``; ``graph`` as the front end made it."""
    system = _system(graph)
    trace = listable(graph, system, trace)
    lines = ["sat", f"b{trace.prop}"]
    states, loose = graph.origin.states, _loose(graph, system)
    first = [(position, state) for position, state in enumerate(states) if system.starts.get(state) is None]
    later = [(position, state) for position, state in enumerate(states) if state in loose]
    for step, values in enumerate(run(system, trace)):
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
    first, *_ = reached = list(run(system, trace))
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


def _values(assignments: list[Assignment]) -> State:
    """The values that a part gives; an array has 0 in the cells that it does not list."""
    words: State = {}
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


def _inputs(system: System, loose: set[Term], given: State, after: State) -> State:
    """The inputs of a step: those of the file, states without ``next``, and the next values of such states."""
    given = given | {system.nexts[state]: after[state] for state in loose if state in after and state in system.nexts}
    return {i: given[i] if i in given else default_value(i.sort) for i in system.inputs}


def _check_states(frame: Frame, values: State, file: str) -> None:
    for a in frame.states:
        sort, value = a.leaf.sort, values[a.leaf]
        if isinstance(sort, Array):
            sort, value = sort.element, value.select(a.index)
        if value != a.value:
            texts = value_text(a.value, sort), value_text(value, sort)
            place = Place(file, a.line, a.column)
            raise InputError(place, f"{name_of(a.leaf)} cannot be {texts[0]} here: it is {texts[1]}")
