"""The netlist that Yosys wrote as JSON: one flat module of cells, ports and named nets, connected by numbered bits.

A bit is a number, or ``"0"``, ``"1"``, ``"x"``, ``"z"``. A net has a name that is public (the source has it) or not; several
nets may share bits. Where a cell or a net comes from is in its attribute ``src``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field

from lemmata.errors import Place
from lemmata.values import dataclass

Bit = int | str
REGISTER = "lemmata_register"  # the attribute of wires that are registers in the source
_SRC = re.compile(r"(?P<file>.*):(?P<line>\d+)\.(?P<column>\d+)-")
_INNER = re.compile(r"\$func\$|\$unnamed_block\$")  # copies that Yosys makes of functions and blocks
_CELL = re.compile(r"^  cell (?P<type>\S+) (?P<name>\S+)$(?P<body>.*?)^  end$", re.MULTILINE | re.DOTALL)
_CONNECT = re.compile(r"^    connect \\(?P<port>\w+) (?P<signal>.*)$", re.MULTILINE)
_PARAMETER = re.compile(r"^    parameter \\TRG_POLARITY (?P<value>\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Cell:
    """An instance of one of Yosys' own cells."""

    name: str
    type: str
    parameters: Mapping[str, str]
    ports: Mapping[str, list[Bit]]
    outputs: tuple[str, ...]
    place: Place | None

    def number(self, parameter: str) -> int:
        """A parameter as a natural number."""
        return int(self.parameters[parameter], 2)


@dataclass(frozen=True, slots=True)
class Net:
    """A named vector of bits; the numbers of the source start with ``offset``, at the highest bit if ``is_upward``."""

    name: str
    path: tuple[str, ...]
    bits: list[Bit]
    is_public: bool
    is_register: bool
    offset: int
    is_upward: bool
    init: str  # highest bit first, "x" where unknown, as far as it goes
    place: Place | None

    def part(self, low: int, high: int) -> str:
        """The name of some of its bits."""
        if low == 0 and high == len(self.bits) - 1:
            return self.name
        first, last = (len(self.bits) - 1 - k if self.is_upward else k for k in (high, low))
        first, last = first + self.offset, last + self.offset
        return f"{self.name}[{first}]" if first == last else f"{self.name}[{first}:{last}]"


@dataclass(frozen=True, slots=True)
class Trigger:
    """What an assertion is clocked by."""

    signal: str
    is_rising: bool


@dataclass(frozen=True, slots=True)
class Module:
    """The flat design; ``stored`` names what a flip-flop held before it was made synchronous, by its cell."""

    name: str
    inputs: Mapping[str, list[Bit]]
    cells: tuple[Cell, ...]
    nets: tuple[Net, ...]
    stored: Mapping[str, str] = field(default_factory=dict)
    triggers: tuple[Trigger, ...] = ()


def place_of(attributes: Mapping[str, str]) -> Place | None:
    """Where the source has it."""
    found = _SRC.match(attributes.get("src", ""))
    return Place(found["file"], int(found["line"]), int(found["column"])) if found else None


def read_module(data: bytes, before: str) -> Module:
    """The one module of the design; ``before`` has cells in RTLIL, as they were before clocks were made implicit."""
    modules = json.loads(data.decode("utf-8", "surrogateescape"))["modules"]
    name, module = next(
        (pair for pair in modules.items() if "top" in pair[1].get("attributes", {})), next(iter(modules.items()))
    )
    inputs = {port: entry["bits"] for port, entry in module["ports"].items() if entry["direction"] in ("input", "inout")}
    stored, triggers = _before(before)
    return Module(
        name,
        inputs,
        tuple(_cell(key, entry) for key, entry in module["cells"].items()),
        tuple(_net(key, entry) for key, entry in module["netnames"].items()),
        stored,
        triggers,
    )


def _cell(name: str, entry: Mapping[str, Mapping[str, str]]) -> Cell:
    directions = entry["port_directions"]
    outputs = tuple(port for port, direction in directions.items() if direction != "input")
    kind = str(entry["type"])
    ports: Mapping[str, list[Bit]] = entry["connections"]  # type: ignore[assignment]
    return Cell(name, kind, entry["parameters"], ports, outputs, place_of(entry["attributes"]))


def _net(name: str, entry: Mapping[str, object]) -> Net:
    attributes: Mapping[str, str] = entry["attributes"]  # type: ignore[assignment]
    path = tuple(attributes["hdlname"].split(" ")) if "hdlname" in attributes else (name,)
    return Net(
        name,
        path,
        entry["bits"],  # type: ignore[arg-type]
        not (entry["hide_name"] or _INNER.search(name)),
        REGISTER in attributes,
        int(entry.get("offset", 0)),  # type: ignore[call-overload]
        bool(entry.get("upto", 0)),
        attributes.get("init", ""),
        place_of(attributes),
    )


def _before(text: str) -> tuple[dict[str, str], tuple[Trigger, ...]]:
    stored: dict[str, str] = {}
    triggers: dict[Trigger, None] = {}
    for cell in _CELL.finditer(text):
        ports = {found["port"]: found["signal"] for found in _CONNECT.finditer(cell["body"])}
        if cell["type"] == "$check":
            polarity = _PARAMETER.search(cell["body"])
            if polarity is not None and (signal := ports.get("TRG", "{ }")) != "{ }":
                triggers[Trigger(signal.removeprefix("\\"), polarity["value"].endswith("1"))] = None
        elif (signal := ports.get("Q", "")).startswith("\\"):
            stored[cell["name"].removeprefix("\\")] = signal.removeprefix("\\").replace(" [", "[")
    return stored, tuple(triggers)
