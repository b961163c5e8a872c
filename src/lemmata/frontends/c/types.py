"""The types of C (C11 6.2.5) with their sizes in a data model (6.2.6, 6.5.3.4).

Values are frozen; a structure is known by identity, since its members may be declared after it is named (6.7.2.3).
``DataModel`` has widths as gcc has them for x86: ILP32 and LP64 differ in ``long`` and pointers, and in how eight bytes are
aligned inside of structures.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from lemmata.config import DataModelName
from lemmata.values import dataclass

CHAR_BITS = 8


@dataclass(frozen=True, slots=True)
class Integer:
    """A standard integer type; ``rank`` orders conversions (6.3.1.1). ``_Bool`` is one bit wide and stored in a byte."""

    name: str
    width: int
    is_signed: bool
    rank: int

    @property
    def least(self) -> int:
        """The smallest value."""
        return -(1 << (self.width - 1)) if self.is_signed else 0

    @property
    def most(self) -> int:
        """The largest value."""
        return (1 << (self.width - 1)) - 1 if self.is_signed else (1 << self.width) - 1

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Floating:
    """``float``, ``double``, ``long double``; of its values nothing is known."""

    name: str
    size: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Void:
    """``void``."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to ``target``."""

    target: CType

    def __str__(self) -> str:
        return f"{self.target}*"


@dataclass(frozen=True, slots=True)
class ArrayType:
    """``length`` elements; ``None`` where it is not known when the program is read (6.7.6.2)."""

    element: CType
    length: int | None

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


@dataclass(frozen=True, slots=True)
class Signature:
    """A function type; ``parameters`` is ``None`` for ``f()``, which says nothing of them (6.7.6.3)."""

    result: CType
    parameters: tuple[CType, ...] | None
    is_variadic: bool = False

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.parameters or ()))})"


@dataclass(eq=False, slots=True)
class Structure:
    """A structure, complete once it has ``members``."""

    name: str
    members: dict[str, CType] = field(default_factory=dict)
    is_complete: bool = False

    def __str__(self) -> str:
        return f"struct {self.name}"


CType: TypeAlias = Integer | Floating | Void | Pointer | ArrayType | Signature | Structure

VOID = Void()
C_BOOL = Integer("_Bool", 1, False, 0)
CHAR = Integer("char", 8, True, 1)
SCHAR = Integer("signed char", 8, True, 1)
UCHAR = Integer("unsigned char", 8, False, 1)
SHORT = Integer("short", 16, True, 2)
USHORT = Integer("unsigned short", 16, False, 2)
C_INT = Integer("int", 32, True, 3)
UINT = Integer("unsigned int", 32, False, 3)
LLONG = Integer("long long", 64, True, 5)
ULLONG = Integer("unsigned long long", 64, False, 5)
INT128 = Integer("__int128", 128, True, 6)
UINT128 = Integer("unsigned __int128", 128, False, 6)
FLOAT, DOUBLE = Floating("float", 4), Floating("double", 8)


class DataModel:
    """Types whose size depends on the machine, and the sizes of all types."""

    def __init__(self, name: DataModelName) -> None:
        is_64 = name == "LP64"
        width = 64 if is_64 else 32
        self.long = Integer("long", width, True, 4)
        self.ulong = Integer("unsigned long", width, False, 4)
        self.size_t = self.ulong if is_64 else UINT
        self.ptrdiff = self.long if is_64 else C_INT
        self._pointer = width // CHAR_BITS
        self._widest = 8 if is_64 else 4  # alignment inside of structures
        self.long_double = Floating("long double", 16 if is_64 else 12)
        self._words = _words(self.long, self.ulong, self.long_double)

    def named(self, words: tuple[str, ...]) -> CType | None:
        """The type that specifiers name, in any order (6.7.2p2)."""
        return self._words.get(tuple(sorted(words)))

    def size(self, kind: CType) -> int | None:
        """``sizeof`` in bytes; ``None`` where the type has no size that is known."""
        match kind:
            case Integer(width=width):
                return max(1, width // CHAR_BITS)
            case Floating(size=size):
                return size
            case Pointer():
                return self._pointer
            case ArrayType(element, length):
                each = self.size(element)
                return None if each is None or length is None else each * length
            case Structure():
                return self._layout(kind)[1] if kind.is_complete else None
            case Void() | Signature():
                return 1  # as gcc has it
        return None

    def alignment(self, kind: CType) -> int:
        """The alignment inside of structures."""
        match kind:
            case ArrayType(element):
                return self.alignment(element)
            case Structure(members=members):
                return max([self.alignment(member) for member in members.values()], default=1)
        return min(self.size(kind) or 1, self._widest if not isinstance(kind, Floating) or kind.size <= 8 else 16)

    def offset(self, kind: Structure, member: str) -> int:
        """Where a member begins, in bytes."""
        return self._layout(kind)[0][member]

    def _layout(self, kind: Structure) -> tuple[dict[str, int], int | None]:
        offsets: dict[str, int] = {}
        at = 0
        for name, member in kind.members.items():
            alignment = self.alignment(member)
            at = -(-at // alignment) * alignment
            offsets[name] = at
            size = self.size(member)
            if size is None:
                if isinstance(member, ArrayType) and name == list(kind.members)[-1]:  # a flexible array member (6.7.2.1p18)
                    size = 0
                else:
                    return offsets, None
            at += size
        alignment = self.alignment(kind)
        return offsets, -(-at // alignment) * alignment


def _words(long: Integer, ulong: Integer, long_double: Floating) -> dict[tuple[str, ...], CType]:
    spelled: dict[str, CType] = {
        "void": VOID,
        "_Bool": C_BOOL,
        "char": CHAR,
        "signed char": SCHAR,
        "unsigned char": UCHAR,
        "float": FLOAT,
        "double": DOUBLE,
        "long double": long_double,
        "__int128": INT128,
        "signed __int128": INT128,
        "unsigned __int128": UINT128,
    }
    for signed, unsigned, texts in (
        (SHORT, USHORT, ("short", "short int")),
        (C_INT, UINT, ("int", "")),
        (long, ulong, ("long", "long int")),
        (LLONG, ULLONG, ("long long", "long long int")),
    ):
        for text in texts:
            if text:
                spelled[text] = signed
            spelled[f"signed {text}"] = signed
            spelled[f"unsigned {text}"] = unsigned
    return {tuple(sorted(text.split())): kind for text, kind in spelled.items()}


def promoted(kind: Integer) -> Integer:
    """Integer promotion (6.3.1.1p2): what ``int`` can hold becomes ``int``."""
    return C_INT if kind.rank < C_INT.rank else kind


def common(a: Integer, b: Integer, data: DataModel) -> Integer:
    """The usual arithmetic conversions (6.3.1.8)."""
    a, b = promoted(a), promoted(b)
    if a.is_signed == b.is_signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.is_signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.width > unsigned.width:
        return signed
    return unsigned_of(signed, data)


def unsigned_of(kind: Integer, data: DataModel) -> Integer:
    """The unsigned type that corresponds to a signed one."""
    for signed, unsigned in (
        (C_INT, UINT),
        (data.long, data.ulong),
        (LLONG, ULLONG),
        (SHORT, USHORT),
        (CHAR, UCHAR),
        (SCHAR, UCHAR),
        (INT128, UINT128),
    ):
        if kind == signed:
            return unsigned
    return kind
