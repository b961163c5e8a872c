"""Macros that the preprocessor computes (C11 6.10.8.1): lines, files, counters, and ``defined`` in a condition."""

from __future__ import annotations

from lemmata.frontends.c.preprocessor.literals import as_literal
from lemmata.frontends.c.preprocessor.macros import CMacro
from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import NAME, NUMBER, STRING, CToken

NOT_MACROS = frozenset({"defined", "_Pragma", "__VA_ARGS__", "__VA_OPT__"})  # for #ifdef
_DATES = frozenset({"__DATE__", "__TIME__", "__TIMESTAMP__"})


class Specials:
    """``main`` is the name of the file that is translated; ``macros`` are those that are defined."""

    def __init__(self, sources: Sources, macros: dict[str, CMacro]) -> None:
        self._sources = sources
        self._macros = macros
        self._count = 0
        self.main = ""

    def computed(self, name: str, token: CToken, stack: list[CToken]) -> CToken:
        """What a macro becomes at a token; an operand is taken from the stack."""
        if name == "__LINE__":
            return CToken(NUMBER, str(self._sources.place(token.at).line), token.at, token.space)
        if name == "__FILE__":
            return _file_name(str(self._sources.place(token.at).file), token)
        if name == "__BASE_FILE__":
            return _file_name(self.main, token)
        if name == "__COUNTER__":
            self._count += 1
            return CToken(NUMBER, str(self._count - 1), token.at, token.space)
        if name == "defined":
            return CToken(NUMBER, str(int(self._is_defined(token, stack))), token.at, token.space)
        if name in _DATES:
            raise self._sources.unsupported(token.at, f"{name} depends on when the program is compiled")
        raise self._sources.error(token.at, f"{name} is for the replacement of macros with '...'")

    def _is_defined(self, token: CToken, stack: list[CToken]) -> bool:
        """6.10.1p1; the operand is not replaced."""
        operand = stack.pop() if stack else None
        is_enclosed = operand is not None and operand.text == "("
        if is_enclosed:
            operand = stack.pop() if stack else None
        if operand is None or operand.kind is not NAME or (is_enclosed and not (stack and stack.pop().text == ")")):
            raise self._sources.error(token.at, "'defined' needs a name")
        return operand.text in self._macros and operand.text not in NOT_MACROS


def _file_name(name: str, token: CToken) -> CToken:
    text = as_literal(list(name.encode("utf-8", "surrogateescape")))
    if name.isprintable():
        text = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return CToken(STRING, text, token.at, token.space)
