"""VMT-LIB from the manual: which formulas are annotated, and how.

A scanner in the sense of SMT-LIB 2.6, section 3.1: every token has a kind, so that a symbol in bars, a string or a comment is
never taken for anything else; lines, and with them comments, end with a line feed or a carriage return. The text is taken
apart into nested lists only; what a formula means is for z3 to say. An annotated formula is handed on as text, together with
the definitions by ``let`` around it. There are files that never declare a next value of which they have nothing to say; it
has the sort of its state then.

What may stand in a file is what VMT-LIB has (declarations, definitions, options); ``GaveUp`` on all else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from lemmata.certify.reading.commands import is_taken
from lemmata.errors import CertificateError, GaveUp
from lemmata.values import dataclass

_SYMBOL = r"[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+"
_TOKENS = re.compile(
    r"(?P<space>[ \t\r\n]+|;[^\r\n]*)|(?P<open>\()|(?P<close>\))"
    rf'|(?P<string>"(?:[^"]|"")*")|(?P<quoted>\|[^|\\]*\|)|(?P<keyword>:{_SYMBOL})|(?P<literal>#{_SYMBOL}|[0-9][0-9.]*(?![^\s()";|]))'
    rf"|(?P<symbol>(?![0-9]){_SYMBOL})"
)
_KEPT = {"set-logic", "declare-fun", "declare-const", "declare-sort", "define-sort", "define-fun", "define-const"}
_SKIPPED = {"set-info", "set-option", "check-sat", "get-model", "echo"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the file; ``kind`` is symbol, quoted, keyword, literal or string."""

    kind: str
    text: str

    @property
    def name(self) -> str | None:
        """What a symbol is called: bars are not part of its name."""
        return {"symbol": self.text, "quoted": self.text[1:-1]}.get(self.kind)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class List:
    """What stands between parentheses."""

    items: tuple[Token | List, ...]

    def __str__(self) -> str:
        parts: list[str] = []
        stack: list[Token | List | str] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, List):
                parts.append("(")
                stack += [")", *reversed(item.items)]
            else:
                parts.append(str(item))
        return " ".join(parts)

    def head(self, *words: str) -> bool:
        """Does the list begin with one of these words?"""
        first = self.items[0] if self.items else None
        return isinstance(first, Token) and first.kind == "symbol" and first.text in words


@dataclass(frozen=True, slots=True)
class VmtText:
    """The commands that give names a meaning, and what is annotated: formulas as text, in the names of these commands."""

    commands: list[str] = field(default_factory=list)
    constants: dict[str, tuple[Token, str]] = field(default_factory=dict)  # declared without arguments: symbol and sort
    states: list[tuple[str, Token]] = field(default_factory=list)  # a term, its next value
    initial: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    properties: dict[int, list[str]] = field(default_factory=dict)


def scan_vmt(text: str) -> VmtText:
    """The parts of a VMT-LIB file."""
    found = VmtText()
    commands = list(_commands(text))
    for command in commands:
        if command.head("declare-fun", "declare-const"):
            symbol, sort = _constant(command)
            found.constants[str(symbol.name)] = symbol, sort
    for command in commands:
        for term, context in _annotated(command):
            _note(found, term, context)
        if not command.head("assert"):  # nothing is asserted but true; what is annotated in it counts
            found.commands.append(str(_plain(command, has_names=True)))
    return found


def _commands(text: str) -> Iterator[List]:
    """The commands that mean something, up to the end."""
    for command in _lists(text):
        if command.head("exit"):
            return
        if command.head("assert", *_KEPT):
            yield command
        elif not command.head(*_SKIPPED):
            raise GaveUp("incomplete")


def _lists(text: str) -> Iterator[List]:
    """What stands between parentheses, one by one."""
    stack: list[list[Token | List]] = []
    place = 0
    while place < len(text):
        match = _TOKENS.match(text, place)
        if match is None:
            raise GaveUp("incomplete")
        place, kind = match.end(), str(match.lastgroup)
        if kind == "open":
            stack.append([])
        elif kind == "close" and stack:
            done = List(tuple(stack.pop()))
            if stack:
                stack[-1].append(done)
            else:
                yield done
        elif kind != "space":
            if not stack or is_taken(match[0].encode()):
                raise GaveUp("incomplete")
            stack[-1].append(Token(kind, match[0]))
    if stack:
        raise GaveUp("incomplete")


def _constant(command: List) -> tuple[Token, str]:
    symbol = command.items[1]
    if not isinstance(symbol, Token) or symbol.name is None or (command.head("declare-fun") and command.items[2] != List(())):
        raise GaveUp("incomplete")  # functions without a meaning
    return symbol, str(command.items[-1])


_Context = tuple[str, ...]  # the bindings of the lets around, outermost first


def _annotated(command: List) -> Iterator[tuple[List, _Context]]:
    """All annotated terms, with the lets around them."""
    stack: list[tuple[Token | List, _Context]] = [(command, ())]
    while stack:
        term, context = stack.pop()
        if not isinstance(term, List):
            continue
        if term.head("!"):
            yield term, context
            stack.append((term.items[1], context))
        elif term.head("let") and len(term.items) == 3 and isinstance(bindings := term.items[1], List):
            stack.append((term.items[2], (*context, str(_plain(bindings)))))
            stack.append((bindings, context))
        else:
            stack += [(item, context) for item in term.items]


def _note(found: VmtText, term: List, context: _Context) -> None:
    keywords = [(n, item.text) for n, item in enumerate(term.items) if isinstance(item, Token) and item.kind == "keyword"]
    formula = str(_plain(term.items[1]))
    for bindings in reversed(context):
        formula = f"( let {bindings} {formula} )"
    for number, keyword in keywords:
        value = term.items[number + 1] if number + 1 < len(term.items) else None
        match keyword:
            case ":next":
                if not isinstance(value, Token) or value.name is None:
                    raise CertificateError("no symbol follows ':next'")
                _declare(found, value, term.items[1])
                found.states.append((formula, value))
            case ":init":
                found.initial.append(formula)
            case ":trans":
                found.steps.append(formula)
            case ":invar-property":
                if not isinstance(value, Token) or not value.text.isdecimal():
                    raise CertificateError("no number follows ':invar-property'")
                found.properties.setdefault(int(value.text), []).append(formula)


def _declare(found: VmtText, after: Token, state: Token | List) -> None:
    """A next value that was not declared gets the sort of its state."""
    if after.name in found.constants:
        return
    if not isinstance(state, Token) or state.name not in found.constants:
        raise GaveUp("incomplete")
    sort = found.constants[state.name][1]
    found.constants[str(after.name)] = after, sort
    found.commands.append(f"( declare-fun {after} ( ) {sort} )")


def _plain(term: Token | List, has_names: bool = False) -> Token | List:
    """The same without annotations, but for names where they are wanted: a name is given once."""
    if not isinstance(term, List):
        return term
    done: list[list[Token | List]] = [[]]
    stack: list[Token | List | None] = [term]
    while stack:
        item = stack.pop()
        if item is None:
            items = tuple(done.pop())
            done[-1].append(List(items))
        elif isinstance(item, List) and item.head("!") and not (has_names and Token("keyword", ":named") in item.items):
            stack.append(item.items[1])
        elif isinstance(item, List):
            done.append([])
            stack += [None, *reversed(item.items)]
        else:
            done[-1].append(item)
    return done[0][0]
