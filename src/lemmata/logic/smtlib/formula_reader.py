"""Formulas over known variables: what ``lemmata check --certificate FILE.smt2`` writes, declarations and assertions.

``term_reader`` reads the terms; whole scripts, where declarations are news, are read by ``frontends.smtlib``.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.logic.smtlib.sexprs import Listing, SexprAtom, SexprText, spelled
from lemmata.logic.smtlib.term_reader import EXISTS, FORALL, Binder, Note, TermReader
from lemmata.logic.smtlib.writer import symbol
from lemmata.logic.terms import Term, name_of

__all__ = ["EXISTS", "FORALL", "Binder", "Note", "TermReader", "read_formulas"]

_IGNORED = frozenset({"set-logic", "set-info", "set-option", "check-sat", "get-model"})


def read_formulas(text: str, file: str, variables: Iterable[Term]) -> list[Term]:
    """The assertions of a script over known ``variables``; a declaration must agree with them. Else ``InputError``."""
    return _Formulas(TermReader(SexprText(text, file)), variables).read()


class _Formulas:
    """The commands of a script."""

    def __init__(self, reader: TermReader, variables: Iterable[Term]) -> None:
        self._reader = reader
        self._tokens = reader.tokens
        self._found: list[Term] = []
        reader.scope.names.update((spelled(symbol(name_of(v))), v) for v in variables)

    def read(self) -> list[Term]:
        """What is asserted."""
        while (begin := self._tokens.find()) is not None:
            word, at = begin
            if word == ")":
                raise self._reader.text.error(at, "this parenthesis was never opened")
            self._tokens.open_at = at
            command = self._tokens.take()[0] if word == "(" else ""
            if command == "exit":
                break
            if not self._is_command(command):
                raise self._reader.text.error(at, "this is not understood", "write declarations and (assert FORMULA)")
        return self._found

    def _is_command(self, word: str) -> bool:
        """Read the rest of a command, if it is one."""
        if word == "assert":
            self._found.append(self._reader.formula())
        elif word == "define-fun":
            return self._is_definition()
        elif not word:
            return False
        else:
            rest = self._tokens.node_from("(", self._tokens.open_at or 0)
            return word in _IGNORED or (isinstance(rest, Listing) and self._is_declaration(word, rest))
        return self._tokens.close()

    def _is_declaration(self, word: str, rest: Listing) -> bool:
        scope = self._reader.scope
        match word, rest.items:
            case ("declare-const", (SexprAtom() as name, sort)) | ("declare-fun", (SexprAtom() as name, Listing(()), sort)):
                known = scope.lookup(name)
                if known.sort is not (declared := scope.sort(sort)):
                    cause = f"the model has {name.name} as a {known.sort}, not as a {declared}"
                    raise self._reader.text.error(sort.at, cause)
                return True
        return False

    def _is_definition(self) -> bool:
        name = self._tokens.node()
        if not isinstance(name, SexprAtom):
            return False
        self._reader.scope.check_new(name)
        parameters, body = self._reader.definition(name.name)
        if parameters:
            self._reader.scope.define_macro(name, parameters, body)
        else:
            self._reader.scope.define(name, body)
        return self._tokens.close()
