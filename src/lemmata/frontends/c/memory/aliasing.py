"""``Aliasing``: may an object be read with another type than it was written with (C11 6.5p7)?

Every conversion of a pointer is put down. One from ``T*`` to ``U*`` is harmless where both have the same leaves at the same
bytes: the same type, or nothing but leaves of one class (integers of one width, pointers). Through ``void *``, pointers to
incomplete types and functions that nobody defines anything that goes in may come out. All that is not harmless demands memory
byte by byte (``cells``); signed and unsigned integers of one width just share a memory. What ``malloc()`` returns has no type
before it is converted for the first time.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from lemmata.frontends.c.syntax.parser import Node
from lemmata.frontends.c.translate.unit import BYTES, TranslationUnit
from lemmata.frontends.c.types import (
    CHAR,
    ArrayType,
    BitField,
    CType,
    Floating,
    Integer,
    Pointer,
    Signature,
    Structure,
    Untyped,
    Void,
)
from lemmata.values import dataclass

AccessClass: TypeAlias = tuple[str, int]


@dataclass(slots=True)
class Aliasing:
    """The conversions of pointers in one translation."""

    unit: TranslationUnit
    _into: dict[CType, Node] = field(default_factory=dict)  # types that pointers to ``void`` were made of
    _out_of: dict[CType, Node] = field(default_factory=dict)  # types that pointers to ``void`` were made to

    _is_shared: bool = False  # something without a type is kept as a pointer to ``void``: all that comes out may be the same

    def converted(self, old: CType, new: CType, node: Node) -> None:
        """A pointer to ``old`` becomes one to ``new``."""
        old, new = _element(old), _element(new)
        if isinstance(old, Signature) or isinstance(new, Signature):
            self.unit.demands.casts_functions |= old != new
            return
        if isinstance(old, Untyped):
            if self.is_opaque(new) and not self._is_shared:
                self._is_shared = True
                for kind, place in list(self._out_of.items()):
                    self.goes_in(kind, place)
            return
        if self.is_opaque(old) or self.is_opaque(new):
            self.goes_in(old, node)
            self.comes_out(new, node)
        else:
            self._pair(old, new, node)

    def goes_in(self, kind: CType, node: Node) -> None:
        """A pointer to the type is handed over as a pointer to anything."""
        kind = _element(kind)
        if not self.is_opaque(kind) and not isinstance(kind, Signature) and kind not in self._into:
            self._into[kind] = node
            for other in self._out_of:
                self._pair(kind, other, node)

    def comes_out(self, kind: CType, node: Node) -> None:
        """A pointer to anything is taken for a pointer to the type."""
        kind = _element(kind)
        if not self.is_opaque(kind) and not isinstance(kind, Signature) and kind not in self._out_of:
            self._out_of[kind] = node
            if self._is_shared:
                self.goes_in(kind, node)
            for other in self._into:
                self._pair(other, kind, node)

    def moved(self, node: Node) -> None:
        """A pointer to ``void`` moves by bytes, as in GNU C."""
        self.goes_in(CHAR, node)
        self.comes_out(CHAR, node)

    def is_opaque(self, kind: CType) -> bool:
        """Does a pointer to it say nothing of what is there?"""
        return isinstance(kind, Void) or (isinstance(kind, Structure) and not kind.is_complete)

    def _pair(self, old: CType, new: CType, node: Node) -> None:
        if old == new or self.unit.demands.has_tags:
            return
        mine, other = self.uniform(old), self.uniform(new)
        if mine is None or mine != other:
            self.punned((old, new), node)
        elif self._signs(old) | self._signs(new) == {True, False}:
            self.unit.demands.merges_signs = True

    def punned(self, kinds: tuple[CType, ...], node: Node) -> None:
        """Objects of these types are read byte by byte."""
        unit = self.unit
        if not unit.is_exact:
            names = " as ".join(map(str, kinds))
            raise unit.unsupported(node, f"bytes of {names} have no meaning in unbounded arithmetic", "use --arithmetic exact")
        unit.demands.has_bytes = True
        if any(self._class(leaf)[0] != "integer" for kind in kinds for leaf in self._all_leaves(kind)):
            unit.demands.has_tags = True

    def uniform(self, kind: CType) -> AccessClass | None:
        """The class of all leaves of a type, where there is only one and they are whole."""
        classes = set()
        for path, _, leaf in self.unit.leaves(kind):
            if BYTES in path or isinstance(leaf, BitField):
                return None
            classes.add(self._class(leaf))
        return classes.pop() if len(classes) == 1 else None

    def _signs(self, kind: CType) -> set[bool]:
        return {leaf.is_signed for _, _, leaf in self.unit.leaves(kind) if isinstance(leaf, Integer)}

    def _class(self, leaf: CType) -> AccessClass:
        match leaf:
            case Integer(width=width):
                return "integer", width
            case BitField():
                return "integer", 0
            case Pointer():
                return "pointer", 0
            case Floating(size=size):
                return "floating", size
        return "other", 0

    def _all_leaves(self, kind: CType) -> list[CType]:
        """The leaves, also those of unions."""
        match kind:
            case ArrayType(element):
                return self._all_leaves(element)
            case Structure(members=members):
                return [leaf for member in members.values() for leaf in self._all_leaves(member)]
        return [kind]

    def reaches(self, kind: CType, seen: frozenset[int] = frozenset()) -> set[str]:
        """What a function may find that gets a pointer to the type: ``pointer``, ``function``, ``anything``, or just values."""
        found: set[str] = set()
        if self.is_opaque(kind):
            return {"anything"}
        if isinstance(kind, Signature):
            return {"function"}
        for leaf in self._all_leaves(kind):
            if isinstance(leaf, Pointer):
                found.add("pointer")
                target = _element(leaf.target)
                if id(target) not in seen:
                    found |= self.reaches(target, seen | {id(target)})
        return found


def _element(kind: CType) -> CType:
    while isinstance(kind, ArrayType):
        kind = kind.element
    return kind
