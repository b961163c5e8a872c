"""Stretches as text, and back: in the place of inputs a fact has

    (repeat 999999 (edge 3 (n (+ x 1))) (repeat 10 (edge 4)))

with a term for each input of an edge, over the variables of the location where the round began, or where the last inner
stretch ended. What is read is not believed: ``derive_stretch`` checks it.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.sexprs import Atom, Listing, Node, Text, spelled
from lemmata.logic.smtlib import symbol, to_text
from lemmata.logic.term_reader import TermReader
from lemmata.logic.terms import Term, name_of
from lemmata.models.derivation import Stretch, Turn
from lemmata.models.graph import Graph

_SHAPE = "write (repeat COUNT STEP …), where a step is (edge N (NAME TERM) …) or (repeat …)"
_DEEPEST = 20  # stretches within each other
_DIGITS = 200  # so that the length of all of them can be written
Natural = Callable[[Node, int, str], int]  # a number below a limit, or an ``InputError`` that says what is wanted


def format_stretch(stretch: Stretch) -> str:
    """``(repeat …)``."""
    steps = [_turn(step) if isinstance(step, Turn) else format_stretch(step) for step in stretch.steps]
    return f"({' '.join(['repeat', str(stretch.count), *steps])})"


def _turn(turn: Turn) -> str:
    inputs = [f"({symbol(name_of(v))} {to_text(term)})" for v, term in turn.inputs]
    return f"({' '.join(['edge', str(turn.edge), *inputs])})"


class StretchReader:
    """Reads stretches of derivations in a graph."""

    def __init__(self, text: Text, graph: Graph, natural: Natural) -> None:
        self._text = text
        self._graph = graph
        self._natural = natural
        self._readers: dict[int, TermReader] = {}

    def read(self, node: Node, depth: int = 0) -> Stretch:
        """The stretch that a node is; ``InputError`` if it is none."""
        match node:
            case Listing((Atom("repeat"), count, *steps)) if steps and depth < _DEEPEST:
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
                return Stretch(self._count(count), tuple(found))
        raise self._text.error(node.at, "this is not a stretch", _SHAPE)

    def _count(self, node: Node) -> int:
        if isinstance(node, Atom) and node.text.isascii() and node.text.isdigit() and len(node.text) <= _DIGITS:
            return int(node.text)
        raise self._text.error(node.at, "a count is wanted here", _SHAPE)

    def _start(self, node: Node, stretch: Stretch) -> int:
        return self._source(node, next(stretch.turns()).edge)

    def _source(self, node: Node, edge: int) -> int:
        sources = self._graph.edges[edge].sources
        if len(sources) != 1:
            raise self._text.error(node.at, f"edge {edge} has {len(sources)} sources, in a stretch it must have one")
        return sources[0].location

    def _step(self, node: Node, mark: int | None) -> tuple[Turn, int]:
        match node:
            case Listing((Atom("edge"), number, *given)):
                edge = self._natural(number, len(self._graph.edges), "edge")
                source = self._source(node, edge)
                inputs = self._graph.edges[edge].inputs
                if len(given) != len(inputs):
                    raise self._text.error(node.at, f"edge {edge} does not fit: it has {len(inputs)} inputs")
                reader = self._reader(source if mark is None else mark)
                terms = [(v, self._input(v, item, reader)) for v, item in zip(inputs, given, strict=True)]
                return Turn(edge, tuple(terms)), source if mark is None else mark
        raise self._text.error(node.at, "this is not a step of a stretch", _SHAPE)

    def _reader(self, place: int) -> TermReader:
        if place not in self._readers:
            reader = self._readers[place] = TermReader(self._text)
            names = [(spelled(symbol(name_of(v))), v) for v in self._graph.locations[place].variables]
            reader.scope.names.update(names)
        return self._readers[place]

    def _input(self, v: Term, node: Node, reader: TermReader) -> Term:
        match node:
            case Listing((Atom() as name, value)) if name.text == spelled(symbol(name_of(v))):
                reader.tokens.seek(value.at)
                term = reader.term()
                if term.sort is not v.sort:
                    raise self._text.error(value.at, f"a {v.sort} is wanted here, this is a {term.sort}")
                return term
        raise self._text.error(node.at, f"a term for {name_of(v)} is wanted here", "inputs are in the order of the clause")
