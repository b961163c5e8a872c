"""Reads BTOR2 line by line: each line defines one thing from what earlier lines defined.

``_Reader.read`` looks the tag up and lets one short method do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lemmata.errors import InputError, Place
from lemmata.frontends.btor2.constants import CONSTANTS, read_constant
from lemmata.frontends.btor2.lines import Btor2Line, read_lines, source_place
from lemmata.frontends.btor2.operators import BTOR2_OPERATORS
from lemmata.frontends.btor2.sorts import bits_of, read_sort
from lemmata.frontends.btor2.states import LeafNames, StateLine, make_system
from lemmata.frontends.btor2.table import IdTable
from lemmata.frontends.files import shown
from lemmata.logic.build import build, conj
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph, Origin
from lemmata.models.system import graph_of

_VERSION_1 = frozenset([b"acond", b"anext", b"array", b"cond", b"lambda", b"param", b"proxy", b"root", b"var"])


def parse_btor2(data: bytes, file: str) -> Graph:
    """The system in ``data``; whatever is wrong with it is an ``InputError`` with its place in ``file``."""
    lines = list(read_lines(data, file))
    if not lines:
        cause = "the file has nothing but comments" if data.strip() else "the file is empty"
        raise InputError(Place(file, 1, 1), cause, "expected lines such as '1 sort bitvec 8'")
    reader = _Reader(file, LeafNames(lines))
    for line in lines:
        reader.read(line)
    return reader.graph()


class _Reader:
    """What has been read so far."""

    def __init__(self, file: str, names: LeafNames) -> None:
        self._file = file
        self._names = names
        self._table = IdTable()
        self._states: dict[int, StateLine] = {}
        self._inputs: list[Term] = []
        self._constraints: list[Term] = []
        self._bads: list[tuple[str, Term]] = []
        self._places: list[Place | None] = []  # of the bads in a source
        self._liveness: list[int] = []  # lines
        self._fairness: list[int] = []  # lines

    def read(self, line: Btor2Line) -> None:
        """Take one line in."""
        number = self._table.number(line)
        if len(line.words) < 2:
            raise line.fault(1, "the line ends after its id", "the file may be truncated")
        tag = line.words[1]
        if tag in BTOR2_OPERATORS:
            self._table.terms[number] = self._operator(line)
        elif tag in CONSTANTS:
            self._table.terms[number] = read_constant(line, self._table.sort(line))
        elif tag in _TERMS:
            self._table.terms[number] = _TERMS[tag](self, line)
        elif tag in _STATEMENTS:
            self._table.roles[number] = tag.decode()
            _STATEMENTS[tag](self, line)
        else:
            remedy = "this looks like BTOR version 1; Lemmata reads version 2" if tag in _VERSION_1 else ""
            raise line.fault(1, f"{shown(tag)} is no tag of BTOR2", remedy)

    def graph(self) -> Graph:
        """The system that was read."""
        states = list(self._states.values())
        bads = tuple(term for _, term in self._bads)
        system = make_system(states, self._inputs, conj(self._constraints), bads, self._names)
        terms = tuple(state.term for state in states)
        origin = Origin("btor2", terms, tuple(self._inputs), tuple(self._liveness), fairness=tuple(self._fairness))
        graph = graph_of(system, tuple(name for name, _ in self._bads), origin, self._file)
        places = zip(graph.questions, self._places, strict=True)
        return replace(graph, questions=tuple(replace(question, place=place) for question, place in places))

    # Lines that are terms.

    def _operator(self, line: Btor2Line) -> Term:
        operator = BTOR2_OPERATORS[line.words[1]]
        count = 3 + operator.arity
        if not count <= len(line.words) <= count + 1:
            line.require(count, f"id {line.words[1].decode()} sort" + " id" * operator.arity)
        declared = self._table.sort(line)
        args = tuple([self._table.argument(line, field) for field in range(3, count)])
        complaint = operator.complain(args)
        if complaint is not None:
            position, cause = complaint
            raise line.fault(3 + position, f"this argument of '{line.words[1].decode()}' {cause}")
        return _checked(line, operator.make(*args), declared)

    def _extension(self, line: Btor2Line) -> Term:
        tag = line.words[1].decode()
        line.require(5, f"id {tag} sort id bits")
        declared, word, more = self._table.sort(line), self._table.word(line), line.natural(4, "number of bits")
        if not isinstance(declared, BitVec) or declared.width != word.width + more:
            raise line.fault(2, f"'{tag}' gives {word.width + more} bits here, but the sort has {bits_of(declared)}")
        return build("sign_extend" if tag == "sext" else "zero_extend", (word,), more) if more else word

    def _slice(self, line: Btor2Line) -> Term:
        line.require(6, "id slice sort id high low")
        declared, word = self._table.sort(line), self._table.word(line)
        high, low = line.natural(4, "position of a bit"), line.natural(5, "position of a bit")
        if high >= word.width:
            raise line.fault(4, f"there is no bit {high} in a word of {bits_of(word.sort)}", "bits count from 0")
        if low > high:
            raise line.fault(5, f"the lower bit {low} is above the upper bit {high}")
        return _checked(line, build("extract", (word,), (high, low)), declared)

    def _input(self, line: Btor2Line) -> Term:
        line.require(3, "id input sort")
        term = var(self._names.of(line), self._table.sort(line))
        self._inputs.append(term)
        return term

    def _state(self, line: Btor2Line) -> Term:
        line.require(3, "id state sort")
        term = var(self._names.of(line), self._table.sort(line))
        self._states[self._table.last] = StateLine(self._table.last, term)
        return term

    # Lines that say something about terms.

    def _define_sort(self, line: Btor2Line) -> None:
        self._table.sorts[self._table.last] = read_sort(line, self._table.sorts)

    def _init(self, line: Btor2Line) -> None:
        state, value = self._of_state(line)
        if state.init is not None:
            raise line.fault(3, f"a second init for state {state.id}", "remove one of them")
        if abs(self._table.signed(line, 4)) >= state.id:
            cause = f"the initial value of state {state.id} comes after it"
            raise line.fault(4, cause, "define it on a line before the state: no value may depend on itself")
        sort = state.term.sort
        if isinstance(sort, Array) and value.sort is sort.element:
            value = build("filled", (value,), sort)
        _check_value(line, state, value)
        known = set(self._inputs)
        inputs = [name_of(v) for v in variables([value]) if v in known] if not value.is_const else []
        if inputs:
            raise line.fault(4, f"an initial value that depends on the input {inputs[0]}", "use a state without next instead")
        state.init = value

    def _next(self, line: Btor2Line) -> None:
        state, value = self._of_state(line)
        if state.next is not None:
            raise line.fault(3, f"a second next for state {state.id}", "remove one of them")
        _check_value(line, state, value)
        state.next = value

    def _of_state(self, line: Btor2Line) -> tuple[StateLine, Term]:
        tag = line.words[1].decode()
        line.require(5, f"id {tag} sort state value")
        sort = self._table.sort(line)
        number = self._table.signed(line, 3)
        self._table.argument(line, 3)
        state = self._states.get(number)
        if state is None:
            raise line.fault(3, f"{number} is not a state", f"'{tag}' is about a state, which cannot be negated")
        if sort is not state.term.sort:
            raise line.fault(2, f"state {number} has {bits_of(state.term.sort)}, but this sort has {bits_of(sort)}")
        return state, self._table.argument(line, 4)

    def _bad(self, line: Btor2Line) -> None:
        line.require(3, "id bad id")
        symbol, comment = line.symbol(3), line.comment.decode(errors="replace")
        place = source_place(comment) or source_place(symbol or "")
        name = symbol or (comment if place is not None and comment.isprintable() else f"b{len(self._bads)}")
        self._bads.append((name, self._table.condition(line, 2)))
        self._places.append(place)

    def _constraint(self, line: Btor2Line) -> None:
        line.require(3, "id constraint id")
        self._constraints.append(self._table.condition(line, 2))

    def _fair(self, line: Btor2Line) -> None:
        line.require(3, "id fair id")
        self._table.condition(line, 2)
        self._fairness.append(line.number)

    def _justice(self, line: Btor2Line) -> None:
        if len(line.words) < 3:
            raise line.fault(2, "the line ends too early: expected 'id justice count id …'", "the file may be truncated")
        count = line.natural(2, "number of conditions")
        line.require(3 + count, "id justice count id …")
        for field in range(3, 3 + count):
            self._table.condition(line, field)
        self._liveness.append(line.number)

    def _output(self, line: Btor2Line) -> None:
        line.require(3, "id output id")
        self._table.argument(line, 2)


def _checked(line: Btor2Line, term: Term, declared: Sort) -> Term:
    if term.sort is not declared:
        cause = f"'{line.words[1].decode()}' gives {bits_of(term.sort)} here, but the sort has {bits_of(declared)}"
        raise line.fault(2, cause)
    return term


def _check_value(line: Btor2Line, state: StateLine, value: Term) -> None:
    if value.sort is not state.term.sort:
        raise line.fault(4, f"state {state.id} has {bits_of(state.term.sort)}, but this has {bits_of(value.sort)}")


_TERMS: dict[bytes, Callable[[_Reader, Btor2Line], Term]] = {
    b"input": _Reader._input,
    b"state": _Reader._state,
    b"slice": _Reader._slice,
    b"sext": _Reader._extension,
    b"uext": _Reader._extension,
}
_STATEMENTS: dict[bytes, Callable[[_Reader, Btor2Line], None]] = {
    b"sort": _Reader._define_sort,
    b"init": _Reader._init,
    b"next": _Reader._next,
    b"bad": _Reader._bad,
    b"constraint": _Reader._constraint,
    b"fair": _Reader._fair,
    b"justice": _Reader._justice,
    b"output": _Reader._output,
}
