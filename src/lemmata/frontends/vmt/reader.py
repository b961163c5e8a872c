"""Reads the annotations of a VMT-LIB script and makes a graph of them; ``frontends.smtlib`` reads the terms below.

The graph has one location, an initial edge, a loop and an error per property. The initial edge takes any values that satisfy
the initial formula; the loop takes any next values and inputs that satisfy the relation. A state that violates a property is
bad even if no step leads on from it, so the edges to errors have no more in their guards than the negated property.

Some files annotate a next symbol that nobody declares, since no step speaks of it: it gets the sort of the current one. It may
be a slip of the pen as well, so the graph has a note on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.frontends.smtlib import Asserted, Command, Declared, Defined, Other, Script
from lemmata.frontends.smtlib.kind import VMT_KEYS, annotation_keys
from lemmata.logic.build import negate
from lemmata.logic.decimals import digits_of
from lemmata.logic.smtlib.formula_reader import Note
from lemmata.logic.smtlib.sexprs import TOKEN, SexprAtom
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import TRUE, Term, name_of
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """An annotated formula: the initial states, the steps, or a property with its name."""

    formula: Term
    at: int
    name: str = ""


def make_graph(
    nexts: tuple[Term, ...],
    init: Part,
    trans: Part,
    properties: Sequence[Part],
    origin: Origin,
    line: Callable[[int], int],
    file: str,
) -> Graph:
    """The graph; ``nexts`` are the next values of ``origin.states``, ``line`` tells the line of an offset."""
    states = origin.states
    here = Source(0, states)
    start = Edge((), 0, states, init.formula, states, line(init.at))
    loop = Edge((here,), 0, (*nexts, *origin.inputs), trans.formula, nexts, line(trans.at))
    names = _distinct([part.name for part in properties])
    errors, questions = [], []
    for index, (part, name) in enumerate(zip(properties, names, strict=True)):
        read = set(variables([part.formula]))
        inputs = tuple(v for v in origin.inputs if v in read)
        errors.append(Edge((here,), 1 + index, inputs, negate(part.formula), (), line(part.at)))
        questions.append(GraphProperty(index, name, 1 + index))
    places = (Location("main", states), *(Location(f"error: {name}") for name in names))
    return Graph(places, (start, loop, *errors), tuple(questions), origin, file)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a suffix where one repeats."""
    taken: set[str] = set()
    found = []
    for name in names:
        candidate, count = name, 1
        while candidate in taken or (count > 1 and candidate in names):
            count += 1
            candidate = f"{name}~{count}"
        taken.add(candidate)
        found.append(candidate)
    return found


_SILENT = frozenset({"set-info", "set-logic", "set-option", "define-sort", "check-sat", "get-model", "exit"})
_HINTS = frozenset({":named", ":predicate"})  # for engines of other tools; nothing depends on them
_NAMED = 3  # undeclared next values that a note names


def parse_vmt(data: bytes, file: str) -> Graph:
    """The system in ``data``; whatever is wrong with it is an ``InputError`` with its place in ``file``."""
    reader = _Reader(Script(data, file))
    for command in reader.script.commands():
        if isinstance(command, Other) and command.name == "exit":
            break
        reader.read(command)
    return reader.graph(file)


class _Reader:
    """What has been read so far."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._text = script.text
        self._error = script.text.error
        self._declared: dict[Term, int] = {}  # variables, and where
        self._nexts: dict[Term, Term] = {}
        self._undeclared: dict[Term, int] = {}  # next values that nobody declares, and where they are named
        self._parts: dict[str, Part] = {}  # init, trans
        self._properties: dict[int, Part] = {}
        self._liveness: list[int] = []  # where

    def read(self, command: Command) -> None:
        """Take one command in."""
        match command:
            case Declared(name, wants):
                if wants:
                    cause = f"'{name.text[:40]}' is a function without a meaning"
                    raise self._text.unsupported(name.at, cause, "Lemmata reads variables and define-fun")
                self._declared[self.script.reader.scope.lookup(name)] = name.at
            case Defined(name, parameters, body, notes):
                if parameters and any(note.key not in _HINTS for note in notes):
                    cause = f"an annotation inside '{name.text[:40]}', which has parameters, says nothing"
                    raise self._error(notes[0].at, cause, "annotate a function without parameters")
                for note in notes:
                    self._annotate(note, name.name if note.term is body else "")
            case Asserted(formula, notes, at):
                for note in notes:
                    self._annotate(note, "")
                if formula is not TRUE:
                    raise self._error(at, "VMT-LIB asserts nothing but true", "say it with :init, :trans or :invar-property")
            case Other("set-logic", (SexprAtom("HORN"),), at):
                raise self._error(at, *self._contradiction())
            case Other(name, _, at) if name not in _SILENT:
                raise self._error(at, f"'{name[:40]}' is not a command of VMT-LIB")

    def _contradiction(self) -> tuple[str, str]:
        """What it is that makes a file with the logic of clauses a transition system, and what to do about it."""
        if not VMT_KEYS.isdisjoint(annotation_keys(self._text.text)):
            what = "the terms of this file are annotated as in VMT-LIB"
            return f"HORN is the logic of Horn clauses, but {what}", "it is one or the other"
        return "HORN is the logic of Horn clauses, but the suffix .vmt stands for VMT-LIB", "call the file .smt2"

    # Annotations.

    def _annotate(self, note: Note, name: str) -> None:
        match note.key:
            case ":next":
                self._next(note)
            case ":init" | ":trans":
                self._formula(note)
            case ":invar-property":
                self._invar_property(note, name)
            case ":live-property":
                self._liveness.append(note.at)
            case key if key not in _HINTS:
                remedy = f"known are {', '.join(sorted(VMT_KEYS | _HINTS))}"
                raise self._text.unsupported(note.at, f"the annotation '{key[:40]}' has no meaning here", remedy)

    def _next(self, note: Note) -> None:
        current, symbol = note.term, note.value
        words = TOKEN.findall(self._text.text, note.begin, note.end)
        if current not in self._declared or words.count("(") > 1:  # which became a variable only by being simplified
            raise self._error(note.at, "':next' is for declared variables")
        if not isinstance(symbol, SexprAtom):
            raise self._error(note.at, "the symbol of the next value is wanted after ':next'", "such as (! x :next x_next)")
        scope = self.script.reader.scope
        if symbol.text not in scope.names:
            scope.declare(symbol, (), current.sort)
            self._declared[scope.lookup(symbol)] = self._undeclared[scope.lookup(symbol)] = symbol.at
        following = scope.lookup(symbol)
        if following not in self._declared:
            raise self._error(symbol.at, f"'{symbol.text[:40]}' is not a declared variable")
        if following.sort is not current.sort:
            cause = f"{name_of(current)} is a {current.sort}, but its next value {name_of(following)} is a {following.sort}"
            raise self._error(symbol.at, cause)
        if self._nexts.setdefault(current, following) is not following:
            raise self._error(
                symbol.at, f"a second next value of {name_of(current)}", f"it has {name_of(self._nexts[current])}"
            )

    def _formula(self, note: Note) -> None:
        key = note.key[1:]
        self._check_formula(note)
        if note.value is not None and not (isinstance(note.value, SexprAtom) and note.value.text == "true"):
            raise self._error(note.value.at, f"'{note.key}' is followed by true")
        known = self._parts.setdefault(key, Part(note.term, note.at))
        if known.formula is not note.term:
            raise self._error(note.at, f"a second '{note.key}'", "join both with 'and'")

    def _invar_property(self, note: Note, name: str) -> None:
        self._check_formula(note)
        if not isinstance(note.value, SexprAtom):
            raise self._error(note.at, "the index of the property is wanted after ':invar-property'")
        index = self.script.reader.scope.digits(note.value, note.value.text)
        plain = f"p{digits_of(index)}" if not name or name.startswith(".") else name
        known = self._properties.setdefault(index, Part(note.term, note.at, plain))
        if known.at != note.at:
            raise self._error(note.value.at, f"a second property {index}", "each has an index of its own")

    def _check_formula(self, note: Note) -> None:
        if note.term.sort is not BOOL:
            raise self._error(note.at, f"'{note.key}' is for formulas, this is a {note.term.sort}")

    # The end.

    def graph(self, file: str) -> Graph:
        """The system that was read."""
        if not self._properties and self._liveness:
            remedy = "Lemmata answers safety: :invar-property"
            raise self._text.unsupported(self._liveness[0], "liveness (':live-property') is not supported", remedy)
        for key in ("init", "trans"):
            if key not in self._parts:
                raise self._error(0, f"no formula is annotated with ':{key}'", "is this VMT-LIB?")
        if not self._properties:
            raise self._error(0, "nothing is asked", "annotate a formula with ':invar-property 0'")
        self._check_nexts()
        states = tuple(v for v in self._declared if v in self._nexts)
        following = set(self._nexts.values())
        inputs = tuple(v for v in self._declared if v not in self._nexts and v not in following)
        self._check_speaks(self._parts["init"], "the initial formula", [*following, *inputs])
        properties = [self._properties[index] for index in sorted(self._properties)]
        for part in properties:
            self._check_speaks(part, "the property", list(following))
        trans, line = self._parts["trans"], self._text.line
        nexts = tuple(self._nexts[v] for v in states)
        origin = Origin("vmt", states, inputs, tuple(line(at) for at in self._liveness), notes=self._notes(states, trans))
        return make_graph(nexts, self._parts["init"], trans, properties, origin, line, file)

    def _notes(self, states: Sequence[Term], trans: Part) -> tuple[str, ...]:
        """A warning, where next values are not declared and no step speaks of them."""
        read = set(variables([trans.formula]))
        free = [v for v in states if self._nexts[v] in self._undeclared and self._nexts[v] not in read]
        if not free:
            return ()
        place = self._text.place(self._undeclared[self._nexts[free[0]]])
        are = "is" if len(free) == 1 else "are"
        missing, current = _listed([self._nexts[v] for v in free]), _listed(free)
        return (f"warning: {place}: {missing} {are} not declared: {current} may have any value after a step",)

    def _check_nexts(self) -> None:
        owners: dict[Term, Term] = {}
        for current, following in self._nexts.items():
            at = self._declared[following]
            if following in self._nexts:
                cause = f"{name_of(following)} is the next value of {name_of(current)} and has a next value itself"
                raise self._error(at, cause, "a next value is a symbol of its own")
            owner = owners.setdefault(following, current)
            if owner is not current:
                raise self._error(at, f"{name_of(following)} is the next value of {name_of(owner)} and of {name_of(current)}")

    def _check_speaks(self, part: Part, what: str, forbidden: Sequence[Term]) -> None:
        foreign = set(forbidden)
        for v in variables([part.formula]):
            if v in foreign:
                kind = "a next value" if v in set(self._nexts.values()) else "an input"
                raise self._error(part.at, f"{what} speaks of {name_of(v)}, {kind}", "it is about one state")


def _listed(variables: Sequence[Term]) -> str:
    """The first names, and how many more there are."""
    names = [name_of(v)[:40] for v in variables[:_NAMED]]
    return ", ".join(names) + (f" and {len(variables) - _NAMED} more" if len(variables) > _NAMED else "")
