"""``Trace``: a run of a circuit from an initial state to a bad one, bit by bit."""

from __future__ import annotations

from lemmata.escapes import in_html
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Trace:
    """Initial latch values and one line of inputs per step; in the last step the property's bad literal is true."""

    prop: int  # index among the model's properties
    initial: tuple[int, ...]  # 0/1 per latch
    inputs: tuple[tuple[int, ...], ...]  # 0/1 per input, one line per step; never empty
    latch_names: tuple[str, ...] = ()
    input_names: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """How many transitions are taken before the bad state."""
        return len(self.inputs) - 1

    def describe(self) -> str:
        """One line per step with the inputs that are 1, after the initial state's latches that are 1."""
        lines = ["initially: " + _ones(self.initial, self.latch_names)]
        lines += [f"step {k}: {_ones(line, self.input_names)}" for k, line in enumerate(self.inputs)]
        return "\n".join(lines)

    def to_json(self) -> object:
        """``{"property", "depth", "initial": "01…", "inputs": ["01…", …]}``."""
        return {
            "property": self.prop,
            "depth": self.depth,
            "initial": "".join(map(str, self.initial)),
            "inputs": ["".join(map(str, line)) for line in self.inputs],
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{k}</td><td>{in_html(_ones(line, self.input_names))}</td></tr>" for k, line in enumerate(self.inputs)
        )
        initial = in_html(_ones(self.initial, self.latch_names))
        return f"<p>initially: {initial}</p><table><tr><th>step</th><th>inputs that are 1</th></tr>{rows}</table>"


def _ones(bits: tuple[int, ...], names: tuple[str, ...]) -> str:
    if not bits:
        return "(no bits)"
    ones = [names[i] if i < len(names) else str(i) for i, bit in enumerate(bits) if bit]
    return ", ".join(ones) + " = 1" + ("" if len(ones) == len(bits) else ", the rest 0") if ones else "all 0"
