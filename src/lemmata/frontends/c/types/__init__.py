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

CHAR_BITS = 8  # bits of a byte


def _least(width: int, is_signed: bool) -> int:
    return -(1 << (width - 1)) if is_signed else 0


def _most(width: int, is_signed: bool) -> int:
    return (1 << (width - is_signed)) - 1


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
        return _least(self.width, self.is_signed)

    @property
    def most(self) -> int:
        """The largest value."""
        return _most(self.width, self.is_signed)

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
class Untyped(Void):
    """What ``malloc`` returns a pointer to: it has no type yet (6.5p6)."""

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


@dataclass(frozen=True, slots=True)
class BitField:
    """A member of ``width`` bits of an integer type (6.7.2.1p10), from bit ``shift`` of its first byte on."""

    type: Integer
    width: int
    shift: int = 0

    @property
    def is_signed(self) -> bool:
        """Has it a sign? A plain ``int`` has, as with gcc."""
        return self.type.is_signed

    @property
    def least(self) -> int:
        """The smallest value."""
        return _least(self.width, self.is_signed)

    @property
    def most(self) -> int:
        """The largest value."""
        return _most(self.width, self.is_signed)

    def __str__(self) -> str:
        return f"{self.type}:{self.width}"


@dataclass(eq=False, slots=True)
class Structure:
    """A structure or union, complete once it has ``members``; names of members without a name begin with ``#``."""

    name: str
    members: dict[str, CType] = field(default_factory=dict)
    is_complete: bool = False
    is_union: bool = False

    def __str__(self) -> str:
        return f"{'union' if self.is_union else 'struct'} {self.name}"

    def path(self, name: str) -> tuple[str, ...] | None:
        """The members that lead to ``name``: more than one through anonymous structures (6.7.2.1p13)."""
        if name in self.members:
            return (name,)
        for own, kind in self.members.items():
            if own.startswith(ANONYMOUS) and isinstance(kind, Structure):
                inner = kind.path(name)
                if inner is not None:
                    return (own, *inner)
        return None

    def initialized(self) -> list[str]:
        """The members that a list of initialisers is for (6.7.9p9, p17): of a union the first one."""
        names = [name for name in self.members if not name.startswith(PADDING)]
        return names[:1] if self.is_union else names


CType: TypeAlias = Integer | Floating | Void | Pointer | ArrayType | Signature | Structure | BitField
ANONYMOUS, PADDING = "#", "##"  # members that are structures without a name; bit-fields without a name

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
        self._long_double_alignment = 16 if is_64 else 4
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
                return self._layout(kind).size if kind.is_complete else None
            case BitField():
                return -(-(kind.shift + kind.width) // CHAR_BITS)
            case Void() | Signature():
                return 1  # as gcc has it
        return None

    def alignment(self, kind: CType, is_preferred: bool = False) -> int:
        """The alignment inside of structures; ``__alignof__`` tells the one elsewhere, which is preferred."""
        match kind:
            case ArrayType(element):
                return self.alignment(element, is_preferred)
            case Integer() | Floating() if is_preferred and self.size(kind) == 8:
                return 8
            case Structure(members=members):
                named = [m for name, m in members.items() if not name.startswith(PADDING)]
                return max([self.alignment(member) for member in named], default=1)
            case BitField(declared):
                return self.alignment(declared)
        return min(self.size(kind) or 1, self._long_double_alignment if kind == self.long_double else self._widest)

    def offset(self, kind: Structure, member: str) -> int:
        """Where a member begins, in bytes."""
        return self._layout(kind).bits[member] // CHAR_BITS

    def member(self, kind: Structure, name: str) -> CType:
        """The type of a member; a bit-field knows its first bit."""
        found = kind.members[name]
        if isinstance(found, BitField):
            return BitField(found.type, found.width, self._layout(kind).bits[name] % CHAR_BITS)
        return found

    def _layout(self, kind: Structure) -> _Layout:
        bits: dict[str, int] = {}
        at = end = 0
        for name, member in kind.members.items():
            size = self._bits(member, name == list(kind.members)[-1])
            if size is None:
                return _Layout(bits, None)
            unit = self.alignment(member) * CHAR_BITS
            if isinstance(member, BitField):  # within one unit of its type, as in the ABI of System V
                unit = member.type.width if member.type.width > 1 else CHAR_BITS
                unit = min(unit, self.alignment(member) * CHAR_BITS) if member.width == 0 else unit
                at = -(-at // unit) * unit if size == 0 or at // unit != (at + size - 1) // unit else at
            else:
                at = -(-at // unit) * unit
            bits[name] = at
            end = max(end, at + size)
            at = 0 if kind.is_union else at + size
        unit = self.alignment(kind) * CHAR_BITS
        return _Layout(bits, -(-end // unit) * unit // CHAR_BITS)

    def _bits(self, member: CType, is_last: bool) -> int | None:
        if isinstance(member, BitField):
            return member.width
        size = self.size(member)
        if size is None and is_last and isinstance(member, ArrayType):  # a flexible array member (6.7.2.1p18)
            size = 0
        return None if size is None else size * CHAR_BITS


@dataclass(frozen=True, slots=True)
class _Layout:
    """The first bits of the members, and the size in bytes."""

    bits: dict[str, int]
    size: int | None


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


def promoted_field(kind: BitField) -> Integer:
    """The same for a bit-field: its width decides, as with gcc, also where it is declared as ``long``."""
    return UINT if kind.width == C_INT.width and not kind.is_signed else C_INT


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
