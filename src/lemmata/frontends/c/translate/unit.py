"""``Unit``: what all parts of the translation of one file share: options, types, names, the tree in the making.

A file may be translated several times. Each time tells what it would have needed (``Demands``): variables whose address is
taken live in memory, a bit operation without a form over integers wants words. With these the next time begins; demands only
grow, so that comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from lemmata.config import COptions
from lemmata.errors import InputError, Unsupported
from lemmata.frontends.c.evidence.spelling import SpellingBook
from lemmata.frontends.c.operators.arithmetic import CArithmetic, IntegerArithmetic, UnboundedArithmetic, WordArithmetic
from lemmata.frontends.c.properties import Asked
from lemmata.frontends.c.sequencing.ordering import Ordering, Orders
from lemmata.frontends.c.sequencing.unsequenced import Sequencing
from lemmata.frontends.c.syntax.parser import Node, Offsets
from lemmata.frontends.c.syntax.text import CText
from lemmata.frontends.c.translate.tree_builder import TRUTH, TreeBuilder, both, map_type
from lemmata.frontends.c.types import (
    ANONYMOUS,
    C_INT,
    PADDING,
    UCHAR,
    VOID,
    ArrayType,
    BitField,
    CType,
    DataModel,
    Integer,
    Pointer,
    Signature,
    Structure,
)
from lemmata.frontends.programs.tree import Choice, Expression, Havoc, MapType, Name, Procedure, Statement, Type, Variable
from lemmata.values import dataclass

Path = tuple[str, ...]
BYTES, TAGS, POINTERS = "#bytes", "#tags", "#pointers"  # the leaves of a union: all that its bytes are
_COPIED_ELEMENTS = 2048  # elements of an object that are copied one by one


@dataclass(frozen=True, slots=True)
class SubObject:
    """One element of an object: the members and indices that lead there, and its first byte."""

    path: Path
    indices: tuple[int, ...]
    offset: int
    type: CType


@dataclass(slots=True)
class Demands:
    """What a translation needs to know from the start."""

    addressed: set[int] = field(default_factory=set)  # declarations, by identity, of objects that live in memory
    merges_signs: bool = False  # signed and unsigned integers of one width share a memory
    needs_words: bool = False
    has_bytes: bool = False  # integers are in memory byte by byte, since objects are read with several types
    has_tags: bool = False  # bytes tell what they are part of, since some are parts of pointers or of floating-point numbers
    memories: dict[str, CType] = field(default_factory=dict)  # by name, with a type of which they have the values
    objects: int = 0  # that are always there
    strings: int = 0  # literals among them, which have the first numbers: nobody may write there
    constants: int = 0  # objects that are declared const, which have the next numbers: nobody may write there, either
    casts_functions: bool = False  # a pointer to a function becomes one of another type
    falling: set[str] = field(default_factory=set)  # functions that may end without a value, although they have a type
    has_automatic: bool = False  # objects of blocks get their numbers while the program runs
    orders: dict[int, Orders] = field(default_factory=dict)  # of operands, by the node that has them

    @property
    def read_only(self) -> int:
        """The last number of an object that nobody may write to."""
        return self.strings + self.constants

    def size(self) -> tuple[int, ...]:
        """Grows while there are new demands, but for ``objects``, which comes to rest with the others."""
        flags = (self.merges_signs, self.needs_words, self.has_bytes, self.has_tags, self.has_automatic, self.casts_functions)
        sets = (len(self.addressed), len(self.memories), len(self.falling))
        orders = sum(own.size() for own in self.orders.values())
        return *sets, self.objects, self.strings, self.constants, orders, *map(int, flags)


@dataclass(eq=False, slots=True)
class ObjectStorage:
    """An object: variables for its leaves, or (``base``) a place in memory."""

    key: int
    type: CType
    leaves: dict[Path, tuple[Variable, ...]] = field(default_factory=dict)
    bounds: tuple[Expression, ...] = ()  # of an array whose length is computed, by dimension
    base: Expression | None = None
    is_const: bool = False  # by its declaration


@dataclass(eq=False, slots=True)
class GlobalObject:
    """An object that lives as long as the program; its storage is made when it is used first."""

    name: str
    type: CType
    node: Node
    initial: Node | None = None
    scope: Scope | None = None
    storage: ObjectStorage | None = None
    is_extern: bool = False  # declared only: its value is arbitrary


@dataclass(frozen=True, slots=True)
class EnumConstant:
    """A name for a number; one that ``int`` does not have is of another type, as with gcc."""

    value: int
    type: Integer = C_INT


@dataclass(frozen=True, slots=True)
class TypeName:
    """A ``typedef``."""

    type: CType
    is_const: bool = False


@dataclass(eq=False, slots=True)
class FunctionName:
    """A function, with its definition if the file has one."""

    name: str
    type: Signature
    definition: Node | None = None
    declared: Node | None = None


Symbol = ObjectStorage | GlobalObject | EnumConstant | TypeName | FunctionName


class Scope:
    """Names of a block and of those around it (6.2.1); tags have a space of their own (6.2.3)."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Symbol] = {}
        self.tags: dict[str, CType] = {}

    def find(self, name: str) -> Symbol | None:
        """What the name stands for here."""
        return next((scope.names[name] for scope in self._outwards() if name in scope.names), None)

    def tag(self, name: str) -> CType | None:
        """The structure or enumeration of that name."""
        return next((scope.tags[name] for scope in self._outwards() if name in scope.tags), None)

    def _outwards(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Body:
    """The statements of one procedure in the making, all at one level: control is by labels."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.statements: list[Statement] = []
        self.variables: list[Variable] = []
        self._labels = 0

    def label(self, hint: str) -> str:
        """A new label."""
        self._labels += 1
        return f"{hint}#{self._labels}"


class TranslationUnit:
    """One translation of one file."""

    def __init__(self, text: CText, options: COptions, wanted: Asked, demands: Demands) -> None:
        self.text = text
        self.options = options
        self.wanted = wanted
        self.demands = demands
        self.data = DataModel(options.data_model)
        self.nodes = TreeBuilder()
        self.at = Offsets(text)
        self.arithmetic: CArithmetic = self._arithmetic()
        self.scope = Scope()
        self.functions: dict[str, FunctionName] = {}
        self.procedures: dict[str, Procedure] = {}
        self.globals: dict[str, Variable] = {}
        self.waiting: list[str] = []  # functions that are called and not translated yet
        self.begun: set[str] = set()
        self.used: list[GlobalObject] = []
        self.pointed: list[str] = []  # functions whose address is taken
        self.undefined: dict[str, bool] = {}  # functions that are called and not defined: is their result used?
        self.called: dict[str, str] = {}  # functions without a body of their own that counts: their roles
        self.free_names: dict[str, None] = {}  # that are written like variables and stand for arbitrary values
        self.error_labels: list[int] = []
        self.placed_claims: dict[int, tuple[int, str, int]] = {}
        self.refused_claims: dict[int, str] = {}
        self.externs: dict[str, GlobalObject] = {}  # that only functions declare
        self.recursive: set[str] = set()
        self.constant_members: dict[tuple[int, str], Structure] = {}  # that are declared const, by structure
        self.frees = False  # objects may end that pointers still point to
        self.sequencing = Sequencing()
        self.ordering = Ordering(self.nodes.names)
        self.spelling = SpellingBook(self.data, self.is_exact)
        self._bases = self._strings = self._constants = 0

    def _arithmetic(self) -> CArithmetic:
        if self.options.arithmetic == "unbounded":
            return UnboundedArithmetic(self.nodes)
        return WordArithmetic(self.nodes) if self.demands.needs_words else IntegerArithmetic(self.nodes)

    @property
    def is_exact(self) -> bool:
        """Do numbers have the widths of their types?"""
        return self.options.arithmetic == "exact"

    def error(self, node: Node | int, cause: str, remedy: str = "") -> InputError:
        """An error where the node is."""
        return self.text.error(node if isinstance(node, int) else self.at.of(node), cause, remedy)

    def unsupported(self, node: Node | int, cause: str, remedy: str = "") -> Unsupported:
        """The same for what is legal."""
        return self.text.unsupported(node if isinstance(node, int) else self.at.of(node), cause, remedy)

    # Sorts.

    @property
    def base_sort(self) -> Type:
        """Of the numbers of objects."""
        return self.arithmetic.sort(C_INT)

    @property
    def offset_sort(self) -> Type:
        """Of bytes inside of objects, and of indices."""
        return self.arithmetic.sort(self.data.ptrdiff)

    def sorts(self, kind: CType) -> tuple[Type, ...]:
        """The types of the variables that a leaf needs."""
        match kind:
            case Integer():
                return (self.arithmetic.sort(kind),)
            case BitField(declared):
                return (self.arithmetic.sort(declared),)
            case Pointer():
                return (self.base_sort, self.offset_sort)
        return ()

    def leaves(self, kind: CType, path: Path = (), depth: int = 0) -> Iterator[tuple[Path, int, CType]]:
        """The leaves of a type: the members that lead there, the number of indices, the type. A union is an array of bytes."""
        match kind:
            case ArrayType(element):
                yield from self.leaves(element, path, depth + 1)
            case Structure(is_union=True):
                for name, leaf in self._union_leaves():
                    yield (*path, name), depth + 1, leaf
            case Structure(members=members):
                for name in members:
                    if not name.startswith(PADDING):
                        yield from self.leaves(self.data.member(kind, name), (*path, name), depth)
            case _:
                yield path, depth, kind

    def _union_leaves(self) -> list[tuple[str, CType]]:
        if not self.demands.has_tags:
            return [(BYTES, UCHAR)]
        return [(BYTES, UCHAR), (TAGS, UCHAR), (POINTERS, Pointer(VOID))]

    def parts(self, kind: CType, at: int) -> list[SubObject]:
        """All elements of an object whose size is known, which must not be too many."""
        found: list[SubObject] = []
        stack: list[SubObject] = [SubObject((), (), 0, kind)]
        while stack:
            part = stack.pop()
            inner = self._inner(part)
            if inner is None:
                found.append(part)
            elif len(found) + len(stack) + len(inner) > _COPIED_ELEMENTS:
                raise self.unsupported(at, f"an object of more than {_COPIED_ELEMENTS} elements is copied", "copy it in a loop")
            else:
                stack += reversed(inner)
        return found

    def _inner(self, part: SubObject) -> list[SubObject] | None:
        """The parts right below one, as far as there may be too many of them."""
        match part.type:
            case ArrayType(element, length):
                size = self.data.size(element) or 0
                indices = range(min(length or 0, _COPIED_ELEMENTS + 1))
                return [SubObject(part.path, (*part.indices, n), part.offset + n * size, element) for n in indices]
            case Structure(is_union=True) as union:
                return [
                    SubObject((*part.path, name), (*part.indices, n), part.offset + n, leaf)
                    for n in range(min(self.data.size(union) or 0, _COPIED_ELEMENTS + 1))
                    for name, leaf in self._union_leaves()
                ]
            case Structure(members=members) as struct:
                return [
                    SubObject((*part.path, name), part.indices, part.offset + self.data.offset(struct, name), member)
                    for name in members
                    if not name.startswith(PADDING)
                    for member in (self.data.member(struct, name),)
                ]
        return None

    def has_union(self, kind: CType) -> bool:
        """Is there a union in it? Such objects live in memory."""
        return any(BYTES in path for path, _, _ in self.leaves(kind))

    # Variables.

    def storage(self, at: int, key: int, name: str, kind: CType, body: Body | None, text: str = "") -> ObjectStorage:
        """Variables for all leaves of an object, global where there is no body; with ``key`` 0 it is none of the source."""
        storage = ObjectStorage(key, kind)
        for path, depth, leaf in self.leaves(kind):
            full = ".".join((name, *path))
            sorts = self.sorts(leaf)
            suffixes = ("",) if len(sorts) == 1 else (".base", ".offset")
            found = []
            for suffix, sort in zip(suffixes, sorts, strict=bool(sorts)):
                whole = map_type((self.offset_sort,) * depth, sort)
                found.append(self.variable(at, full + suffix, whole, body))
            storage.leaves[path] = tuple(found)
            if key:
                spelled = ".".join((text or name, *[part for part in path if not part.startswith(ANONYMOUS)]))
                self.spelling.leaf(found, spelled, leaf, "" if body is None else body.name, depth)
        return storage

    def variable(self, at: int, name: str, sort: Type, body: Body | None) -> Variable:
        """A variable, of a body or of the program."""
        if body is None:
            unique, number = name, 1
            while unique in self.globals:
                number += 1
                unique = f"{name}~{number}"
            variable = self.nodes.variable(at, "global", unique, sort)
            self.globals[unique] = variable
            return variable
        variable = self.nodes.variable(at, "local", name, sort)
        body.variables.append(variable)
        return variable

    def havoc(self, at: int, storage: ObjectStorage) -> Havoc | None:
        """All leaves of an object in variables get any value of their types."""
        names: list[Name] = []
        choices: list[Choice] = []
        condition: Expression = TRUTH
        for path, depth, leaf in self.leaves(storage.type):
            own = [self.nodes.name(variable) for variable in storage.leaves[path]]
            names += own
            if isinstance(leaf, Integer) and storage.key:
                choices.append(Choice(at, storage.leaves[path][0], "", leaf.name, leaf.is_signed, is_array=depth > 0))
            if isinstance(leaf, Integer | BitField) and depth == 0:
                condition = both(condition, self.within(own[0], leaf))
        return Havoc(at, tuple(names), None if condition is TRUTH else condition, tuple(choices)) if names else None

    def next_base(self) -> int:
        """The number of another object that is always there."""
        self._bases += 1
        return self.last_base

    def next_constant(self) -> int:
        """The number of another object that is always there and is declared ``const`` (6.7.3p6)."""
        self._constants += 1
        return self.demands.strings + self._constants

    def next_string(self) -> int:
        """The number of another string literal."""
        self._strings += 1
        return self._strings

    @property
    def last_base(self) -> int:
        """The largest number so far."""
        return self.demands.read_only + self._bases

    @property
    def string_count(self) -> int:
        """How many string literals there were."""
        return self._strings

    @property
    def constant_count(self) -> int:
        """How many objects were declared ``const``."""
        return self._constants

    def table(self, name: str, sort: Type) -> Variable:
        """A global of ours."""
        if name not in self.globals:
            self.globals[name] = self.nodes.variable(0, "global", name, sort)
        return self.globals[name]

    def within(self, term: Expression, kind: Integer | BitField) -> Expression:
        """Is the term a value of the type?"""
        if isinstance(kind, Integer):
            return self.arithmetic.within(term, kind)
        value = self.arithmetic.read(term, kind.type)
        low, high = (self.arithmetic.literal(number, kind.type) for number in (kind.least, kind.most))
        return both(self.arithmetic.compare("<=", low, value), self.arithmetic.compare("<=", value, high))

    def memory(self, kind: CType) -> tuple[Variable, ...]:
        """The memories that have the leaves of a type."""
        found: list[Variable] = []
        for name, sort in zip(self._memory_names(kind), self.sorts(kind), strict=False):
            sort = self.arithmetic.sort(UCHAR) if name == "memory.byte" else sort
            found.append(self.table(name, MapType((self.base_sort, self.offset_sort), sort)))
            self.demands.memories.setdefault(name, kind)
        if found and not self.demands.has_bytes and not isinstance(kind, BitField):
            self.spelling.memory(found[0], kind)
        return tuple(found)

    def _memory_names(self, kind: CType) -> tuple[str, ...]:
        if isinstance(kind, Pointer):
            return ("memory.base", "memory.offset")
        if self.demands.has_bytes and isinstance(kind, Integer | BitField):
            return ("memory.byte",)
        if isinstance(kind, BitField):
            sign = "" if kind.is_signed else "u"
            return (f"memory.{sign}bits{kind.width}.{kind.shift}",)
        if isinstance(kind, Integer):
            sign = "" if kind.is_signed or self.demands.merges_signs or kind.width == 1 else "u"
            return (f"memory.{'bool' if kind.width == 1 else f'{sign}int{kind.width}'}",)
        return ()

    def tags(self) -> Variable:
        """What bytes are parts of: 0 is an integer, n + 1 is byte n of a pointer, ``UNKNOWN_BYTE`` anything else."""
        self.demands.memories.setdefault("memory.tag", UCHAR)
        return self.table("memory.tag", MapType((self.base_sort, self.offset_sort), self.arithmetic.sort(UCHAR)))

    def raw(self, name: str) -> tuple[Variable, ...]:
        """The memories of one of the leaves of a union."""
        return (self.tags(),) if name == TAGS else self.memory(UCHAR if name == BYTES else Pointer(VOID))

    def all_memories(self) -> list[Variable]:
        """Every memory that this program has; those that an earlier translation found are among them."""
        found: dict[Variable, None] = {}
        for name, kind in list(self.demands.memories.items()):
            own = (self.tags(),) if name == "memory.tag" else self.memory(kind)
            found |= dict.fromkeys(own)
        return list(found)

    def lengths(self) -> Variable:
        """How many bytes objects have."""
        return self.table("memory.length", MapType((self.base_sort,), self.offset_sort))
