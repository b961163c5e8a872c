"""Circuits as clauses: the encoder of certify. Those of the engines are others (``solvers.relation``, ``engines.circuit``).

``Cnf`` builds clauses for a ``CertificateSolver``. And-gates are hashed and constants folded on the way, so that two copies of
the same logic over the same leaves become the same literal; that alone settles most of a Certifaiger check. Everything else is
plain Tseitin (1968): ``g = a ∧ b`` becomes ``(¬g ∨ a) (¬g ∨ b) (g ∨ ¬a ∨ ¬b)``.

An ``EncodedStep`` is one time step of a circuit. It encodes only the cones that somebody asks for, without recursion. Its
latches are free variables, unless they were bound to a literal of another frame, or the frame is the initial one: then
constants are put in place of the latches and reset functions are stated as equalities.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from lemmata.models.aig import Aig, Lit
from lemmata.solvers.checker import CertificateSolver, CheckedAnswer, CheckedSat
from lemmata.work import CLAUSE, tally


class Cnf:
    """Clauses under construction, with a literal for truth and shared and-gates."""

    def __init__(self, checker: CertificateSolver) -> None:
        self._checker = checker
        self._gates: dict[tuple[int, int], int] = {}
        self._last = 1
        self.true = 1
        checker.add([self.true])

    def fresh(self) -> int:
        """A new variable."""
        self._last += 1
        return self._last

    def clause(self, lits: Sequence[int]) -> None:
        """State that one of ``lits`` is true; none means false."""
        self._checker.add(lits or [-self.true])

    def clauses(self, clauses: Iterable[Sequence[int]]) -> None:
        """State many clauses."""
        self._checker.add_all(clause or [-self.true] for clause in clauses)

    def hold(self, lits: Iterable[int]) -> None:
        """State that every literal is true."""
        self._checker.add_all([lit] for lit in lits)

    def equal(self, a: int, b: int) -> None:
        """State that two literals have the same value."""
        if a != b:
            self._checker.add_all(([-a, b], [a, -b]))

    def differ(self, a: int, b: int) -> int:
        """A literal that implies ``a ≠ b``; the constants when that is settled already."""
        if a == b:
            return -self.true
        if a == -b:
            return self.true
        d = self.fresh()
        self._checker.add_all(([-d, a, b], [-d, -a, -b]))
        return d

    def conjunction(self, a: int, b: int) -> int:
        """The literal of ``a ∧ b``."""
        if a > b:
            a, b = b, a
        true = self.true
        if a == -b or a == -true or b == -true:
            return -true
        if a in (b, true):
            return b
        if b == true:
            return a
        gate = self._gates.get((a, b))
        if gate is None:
            self._last = gate = self._last + 1
            self._gates[a, b] = gate
            tally[CLAUSE] += 3
            add = self._checker.add
            add((-gate, a))
            add((-gate, b))
            add((gate, -a, -b))
        return gate

    def solve(self, assumptions: Sequence[int] = ()) -> CheckedAnswer:
        """Ask the solver."""
        return self._checker.solve(assumptions)


class EncodedStep:
    """One time step of ``model`` in ``cnf``; with ``initial`` the latches have their reset values."""

    def __init__(self, model: Aig, cnf: Cnf, initial: bool = False) -> None:
        self.model = model
        self._cnf = cnf
        self._initial = initial
        self._of = array("i", bytes(4 * model.variables))  # variable → solver literal, 0 = not encoded yet
        self._of[0] = -cnf.true
        self._pending: list[int] = []  # initial latches whose reset function is not stated yet

    def bind(self, lit: Lit, to: int) -> None:
        """Use ``to`` for an input or latch (a positive literal) that was not asked for yet."""
        assert not lit & 1
        assert lit >> 1 < self.model.first_gate
        assert not self._of[lit >> 1]
        self._of[lit >> 1] = to

    def lit(self, lit: Lit) -> int:
        """The solver literal of one circuit literal."""
        return self.lits((lit,))[0]

    def lits(self, lits: Sequence[Lit]) -> list[int]:
        """The solver literals of circuit literals; their cones are encoded now, if they were not."""
        self._encode(lits)
        while self._pending:
            latch = self._pending.pop()
            reset = self.model.resets[latch - self.model.first_latch]
            self._encode((reset,))
            self._cnf.equal(self._of[latch], -self._of[reset >> 1] if reset & 1 else self._of[reset >> 1])
        of = self._of
        return [-of[lit >> 1] if lit & 1 else of[lit >> 1] for lit in lits]

    def state(self, answer: CheckedSat) -> tuple[Lit, ...]:
        """The latch literals that are true in a model, for the latches that were encoded."""
        first = self.model.first_latch
        latches = ((var, self._of[var]) for var in range(first, self.model.first_gate))
        return tuple(2 * var + (not answer.true(lit)) for var, lit in latches if lit)

    def _encode(self, roots: Iterable[Lit]) -> None:
        of, model, conjunction = self._of, self.model, self._cnf.conjunction
        first, lefts, rights = model.first_gate, model.lefts, model.rights
        for var in self._unencoded(roots):
            left, right = lefts[var - first], rights[var - first]
            a, b = of[left >> 1], of[right >> 1]
            of[var] = conjunction(-a if left & 1 else a, -b if right & 1 else b)

    def _unencoded(self, roots: Iterable[Lit]) -> list[int]:
        """The gates below ``roots`` that have no literal yet, in topological order; leaves get theirs on the way."""
        of, first, lefts, rights = self._of, self.model.first_gate, self.model.lefts, self.model.rights
        seen: set[int] = set()
        stack = [lit >> 1 for lit in roots]
        while stack:
            var = stack.pop()
            if of[var] or var in seen:
                continue
            if var < first:
                of[var] = self._leaf(var)
            else:
                seen.add(var)
                stack.append(lefts[var - first] >> 1)
                stack.append(rights[var - first] >> 1)
        return sorted(seen)

    def _leaf(self, var: int) -> int:
        first = self.model.first_latch
        if self._initial and var >= first:
            reset = self.model.resets[var - first]
            if reset <= 1:
                return self._cnf.true if reset else -self._cnf.true
            if reset != 2 * var:
                self._pending.append(var)
        return self._cnf.fresh()


def successor(frame: EncodedStep, cnf: Cnf, latches: Iterable[int]) -> EncodedStep:
    """The next time step, in which the latches at these positions are what ``frame`` says they become."""
    model = frame.model
    positions = tuple(latches)
    after = EncodedStep(model, cnf)
    for position, to in zip(positions, frame.lits([model.nexts[p] for p in positions]), strict=True):
        after.bind(model.latch_lit(position), to)
    return after


def state_text(model: Aig, lits: Sequence[Lit], most: int = 24) -> str:
    """Latch literals as ``a=1 b=0``, cut after ``most`` of them."""
    words = [f"{model.latch_name((lit >> 1) - model.first_latch)}={1 - (lit & 1)}" for lit in lits[:most]]
    if len(lits) > most:
        words.append(f"… ({len(lits) - most} more)")
    return " ".join(words) or "(no latches)"
