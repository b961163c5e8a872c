"""What kind of script a file is, decided by commands and keywords: what a comment, a string or a symbol says does not count."""

from __future__ import annotations

from lemmata.errors import InputError
from lemmata.frontends.smtlib.script import decoded
from lemmata.logic.smtlib.sexprs import TOKEN, SexprText, Tokens

_COMMANDS = {"assert", "check-sat", "declare-const", "declare-datatype", "declare-datatypes", "declare-fun", "declare-sort"}
_COMMANDS |= {"define-const", "define-fun", "define-sort", "set-info", "set-logic", "set-option"}
VMT_KEYS = frozenset({":next", ":init", ":trans", ":invar-property", ":live-property"})


def is_script(head: bytes) -> bool:
    """Does a file that starts like this begin with a command of SMT-LIB? Comments may come first."""
    try:
        tokens = Tokens(SexprText(head.decode("utf-8-sig", "replace"), ""))
        begin, command = tokens.find(), tokens.find()
    except InputError:
        return False
    return begin is not None and command is not None and begin[0] == "(" and command[0] in _COMMANDS


def is_vmt(data: bytes, file: str) -> bool:
    """Does a script annotate terms as VMT-LIB does? What decides are keywords inside of commands, not letters."""
    return any(key.encode() in data for key in VMT_KEYS) and not VMT_KEYS.isdisjoint(annotation_keys(decoded(data, file)))


def annotation_keys(text: str) -> set[str]:
    """The keywords of the annotations ``(! TERM :KEYWORD …)`` in a script."""
    found: set[str] = set()
    opened: list[bool] = []  # parentheses; is it an annotation?
    is_first = False
    for match in TOKEN.finditer(text):
        word = match[0]
        if word[0] == ";":
            continue
        if word == "(":
            opened.append(False)
        elif word == ")":
            if opened:
                opened.pop()
        elif is_first and word == "!":
            opened[-1] = True
        elif word[0] == ":" and opened and opened[-1]:
            found.add(word)
        is_first = word == "("
    return found
