"""``SpellingBook``: how the variables and objects of a translation are written in C, for answers in C."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lemmata.frontends.c.types import ANONYMOUS, ArrayType, BitField, CType, DataModel, Integer, Structure
from lemmata.frontends.programs.spelling import Spelling
from lemmata.frontends.programs.tree import Variable
from lemmata.models.code import CodeObject, CodeSource, CodeVariable

_NAMED_LEAVES = 64  # leaves of an object that are named one by one


class SpellingBook:
    """Filled while a program is translated; without ``is_exact`` numbers have no ranges."""

    def __init__(self, data: DataModel, is_exact: bool) -> None:
        self._data = data
        self._is_exact = is_exact
        self._variables: dict[Variable, CodeVariable] = {}
        self._objects: dict[int, CodeObject] = {}

    def leaf(
        self, variables: Sequence[Variable], text: str, kind: CType, function: str, depth: int = 0, is_parameter: bool = False
    ) -> None:
        """The variables of one leaf: an integer, or base and offset of a pointer; ``depth`` indices lead there."""
        if isinstance(kind, Integer | BitField):
            low, high = (kind.least, kind.most) if self._is_exact else (None, None)
            name = kind.name if isinstance(kind, Integer) else kind.type.name
            found = CodeVariable(text, name, function, low, high, is_parameter, depth > 0, variables[0].at)
            self._variables[variables[0]] = found
            return
        for variable, part in zip(variables, ("base", "offset"), strict=False):
            self._variables[variable] = CodeVariable(text, part, function, None, None, is_parameter, depth > 0, variable.at)

    def memory(self, variable: Variable, kind: CType) -> None:
        """A memory of ours."""
        if isinstance(kind, Integer):
            low, high = (kind.least, kind.most) if self._is_exact else (None, None)
            self._variables[variable] = CodeVariable(variable.name, "memory", "", low, high)

    def object(self, base: int, text: str, kind: CType) -> None:
        """An object in memory that is always there."""
        if isinstance(kind, ArrayType) and isinstance(kind.element, Integer):
            self._objects[base] = CodeObject(text, (), self._data.size(kind.element) or 0)
            return
        parts: list[tuple[int, str]] = []
        self._parts(kind, 0, "", parts)
        self._objects[base] = CodeObject(text, tuple(parts))

    def _parts(self, kind: CType, offset: int, text: str, parts: list[tuple[int, str]]) -> None:
        if len(parts) >= _NAMED_LEAVES:
            return
        match kind:
            case Structure(is_union=True):
                pass  # one place has several names
            case Structure(members=members):
                for name, member in members.items():
                    own = "" if name.startswith(ANONYMOUS) else f".{name}"
                    self._parts(member, offset + self._data.offset(kind, name), text + own, parts)
            case BitField():
                pass
            case ArrayType(element, length):
                size = self._data.size(element)
                for index in range(min(length or 0, _NAMED_LEAVES) if size else 0):
                    self._parts(element, offset + index * (size or 0), f"{text}[{index}]", parts)
            case _:
                parts.append((offset, text))

    def ended(self, variables: Sequence[Variable], until: int) -> None:
        """The block of these variables ends at an offset."""
        for variable in variables:
            if variable in self._variables:
                self._variables[variable] = replace(self._variables[variable], until=until)

    def spelling(self, notes: Sequence[str], source: CodeSource, placed: Iterable[int], refused: Mapping[int, str]) -> Spelling:
        """What was written down; ``placed`` and ``refused`` are claims of others."""
        return Spelling(self._variables, self._objects, tuple(notes), source, frozenset(placed), dict(refused))
