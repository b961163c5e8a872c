"""A trace of a system as values of everything at each step, and arrays of which a witness can name every cell that matters.

BTOR2 witnesses list the cells of an array one by one; what is not listed is 0. An array whose default is another value is
written out whole where its index is narrow. Where it is wide, the cells are written at which the run looks, and the
others become 0; whether the run still is one, is found out by running it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lemmata.errors import Place, Unsupported
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, topological
from lemmata.logic.values import ArrayValue, default_value
from lemmata.models.graph import Graph
from lemmata.models.system import System
from lemmata.models.words import Values, WordTrace

State = dict[Term, Value]
_NARROW = 12  # bits of an index


def run(system: System, trace: WordTrace) -> Iterator[State]:
    """The values of variables and inputs at each step; what the trace does not say is 0."""
    program = Program([system.nexts[v] for v in system.variables])
    state = start(system, dict(trace.initial))
    for given in trace.inputs:
        inputs = dict(given)
        values = {**state, **{i: inputs[i] if i in inputs else default_value(i.sort) for i in system.inputs}}
        yield values
        state = dict(zip(system.variables, program.run(values), strict=True))


def start(system: System, given: Mapping[Term, Value]) -> State:
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
    for values in run(system, trace):
        for term, index in zip(terms, program.run(values), strict=True):
            seen.setdefault(term.sort, set()).add(index)
    return seen


def _with_cells(values: Values, seen: Mapping[Sort, set[Value]]) -> Values:
    return tuple((v, _with_cell(value, seen) if _is_wide(v.sort) else value) for v, value in values)


def _with_cell(value: ArrayValue, seen: Mapping[Sort, set[Value]]) -> ArrayValue:
    indices = [*seen.get(value.sort.index, ()), *(index for index, _ in value.items)]
    return ArrayValue(value.sort, 0, {index: value.select(index) for index in indices})


def _is_bad(system: System, trace: WordTrace) -> bool:
    states: Sequence[State] = list(run(system, trace))
    program = Program([system.constraint, system.bads[trace.prop]])
    answers = [program.run(values) for values in states]
    return all(holds for holds, _ in answers) and bool(answers[-1][1])
