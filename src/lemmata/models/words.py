"""Evidence over words: ``WordInvariant`` (formulas over the state variables) and ``WordTrace`` (values per step).

They are the word-level sisters of ``Invariant`` and ``Trace``; certify checks and replays them on the graph as it was read.
"""

from __future__ import annotations

from typing import Literal

from lemmata.escapes import in_html
from lemmata.logic.systemverilog import systemverilog
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import infix, value_text
from lemmata.values import dataclass

Values = tuple[tuple[Term, Value], ...]


@dataclass(frozen=True, slots=True)
class WordInvariant:
    """Formulas over the variables of a system; their conjunction is inductive and excludes every bad state."""

    lemmas: tuple[Term, ...]
    notation: Literal["formulas", "systemverilog"] = "formulas"  # how people read them

    def text(self, lemma: Term) -> str:
        """One lemma; what SystemVerilog has no expression for is a formula there, too."""
        return (systemverilog(lemma) if self.notation == "systemverilog" else None) or infix(lemma)

    def describe(self) -> str:
        """One lemma per line."""
        return "\n".join(map(self.text, self.lemmas)) or "true (the property is inductive by itself)"

    def to_json(self) -> object:
        """``{"kind": "formulas", "formulas": [text, …]}``."""
        return {"kind": "formulas", "formulas": [self.text(lemma) for lemma in self.lemmas]}

    def _repr_html_(self) -> str:
        items = "".join(f"<li><code>{in_html(self.text(lemma))}</code></li>" for lemma in self.lemmas)
        return f"<ul>{items}</ul>" if items else "<p>the property is inductive by itself</p>"


@dataclass(frozen=True, slots=True)
class WordTrace:
    """The initial state and the inputs of each step; in the last step the property is violated."""

    prop: int
    initial: Values
    inputs: tuple[Values, ...]  # one per step; never empty

    @property
    def depth(self) -> int:
        """How many transitions are taken before the bad state."""
        return len(self.inputs) - 1

    def describe(self) -> str:
        """One line per step."""
        return "\n".join([f"initially: {listed(self.initial)}", *(f"step {k}: {listed(i)}" for k, i in enumerate(self.inputs))])

    def to_json(self) -> object:
        """``{"property", "depth", "initial": {name: text}, "inputs": [{name: text}, …]}``."""
        return {
            "property": self.prop,
            "depth": self.depth,
            "initial": _named(self.initial),
            "inputs": [_named(values) for values in self.inputs],
        }

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{k}</td><td>{in_html(listed(values))}</td></tr>" for k, values in enumerate(self.inputs))
        return f"<p>initially: {in_html(listed(self.initial))}</p><table><tr><th>step</th><th>inputs</th></tr>{rows}</table>"


def _named(values: Values) -> dict[str, str]:
    return {name_of(v): value_text(value, v.sort) for v, value in values}


def listed(values: Values) -> str:
    """``x = 1, y = 2``."""
    return ", ".join(f"{name} = {text}" for name, text in _named(values).items()) or "(nothing)"
