"""Derivations as text: for people in comments, and as S-expressions that can be read again.

    (property 0)
    ; 0: inv(x = 0)  (line 3)
    (fact inv (edge 0) (from) (inputs) (values 0))
    ; 1: inv(x = 2)  from 0  (line 4)
    (fact inv (edge 1) (from 0) (inputs (n 2)) (values 2))
    …

Edges count from 0 in the order of the file's clauses, facts in that of the text. Values are written as in SMT-LIB. In the place
of inputs a fact after a stretch has

    (repeat 999999 (edge 3 (n (+ x 1))) (repeat 10 (edge 4)))

with a term for each input of an edge, over the variables of the location where the round began, or where the last inner stretch
ended. What is read is not believed: ``certify.graph.derivation`` checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import log2

from lemmata.errors import InputError
from lemmata.escapes import printable
from lemmata.logic.decimals import MOST_DECIMAL_DIGITS, digits_of, number_of, too_long
from lemmata.logic.smtlib.sexprs import Listing, Sexpr, SexprAtom, SexprText, Tokens, spelled
from lemmata.logic.smtlib.term_reader import TermReader
from lemmata.logic.smtlib.writer import symbol, to_text, value_to_text
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.models.derivation import Derivation, Fact, Stretch, Turn
from lemmata.models.graph import Graph

_STRETCH_SHAPE = "write (repeat COUNT STEP …), where a step is (edge N (NAME TERM) …) or (repeat …)"
_NESTED_STRETCHES = 20  # stretches within each other
_LENGTH_BITS = int(MOST_DECIMAL_DIGITS * log2(10))  # of the number of all edges of a stretch
Natural = Callable[[Sexpr, int, str], int]  # a number below a limit, or an ``InputError`` that says what is wanted


def format_stretch(stretch: Stretch) -> str:
    """``(repeat …)``."""
    steps = [_turn(step) if isinstance(step, Turn) else format_stretch(step) for step in stretch.steps]
    return f"({' '.join(['repeat', digits_of(stretch.count), *steps])})"


def _turn(turn: Turn) -> str:
    inputs = [f"({symbol(name_of(v))} {to_text(term)})" for v, term in turn.inputs]
    return f"({' '.join(['edge', str(turn.edge), *inputs])})"


class StretchReader:
    """Reads stretches of derivations in a graph."""

    def __init__(self, text: SexprText, graph: Graph, natural: Natural) -> None:
        self._text = text
        self._graph = graph
        self._natural = natural
        self._readers: dict[int, TermReader] = {}

    def read(self, node: Sexpr, depth: int = 0) -> Stretch:
        """The stretch that a node is; ``InputError`` if it is none."""
        match node:
            case Listing((SexprAtom("repeat"), count, *steps)) if steps and depth < _NESTED_STRETCHES:
                found: list[Turn | Stretch] = []
                mark = None  # where the variables live that inputs speak of
                for step in steps:
                    if isinstance(step, Listing) and step.head == "repeat":
                        inner = self.read(step, depth + 1)
                        mark = self._start(step, inner)
                        found.append(inner)
                    else:
                        turn, mark = self._step(step, mark)
                        found.append(turn)
                return self._bounded(node, Stretch(self._count(count), tuple(found)))
        raise self._text.error(node.at, "this is not a stretch", _STRETCH_SHAPE)

    def _count(self, node: Sexpr) -> int:
        if isinstance(node, SexprAtom) and node.text.isascii() and node.text.isdigit():
            return _number_of(self._text, node.at, node.text)
        raise self._text.error(node.at, "a count is wanted here", _STRETCH_SHAPE)

    def _bounded(self, node: Sexpr, stretch: Stretch) -> Stretch:
        """A stretch whose length can be written, however deep stretches are nested."""
        if stretch.length.bit_length() > _LENGTH_BITS:
            raise self._text.error(
                node.at, "this stretch is too long", f"the number of its edges has {MOST_DECIMAL_DIGITS} digits at most"
            )
        return stretch

    def _start(self, node: Sexpr, stretch: Stretch) -> int:
        return self._source(node, next(stretch.turns()).edge)

    def _source(self, node: Sexpr, edge: int) -> int:
        sources = self._graph.edges[edge].sources
        if len(sources) != 1:
            raise self._text.error(node.at, f"edge {edge} has {len(sources)} sources, in a stretch it must have one")
        return sources[0].location

    def _step(self, node: Sexpr, mark: int | None) -> tuple[Turn, int]:
        match node:
            case Listing((SexprAtom("edge"), number, *given)):
                edge = self._natural(number, len(self._graph.edges), "edge")
                source = self._source(node, edge)
                inputs = self._graph.edges[edge].inputs
                if len(given) != len(inputs):
                    raise self._text.error(node.at, f"edge {edge} does not fit: it has {len(inputs)} inputs")
                reader = self._reader(source if mark is None else mark)
                terms = [(v, self._input(v, item, reader)) for v, item in zip(inputs, given, strict=True)]
                return Turn(edge, tuple(terms)), source if mark is None else mark
        raise self._text.error(node.at, "this is not a step of a stretch", _STRETCH_SHAPE)

    def _reader(self, place: int) -> TermReader:
        if place not in self._readers:
            reader = self._readers[place] = TermReader(self._text)
            names = [(spelled(symbol(name_of(v))), v) for v in self._graph.locations[place].variables]
            reader.scope.names.update(names)
        return self._readers[place]

    def _input(self, v: Term, node: Sexpr, reader: TermReader) -> Term:
        match node:
            case Listing((SexprAtom() as name, value)) if name.text == spelled(symbol(name_of(v))):
                reader.tokens.seek(value.at)
                term = reader.term()
                if term.sort is not v.sort:
                    raise self._text.error(value.at, f"a {v.sort} is wanted here, this is a {term.sort}")
                return term
        raise self._text.error(node.at, f"a term for {name_of(v)} is wanted here", "inputs are in the order of the clause")


def format_derivation(graph: Graph, derivation: Derivation) -> str:
    """The whole derivation."""
    lines = [f"; how {printable(graph.questions[derivation.prop].name)} is reached", f"(property {derivation.prop})"]
    for told, fact in zip(derivation.told(), derivation.facts, strict=True):
        lines += [f"; {printable(told)}", _fact(fact)]
    return "\n".join([*lines, ""])


def _fact(fact: Fact) -> str:
    inputs = [f"({symbol(name_of(v))} {value_to_text(value, v.sort)})" for v, value in fact.inputs]
    values = [value_to_text(value, v.sort) for v, value in zip(fact.place.variables, fact.values, strict=True)]
    how = _listed("inputs", inputs) if fact.stretch is None else format_stretch(fact.stretch)
    parts = [_listed("from", map(str, fact.premises)), how, _listed("values", values)]
    place = "false" if fact.place.name == "false" else symbol(fact.place.name)
    return f"(fact {place} (edge {fact.edge}) {' '.join(parts)})"


def _listed(head: str, items: Iterable[str]) -> str:
    return f"({' '.join([head, *items])})"


_DECIMAL = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_SHAPE = "write (fact PLACE (edge N) (from N …) (inputs (NAME VALUE) …) (values VALUE …))"


def parse_derivations(text: str, graph: Graph, file: str) -> Iterator[Derivation]:
    """The derivations in a file about ``graph``; ``InputError`` where it is none."""
    reader = _Reader(SexprText(text, file), graph)
    yield from reader.derivations()


class _Reader:
    def __init__(self, text: SexprText, graph: Graph) -> None:
        self._text = text
        self._graph = graph
        self._stretches = StretchReader(text, graph, self._natural)

    def derivations(self) -> Iterator[Derivation]:
        prop, facts = None, list[Fact]()
        for node in self._nodes():
            match node:
                case Listing((SexprAtom("property"), number)):
                    if prop is not None:
                        yield Derivation(prop, tuple(facts))
                    prop, facts = self._natural(number, len(self._graph.questions), "property"), []
                case Listing((SexprAtom("fact"), place, Listing((SexprAtom("edge"), edge)), premises, inputs, values)) if (
                    prop is not None
                ):
                    facts.append(self._fact(edge, premises, inputs, values))
                    self._check_place(place, facts[-1])
                case _:
                    raise self._text.error(node.at, "this is not a derivation", f"begin with (property N), then {_SHAPE}")
        if prop is None:
            raise self._text.error(0, "the file has no derivation", "it begins with (property N)")
        yield Derivation(prop, tuple(facts))

    def _nodes(self) -> Iterator[Sexpr]:
        tokens = Tokens(self._text)
        while (found := tokens.find()) is not None:
            yield tokens.node_from(*found)

    def _fact(self, edge: Sexpr, premises: Sexpr, inputs: Sexpr, values: Sexpr) -> Fact:
        number = self._natural(edge, len(self._graph.edges), "edge")
        found = self._graph.edges[number]
        place = self._graph.locations[found.target]
        stretch = self._stretches.read(inputs) if isinstance(inputs, Listing) and inputs.head == "repeat" else None
        given = self._items(inputs, "inputs") if stretch is None else ()
        facts = self._items(premises, "from")
        reached = self._items(values, "values")
        own = found.inputs if stretch is None else ()
        if (len(given), len(facts), len(reached)) != (len(own), len(found.sources), len(place.variables)):
            wanted = f"{len(found.sources)} facts, {len(found.inputs)} inputs and {len(place.variables)} values"
            raise self._text.error(edge.at, f"edge {number} does not fit: it has {wanted}")
        return Fact(
            number,
            tuple(self._natural(item, 1 << 40, "fact") for item in facts),
            tuple((v, self._input(v, item)) for v, item in zip(own, given, strict=True)),
            place,
            tuple(self._value(item, v.sort) for v, item in zip(place.variables, reached, strict=True)),
            found.line,
            stretch,
        )

    def _check_place(self, node: Sexpr, fact: Fact) -> None:
        name = fact.place.name
        if not isinstance(node, SexprAtom) or node.text != ("false" if name == "false" else spelled(symbol(name))):
            raise self._text.error(node.at, f"edge {fact.edge} leads to {name}, another place is written here")

    def _items(self, node: Sexpr, head: str) -> Sequence[Sexpr]:
        if isinstance(node, Listing) and node.head == head:
            return node.items[1:]
        raise self._text.error(node.at, f"({head} …) is wanted here", _SHAPE)

    def _natural(self, node: Sexpr, end: int, what: str) -> int:
        if (
            isinstance(node, SexprAtom)
            and node.text.isascii()
            and node.text.isdigit()
            and len(node.text) < 15
            and int(node.text) < end
        ):
            return int(node.text)
        raise self._text.error(node.at, f"there is no such {what}")

    def _input(self, v: Term, node: Sexpr) -> Value:
        match node:
            case Listing((SexprAtom() as name, value)) if name.text == spelled(symbol(name_of(v))):
                return self._value(value, v.sort)
        raise self._text.error(node.at, f"a value of {name_of(v)} is wanted here", "inputs are in the order of the clause")

    def _value(self, node: Sexpr, sort: Sort) -> Value:
        stores = list[tuple[Sexpr, Sexpr]]()
        while isinstance(sort, Array):
            match node:
                case Listing((SexprAtom("store"), array, index, element)):
                    stores.append((index, element))
                    node = array
                case Listing((Listing((SexprAtom("as"), SexprAtom("const"), _)), element)):
                    cells = {self._value(i, sort.index): self._value(e, sort.element) for i, e in reversed(stores)}
                    return ArrayValue(sort, self._value(element, sort.element), cells)
                case _:
                    raise self._wrong(node, sort)
        value = self._scalar(node, sort)
        if value is None:
            raise self._wrong(node, sort)
        return value

    def _wrong(self, node: Sexpr, sort: Sort) -> InputError:
        return self._text.error(node.at, f"a value of {sort} is wanted here")

    def _scalar(self, node: Sexpr, sort: Sort) -> Value | None:
        match node:
            case SexprAtom("true" | "false" as word) if sort is BOOL:
                return word == "true"
            case SexprAtom(word) if isinstance(sort, BitVec) and word[:2] in ("#x", "#b"):
                base, bits = (16, 4) if word[1] == "x" else (2, 1)
                return _digits(word[2:], base) if len(word[2:]) * bits == sort.width else None
        number = self._number(node) if sort in (INT, REAL) else None
        if number is None or sort is REAL:
            return number
        return int(number) if number.denominator == 1 and _is_whole(node) else None

    def _number(self, node: Sexpr) -> Fraction | None:
        """A numeral, a decimal, a quotient of two, and any number of signs."""
        sign = 1
        while isinstance(node, Listing) and node.head == "-" and len(node.items) == 2:
            sign, node = -sign, node.items[1]
        match node:
            case SexprAtom():
                number = self._decimal(node)
            case Listing((SexprAtom("/"), SexprAtom() as above, SexprAtom() as below)):
                upper, lower = self._decimal(above), self._decimal(below)
                number = upper / lower if upper is not None and lower else None
            case _:
                number = None
        return None if number is None else sign * number

    def _decimal(self, atom: SexprAtom) -> Fraction | None:
        if (found := _DECIMAL.fullmatch(atom.text)) is None:
            return None
        rest = (found[2] or "").rstrip("0")
        return Fraction(_number_of(self._text, atom.at, found[1] + rest), 10 ** len(rest))


def _number_of(text: SexprText, at: int, digits: str) -> int:
    if len(digits) > MOST_DECIMAL_DIGITS:
        raise text.error(at, *too_long(digits))
    return number_of(digits)


def _digits(word: str, base: int) -> int | None:
    try:
        return int(word, base)
    except ValueError:
        return None


def _is_whole(node: Sexpr) -> bool:
    """Is an Int written, without a decimal point or a quotient?"""
    while isinstance(node, Listing) and node.head == "-" and len(node.items) == 2:
        node = node.items[1]
    return isinstance(node, SexprAtom) and "." not in node.text
