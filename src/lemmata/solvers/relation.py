"""The transition relation as clauses that each gate owns, so that a solver can load only the cones it is asked about.

A variable of the circuit is its own DIMACS variable; one more, ``Relation.true``, stands for the constant.
``Relation.clauses[v]`` defines gate v over its fan-ins; ``Relation.reads[v]`` are those fan-ins. Loading a literal means: its
variable's clauses, then what they read, and so on.

**Elimination** (Eén, Biere 2005, restricted to gate definitions): a gate that nobody asks about directly is substituted into
the definitions that read it when that does not make more clauses. Resolving ``v ↔ f`` into a reader's clauses keeps them a
definition of the reader, so every gate still owns its clauses and cones stay loadable one by one. The roots (next-state
functions, bads, the constraint) are kept. Costs some tens of microseconds per gate, so it stops at ``patience`` seconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from lemmata.models.aig import Aig, Lit

Clause = tuple[int, ...]

GROWTH = 0  # clauses that one elimination may add
WIDTH = 12  # literals that a clause may reach


def signed(lit: Lit) -> int:
    """An AIGER literal, not a constant, as a DIMACS literal."""
    return -(lit >> 1) if lit & 1 else lit >> 1


class Relation:
    """Gate definitions of one circuit."""

    def __init__(self, model: Aig, eliminate: bool = True, patience: float = 3.0) -> None:
        self.model = model
        self.true = model.variables
        self.clauses: dict[int, list[Clause]] = {}
        first = model.first_gate
        for gate, (left, right) in enumerate(zip(model.lefts, model.rights, strict=True)):
            self.clauses[first + gate] = _definition(first + gate, left, right)
        if eliminate:
            self._eliminate(self._roots(), time.monotonic() + patience)
        self.clauses[self.true] = [(self.true,)]
        self.reads: dict[int, tuple[int, ...]] = {
            v: tuple(sorted({abs(x) for clause in clauses for x in clause} - {v})) for v, clauses in self.clauses.items()
        }

    def _roots(self) -> set[int]:
        model = self.model
        bads = [prop.bad for prop in model.properties()]
        return {lit >> 1 for lit in (*model.nexts, *bads, *model.constraints, *model.resets)}

    def _eliminate(self, keep: set[int], deadline: float) -> None:
        clauses, first = self.clauses, self.model.first_gate
        readers: dict[int, set[int]] = {v: set() for v in clauses}
        for v, owned in clauses.items():
            for clause in owned:
                for x in clause:
                    if abs(x) != v and abs(x) >= first:
                        readers[abs(x)].add(v)
        for count, v in enumerate(sorted(clauses, key=lambda v: (len(readers[v]), v))):
            if v in keep:
                continue
            if count % 256 == 0 and time.monotonic() > deadline:
                return
            if len(readers[v]) <= 8:
                self._substitute(v, readers)

    def _substitute(self, v: int, readers: dict[int, set[int]]) -> None:
        """Replace v in every reader by its definition, unless the clauses become more or too wide."""
        clauses = self.clauses
        definition = clauses[v]
        implied = [c for c in definition if v in c]
        refuted = [c for c in definition if v not in c]
        allowance = len(definition) + GROWTH
        changed: dict[int, list[Clause]] = {}
        for reader in sorted(readers[v]):  # some may be gone, or read v no more
            kept: list[Clause] = []
            fresh: set[Clause] = set()
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
                    if len(merged) > WIDTH:
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

    def literal(self, lit: Lit) -> int:
        """An AIGER literal, constants included, as a DIMACS literal."""
        return signed(lit) if lit > 1 else (self.true if lit else -self.true)

    def cone(self, roots: Iterable[int]) -> set[int]:
        """The variables that the roots read, gates included."""
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            v = stack.pop()
            if v not in seen:
                seen.add(v)
                stack += self.reads.get(v, ())
        return seen


def _definition(v: int, left: Lit, right: Lit) -> list[Clause]:
    """The clauses of v ↔ left ∧ right: no constants, no tautologies."""
    if 0 in (left, right) or left ^ right == 1:
        return [(-v,)]
    fanins = [signed(lit) for lit in sorted({left, right} - {1})]
    return [*((-v, x) for x in fanins), (v, *(-x for x in fanins))]


def _irredundant(fresh: set[Clause], kept: list[Clause]) -> list[Clause]:
    """The fresh clauses that no other clause subsumes."""
    if len(fresh) > 24:
        return sorted(fresh)
    sets = {clause: frozenset(clause) for clause in fresh}
    others = [*sets.values(), *map(frozenset, kept)]
    return sorted(clause for clause, literals in sets.items() if not any(o < literals for o in others))
