"""A run of a BTOR2 file, line by line on concrete values: no terms, no solver.

A word is an ``int``, an array an ``ArrayState`` (a default and the cells that differ from it). In each step all lines that
matter are evaluated in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lemmata.certify.reading.btor2_lines import Btor2Lines, LineSort, ReadLine
from lemmata.certify.reading.btor2_values import ONE_BIT_RULES, SAME, UNARY, signed_value
from lemmata.errors import CertificateError, GaveUp
from lemmata.values import dataclass
from lemmata.work import NODE, is_over, tally


@dataclass(frozen=True, slots=True)
class ArrayState:
    """``cells`` where they are, ``default`` elsewhere."""

    default: int
    cells: Mapping[int, int]

    def read(self, index: int) -> int:
        """One cell."""
        return self.cells.get(index, self.default)

    def same(self, other: ArrayState, width: int) -> bool:
        """Are all 2ʷ cells equal?"""
        listed = self.cells.keys() | other.cells.keys()
        is_full = len(listed) == 1 << width
        return (is_full or self.default == other.default) and all(self.read(i) == other.read(i) for i in listed)


WordOrArray = int | ArrayState
_Values = dict[int, WordOrArray]  # by node; minus the id is the negated node


class RunStep:
    """Evaluates the lines of some nodes."""

    def __init__(self, lines: Btor2Lines, nodes: Sequence[int]) -> None:
        used = {arg for node in nodes for arg in lines.nodes[node].args if arg < 0}
        used.update(n for table in (lines.inits, lines.nexts) for n in table.values() if n < 0)
        used.update(n for n in (*lines.constraints, *(bad for bad, _ in lines.bads)) if n < 0)
        self._program: list[tuple[int, Callable[[_Values], WordOrArray] | None, int]] = []
        for node in nodes:
            line = lines.nodes[node]
            mask = (1 << line.sort) - 1 if isinstance(line.sort, int) and -node in used else -1
            meaning = None if line.tag in ("input", "state") else _meaning(lines, line)
            self._program.append((node, meaning, mask))

    def run(self, leaves: Mapping[int, WordOrArray]) -> _Values:
        """The values of all nodes, given those of inputs and states."""
        values: _Values = {}
        for node, meaning, mask in self._program:
            if meaning is None and node not in leaves:
                raise CertificateError(f"the trace does not fit the second reading: no value for node {node}")
            value = leaves[node] if meaning is None else meaning(values)
            values[node] = value
            if mask >= 0 and isinstance(value, int):
                values[-node] = mask ^ value
        return values


def _start(lines: Btor2Lines, state: int, values: _Values) -> WordOrArray:
    """What the file's ``init`` gives the state, in a step with these values; a word fills an array."""
    value = values[lines.inits[state]]
    return ArrayState(value, {}) if isinstance(value, int) and isinstance(lines.sort(state), tuple) else value


def run_btor2(
    lines: Btor2Lines,
    prop: int,
    first: Mapping[int, WordOrArray],
    given: Sequence[Mapping[int, WordOrArray]],
    until: float | None,
) -> None:
    """Raise ``CertificateError`` unless the run is one of the file and ends in bad state ``prop``.

    ``first`` has the states of the first step; ``given`` has, per step, the inputs and the states that nothing determines.
    """
    bad = lines.bads[prop][0]
    nodes = lines.cone([bad, *lines.constraints], lines.inits, lines.nexts)
    states = [node for node in nodes if lines.nodes[node].tag == "state"]
    for number, values in enumerate(_steps(lines, nodes, states, first, given)):
        if is_over(until):
            raise GaveUp("timeout")
        tally[NODE] += len(nodes)
        if number == 0:
            _check_start(lines, states, values)
        broken = [node for node in lines.constraints if values[node] != 1]
        if broken:
            raise CertificateError(f"the second reader has constraint {broken[0]} violated in step {number}")
    if values[bad] != 1:
        raise CertificateError(f"the second reader does not have bad {prop} true in the last step, {len(given) - 1}")


def _steps(
    lines: Btor2Lines,
    nodes: Sequence[int],
    states: Sequence[int],
    first: Mapping[int, WordOrArray],
    given: Sequence[Mapping[int, WordOrArray]],
) -> Iterator[_Values]:
    step = RunStep(lines, nodes)
    kept = dict(first)
    for line in given:
        values = step.run({**kept, **line})
        yield values
        kept = {state: values[lines.nexts[state]] for state in states if state in lines.nexts}


def _check_start(lines: Btor2Lines, states: Sequence[int], values: _Values) -> None:
    for state in states:
        if state in lines.inits and not _same(values[state], _start(lines, state, values), lines.sort(state)):
            raise CertificateError(
                f"the second reader has another initial value of state {state} ({lines.nodes[state].symbol})"
            )


def _same(left: WordOrArray, right: WordOrArray, sort: LineSort) -> bool:
    """Are two values of a sort equal?"""
    if isinstance(left, ArrayState) and isinstance(right, ArrayState) and isinstance(sort, tuple):
        return left.same(right, sort[0])
    return left == right


def _meaning(lines: Btor2Lines, line: ReadLine) -> Callable[[_Values], WordOrArray]:
    """What the table says about the line."""
    args, detail, sort = line.args, line.detail, line.sort
    width = lines.sort(args[0]) if args else sort
    match line.tag, args:
        case (("const" | "constd" | "consth"), _):
            return lambda _: detail[0]
        case "zero", _:
            return lambda _: 0
        case "one", _:
            return lambda _: 1
        case "ones", _ if isinstance(sort, int):
            ones = (1 << sort) - 1
            return lambda _: ones
        case "ite", (c, a, b):
            return lambda values: values[a] if values[c] else values[b]
        case (("eq" | "neq"), (a, b)):
            expected = line.tag == "eq"
            return lambda values: int(_same(values[a], values[b], width) == expected)
        case "read", (a, i):
            return lambda values: _array(values[a]).read(_word(values[i]))
        case "write", (a, i, v):
            return lambda values: _written(_array(values[a]), _word(values[i]), _word(values[v]))
    assert isinstance(width, int) and isinstance(sort, int)
    return _word_meaning(lines, line, width, sort)


def _word_meaning(lines: Btor2Lines, line: ReadLine, width: int, to: int) -> Callable[[_Values], WordOrArray]:
    args, detail = line.args, line.detail
    match line.tag, args:
        case "slice", (a,):
            upper, lower = detail
            return lambda values: _word(values[a]) >> lower & (1 << (upper - lower + 1)) - 1
        case "uext", (a,):
            return lambda values: values[a]
        case "sext", (a,):
            return lambda values: signed_value(_word(values[a]), width) % (1 << to)
        case "concat", (a, b):
            right = lines.sort(b)
            assert isinstance(right, int)
            return lambda values: _word(values[a]) << right | _word(values[b])
        case tag, (a,):
            unary = UNARY[tag]
            return lambda values: unary(_word(values[a]), width)
        case tag, (a, b):
            binary = SAME[tag] if tag in SAME else ONE_BIT_RULES[tag]
            return lambda values: binary(_word(values[a]), _word(values[b]), width)
    raise AssertionError(line)


def _word(value: WordOrArray) -> int:
    assert isinstance(value, int)
    return value


def _array(value: WordOrArray) -> ArrayState:
    assert isinstance(value, ArrayState)
    return value


def _written(array: ArrayState, index: int, value: int) -> ArrayState:
    return ArrayState(array.default, {**array.cells, index: value})
