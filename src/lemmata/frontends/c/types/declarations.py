"""Declarations become types and names (C11 6.7)."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.unit import EnumConstant, Scope, TranslationUnit, TypeName
from lemmata.frontends.c.types import (
    ANONYMOUS,
    C_INT,
    LLONG,
    PADDING,
    UINT,
    ULLONG,
    ArrayType,
    BitField,
    CType,
    Integer,
    Pointer,
    Signature,
    Structure,
    Void,
)

_IGNORED = frozenset({"const", "volatile", "restrict", "inline", "_Atomic"})
Constant = Callable[[Node, Scope], int | None]


class DeclarationReader:
    """Reads types; ``constant`` evaluates constant expressions (6.6), ``kind`` tells the type of an expression."""

    def __init__(self, unit: TranslationUnit, constant: Constant, kind: Callable[[Node, Scope], CType]) -> None:
        self._unit = unit
        self._constant = constant
        self._kind = kind
        self._anonymous = 0
        self._structs: dict[int, Structure] = {}  # by the node that declares their members

    def type(self, node: Node, scope: Scope) -> CType:
        """The type that a declarator, a type name or a declaration has."""
        match kind_of(node):
            case "Decl" | "Typename" | "Typedef" | "TypeDecl":
                return self.type(node.type, scope)
            case "IdentifierType":
                return self._named(node, scope)
            case "PtrDecl":
                return Pointer(self.type(node.type, scope))
            case "ArrayDecl":
                return self._array(node, scope)
            case "FuncDecl":
                return self.signature(node, scope)
            case "Struct" | "Union":
                return self._struct(node, scope)
            case "Enum":
                return self._enum(node, scope)
            case "TypeOf":
                return self._type_of(node, scope)
        raise self._unit.unsupported(node, f"this kind of type ({kind_of(node)}) is not supported")

    def _named(self, node: Node, scope: Scope) -> CType:
        words = tuple([name for name in node.names if name not in _IGNORED])
        if len(words) == 1:
            symbol = scope.find(words[0])
            if isinstance(symbol, TypeName):
                return symbol.type
        found = self._unit.data.named(words) if words else C_INT
        if found is None:
            if "_Complex" in words:
                raise self._unit.unsupported(node, "complex numbers are not supported")
            raise self._unit.error(node, f"there is no type '{' '.join(words)}'")
        return found

    def _type_of(self, node: Node, scope: Scope) -> CType:
        """``typeof`` of GNU C: the type of an expression that is not evaluated, or the one that is named."""
        (part,) = node.parts
        kind = self.type(part, scope) if kind_of(part) == "Typename" else self._kind(part, scope)
        if isinstance(kind, BitField):
            raise self._unit.error(node, "a bit-field has no type of its own")
        if isinstance(kind, ArrayType) and self._unit.data.size(kind) is None:
            raise self._unit.unsupported(node, f"the size of {kind} is not known")
        return kind

    def _array(self, node: Node, scope: Scope) -> CType:
        element = self.type(node.type, scope)
        if node.dim is None:
            return ArrayType(element, None)
        length = self._constant(node.dim, scope)
        if length is not None and length < 0:
            raise self._unit.error(node.dim, f"an array cannot have {length} elements")
        return ArrayType(element, length)

    def signature(self, node: Node, scope: Scope) -> Signature:
        """A function's type; parameters that are arrays or functions are pointers (6.7.6.3p7)."""
        result = self.type(node.type, scope)
        if node.args is None:
            return Signature(result, None)
        parameters: list[CType] = []
        is_variadic = False
        for parameter in node.args.params:
            if kind_of(parameter) == "EllipsisParam":
                is_variadic = True
            elif kind_of(parameter) == "ID":
                raise self._unit.unsupported(
                    parameter, "definitions in the style of K&R are not supported", "declare types in the list of parameters"
                )
            else:
                parameters.append(self.parameter(parameter, scope))
        if len(parameters) == 1 and isinstance(parameters[0], Void):
            parameters = []
        return Signature(result, tuple(parameters), is_variadic)

    def parameter(self, node: Node, scope: Scope) -> CType:
        """The type of a parameter: an array is a pointer, however long it is said to be (6.7.6.3p7)."""
        declarator = node.type
        if kind_of(declarator) != "ArrayDecl":
            return adjusted(self.type(node, scope))
        inner = declarator.type
        while kind_of(inner) == "ArrayDecl":
            names = [part for part in descendants(inner.dim) if kind_of(part) == "ID"] if inner.dim is not None else []
            if any(not isinstance(scope.find(part.name), EnumConstant) for part in names):
                raise self._unit.unsupported(node, "a parameter is an array of arrays of variable length")
            inner = inner.type
        return Pointer(self.type(declarator.type, scope))

    def _struct(self, node: Node, scope: Scope) -> CType:
        if id(node) in self._structs:  # another declarator of the same declaration
            return self._structs[id(node)]
        name, is_union = node.name, kind_of(node) == "Union"
        if name is None:
            self._anonymous += 1
            name = f"#{self._anonymous}"
        known = scope.tags.get(name) if node.decls is not None else scope.tag(name)
        if known is None:
            known = scope.tags[name] = Structure(name, is_union=is_union)
        if not isinstance(known, Structure) or known.is_union != is_union:
            raise self._unit.error(node, f"'{name}' is no {'union' if is_union else 'struct'}")
        if node.decls is None:
            return known
        if known.is_complete:
            raise self._unit.error(node, f"the {'union' if is_union else 'struct'} '{name}' is declared twice")
        for declaration in node.decls:
            self._member(known, declaration, scope)
        known.is_complete = True
        self._structs[id(node)] = known
        return known

    def _member(self, struct: Structure, node: Node, scope: Scope) -> None:
        if kind_of(node) != "Decl":
            return
        kind = self.type(node, scope)
        if node.bitsize is not None:
            kind = self._bit_field(kind, node, scope)
        name = node.name
        if name is None:
            if not isinstance(kind, Structure | BitField):
                return
            name = f"{PADDING if isinstance(kind, BitField) else ANONYMOUS}{len(struct.members)}"
        if struct.path(name) is not None or (
            name.startswith(ANONYMOUS) and isinstance(kind, Structure) and any(struct.path(own) for own in kind.members)
        ):
            raise self._unit.error(node, f"the member '{name}' is declared twice")
        if isinstance(kind, Structure) and not kind.is_complete:
            raise self._unit.error(node, f"the struct '{kind.name}' of this member is not complete")
        struct.members[name] = kind
        if is_const(node, scope):
            self._unit.constant_members[id(struct), name] = struct

    def _bit_field(self, kind: CType, node: Node, scope: Scope) -> CType:
        """A member of so many bits (6.7.2.1p4)."""
        width = self._constant(node.bitsize, scope)
        if not isinstance(kind, Integer) or width is None or not 0 <= width <= kind.width:
            raise self._unit.error(node, "this is no width of a bit-field")
        if width == 0 and node.name is not None:
            raise self._unit.error(node, "a bit-field of no width has no name")
        if width > C_INT.width:
            raise self._unit.unsupported(node, f"bit-fields of more than {C_INT.width} bits are not supported")
        return BitField(kind, width)

    def _enum(self, node: Node, scope: Scope) -> CType:
        """Enumerators are ``int`` (6.4.4.3); the type is ``unsigned`` unless one is negative, as gcc has it.

        Enumerators that ``int`` does not have are of the enumeration's type, which is wide enough for all.
        """
        if node.values is None:
            known = scope.tag(node.name)
            if known is None:
                raise self._unit.error(node, f"there is no enum '{node.name}'")
            return known
        value, lowest, highest, wide = -1, 0, 0, {}
        for enumerator in node.values.enumerators:
            value += 1
            if enumerator.value is not None:
                given = self._constant(enumerator.value, scope)
                if given is None:
                    raise self._unit.error(enumerator, "the value of an enumerator must be a constant")
                value = given
            older = scope.names.get(enumerator.name)
            if older is not None and not (isinstance(older, EnumConstant) and older.value == value):
                raise self._unit.error(enumerator, f"'{enumerator.name}' is declared before as something else")
            lowest, highest = min(lowest, value), max(highest, value)
            own = C_INT if C_INT.least <= value <= C_INT.most else self._enum_type(min(0, value), value, enumerator)
            scope.names[enumerator.name] = EnumConstant(value, own)
            if own is not C_INT:
                wide[enumerator.name] = value
        kind = self._enum_type(lowest, highest, node)
        for name, value in wide.items():
            scope.names[name] = EnumConstant(value, kind)
        if node.name is not None:
            scope.tags[node.name] = kind
        return kind

    def _enum_type(self, lowest: int, highest: int, node: Node) -> Integer:
        """The first type that has all values, signed if one is negative."""
        data = self._unit.data
        for kind in (C_INT, data.long, LLONG) if lowest < 0 else (UINT, data.ulong, ULLONG):
            if kind.least <= lowest and highest <= kind.most:
                return kind
        raise self._unit.error(node, "no integer type has all values of this enumeration")


def adjusted(kind: CType) -> CType:
    """The type of a parameter."""
    match kind:
        case ArrayType(element):
            return Pointer(element)
        case Signature():
            return Pointer(kind)
    return kind


def points_to_const(declared: Node, position: int) -> bool:
    """Does a prototype promise not to write through a parameter (6.7.3p6)?"""
    kind: Node = getattr(declared, "type", None)
    if kind_of(kind) != "FuncDecl" or kind.args is None or position >= len(kind.args.params):
        return False
    parameter: Node = getattr(kind.args.params[position], "type", None)
    if kind_of(parameter) not in ("PtrDecl", "ArrayDecl"):
        return False
    return "const" in (getattr(parameter.type, "quals", None) or ())


def is_const(declared: Node, scope: Scope) -> bool:
    """Is the object itself declared ``const``, or the elements of an array (6.7.3p9), perhaps by a typedef?"""
    kind: Node = getattr(declared, "type", None)
    while kind_of(kind) == "ArrayDecl":
        kind = kind.type
    if kind_of(kind) in ("TypeDecl", "PtrDecl") and "const" in (kind.quals or ()):
        return True
    named: Node = kind.type if kind_of(kind) == "TypeDecl" else None
    words = [word for word in named.names if word not in _IGNORED] if kind_of(named) == "IdentifierType" else []
    symbol = scope.find(words[0]) if len(words) == 1 else None
    return isinstance(symbol, TypeName) and symbol.is_const


def type_name(node: Node, kind: CType, scope: Scope) -> TypeName:
    """What a ``typedef`` declares."""
    return TypeName(kind, is_const(node, scope))
