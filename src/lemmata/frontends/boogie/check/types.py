"""Types: synonyms are expanded, and names are looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lemmata.frontends.boogie.check.names import by_name, counted
from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import (
    BitVecType,
    MapType,
    NamedType,
    PlainType,
    StructType,
    Type,
    TypeDeclaration,
)

_BIT_VECTORS = re.compile(r"bv[0-9]+\Z")
_TYPE_DEPTH = 60  # of types within types, synonyms spelled out
_TYPE_NODES = 10_000  # of one type, synonyms spelled out


def type_text(kind: Type) -> str:
    """As Boogie writes it."""
    match kind:
        case PlainType(name):
            return name
        case BitVecType(width):
            return f"bv{width}"
        case NamedType(name, arguments):
            return " ".join([name, *[type_text(a) if _is_atom(a) else f"({type_text(a)})" for a in arguments]])
        case MapType(indices, element):
            return f"[{', '.join(map(type_text, indices))}]{type_text(element)}"
        case StructType(fields):
            return "{ " + ", ".join([f"{name} : {type_text(part)}" for name, part in fields]) + " }"


def _is_atom(kind: Type) -> bool:
    return isinstance(kind, PlainType | BitVecType) or (isinstance(kind, NamedType) and not kind.arguments)


class TypeTable:
    """The types that a file declares."""

    def __init__(self, source: SourceText, declarations: Sequence[TypeDeclaration]) -> None:
        self.has_structs = False  # whether any type was met that is, or has in it, a struct
        self._source = source
        self._declared = by_name(source, "type", declarations)
        self._known: dict[Type, Type] = {}
        self._size = 0
        for declaration in declarations:
            self._check(declaration)

    def expand(self, kind: Type) -> Type:
        """The type without synonyms."""
        if isinstance(kind, PlainType):
            return kind
        found = self._known.get(kind)
        if found is None:
            self._size = 0
            found = self._known[kind] = self._expand(kind, {}, 0, kind.at)
        return found

    def _check(self, declaration: TypeDeclaration) -> None:
        """A synonym must have a meaning, even if nobody uses it; the names of bit-vectors have theirs."""
        for name in (declaration.name, *declaration.parameters):
            if _BIT_VECTORS.match(name):
                raise self._source.error(declaration.at, f"the type '{name}' is one of bit-vectors: it needs another name")
        if len(set(declaration.parameters)) < len(declaration.parameters):
            raise self._source.error(declaration.at, f"two parameters of the type '{declaration.name}' have the same name")
        if declaration.synonym is not None:
            self._size = 0
            of: dict[str, Type] = {name: NamedType(name) for name in declaration.parameters}
            self._expand(declaration.synonym, of, 0, declaration.at)

    def _expand(self, kind: Type, of: Mapping[str, Type], depth: int, at: int) -> Type:
        """``of`` gives the meaning of type parameters, ``at`` is where the type is used."""
        self._size += 1
        if depth > _TYPE_DEPTH or self._size > _TYPE_NODES:
            raise self._source.unsupported(at, "this type is too large, or a synonym of itself")
        match kind:
            case MapType(indices, element):
                inner = tuple([self._expand(index, of, depth + 1, at) for index in indices])
                return MapType(inner, self._expand(element, of, depth + 1, at))
            case StructType(fields):
                self.check_fields(kind)
                return StructType(tuple([(name, self._expand(part, of, depth + 1, at)) for name, part in fields]))
            case NamedType(name, ()) if name in of:
                return of[name]
            case NamedType():
                return self._named(kind, of, depth, at)
        return kind

    def _named(self, kind: NamedType, of: Mapping[str, Type], depth: int, at: int) -> Type:
        declared = self._declared.get(kind.name)
        if declared is None:
            raise self._source.error(kind.at, f"there is no type '{kind.name}'")
        if len(declared.parameters) != len(kind.arguments):
            wanted = counted(len(declared.parameters), "argument")
            raise self._source.error(kind.at, f"the type '{kind.name}' takes {wanted}, not {len(kind.arguments)}")
        arguments = tuple([self._expand(argument, of, depth + 1, at) for argument in kind.arguments])
        if declared.synonym is None:
            return NamedType(kind.name, arguments)
        meanings = dict(zip(declared.parameters, arguments, strict=True))
        return self._expand(declared.synonym, meanings, depth + 1, at)

    def check_fields(self, kind: StructType) -> None:
        """No two fields may have the same name."""
        self.has_structs = True
        names = [name for name, _ in kind.fields]
        for name in names:
            if names.count(name) > 1:
                raise self._source.error(kind.at, f"the field '{name}' is declared twice")
