"""``Circuit``: and-gates that are hashed, and the clauses that say what a gate means.

Literals are as in AIGER: 0 is false, 1 is true, ``lit ^ 1`` is the negation. The blaster of ``logic.blast`` builds everything
from and-gates, because that is what AIGER has; a SAT solver does better with larger pieces. ``shape`` therefore recognizes
exclusive or, choice and majority (the carry of an adder, the borrow of a comparison), and takes conjunctions of conjunctions as
one gate when nothing else reads the inner ones. A full adder then has three variables and fourteen clauses instead of seven and
twenty-one. (Tseitin 1968; Eén, Mishchenko, Sörensson 2007 go further.)
"""

from __future__ import annotations

from lemmata.work import GATE, tally

_Shape = tuple[str, tuple[int, ...]]


class Circuit:
    """Gates and leaves; constants and equal gates are folded."""

    __slots__ = ("_hash", "_lefts", "_readers", "_rights")

    def __init__(self) -> None:
        self._lefts = [-1]  # by variable; -1: a leaf, or the constant
        self._rights = [-1]
        self._readers = [0]
        self._hash: dict[tuple[int, int], int] = {}

    def leaf(self) -> int:
        """A new free literal."""
        return self._append(-1, -1)

    def _append(self, left: int, right: int) -> int:
        tally[GATE] += 1
        self._lefts.append(left)
        self._rights.append(right)
        self._readers.append(0)
        return 2 * len(self._lefts) - 2

    def conjoin(self, a: int, b: int, /) -> int:
        """A literal for a ∧ b."""
        if a > b:
            a, b = b, a
        if a <= 1:
            return b if a else 0
        if a >> 1 == b >> 1:
            return a if a == b else 0
        key = (a, b)
        found = self._hash.get(key)
        if found is None:
            found = self._hash[key] = self._append(a, b)
            readers = self._readers
            readers[a >> 1] += 1
            readers[b >> 1] += 1
        return found

    def inputs(self, lit: int) -> tuple[int, int] | None:
        """What a gate reads; ``None`` for leaves, constants, and negated literals."""
        left = self._lefts[lit >> 1]
        return None if lit & 1 or left < 0 else (left, self._rights[lit >> 1])

    def shape(self, variable: int) -> _Shape:
        """What the gate is: ``and``, ``xor``, ``choice`` (condition, then, else), ``majority``, and the literals it reads.

        For ``choice`` and ``majority`` the gate is the negation of that.
        """
        left, right = self._lefts[variable], self._rights[variable]
        if left & right & 1:
            found = self._two_levels(left ^ 1, right ^ 1)
            if found is not None:
                return found
        if self._opens(left) or self._opens(right):
            return "and", tuple(self._conjuncts(left, right))
        return "and", (left, right)

    def _two_levels(self, p: int, q: int) -> _Shape | None:
        """The shape of ¬p ∧ ¬q for gates p and q."""
        first, second = self.inputs(p), self.inputs(q)
        if first is None or second is None:
            return None
        for a, b in (first, first[::-1]):
            if a ^ 1 in second:
                c = second[0] ^ second[1] ^ a ^ 1
                return ("xor", (a, b)) if c == b ^ 1 else ("choice", (a, b, c))
        return self._majority(first, second) or self._majority(second, first)

    def _majority(self, both: tuple[int, int], other: tuple[int, int]) -> _Shape | None:
        """a ∧ b ∨ t ∧ c, where t is a ∨ b or a ⊕ b."""
        a, b = both
        neither = self._hash.get((a ^ 1, b ^ 1) if a ^ 1 < b ^ 1 else (b ^ 1, a ^ 1))
        if neither is None:
            return None
        for t, c in (other, other[::-1]):
            if t == neither ^ 1 or self._is_one_of(t, a, b):
                return "majority", (a, b, c)
        return None

    def _is_one_of(self, t: int, a: int, b: int) -> bool:
        """Is t the literal a ⊕ b?"""
        sign = t & 1
        read = self.inputs(t ^ sign)
        if read is None or not read[0] & read[1] & 1:
            return False
        first, second = self.inputs(read[0] ^ 1), self.inputs(read[1] ^ 1)
        if first is None or second is None or {x ^ 1 for x in first} != set(second):
            return False
        pair = {a ^ sign, b}
        return pair in (set(first), set(second))

    def _conjuncts(self, left: int, right: int) -> dict[int, None]:
        """The literals of a conjunction, inner ones opened that nothing else reads."""
        found: dict[int, None] = {}
        stack = [right, left]
        while stack:
            lit = stack.pop()
            if self._opens(lit):
                stack += (self._rights[lit >> 1], self._lefts[lit >> 1])
            else:
                found[lit] = None
        return found

    def _opens(self, lit: int) -> bool:
        """Is this a conjunction that only one gate reads, and nothing better?"""
        variable = lit >> 1
        left = self._lefts[variable]
        if lit & 1 or left < 0 or self._readers[variable] > 1:
            return False
        right = self._rights[variable]
        return not left & right & 1 or self._two_levels(left ^ 1, right ^ 1) is None
