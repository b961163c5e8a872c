"""``WitnessBuilder``: a circuit that grows out of another one.

A new circuit has the old one's inputs, its latches, some further latches, and its gates; then gates are added. Numbers follow
``Aig``'s order (inputs, latches, gates), so the old gates move up when there are new latches. New gates are hashed and
constants folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lemmata.certify.circuit.cone import combinational_cone
from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig, Lit


class WitnessBuilder:
    """``model`` with ``extra`` further latches after its own, and gates to come."""

    def __init__(self, model: Aig, extra: int = 0) -> None:
        self.model = model
        self._shift = 2 * extra
        self._first_gate = model.first_gate + extra
        self.lefts = [self.old(lit) for lit in model.lefts]
        self.rights = [self.old(lit) for lit in model.rights]
        self._hash: dict[tuple[Lit, Lit], Lit] = {}

    def old(self, lit: Lit) -> Lit:
        """Where a literal of the model is now."""
        return lit + self._shift if lit >> 1 >= self.model.first_gate else lit

    def extra_lit(self, number: int) -> Lit:
        """The literal of the additional latch ``number``."""
        return 2 * (self.model.first_gate + number)

    def both(self, a: Lit, b: Lit) -> Lit:
        """``a ∧ b``."""
        if a > b:
            a, b = b, a
        if a in (FALSE_LIT, b ^ 1):
            return FALSE_LIT
        if a in (TRUE_LIT, b):
            return b
        gate = self._hash.get((a, b))
        if gate is None:
            gate = self._hash[a, b] = 2 * (self._first_gate + len(self.lefts))
            self.lefts.append(b)
            self.rights.append(a)
        return gate

    def every(self, lits: Iterable[Lit]) -> Lit:
        """The conjunction of any number of literals, as a balanced tree."""
        layer = list(lits) or [TRUE_LIT]
        while len(layer) > 1:
            odd = layer[-1:] if len(layer) % 2 else []
            layer = [self.both(a, b) for a, b in zip(layer[::2], layer[1::2], strict=False)] + odd
        return layer[0]

    def implies(self, a: Lit, b: Lit) -> Lit:
        """``a → b``."""
        return self.both(a, b ^ 1) ^ 1

    def equal(self, a: Lit, b: Lit) -> Lit:
        """``a ↔ b``."""
        return self.both(self.both(a, b ^ 1) ^ 1, self.both(a ^ 1, b) ^ 1)

    def copy(self, roots: Iterable[Lit], leaves: Mapping[int, Lit]) -> list[Lit]:
        """The model's logic below ``roots`` once more, over other leaves (variable → literal)."""
        roots = list(roots)
        at = {0: FALSE_LIT, **leaves}
        first, lefts, rights = self.model.first_gate, self.model.lefts, self.model.rights
        for var in combinational_cone(self.model, roots).gates:
            left, right = lefts[var - first], rights[var - first]
            at[var] = self.both(at[left >> 1] ^ (left & 1), at[right >> 1] ^ (right & 1))
        return [at[lit >> 1] ^ (lit & 1) for lit in roots]

    def build(self, bad: Lit, nexts: Iterable[Lit], resets: Iterable[Lit], comments: tuple[str, ...]) -> Aig:
        """The circuit with one bad literal; ``nexts`` and ``resets`` are those of the additional latches."""
        model = self.model
        return Aig(
            inputs=model.inputs,
            nexts=(*map(self.old, model.nexts), *nexts),
            resets=(*map(self.old, model.resets), *resets),
            lefts=tuple(self.lefts),
            rights=tuple(self.rights),
            bads=(bad,),
            constraints=tuple(map(self.old, model.constraints)),
            comments=comments,
        )
