"""``Trace``: a run of a circuit from an initial state to a bad one, bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from lemmata.escapes import in_html
from lemmata.values import dataclass

if TYPE_CHECKING:
    from lemmata.models.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Trace:
    """Initial latch values and one line of inputs per step; in the last step the property's bad literal is true.

    These decide everything; what follows from them is for people, and filled in when the trace leaves (``run.evidence``).
    """

    prop: int  # index among the model's properties
    initial: tuple[int, ...]  # 0/1 per latch
    inputs: tuple[tuple[int, ...], ...]  # 0/1 per input, one line per step; never empty
    latch_names: tuple[str, ...] = ()
    input_names: tuple[str, ...] = ()
    states: tuple[Sequence[int], ...] = field(default=(), compare=False)  # 0/1 per latch, one line per step
    needed: tuple[Sequence[int], ...] = field(default=(), compare=False)  # 0/1 per input and step: does it matter?

    @property
    def depth(self) -> int:
        """How many transitions are taken before the bad state."""
        return len(self.inputs) - 1

    def timeline(self) -> Timeline:
        """The run as a table; of the inputs alone where the states were not computed."""
        from lemmata.models.timeline import circuit_timeline

        latches = self.latch_names or tuple(f"l{k}" for k in range(len(self.initial)))
        inputs = self.input_names or tuple(f"i{k}" for k in range(len(self.inputs[0])))
        return circuit_timeline(latches, inputs, self.states, self.inputs, self.needed)

    def lines(self, width: int, verbose: bool) -> list[str]:
        """The table, or a line per step where it is too wide; ``verbose``: all of it."""
        return self.timeline().lines(width, verbose)

    def describe(self) -> str:
        """A table of latches and inputs that change, or a line per step."""
        return "\n".join(self.timeline().lines())

    def to_json(self) -> object:
        """``{"property", "depth", "initial": "01…", "inputs": ["01…", …]}``, names, and with states what they are.

        ``relevant_inputs`` are the inputs with ``x`` where the value does not matter.
        """
        pairs = [list(zip(line, flags, strict=True)) for line, flags in zip(self.inputs, self.needed, strict=False)]
        return {
            "property": self.prop,
            "depth": self.depth,
            "initial": "".join(map(str, self.initial)),
            "inputs": ["".join(map(str, line)) for line in self.inputs],
            "latch_names": list(self.latch_names),
            "input_names": list(self.input_names),
            "states": ["".join(map(str, line)) for line in self.states],
            "relevant_inputs": ["".join(str(bit) if is_needed else "x" for bit, is_needed in line) for line in pairs],
        }

    def _repr_html_(self) -> str:
        return f"<pre>{'<br>'.join(map(in_html, self.timeline().lines()))}</pre>"
