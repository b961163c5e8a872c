"""``Script``: the commands of an SMT-LIB script, one at a time. What was read is not kept, so a script may be long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lemmata.errors import InputError, Place, Unsupported
from lemmata.logic.build import build
from lemmata.logic.smtlib.numerals import bits
from lemmata.logic.smtlib.operators import Construct
from lemmata.logic.smtlib.sexprs import TOKEN, Listing, Sexpr, SexprAtom, SexprText
from lemmata.logic.smtlib.term_reader import Binder, Note, TermReader
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term
from lemmata.values import dataclass

_MOST_BYTES = 1 << 26  # some 50 times as much memory is needed
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")  # where a line ends must be beyond doubt
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_REFUSED = {
    "declare-datatypes": "datatypes are not supported",
    "declare-datatype": "datatypes are not supported",
    "declare-sort": "sorts without a meaning are not supported",
    "define-fun-rec": "recursive functions are not supported",
    "define-funs-rec": "recursive functions are not supported",
}
_BEFORE_LOGIC = frozenset({"set-info", "set-option", "get-info", "get-option", "echo"})
_TAKES = {  # what commands take that mean nothing here, or little
    "check-sat": "nothing",
    "exit": "nothing",
    "get-model": "nothing",
    "get-proof": "nothing",
    "set-logic": "a symbol",
    "echo": "a string",
    "get-info": "a keyword",
    "set-info": "a keyword and at most one value",
    "set-option": "a keyword and at most one value",
}


@dataclass(frozen=True, slots=True)
class Declared:
    """``declare-const`` and ``declare-fun``; the scope knows the name already, as a variable or a function."""

    name: SexprAtom
    wants: tuple[Sort, ...]
    gives: Sort
    at: int


@dataclass(frozen=True, slots=True)
class Defined:
    """``define-fun`` and ``define-const``; the scope knows the name already, as a term or a macro."""

    name: SexprAtom
    parameters: tuple[Term, ...]
    body: Term
    notes: tuple[Note, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Asserted:
    """``assert``; ``notes`` are the annotations inside."""

    formula: Term
    notes: tuple[Note, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Other:
    """Any other command."""

    name: str
    items: tuple[Sexpr, ...]
    at: int


Command = Declared | Defined | Asserted | Other


class Script:
    """A script that is being read; ``reader.scope`` has what is declared and defined so far."""

    def __init__(self, data: bytes, file: str, construct: Construct = build, binder: Binder | None = None) -> None:
        self.text = SexprText(decoded(data, file), file)
        self.reader = TermReader(self.text, construct, binder)
        self._tokens = self.reader.tokens
        self._may_set_logic = True

    def commands(self) -> Iterator[Command]:
        """The commands in their order; a mistake is an ``InputError`` when its turn comes."""
        while (begin := self._tokens.find()) is not None:
            word, at = begin
            if word == ")":
                raise self.text.error(at, "this parenthesis was never opened")
            if word != "(":
                raise self.text.error(at, f"a command is wanted here, not '{word[:40]}'", "such as (assert FORMULA)")
            self._tokens.open_at = at
            command, command_at = self._tokens.take()
            self.reader.notes.clear()
            found = self._command(command, command_at, at)
            self._may_set_logic = self._may_set_logic and command in _BEFORE_LOGIC
            yield found

    def _command(self, word: str, word_at: int, at: int) -> Command:
        match word:
            case "assert":
                formula = self.reader.formula()
                self._end(word)
                return Asserted(formula, tuple(self.reader.notes), at)
            case "declare-const" | "declare-fun":
                return self._declare(word, at)
            case "define-const" | "define-fun":
                return self._define(word, at)
            case "(" | ")":
                raise self.text.error(word_at, "a command is wanted here", "such as (assert FORMULA)")
        if word in _REFUSED:
            raise self.text.unsupported(word_at, _REFUSED[word])
        command = Other(word, self._tokens.rest(), at)
        self._check_literals(command.items)
        self._check_takes(command)
        if word == "set-logic" and not self._may_set_logic:
            raise self.text.error(at, "'set-logic' comes once, before declarations, definitions and assertions")
        if word == "define-sort":
            self._define_sort(command)
        return command

    def _check_literals(self, items: tuple[Sexpr, ...]) -> None:
        """What stands in a command that means nothing here is SMT-LIB all the same."""
        stack = list(items)
        while stack:
            match stack.pop():
                case Listing(inner):
                    stack += inner
                case SexprAtom(text) as atom if text[0] == "#":
                    bits(self.reader.scope, atom)
                case SexprAtom(text, at) if text[0].isdigit() and not _NUMBER.fullmatch(text):
                    raise self.text.error(at, f"'{text[:40]}' is not a number", "a symbol may have bars around it: |4x|")

    def _check_takes(self, command: Other) -> None:
        wanted = _TAKES.get(command.name)
        match wanted, command.items:
            case (None, _) | ("nothing", ()):
                return
            case "a symbol", (SexprAtom() as atom,) if atom.is_symbol:
                return
            case "a string", (SexprAtom(text),) if text[0] == '"':
                return
            case "a keyword", (SexprAtom(text),) if text[0] == ":":
                return
            case "a keyword and at most one value", (SexprAtom(text),) | (SexprAtom(text), _) if text[0] == ":":
                return
        raise self.text.error(command.at, f"'{command.name}' takes {wanted}")

    def _end(self, word: str) -> None:
        at = self._tokens.ahead()
        if not self._tokens.close():
            raise self.text.error(at, f"'{word}' has one part too many")

    def _name(self) -> SexprAtom:
        node = self._tokens.node()
        self.reader.scope.checked(node)
        assert isinstance(node, SexprAtom)
        self.reader.scope.check_new(node)
        return node

    def _declare(self, word: str, at: int) -> Declared:
        scope = self.reader.scope
        name = self._name()
        wants: list[Sort] = []
        if word == "declare-fun":
            sorts = self._tokens.node()
            if not isinstance(sorts, Listing):
                raise self.text.error(sorts.at, "the sorts of the arguments are wanted here", "() if there are none")
            wants = [scope.sort(sort) for sort in sorts.items]
        gives = scope.sort(self._tokens.node())
        self._end(word)
        scope.declare(name, wants, gives)
        return Declared(name, tuple(wants), gives, at)

    def _define(self, word: str, at: int) -> Defined:
        scope = self.reader.scope
        name = self._name()
        parameters, body = self.reader.definition(name.name, has_parameters=word == "define-fun")
        self._end(word)
        if parameters:
            scope.define_macro(name, parameters, body)
        else:
            scope.define(name, body)
        return Defined(name, parameters, body, tuple(self.reader.notes), at)

    def _define_sort(self, command: Other) -> None:
        scope = self.reader.scope
        match command.items:
            case (SexprAtom(name) as atom, Listing(()), sort):
                if scope.checked(atom) in scope.sorts:
                    raise self.text.error(atom.at, f"there is a sort {name[:40]} already")
                scope.sorts[name] = scope.sort(sort)
            case _:
                raise self.text.unsupported(command.at, "sorts with parameters are not supported")


def decoded(data: bytes, file: str) -> str:
    """The text in ``data``, which must be UTF-8 without control characters, and ASCII but for bars, strings and comments."""
    if len(data) > _MOST_BYTES:
        raise Unsupported(Place(file), f"the file has {len(data) >> 20} MB", f"at most {_MOST_BYTES >> 20} MB are read")
    if (found := _CONTROL.search(data)) is not None:
        raise InputError(_place(data, file, found.start()), f"a control character (0x{data[found.start()]:02x}) stands here")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        cause = f"this is not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise InputError(_place(data, file, error.start), cause) from None
    for word in () if text.isascii() else TOKEN.finditer(text):
        if not word[0].isascii() and word[0][0] not in '|";':
            odd = next(at for at in range(word.start(), word.end()) if not text[at].isascii())
            raise SexprText(text, file).error(odd, f"'{text[odd]}' is in no symbol of SMT-LIB", "symbols in bars may have it")
    return text


def _place(data: bytes, file: str, at: int) -> Place:
    line = data.count(b"\n", 0, at) + 1
    before = data[data.rfind(b"\n", 0, at) + 1 : at]
    return Place(file, line, len(before.decode("utf-8", "replace")) + 1)
