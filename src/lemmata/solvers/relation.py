"""The transition relation as clauses that each gate owns, so that a solver can load only the cones it is asked about.

A variable of the circuit is its own DIMACS variable; one more, ``Relation.true``, stands for the constant.
``Relation.definition(v)`` has the clauses that define gate v over its fan-ins, and those fan-ins. Loading a literal means: its
variable's clauses, then what they read, and so on.

**Elimination** (Eén, Biere 2005, restricted to gate definitions): a gate that nobody asks about directly is substituted into
the definitions that read it when that does not make more clauses. Resolving ``v ↔ f`` into a reader's clauses keeps them a
definition of the reader, so every gate still owns its clauses and cones stay loadable one by one. The roots (next-state
functions, bads, the constraint) are kept. Costs some tens of microseconds per gate, so it stops after ``patience``, on the work
clock.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.budgets import ELIMINATION_GATES, ELIMINATION_S
from lemmata.models.aig import Aig, Lit
from lemmata.work import CLAUSE, is_over, now, tally

_Clause = tuple[int, ...]
_Definition = tuple[list[_Clause], tuple[int, ...]]  # the clauses of a gate, and what they read

GROWTH_CLAUSES = 0  # clauses that one elimination may add
CLAUSE_LITERALS = 12  # literals that a clause may reach


def dimacs(lit: Lit) -> int:
    """An AIGER literal, not a constant, as a DIMACS literal."""
    return -(lit >> 1) if lit & 1 else lit >> 1


class Relation:
    """Gate definitions of one circuit; those that elimination did not touch are written down when they are asked for."""

    def __init__(self, model: Aig, eliminate: bool = True, patience: float = ELIMINATION_S) -> None:
        self.model = model
        self.true = model.variables
        self._definitions: dict[int, _Definition] = {self.true: ([(self.true,)], ())}
        if eliminate and model.gates <= ELIMINATION_GATES:
            clauses = {v: self._gate(v) for v in range(model.first_gate, self.true)}
            _Elimination(clauses, model.first_gate).run(self._roots(), now() + patience)
            self._definitions |= {v: (owned, _reads(v, owned)) for v, owned in clauses.items()}

    def definition(self, v: int) -> _Definition:
        """The clauses that gate v owns, and the variables that they read."""
        found = self._definitions.get(v)
        if found is None:
            clauses = self._gate(v)
            found = self._definitions[v] = clauses, _reads(v, clauses)
        return found

    def _gate(self, v: int) -> list[_Clause]:
        tally[CLAUSE] += 3
        gate = v - self.model.first_gate
        return _definition(v, self.model.lefts[gate], self.model.rights[gate])

    def _roots(self) -> set[int]:
        model = self.model
        return {lit >> 1 for lit in (*model.nexts, *model.questions, *model.constraints, *model.resets)}

    def literal(self, lit: Lit) -> int:
        """An AIGER literal, constants included, as a DIMACS literal."""
        return dimacs(lit) if lit > 1 else (self.true if lit else -self.true)

    def cone(self, roots: Iterable[int]) -> set[int]:
        """The variables that the roots read, gates included."""
        end = self.model.first_gate
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            v = stack.pop()
            if v not in seen:
                seen.add(v)
                if v >= end:
                    stack += self.definition(v)[1]
        return seen


def _reads(v: int, clauses: list[_Clause]) -> tuple[int, ...]:
    return tuple(sorted({abs(x) for clause in clauses for x in clause} - {v}))


class _Elimination:
    """Substitutes gates into their readers."""

    def __init__(self, clauses: dict[int, list[_Clause]], first: int) -> None:
        self._clauses = clauses
        self._readers: dict[int, set[int]] = {v: set() for v in clauses}
        for v, owned in clauses.items():
            for u in _reads(v, owned):
                if u >= first:
                    self._readers[u].add(v)

    def run(self, keep: set[int], deadline: float) -> None:
        """Eliminate what may go, gates with few readers first, until nothing is left or time is up."""
        readers = self._readers
        for count, v in enumerate(sorted(self._clauses, key=lambda v: (len(readers[v]), v))):
            if count % 256 == 0 and is_over(deadline):
                return
            if v not in keep and len(readers[v]) <= 8:
                self._substitute(v)

    def _substitute(self, v: int) -> None:
        """Replace v in every reader by its definition, unless the clauses become more or too wide."""
        clauses, readers = self._clauses, self._readers
        definition = clauses[v]
        tally[CLAUSE] += len(definition)
        implied = [c for c in definition if v in c]
        refuted = [c for c in definition if v not in c]
        allowance = len(definition) + GROWTH_CLAUSES
        changed: dict[int, list[_Clause]] = {}
        for reader in sorted(readers[v]):  # some may be gone, or read v no more
            tally[CLAUSE] += 4
            kept: list[_Clause] = []
            fresh: set[_Clause] = set()
            touched = 0
            for clause in clauses.get(reader, ()):
                if v in clause:
                    others, pivot = refuted, v
                elif -v in clause:
                    others, pivot = implied, -v
                else:
                    kept.append(clause)
                    continue
                touched += 1
                for other in others:
                    merged = set(clause)
                    merged.discard(pivot)
                    merged.update(other)
                    merged.discard(-pivot)
                    if any(-x in merged for x in other if x != -pivot):
                        continue
                    if len(merged) > CLAUSE_LITERALS:
                        return
                    fresh.add(tuple(sorted(merged)))
            if not touched:
                continue
            allowance += touched - len(fresh)
            if allowance < 0:
                return
            changed[reader] = kept + _irredundant(fresh, kept)
        clauses.update(changed)
        reads = {abs(x) for clause in definition for x in clause} - {v}
        for u in reads:
            if u in readers:
                readers[u].discard(v)
                readers[u] |= readers[v]
        del clauses[v]


def _definition(v: int, left: Lit, right: Lit) -> list[_Clause]:
    """The clauses of v ↔ left ∧ right: no constants, no tautologies."""
    if 0 in (left, right) or left ^ right == 1:
        return [(-v,)]
    fanins = [dimacs(lit) for lit in sorted({left, right} - {1})]
    return [*((-v, x) for x in fanins), (v, *(-x for x in fanins))]


def _irredundant(fresh: set[_Clause], kept: list[_Clause]) -> list[_Clause]:
    """The fresh clauses that no other clause subsumes."""
    if len(fresh) > 24:
        return sorted(fresh)
    sets = {clause: frozenset(clause) for clause in fresh}
    others = [*sets.values(), *map(frozenset, kept)]
    return sorted(clause for clause, literals in sets.items() if not any(o < literals for o in others))
