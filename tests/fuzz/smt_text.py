"""SMT-LIB text in all its legal shapes: symbols with and without bars, odd names, white space, comments, line ends.

A tree is a list of trees, or an atom: a ``Sym`` (spelled in some legal way each time) or a ``str`` (taken as it is).
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from tests.fuzz.smt_naive import RESERVED


class Sym(NamedTuple):
    """A symbol by its name, which bars are no part of."""

    name: str


Tree = Sym | str | list["Tree"]
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
COMMANDS = frozenset(
    [
        "assert",
        "check-sat",
        "declare-const",
        "declare-fun",
        "define-fun",
        "define-sort",
        "echo",
        "exit",
        "get-model",
        "pop",
        "push",
        "reset",
        "set-info",
        "set-logic",
        "set-option",
        "declare-sort",
        "get-value",
        "get-info",
        "get-option",
        "check-sat-assuming",
        "declare-datatype",
        "declare-datatypes",
        "define-fun-rec",
        "define-funs-rec",
        "get-assertions",
        "get-assignment",
        "get-proof",
        "get-unsat-assumptions",
        "get-unsat-core",
        "reset-assertions",
    ]
)
PLAIN = (
    "x",
    "y",
    "z",
    "a",
    "b",
    "n1",
    "v_2",
    "X",
    "next",
    "init",
    "trans",
    "main",
    "s.t",
    "x!1",
    "k@",
    "?q",
    "$",
    "%",
    "~",
    "&",
    "<>",
    "->",
    ".d",
    "=a",
    "x'",
)
ODD = (
    "5",
    "0",
    "05",
    "-5",
    "#x5",
    "#b1",
    "1.5",
    "let",
    "_",
    "!",
    "as",
    "forall",
    "exists",
    "par",
    "match",
    ":next",
    ":named",
    ":init",
    "; x",
    "",
    " ",
    "(",
    ")",
    "()",
    "a b",
    '"s"',
    '"',
    "two\nlines",
    "tab\tx",
    "é",
    "x'",
    "assert",
    "HORN",
    "NUMERAL",
    "(assert false)",
    "true ",
    "check-sat",
    "set-logic",
    "lambda",
    "x#",
    "[0]",
    "0x",
)
_COMMENTS = ("; |", '; "', "; (", "; )", ";;", ";", "; (set-logic HORN)", "; :next", "; |x|", ";é", "; (assert false)", ";\t")


def spelled(symbol: Sym, rng: Random) -> str:
    """One of the spellings of a symbol."""
    word = symbol.name
    is_simple = _SIMPLE.fullmatch(word) and word not in RESERVED and word not in COMMANDS and word != "lambda"  # 2.7
    return word if is_simple and rng.random() < 0.85 else f"|{word}|"


class Names:
    """Fresh names: plain ones, and odd ones as often as ``odd`` says."""

    def __init__(self, rng: Random, odd: float, used: tuple[str, ...] = ()) -> None:
        self._rng, self._odd = rng, odd
        self._used: set[str] = set(used)

    def fresh(self) -> Sym:
        """A name that nothing has yet."""
        word = self._rng.choice(ODD if self._rng.random() < self._odd else PLAIN)
        while word in self._used:
            word += self._rng.choice("0123456789")
        self._used.add(word)
        return Sym(word)


def written(commands: list[Tree], rng: Random) -> str:
    """The commands as text."""
    style = rng.choice(("plain", "plain", "tight", "wide", "odd", "odd"))
    end = "\r\n" if style == "odd" and rng.random() < 0.5 else "\n"
    words: list[str] = []
    for command in commands:
        _collect(command, rng, words)
        words.append(end)
    return _joined(words, style, rng, end)


def _collect(tree: Tree, rng: Random, words: list[str]) -> None:
    if isinstance(tree, list):
        words.append("(")
        for item in tree:
            _collect(item, rng, words)
        words.append(")")
    else:
        words.append(spelled(tree, rng) if isinstance(tree, Sym) else tree)


def _joined(words: list[str], style: str, rng: Random, end: str) -> str:
    result: list[str] = []
    before = ""
    for word in words:
        needed = before not in ("", "(", ")") and word not in ("(", ")") and not word.isspace() and not before.isspace()
        result.append(_space(style, needed, before, word, rng, end))
        result.append(word)
        before = word
    return "".join(result)


def _space(style: str, needed: bool, before: str, word: str, rng: Random, end: str) -> str:
    usual = " " if before not in ("", "(") and word != ")" and not word.isspace() and not before.isspace() else ""
    match style:
        case "tight":
            return " " if needed else ""
        case "wide":
            return rng.choice((" ", "  ", "\t", end))
        case "odd" if rng.random() < 0.08:
            return rng.choice((end, " ")) + rng.choice(_COMMENTS) + end
        case "odd" if rng.random() < 0.1:
            return rng.choice(("\t", end, "   ", " \t "))
    return usual
