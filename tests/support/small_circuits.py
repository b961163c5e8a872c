"""Circuits that several tests use, built by hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from lemmata.models.aig import Aig


class Sketch:
    """Collects and-gates over ``leaves`` variables (the constant included)."""

    def __init__(self, leaves: int) -> None:
        self._leaves = leaves
        self.gates: list[tuple[int, int]] = []

    def both(self, a: int, b: int) -> int:
        """``a ∧ b``."""
        self.gates.append((max(a, b), min(a, b)))
        return 2 * (self._leaves + len(self.gates) - 1)

    def either(self, a: int, b: int) -> int:
        """``a ∨ b``."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """``a ⊕ b``."""
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def lefts(self) -> tuple[int, ...]:
        """Left operands of the gates so far."""
        return tuple(left for left, _ in self.gates)

    def rights(self) -> tuple[int, ...]:
        """Right operands of the gates so far."""
        return tuple(right for _, right in self.gates)


def counter(width: int, targets: Sequence[int], enabled: bool = False, forbidden: Sequence[int] = ()) -> Aig:
    """Counts up from 0, when its input holds if ``enabled``; bad at ``targets``, constrained to avoid ``forbidden``."""
    inputs = int(enabled)
    latches = [2 * (1 + inputs + i) for i in range(width)]
    sketch = Sketch(1 + inputs + width)
    carry = 2 if enabled else 1
    nexts = []
    for latch in latches:
        nexts.append(sketch.differ(latch, carry))
        carry = sketch.both(latch, carry)

    def value(number: int) -> int:
        return reduce(sketch.both, [latch ^ (number >> i & 1 ^ 1) for i, latch in enumerate(latches)])

    bads = tuple(value(number) for number in targets)
    constraints = tuple(value(number) ^ 1 for number in forbidden)
    return Aig(inputs, tuple(nexts), (0,) * width, sketch.lefts(), sketch.rights(), bads=bads, constraints=constraints)


def dead_end() -> Aig:
    """Counts 0, 1, 2 and has no way on, since 3 breaks the constraint; bad 0 is 2, bad 1 is 5."""
    return counter(3, targets=[2, 5], forbidden=[3])


def lasso() -> Aig:
    """One reachable state 00; elsewhere 10 and 11 alternate until the input sends 11 to the bad 01."""
    sketch = Sketch(4)
    i, a, b = 2, 4, 6
    leave = sketch.both(b, i)
    next_a = sketch.both(a, leave ^ 1)
    next_b = sketch.either(sketch.differ(a, b), leave)
    bad = sketch.both(a ^ 1, b)
    return Aig(1, (next_a, next_b), (0, 0), sketch.lefts(), sketch.rights(), bads=(bad,))
