"""``Design``: what a hardware description has beside its transition system, in its own names.

The system of a design has registers, memories and free values as variables and inputs. People look at signals: every wire of
every instance, as a word over these. Clocks are no part of the system where a step is a clock cycle; waveforms draw them.
"""

from __future__ import annotations

from lemmata.logic.terms import Term
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """A wire: its path from the top module, its value over variables and inputs, and the number of its lowest bit."""

    path: tuple[str, ...]
    term: Term
    lowest: int = 0
    is_register: bool = False

    @property
    def name(self) -> str:
        """The path with dots."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Memory:
    """An array variable, and which of its indices are words of the memory; ``first`` is the number of the first word."""

    path: tuple[str, ...]
    term: Term
    size: int
    first: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """An input that is the clock of all registers; they change when it rises, or when it falls."""

    name: str
    is_rising: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bits of what a cell of the netlist stores; ``cell`` is empty for inputs of the top module."""

    cell: str
    low: int
    width: int


@dataclass(frozen=True, slots=True)
class Design:
    """Signals in the order of their names; ``btor2`` and ``covers`` are the same design as Yosys itself writes it."""

    top: str
    signals: tuple[Signal, ...]
    memories: tuple[Memory, ...] = ()
    ports: tuple[tuple[str, int], ...] = ()  # inputs of the top module with their widths, clocks included
    clock: Clock | None = None  # None: nothing is clocked, or every change of any signal is a step
    cells: tuple[tuple[Term, tuple[Piece, ...]], ...] = ()  # what the variables and inputs consist of, lowest bits first
    checks: tuple[str, ...] = ()  # the cell of each property
    btor2: bytes = b""
    covers: bytes = b""
    log: str = ""
