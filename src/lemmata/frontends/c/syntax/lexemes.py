"""``Lexemes``: the tokens of the parser, and where they are from."""

from __future__ import annotations

from dataclasses import field

from lemmata.values import dataclass


@dataclass(slots=True)
class Lexemes:
    """Kinds, values and offsets of the parser's tokens; ``text`` is what they say, ``origins`` are offsets in the sources."""

    kinds: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    text: str = ""
    names_functions: bool = False  # is __func__ among them?
    never_return: frozenset[str] = frozenset()  # functions that are declared so

    def declaration(self) -> int:
        """Where the declaration begins that is being read."""
        start = len(self.kinds)
        while start and self.kinds[start - 1] not in ("SEMI", "LBRACE", "RBRACE"):
            start -= 1
        return start

    def declared_function(self) -> str:
        """The function that this declaration declares: the first name before a parenthesis."""
        start = self.declaration()
        for kind, value, after in zip(self.kinds[start:], self.values[start:], self.kinds[start + 1 :], strict=False):
            if kind == "ID" and after == "LPAREN":
                return value
        return ""

    def respell(self, position: int, words: list[str]) -> None:
        """Keywords take the place of one."""
        self.kinds[position : position + 1] = [word.upper() for word in words]
        self.values[position : position + 1] = words
        self.starts[position : position + 1] = [self.starts[position]] * len(words)
        self.origins[position : position + 1] = [self.origins[position]] * len(words)
