"""What a proof rests on: an inductive ``Invariant`` (clauses over latches) or a ``KInductive`` property.

An ``Invariant`` is a set of cubes that no reachable state meets; the formula is ``Inv = ⋀ ¬cube``. With the constraints C and
the transition T of the circuit, certify checks ``I → Inv``, ``Inv ∧ C ∧ T → Inv′`` and ``Inv ∧ C → ¬bad``.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.escapes import in_html
from lemmata.values import dataclass

LatchCube = tuple[int, ...]  # sorted latch literals of the original model, read as "and"


@dataclass(frozen=True, slots=True)
class Invariant:
    """Cubes that no reachable state meets; ``name(lit)`` is the latch of a literal."""

    cubes: tuple[LatchCube, ...]
    names: tuple[str, ...] = ()  # latch names in order
    first_latch: int = 1  # variable of latch 0

    def clause_text(self, cube: LatchCube) -> str:
        """The clause ¬cube in the file's names."""
        return " ∨ ".join(("" if lit & 1 else "¬") + self.name(lit) for lit in cube) or "false"

    def name(self, lit: int) -> str:
        """What the latch of a literal is called."""
        position = (lit >> 1) - self.first_latch
        return self.names[position] if 0 <= position < len(self.names) else f"l{position}"

    def describe(self) -> str:
        """One clause per line."""
        return "\n".join(self.clause_text(cube) for cube in self.cubes) or "true (the property is inductive by itself)"

    def to_json(self) -> object:
        """``{"kind": "clauses", "clauses": [text, …]}``."""
        return {"kind": "clauses", "clauses": [self.clause_text(cube) for cube in self.cubes]}

    def _repr_html_(self) -> str:
        items = "".join(f"<li><code>{in_html(self.clause_text(cube))}</code></li>" for cube in self.cubes)
        return f"<ul>{items}</ul>" if items else "<p>the property is inductive by itself</p>"

    def map(self, lit: Callable[[int], int]) -> tuple[LatchCube, ...]:
        """The cubes with every literal replaced."""
        return tuple(tuple(sorted(lit(x) for x in cube)) for cube in self.cubes)


@dataclass(frozen=True, slots=True)
class KInductive:
    """The property holds for the first ``k`` steps and after any ``k`` good (and, if ``simple``, different) states."""

    k: int
    simple: bool = False

    def describe(self) -> str:
        """One sentence."""
        how = " on paths without repeated states" if self.simple else ""
        return f"the property is {self.k}-inductive{how}"

    def to_json(self) -> object:
        """``{"kind": "k-inductive", "k", "simple"}``."""
        return {"kind": "k-inductive", "k": self.k, "simple": self.simple}

    def _repr_html_(self) -> str:
        return f"<p>{in_html(self.describe())}</p>"
