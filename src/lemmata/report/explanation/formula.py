"""Formulas in the file's own names, as the papers write them: ¬ ∧ ∨ ⊕ ↔ and a prime for the next state.

``Notation`` writes literals, cubes, clauses and frames, and the function behind a literal of the circuit: conjunctions are
gathered, negated ones turned into disjunctions, exclusive ors recognised. Whatever is longer than a reader's patience is
cut and says how long it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.escapes import printable
from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig, Lit
from lemmata.steps.textbook import BitCube, BitFrame

MOST_LITERALS = 12
_MOST_CLAUSES = 10
MOST_LEAVES = 16
SMALL_CONE = 12  # inputs and latches of a function that is spelled out
MOST_LEAVES_OF_SMALL_CONE = 120
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class _TooLong(Exception):
    """The formula has more leaves than anybody wants to read."""


class Notation:
    """Text for one circuit."""

    def __init__(self, model: Aig) -> None:
        self._model = model
        latches = [printable(model.latch_name(i)) for i in range(model.latches)]
        inputs = [printable(model.input_name(i)) for i in range(model.inputs)]
        self._names = ["false", *inputs, *latches]

    def literal(self, lit: Lit, primed: bool = False) -> str:
        """``x``, ``¬x``, ``x′`` or ``¬x′``."""
        if lit in (FALSE_LIT, TRUE_LIT):
            return "true" if lit else "false"
        return ("¬" if lit & 1 else "") + self._names[lit >> 1] + ("′" if primed else "")

    def literals(self, lits: Sequence[Lit], primed: bool = False) -> str:
        """Literals with commas, as in an assignment."""
        return ", ".join(_cut([self.literal(lit, primed) for lit in lits], MOST_LITERALS, "literals"))

    def cube(self, cube: BitCube, primed: bool = False) -> str:
        """``x ∧ ¬y``."""
        return self._join(" ∧ ", [self.literal(lit, primed) for lit in cube], "true")

    def clause(self, cube: BitCube) -> str:
        """The clause that forbids the cube: ``¬x ∨ y``."""
        return self._join(" ∨ ", [self.literal(lit ^ 1) for lit in cube], "false")

    def clauses(self, cubes: Sequence[BitCube]) -> str:
        """``¬x ∧ (y ∨ ¬z)``: the conjunction of the clauses that forbid the cubes."""
        if len(cubes) == 1:
            return self.clause(cubes[0])
        return " ∧ ".join(self._nested_clauses(cubes)) or "true"

    def some_cube(self, cubes: Sequence[BitCube]) -> str:
        """``(x ∧ y) ∨ ¬z``."""
        if len(cubes) == 1:
            return self.cube(cubes[0])
        return " ∨ ".join(_cut([_nest(self.cube(cube), len(cube)) for cube in cubes], _MOST_CLAUSES, "cubes")) or "false"

    def conjunction(self, cubes: Sequence[BitCube], *others: str) -> str:
        """The clauses that forbid the cubes, and then the others: ``(y ∨ ¬z) ∧ T ∧ x′``."""
        return " ∧ ".join([*self._nested_clauses(cubes), *filter(None, others)])

    def frame(self, frame: BitFrame) -> str:
        """``P ∧ ¬x ∧ (y ∨ ¬z)``."""
        return " ∧ ".join(["P", *self._nested_clauses(frame.cubes)]) if frame.has_property else self.clauses(frame.cubes)

    def _nested_clauses(self, cubes: Sequence[BitCube]) -> list[str]:
        return _cut([_nest(self.clause(cube), len(cube)) for cube in cubes], _MOST_CLAUSES, "clauses")

    def function(self, lit: Lit) -> str:
        """The formula behind a literal, or what it reads if it is long."""
        support = self._support(lit)
        self._leaves = self._most = MOST_LEAVES_OF_SMALL_CONE if len(support) <= SMALL_CONE else MOST_LEAVES
        try:
            return self._write(lit, nested=False)
        except _TooLong:
            return f"a function of {', '.join(_cut(support, MOST_LITERALS, 'names'))}"

    def _write(self, lit: Lit, nested: bool) -> str:
        if lit >> 1 < self._model.first_gate:
            self._leaves -= 1
            if self._leaves < 0:
                raise _TooLong
            return self.literal(lit)
        if (pair := self._exclusive(lit >> 1)) is not None:
            a, b = pair
            sign = " ↔ " if (a ^ b ^ lit) & 1 else " ⊕ "
            text = sign.join((self._write(a & ~1, True), self._write(b & ~1, True)))
        else:
            parts = self._conjuncts(lit & ~1)
            text = (
                " ∨ ".join(self._write(x ^ 1, True) for x in parts)
                if lit & 1
                else " ∧ ".join(self._write(x, True) for x in parts)
            )
        return f"({text})" if nested else text

    def _conjuncts(self, lit: Lit) -> list[Lit]:
        """The parts of a conjunction whose parts may be conjunctions: names in the file's order, then the rest."""
        found, stack = [], [lit]
        while stack:
            part = stack.pop()
            if part & 1 or part >> 1 < self._model.first_gate or (part != lit and self._exclusive(part >> 1) is not None):
                found.append(part)
            else:
                stack += self._fanins(part >> 1)
            if len(found) + len(stack) > self._most:
                raise _TooLong
        return sorted(found)

    def _exclusive(self, gate: int) -> tuple[Lit, Lit] | None:
        """``a, b`` if the gate is ``¬(a ∧ b) ∧ ¬(¬a ∧ ¬b)``, which is ``a ⊕ b``."""
        left, right = self._fanins(gate)
        if not (left & right & 1) or min(left, right) >> 1 < self._model.first_gate:
            return None
        a, b = self._fanins(left >> 1)
        return (a, b) if set(self._fanins(right >> 1)) == {a ^ 1, b ^ 1} else None

    def _fanins(self, gate: int) -> tuple[Lit, Lit]:
        """The smaller literal first: inputs and latches in the file's order."""
        position = gate - self._model.first_gate
        left, right = self._model.lefts[position], self._model.rights[position]
        return (left, right) if left < right else (right, left)

    def _support(self, lit: Lit) -> list[str]:
        seen, stack = set[int](), [lit >> 1]
        while stack:
            variable = stack.pop()
            if variable not in seen:
                seen.add(variable)
                if variable >= self._model.first_gate:
                    stack += [fanin >> 1 for fanin in self._fanins(variable)]
        return [self._names[variable] for variable in sorted(seen) if 0 < variable < self._model.first_gate]

    def _join(self, sign: str, parts: list[str], empty: str) -> str:
        return sign.join(_cut(parts, MOST_LITERALS, "literals")) or empty


def subscript(letter: str, number: int) -> str:
    """``F₁``."""
    return letter + str(number).translate(_SUBSCRIPTS)


def _nest(text: str, parts: int) -> str:
    return f"({text})" if parts > 1 else text


def _cut(parts: list[str], most: int, noun: str) -> list[str]:
    if len(parts) <= most:
        return parts
    return [*parts[: most - 1], f"… ({len(parts)} {noun})"]
