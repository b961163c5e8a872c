"""A place in the words of a file, from which the parsers read on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lemmata.errors import InputError
from lemmata.frontends.boogie.syntax.lexer import END, TokenText
from lemmata.frontends.programs.tree import Name

MOST_DIGITS = 4000
Item = TypeVar("Item")


class Cursor:
    """``kind`` is that of the next word, ``at`` its offset."""

    __slots__ = ("_kinds", "_offsets", "_position", "_texts", "at", "kind", "source")

    def __init__(self, words: TokenText) -> None:
        self.source = words.source
        self._kinds = words.kinds
        self._texts = words.texts
        self._offsets = words.offsets
        self._position = 0
        self.kind = self._kinds[0]
        self.at = self._offsets[0]

    @property
    def text(self) -> str:
        """The next word itself."""
        return self._texts[self._position]

    def ahead(self, distance: int = 1) -> str:
        """The kind of a word after the next one."""
        position = self._position + distance
        return self._kinds[position] if position < len(self._kinds) else END

    def skip(self) -> None:
        """Go on by one word, which is not the end."""
        self._position += 1
        self.kind = self._kinds[self._position]
        self.at = self._offsets[self._position]

    def take(self) -> str:
        """The next word, and go on."""
        text = self._texts[self._position]
        self.skip()
        return text

    def expect(self, kind: str) -> int:
        """Go on if the next word is of that kind; its offset."""
        at = self.at
        if self.kind != kind:
            raise self.unexpected(f"'{kind}'")
        self.skip()
        return at

    def skip_if(self, kind: str) -> bool:
        """Go on if the next word is of that kind; was it?"""
        if self.kind == kind:
            self.skip()
            return True
        return False

    def name(self, what: str = "a name") -> Name:
        """A name."""
        if self.kind != "name":
            raise self.unexpected(what)
        at = self.at
        return Name(at, self.take())

    def names(self, what: str = "a name") -> list[Name]:
        """One or more names with commas between them."""
        names = [self.name(what)]
        while self.skip_if(","):
            names.append(self.name(what))
        return names

    def listed(self, end: str, read: Callable[[], Item]) -> list[Item]:
        """Any number of things with commas between them, and the sign that ends the list."""
        items: list[Item] = []
        if self.kind != end:
            items.append(read())
            while self.skip_if(","):
                items.append(read())
        self.expect(end)
        return items

    def number(self) -> int:
        """A number without point."""
        if self.kind != "number":
            raise self.unexpected("a number")
        at = self.at
        return self.digits(at, self.take())

    def digits(self, at: int, digits: str) -> int:
        """The number that ``digits`` write."""
        if len(digits) > MOST_DIGITS:
            raise self.source.error(at, f"this number has {len(digits)} digits", f"at most {MOST_DIGITS} are read")
        return int(digits)

    def unexpected(self, wanted: str) -> InputError:
        """The next word is not what has to come here."""
        found = END if self.kind == END else f"'{self.text[:40]}'"
        return self.source.error(self.at, f"expected {wanted}, found {found}")
