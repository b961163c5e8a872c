"""Names and what they stand for: the tables of a file, and the scopes of procedures, functions and quantifiers.

Variables and constants share one space of names; types, functions, procedures and labels have one each. A local name hides a
global one, a bound one hides both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import Variable


class _Declared(Protocol):
    """Whatever has a name and a place."""

    @property
    def at(self) -> int:
        """Where it is declared."""

    @property
    def name(self) -> str:
        """What it is called."""


_PLURALS = {"index": "indices"}
Some = TypeVar("Some", bound=_Declared)


def by_name(source: SourceText, what: str, declared: Iterable[Some]) -> dict[str, Some]:
    """A table of declarations; two of the same name are an error."""
    table: dict[str, Some] = {}
    for declaration in declared:
        first = table.setdefault(declaration.name, declaration)
        if first is not declaration:
            line = source.line(first.at)
            raise source.error(declaration.at, f"the {what} '{declaration.name}' is declared twice", f"first in line {line}")
    return table


class NameScope:
    """Some names, and the scope around them.

    ``what`` is written in errors; ``has_globals`` and ``has_old`` say whether expressions here may speak of states.
    """

    __slots__ = ("_outer", "has_globals", "has_old", "table", "what")

    def __init__(
        self,
        what: str,
        table: dict[str, Variable],
        outer: NameScope | None = None,
        has_globals: bool = True,
        has_old: bool = False,
    ) -> None:
        self.what = what
        self.table = table
        self._outer = outer
        self.has_globals = has_globals
        self.has_old = has_old

    def find(self, name: str) -> Variable | None:
        """The innermost variable of that name."""
        scope: NameScope | None = self
        while scope is not None:
            found = scope.table.get(name)
            if found is not None:
                return found
            scope = scope._outer
        return None

    def inside(self, source: SourceText, what: str, variables: Sequence[Variable], has_old: bool = False) -> NameScope:
        """A scope within this one, with more names."""
        named = [variable for variable in variables if variable.name]
        return NameScope(what, by_name(source, "name", named), self, self.has_globals, has_old)


def counted(count: int, what: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{count} {what}" if count == 1 else f"{count} {_PLURALS.get(what, what + 's')}"
