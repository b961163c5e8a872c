"""``Netlist``: the circuit in larger gates, as the unroller wants it.

An and-inverter graph spends three gates on an exclusive or and on a multiplexer, and n-1 gates on a conjunction of n. Every
gate is paid for in every time frame, so the groups are found once, before unrolling (pattern matching as in Eén, Mishchenko,
Sörensson, "Applying logic synthesis for speeding up SAT", 2007, without the cut enumeration). A gate that is used once, and
only inside its group, disappears; on real circuits 40 to 60 % of the gates do, and clauses go down in the same measure.

Inputs and latches keep their variables, the remaining gates are numbered densely after them. An operation is
``(out, a, b, rest)`` with literals, where ``rest`` says what it is: ``None`` is ``a ∧ b``, ``XOR`` is ``a ⊕ b``, a literal is
``a ? b : rest``, and a tuple is ``a ∧ b ∧ rest``. Left out: gates with other inverters inside (majority, adders).
"""

from __future__ import annotations

from lemmata.models.aig import Aig, Lit
from lemmata.values import dataclass
from lemmata.work import GATE, tally

XOR = -1
Op = tuple[Lit, Lit, Lit, "int | tuple[Lit, ...] | None"]


def reads(op: Op) -> list[int]:
    """The variables that ``op`` reads."""
    _, a, b, rest = op
    if isinstance(rest, tuple):
        return [a >> 1, b >> 1, *[lit >> 1 for lit in rest]]
    return [a >> 1, b >> 1] if rest is None or rest == XOR else [a >> 1, b >> 1, rest >> 1]


@dataclass(frozen=True, slots=True)
class Netlist:
    """A circuit of operations in topological order; ``ops[i]`` drives variable ``first_op + i``."""

    inputs: int
    ops: tuple[Op, ...]
    nexts: tuple[Lit, ...]
    resets: tuple[Lit, ...]
    bads: tuple[Lit, ...]  # one per property
    constraints: tuple[Lit, ...]

    @property
    def first_latch(self) -> int:
        """The variable of latch 0."""
        return self.inputs + 1

    @property
    def first_op(self) -> int:
        """The variable of operation 0."""
        return self.inputs + len(self.nexts) + 1


def netlist(model: Aig) -> Netlist:
    """Group the gates of ``model``."""
    bads = model.questions
    roots = (*model.nexts, *model.resets, *bads, *model.constraints)
    groups = _Grouping(model, roots).groups()
    tally[GATE] += 8 * model.gates
    renamed = list(range(model.first_gate)) + [0] * model.gates
    for position, (var, _, _) in enumerate(groups):
        renamed[var] = model.first_gate + position

    def rename(lit: Lit) -> Lit:
        return 2 * renamed[lit >> 1] | lit & 1

    def renames(lits: tuple[Lit, ...]) -> tuple[Lit, ...]:
        return tuple([rename(lit) for lit in lits])

    ops = tuple([_op(2 * renamed[var], kind, renames(operands)) for var, kind, operands in groups])
    return Netlist(model.inputs, ops, renames(model.nexts), renames(model.resets), renames(bads), renames(model.constraints))


_AND, _XOR, _ITE = range(3)
_Group = tuple[int, int, tuple[Lit, ...]]  # variable, kind, operands


def _op(out: Lit, kind: int, operands: tuple[Lit, ...]) -> Op:
    a, b, *rest = operands
    if kind == _XOR:
        return out, a, b, XOR
    if kind == _ITE:
        return out, a, b, rest[0]
    return out, a, b, tuple(rest) or None


class _Grouping:
    """Walks down from the roots: what is met becomes an operation, what lies inside one does not."""

    def __init__(self, model: Aig, roots: tuple[Lit, ...]) -> None:
        self._first = model.first_gate
        self._lefts = model.lefts
        self._rights = model.rights
        self._met = bytearray(model.variables)
        self._uses = uses = [0] * model.variables
        for lits in (model.lefts, model.rights):
            for lit in lits:
                uses[lit >> 1] += 1
        for lit in roots:
            uses[lit >> 1] += 2
            self._met[lit >> 1] = 1

    def groups(self) -> list[_Group]:
        """The operations in topological order."""
        found: list[_Group] = []
        met = self._met
        for var in range(self._first + len(self._lefts) - 1, self._first - 1, -1):
            if met[var]:
                kind, operands = self._group(var)
                found.append((var, kind, operands))
                for lit in operands:
                    met[lit >> 1] = 1
        found.reverse()
        return found

    def _group(self, var: int) -> tuple[int, tuple[Lit, ...]]:
        found = self._choice(var)
        if found is not None:
            return found
        position = var - self._first
        operands: list[Lit] = []
        stack = [self._rights[position], self._lefts[position]]
        while stack:
            lit = stack.pop()
            inner = lit >> 1
            if lit & 1 or inner < self._first or self._uses[inner] > 1 or self._choice(inner) is not None:
                operands.append(lit)
            else:
                stack += (self._rights[inner - self._first], self._lefts[inner - self._first])
        return _AND, tuple(operands)

    def _choice(self, var: int) -> tuple[int, tuple[Lit, ...]] | None:
        """``¬(a ∧ b) ∧ ¬(¬a ∧ c)`` is ``a ? ¬b : ¬c``; if moreover ``c = ¬b`` it is ``a ⊕ b``."""
        first = self._first
        left, right = self._lefts[var - first], self._rights[var - first]
        if not left & right & 1 or left >> 1 < first or right >> 1 < first:
            return None
        p, q = self._lefts[(left >> 1) - first], self._rights[(left >> 1) - first]
        r, s = self._lefts[(right >> 1) - first], self._rights[(right >> 1) - first]
        for a, b, c, d in ((p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)):
            if a == c ^ 1:
                return (_XOR, (a, b)) if b == d ^ 1 else (_ITE, (a, b ^ 1, d ^ 1))
        return None
