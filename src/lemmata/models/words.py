"""Evidence over words: ``WordInvariant`` (formulas over the state variables) and ``WordTrace`` (values per step).

They are the word-level sisters of ``Invariant`` and ``Trace``; certify checks and replays them on the graph as it was read.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from lemmata.escapes import in_html
from lemmata.logic.systemverilog import systemverilog
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import infix, value_text
from lemmata.values import dataclass

if TYPE_CHECKING:
    from lemmata.models.timeline import Timeline

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
    states: tuple[tuple[Value, ...], ...] = field(default=(), compare=False)  # one per step, in the order of ``initial``
    needed: tuple[frozenset[Term], ...] = field(default=(), compare=False)  # the inputs that matter, per step

    def __repr__(self) -> str:
        """Numbers may be longer than Python writes them."""
        return f"<WordTrace of depth {self.depth}>"

    @property
    def depth(self) -> int:
        """How many transitions are taken before the bad state."""
        return len(self.inputs) - 1

    def timeline(self) -> Timeline:
        """The run as a table; of the inputs alone where the states were not computed."""
        from lemmata.models.timeline import Timeline
        from lemmata.models.word_rows import rows_of

        rows = list(rows_of([v for v, _ in self.initial], self.states)) if self.states else []
        lines = list(map(dict, self.inputs))
        inputs = list(lines[0])
        needed = [[v in step for v in inputs] for step in self.needed]
        rows += rows_of(inputs, [[line[v] for v in inputs] for line in lines], True, needed)
        return Timeline(tuple(rows), len(self.inputs))

    def lines(self, width: int, verbose: bool) -> list[str]:
        """The table, or a line per step where it is too wide; ``verbose``: all of it."""
        return self.timeline().lines(width, verbose)

    def describe(self) -> str:
        """A table of variables and inputs that change, or a line per step."""
        return "\n".join(self.timeline().lines())

    def to_json(self) -> object:
        """``{"property", "depth", "initial": {name: text}, "inputs": [{name: text}, …]}``, and with states what they are.

        ``relevant_inputs`` has the inputs that matter.
        """
        names = [v for v, _ in self.initial]
        lifted = zip(self.inputs, self.needed, strict=False)
        return {
            "property": self.prop,
            "depth": self.depth,
            "initial": _named(self.initial),
            "inputs": [_named(values) for values in self.inputs],
            "states": [_named(tuple(zip(names, state, strict=True))) for state in self.states],
            "relevant_inputs": [_named(tuple(p for p in values if p[0] in needed)) for values, needed in lifted],
        }

    def _repr_html_(self) -> str:
        return f"<pre>{'<br>'.join(map(in_html, self.timeline().lines()))}</pre>"


def _named(values: Values) -> dict[str, str]:
    return {name_of(v): value_text(value, v.sort) for v, value in values}


def listed(values: Values) -> str:
    """``x = 1, y = 2``."""
    return ", ".join(f"{name} = {text}" for name, text in _named(values).items()) or "(nothing)"
