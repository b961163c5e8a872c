"""``parse_horn``: goes through a script, keeps predicates and clauses, and makes a graph of them."""

from __future__ import annotations

from lemmata.errors import InputError, Place
from lemmata.frontends.horn.clauses import Cutter, HornClause, NotHorn, UnsupportedFormula, atoms_by_name, edge_of, location_of
from lemmata.frontends.skeleton import Skeleton
from lemmata.frontends.smtlib import Asserted, Declared, Defined, Other, Script
from lemmata.logic.smtlib.sexprs import SexprAtom
from lemmata.logic.smtlib.term_reader import Note
from lemmata.logic.sorts import BOOL
from lemmata.models.graph import Graph, GraphProperty, Location, Origin

_LOGICS = ("HORN", "ALL")
_SILENT = frozenset({"set-info", "set-option", "get-model", "get-proof", "get-info", "echo", "define-sort"})
_HINTS = frozenset({":named", ":pattern", ":no-pattern", ":weight", ":qid", ":skolemid"})  # no formula means another for them
_OLD = frozenset({"declare-rel", "declare-var", "rule", "query"})


def parse_horn(data: bytes, file: str) -> Graph:
    """The clauses in ``data``; whatever is wrong with them is an ``InputError`` with its place in ``file``."""
    return _Reader(data, file).graph()


class _Reader:
    """What has been read so far."""

    def __init__(self, data: bytes, file: str) -> None:
        self._file = file
        self._skeleton = Skeleton()
        self._script = Script(data, file, self._skeleton.construct, self._skeleton.bind)
        self._text = self._script.text
        self._cutter = Cutter(self._skeleton)
        self._predicates: list[tuple[Declared, int]] = []
        self._clauses: list[HornClause] = []
        self._is_asked = False

    def graph(self) -> Graph:
        """Read to the end."""
        is_empty = True
        for command in self._script.commands():
            is_empty = False
            if isinstance(command, Other) and command.name == "exit":
                break
            if isinstance(command, Asserted | Defined):
                self._check_notes(command.notes)
            self._take(command)
            self._skeleton.begin()
        if is_empty:
            raise InputError(
                Place(self._file, 1, 1), "there is no command in this file", "expected (set-logic HORN) and clauses"
            )
        if not self._is_asked:
            cause = "nothing is asked: there is no (check-sat)"
            raise self._text.error(len(self._text.text), cause, "is this the whole file? then write it at the end")
        return self._make()

    def _take(self, command: Asserted | Declared | Defined | Other) -> None:
        match command:
            case Asserted():
                self._assert(command)
            case Declared():
                self._declare(command)
            case Defined():
                if self._skeleton.has_quantifiers(command.body):
                    raise self._text.unsupported(command.at, "a quantifier in a definition is not supported")
            case Other("check-sat"):
                if self._is_asked:
                    raise self._text.unsupported(command.at, "a second (check-sat) is not supported", "one question per file")
                self._is_asked = True
            case Other("set-logic", (SexprAtom(logic),)):
                if logic not in _LOGICS:
                    cause = f"the logic of Horn clauses is HORN, not {logic[:40]}"
                    raise self._text.unsupported(command.at, cause, "Lemmata reads Horn clauses and VMT-LIB")
            case Other(name) if name in _OLD:
                raise self._text.unsupported(
                    command.at, f"'{name}' is not supported", "write (assert (forall … (=> body head)))"
                )
            case Other(name) if name not in _SILENT:
                raise self._text.unsupported(command.at, f"the command '{name[:40]}' is not supported here")

    def _check_notes(self, notes: tuple[Note, ...]) -> None:
        for note in notes:
            if note.key not in _HINTS:
                raise self._text.unsupported(note.at, f"the annotation '{note.key[:40]}' has no meaning in Horn clauses")

    def _declare(self, declared: Declared) -> None:
        name = declared.name
        if declared.gives is not BOOL:
            what = "function" if declared.wants else "constant"
            cause = f"the {what} '{name.text[:40]}' has no value of its own: only predicates are supported"
            raise self._text.unsupported(name.at, cause, "bind it with forall in every clause" if not declared.wants else "")
        if not declared.wants:
            self._script.reader.scope.names[name.text] = self._skeleton.proposition(name.name)
        self._predicates.append((declared, self._text.line(declared.at)))

    def _assert(self, asserted: Asserted) -> None:
        if self._is_asked:
            raise self._text.unsupported(
                asserted.at, "an assertion after (check-sat) is not supported", "one question per file"
            )
        try:
            self._clauses += self._cutter.clauses(asserted.formula, self._text.line(asserted.at))
        except NotHorn as error:
            raise self._text.error(asserted.at, str(error)) from None
        except UnsupportedFormula as error:
            raise self._text.unsupported(asserted.at, str(error)) from None

    def _make(self) -> Graph:
        names = [declared.name.name for declared, _ in self._predicates]
        positions = {name: position for position, name in enumerate(names)}
        atoms = atoms_by_name(self._clauses)
        locations = [
            location_of(declared.name.name, declared.wants, atoms.get(declared.name.name, ()), line)
            for declared, line in self._predicates
        ]
        error = len(locations)
        edges = tuple([edge_of(clause, positions, locations, error) for clause in self._clauses])
        return Graph((*locations, Location("false")), edges, (GraphProperty(0, "false", error),), Origin("horn"), self._file)
