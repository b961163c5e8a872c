"""``Aig``: a circuit of and-gates and latches, in the numbering of binary AIGER.

Variable 0 is the constant; then come the inputs, the latches, and the gates in topological order. A literal is ``2·variable``
or, negated, ``2·variable + 1``; so 0 is false and 1 is true. Everything is integers in tuples: a million gates are cheap, and
nobody can change a circuit that another one reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from lemmata.values import dataclass

Lit = int
FALSE_LIT: Lit = 0
TRUE_LIT: Lit = 1


@dataclass(frozen=True, slots=True)
class Property:
    """One safety question: can ``bad`` become true?"""

    index: int
    name: str
    bad: Lit


@dataclass(frozen=True, slots=True)
class Aig:
    """A circuit. ``resets[i]`` is 0, 1, the latch's own literal (free), or any other literal (a reset function)."""

    inputs: int  # how many
    nexts: tuple[Lit, ...]
    resets: tuple[Lit, ...]
    lefts: tuple[Lit, ...]  # gate g is lefts[g] ∧ rights[g]
    rights: tuple[Lit, ...]
    outputs: tuple[Lit, ...] = ()
    bads: tuple[Lit, ...] = ()
    constraints: tuple[Lit, ...] = ()
    justice: tuple[tuple[Lit, ...], ...] = ()
    fairness: tuple[Lit, ...] = ()
    symbols: Mapping[tuple[str, int], str] = field(default_factory=dict)  # ("i" | "l" | "o" | "b" | "c" | "j" | "f", position)
    comments: tuple[str, ...] = ()
    file: str = "<memory>"

    @property
    def latches(self) -> int:
        """How many latches."""
        return len(self.nexts)

    @property
    def gates(self) -> int:
        """How many and-gates."""
        return len(self.lefts)

    @property
    def first_latch(self) -> int:
        """The variable of latch 0."""
        return self.inputs + 1

    @property
    def first_gate(self) -> int:
        """The variable of gate 0."""
        return self.inputs + len(self.nexts) + 1

    @property
    def variables(self) -> int:
        """How many variables, the constant included."""
        return self.first_gate + len(self.lefts)

    def input_lit(self, position: int) -> Lit:
        """The positive literal of input ``position``."""
        return 2 * (1 + position)

    def latch_lit(self, position: int) -> Lit:
        """The positive literal of latch ``position``."""
        return 2 * (self.inputs + 1 + position)

    def input_name(self, position: int) -> str:
        """The input's symbol, or ``i<position>``."""
        return self.symbols.get(("i", position), f"i{position}")

    def latch_words(self) -> tuple[str, ...]:
        """A word for every latch by its position, ``l3``, that is no latch's symbol."""
        symbols = {symbol for (kind, _), symbol in self.symbols.items() if kind == "l"}
        words = []
        for position in range(self.latches):
            word = f"l{position}"
            while word in symbols:
                word += "_"
            words.append(word)
        return tuple(words)

    def latch_name(self, position: int) -> str:
        """The latch's symbol, or ``l<position>``."""
        return self.symbols.get(("l", position), f"l{position}")

    @property
    def questions(self) -> tuple[Lit, ...]:
        """The bad literals of the safety properties: the bads; where there are no bads and no justice, the outputs."""
        return self.bads or (() if self.justice else self.outputs)

    def properties(self) -> tuple[Property, ...]:
        """The safety properties in file order, with their names."""
        kind = "b" if self.bads else "o"
        return tuple(Property(i, self.symbols.get((kind, i), f"{kind}{i}"), lit) for i, lit in enumerate(self.questions))
