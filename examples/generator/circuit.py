"""A few lines to write circuits in: wires with ``& | ^ ~``, words of wires, latches whose next value is set later.

Only ``generate.py`` uses this. A wire is an and-inverter literal; ``Circuit.build`` brings everything into AIGER's order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce

from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig


@dataclass(frozen=True)
class Wire:
    """A literal of a circuit under construction."""

    circuit: Circuit = field(repr=False)
    lit: int

    def __and__(self, other: Wire) -> Wire:
        return self.circuit.conjoin(self, other)

    def __or__(self, other: Wire) -> Wire:
        return ~(~self & ~other)

    def __xor__(self, other: Wire) -> Wire:
        return ~(~(self & ~other) & ~(~self & other))

    def __invert__(self) -> Wire:
        return Wire(self.circuit, self.lit ^ 1)

    def then(self, yes: Wire, no: Wire) -> Wire:
        """``self ? yes : no``."""
        return (self & yes) | (~self & no)


Word = Sequence[Wire]  # least significant bit first


class Circuit:
    """Inputs, latches, gates, in any order."""

    def __init__(self) -> None:
        self._kinds: list[str] = ["constant"]
        self._names: dict[int, str] = {}
        self._nexts: dict[int, Wire] = {}
        self._resets: dict[int, Wire | None] = {}  # None is free
        self._gates: dict[tuple[int, int], int] = {}
        self._fanins: dict[int, tuple[int, int]] = {}
        self._listed: dict[str, list[tuple[str, tuple[Wire, ...]]]] = {kind: [] for kind in "bcjf"}
        self.false, self.true = Wire(self, FALSE_LIT), Wire(self, TRUE_LIT)

    def input(self, name: str) -> Wire:
        """A new input."""
        return self._variable("input", name)

    def inputs(self, name: str, width: int) -> Word:
        """A word of inputs."""
        return [self.input(f"{name}{i}") for i in range(width)]

    def latch(self, name: str, reset: Wire | int | None = 0) -> Wire:
        """A new latch; ``reset`` is 0, 1, a wire, or ``None`` for a free start. Its next value comes with ``drive``."""
        wire = self._variable("latch", name)
        self._resets[wire.lit] = self.constant(reset) if isinstance(reset, int) else reset
        return wire

    def latches(self, name: str, width: int, reset: int | None = 0) -> Word:
        """A word of latches with a number as their start."""
        return [self.latch(f"{name}{i}", None if reset is None else reset >> i & 1) for i in range(width)]

    def drive(self, latch: Wire | Word, value: Wire | Word) -> None:
        """Set the next value of a latch or of a word of latches."""
        if isinstance(latch, Wire):
            assert isinstance(value, Wire)
            self._nexts[latch.lit] = value
            return
        assert not isinstance(value, Wire)
        for one, its in zip(latch, value, strict=True):
            self.drive(one, its)

    def constant(self, bit: int) -> Wire:
        """0 or 1."""
        return self.true if bit else self.false

    def number(self, value: int, width: int) -> Word:
        """A constant word."""
        return [self.constant(value >> i & 1) for i in range(width)]

    def bad(self, name: str, wire: Wire) -> None:
        """A state with this is bad."""
        self._listed["b"].append((name, (wire,)))

    def constraint(self, name: str, wire: Wire) -> None:
        """Only steps with this count."""
        self._listed["c"].append((name, (wire,)))

    def justice(self, name: str, *wires: Wire) -> None:
        """A run on which each wire is true again and again."""
        self._listed["j"].append((name, wires))

    def fairness(self, name: str, wire: Wire) -> None:
        """Only runs on which this is true again and again count for justice."""
        self._listed["f"].append((name, (wire,)))

    def conjoin(self, a: Wire, b: Wire) -> Wire:
        """A gate, or what it simplifies to."""
        low, high = sorted((a.lit, b.lit))
        if low == FALSE_LIT or low ^ high == 1:
            return self.false
        if low in (TRUE_LIT, high):
            return Wire(self, high)
        if (low, high) not in self._gates:
            gate = self._variable("gate", "").lit
            self._gates[low, high] = gate
            self._fanins[gate] = (low, high)
        return Wire(self, self._gates[low, high])

    def build(self, comments: Sequence[str] = ()) -> Aig:
        """The circuit in AIGER's order: inputs, latches, gates."""
        order = [v for kind in ("constant", "input", "latch", "gate") for v, its in enumerate(self._kinds) if its == kind]
        position = {variable: 2 * i for i, variable in enumerate(order)}

        def lit(wire: Wire | int) -> int:
            raw = wire.lit if isinstance(wire, Wire) else wire
            return position[raw >> 1] | raw & 1

        inputs, latches, gates = ([2 * v for v in order if self._kinds[v] == kind] for kind in ("input", "latch", "gate"))
        resets = [lit(latch if (reset := self._resets[latch]) is None else reset) for latch in latches]
        symbols = {("i", i): self._names[raw] for i, raw in enumerate(inputs)}
        symbols |= {("l", i): self._names[raw] for i, raw in enumerate(latches)}
        symbols |= {(kind, i): name for kind, listed in self._listed.items() for i, (name, _) in enumerate(listed)}
        listed = {kind: [tuple(map(lit, wires)) for _, wires in rows] for kind, rows in self._listed.items()}
        return Aig(
            inputs=len(inputs),
            nexts=tuple(lit(self._nexts[latch]) for latch in latches),
            resets=tuple(resets),
            lefts=tuple(lit(self._fanins[gate][1]) for gate in gates),
            rights=tuple(lit(self._fanins[gate][0]) for gate in gates),
            bads=tuple(row[0] for row in listed["b"]),
            constraints=tuple(row[0] for row in listed["c"]),
            justice=tuple(listed["j"]),
            fairness=tuple(row[0] for row in listed["f"]),
            symbols=symbols,
            comments=tuple(comments),
        )

    def _variable(self, kind: str, name: str) -> Wire:
        wire = Wire(self, 2 * len(self._kinds))
        self._kinds.append(kind)
        self._names[wire.lit] = name
        return wire


def every(wires: Iterable[Wire]) -> Wire:
    """All of them."""
    return reduce(Wire.__and__, wires)


def some(wires: Iterable[Wire]) -> Wire:
    """One of them."""
    return reduce(Wire.__or__, wires)


def parity(wires: Iterable[Wire]) -> Wire:
    """An odd number of them."""
    return reduce(Wire.__xor__, wires)


def two(wires: Sequence[Wire]) -> Wire:
    """Two or more of them."""
    return some(a & some(wires[:i]) for i, a in enumerate(wires) if i)


def equal(a: Word, b: Word) -> Wire:
    """The same number."""
    return every(~(x ^ y) for x, y in zip(a, b, strict=True))


def less(a: Word, b: Word) -> Wire:
    """``a < b``, unsigned."""
    result = a[0].circuit.false
    for x, y in zip(a, b, strict=True):
        result = (x ^ y).then(y, result)
    return result


def add(a: Word, b: Word, carry: Wire) -> Word:
    """``a + b + carry`` without overflow bit."""
    total = []
    for x, y in zip(a, b, strict=True):
        total.append(x ^ y ^ carry)
        carry = (x & y) | (carry & (x ^ y))
    return total


def increment(a: Word, by: Wire) -> Word:
    """``a + by``."""
    return add(a, a[0].circuit.number(0, len(a)), by)


def choose(condition: Wire, yes: Word, no: Word) -> Word:
    """``condition ? yes : no``."""
    return [condition.then(x, y) for x, y in zip(yes, no, strict=True)]
