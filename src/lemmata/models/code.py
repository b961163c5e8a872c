"""``Code``: what a program has beside its graph, in its own words: how variables are written, where things stand, who chose.

The graph of a program speaks of terms and locations. People look at lines, variables and calls. ``Code`` tells of every
location and edge where the source has it, of every variable of the graph how the source writes it, and of every arbitrary value
which call, or which declaration without a value, it comes from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from lemmata.errors import Place
from lemmata.logic.terms import Term
from lemmata.values import dataclass

Spot = tuple[int, int]  # line and column


@dataclass(frozen=True, slots=True)
class CodeVariable:
    """A variable of the graph, as the source writes it.

    ``kind`` is the name of an integer type, or what the variable has of something else: ``base`` and ``offset`` of a pointer,
    ``memory`` (by objects and bytes), ``length`` (bytes of objects). Values are between ``low`` and ``high``, where there is a
    range. It can be named from offset ``since`` of the text to offset ``until``. Variables that are in no source have no text.
    """

    text: str
    kind: str = "int"
    function: str = ""  # that it belongs to; empty for globals
    low: int | None = None
    high: int | None = None
    is_parameter: bool = False
    is_array: bool = False
    since: int = 0
    until: int | None = None


@dataclass(frozen=True, slots=True)
class CodeObject:
    """An object in memory: its name, and what is at its bytes: ``(4, ".next")``; with ``stride`` elements of so many bytes."""

    text: str
    parts: tuple[tuple[int, str], ...] = ()
    stride: int = 0

    def part(self, offset: int) -> str:
        """What the source calls the value at a byte."""
        if self.stride and offset % self.stride == 0:
            return f"{self.text}[{offset // self.stride}]"
        found = dict(self.parts).get(offset)
        return f"{self.text}{found}" if found is not None else f"{self.text} + {offset}"


@dataclass(frozen=True, slots=True)
class CodeChoice:
    """An input of an edge: the result of a call, or (``function`` is empty) a variable that is declared without a value."""

    input: Term
    place: Place
    function: str
    variable: str
    type: str
    is_signed: bool
    spot: Spot | None = None  # in the file as it is
    stride: int = 0  # where the value is a map from bytes: how far elements are apart
    is_array: bool = False


@dataclass(frozen=True, slots=True)
class CodeFunction:
    """A function that the program calls, and what it stands for when the program is compiled.

    ``role``: ``nondet`` returns arbitrary values, ``assume`` ends other runs, ``assert`` and ``error`` fail, ``stub`` does
    nothing. ``declaration`` is that of a definition; without ``is_declared`` the program does not declare it.
    """

    name: str
    role: str
    declaration: str
    result: str
    is_declared: bool = True


@dataclass(frozen=True, slots=True)
class CodeSource:
    """What has to be added to the text of a program in order to run it.

    ``errors`` are spots (line and column in the file as it is) of bodies of functions that must not be called, ``labels`` those
    of labels that must not be reached. ``parameters`` of the entry are types and names; ``externs`` are variables that the
    program declares only, with their types.
    """

    file: str
    functions: tuple[CodeFunction, ...] = ()
    names: tuple[str, ...] = ()  # that are written like variables and stand for arbitrary values
    errors: tuple[tuple[str, Spot], ...] = ()
    labels: tuple[Spot, ...] = ()
    entry: str = "main"
    parameters: tuple[tuple[str, str], ...] = ()
    has_main: bool = True
    externs: tuple[tuple[str, str], ...] = ()
    headers: tuple[str, ...] = ()  # that compilers do not have
    flags: str = ""
    data_model: str = "LP64"
    writers: tuple[str, ...] = ()  # functions without a definition that may write through pointers


@dataclass(frozen=True, slots=True)
class Code:
    """Locations and edges by their numbers; ``ats`` are the offsets of locations in the text, ``loops`` heads of loops."""

    variables: tuple[tuple[CodeVariable, ...], ...]  # of each location, in the order of its variables
    objects: Mapping[int, CodeObject]
    places: tuple[Place, ...]
    ats: tuple[int, ...]
    spots: tuple[Spot | None, ...]  # lines and columns in the file as it is, of locations
    paths: tuple[str, ...]  # of the locations: ``main``, or ``main:12/f`` in a copy of f for the call in line 12; errors: ""
    starts: frozenset[int]  # where functions begin that are no copies
    loops: frozenset[int]
    edges: tuple[Place, ...]
    choices: Mapping[int, tuple[CodeChoice, ...]]
    notes: tuple[str, ...] = ()  # what a reader of the verdict has to know
    source: CodeSource | None = None
    placed: frozenset[int] = frozenset()  # claims of others that have a place in the program, by number
    refused: Mapping[int, str] = field(default_factory=dict)  # those that are not understood, and why

    def function(self, location: int) -> str:
        """The function that a location belongs to."""
        return self.paths[location].rsplit("/", 1)[-1]

    def is_call(self, source: int, target: int) -> bool:
        """Does an edge between these locations enter a function?"""
        return target in self.starts or self.paths[target].startswith(f"{self.paths[source]}:")


@dataclass(frozen=True, slots=True)
class CodeCall:
    """A call that returned an arbitrary value, or (``function`` is empty) a variable that had no value."""

    place: Place
    function: str
    variable: str
    value: str

    def __str__(self) -> str:
        return f"{self.function}() = {self.value}" if self.function else f"{self.variable} = {self.value} without a value"

    def to_json(self) -> object:
        """``{"function", "variable", "value", "line"}``."""
        return {"function": self.function, "variable": self.variable, "value": self.value, "line": self.place.line}


@dataclass(frozen=True, slots=True)
class CodeStep:
    """Some lines of one function that were executed in a row; what changed, and what was chosen there."""

    function: str
    places: tuple[Place, ...]
    changed: tuple[tuple[str, str], ...] = ()
    calls: tuple[CodeCall, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        lines = [str(place.line) for place in self.places]
        if len(lines) > _LINES:
            lines = [*lines[: _LINES - 1], f"… {lines[-1]}"]
        names = {call.variable for call in self.calls if not call.function}
        told = [*[f"{name} = {value}" for name, value in self.changed if name not in names], *map(str, self.calls)]
        told += [self.note] if self.note else []
        return f"{self.places[-1].file}:{', '.join(lines)} {self.function}: {', '.join(told)}".rstrip(": ")

    def to_json(self) -> object:
        """``{"file", "function", "lines", "changed": {name: value}, "calls", "note"}``."""
        return {
            "file": self.places[-1].file,
            "function": self.function,
            "lines": [place.line for place in self.places],
            "changed": dict(self.changed),
            "calls": [call.to_json() for call in self.calls],
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class CodeClaim:
    """What holds at a place of the source, as expressions of its language.

    ``at`` is ``loop`` at the head of a loop, ``start`` and ``end`` at the borders of a function that is no copy, else empty.
    """

    place: Place
    function: str
    expressions: tuple[str, ...]
    at: str = ""
    others: tuple[str, ...] = ()  # what the language cannot say, in the notation of terms

    def lines(self) -> list[str]:
        """``file.c:12 main, loop: x <= y``, or a heading and its expressions."""
        head = f"{self.place.file}:{self.place.line} {self.function}{f', {self.at}' if self.at else ''}"
        told = [*self.expressions, *self.others]
        return [f"{head}: {told[0] if told else '1'}"] if len(told) < 2 else [f"{head}:", *[f"  {text}" for text in told]]

    def to_json(self) -> object:
        """``{"file", "line", "function", "at", "expressions", "others"}``."""
        return {
            "file": self.place.file,
            "line": self.place.line,
            "function": self.function,
            "at": self.at,
            "expressions": list(self.expressions),
            "others": list(self.others),
        }


_LINES = 6  # of a step that are shown one by one
