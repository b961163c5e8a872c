"""The native core against PySAT: random clauses in incremental scripts, random circuits.

``python -m tests.soak.native 100000`` runs that many scripts and a fifth of that many circuits; ``make fuzz-native`` does it
with a core that is compiled with the sanitizers of addresses and undefined behaviour.

A script adds clauses with tags, moves some up, removes some, and asks with assumptions, a temporary clause, and sometimes a
domain. Every model must satisfy the clauses that hold at its level (with a domain: those inside it), every core must be
assumptions, and be unsatisfiable for PySAT; so must be what the core says is unsatisfiable without any.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pysolvers

ALWAYS = 2**31 - 1
_LEVELS = (0, 1, 2, 3, 1 << 30, ALWAYS)


def is_satisfiable(clauses: list[tuple[int, ...]], assumptions: list[int]) -> bool:
    """PySAT's word for it."""
    if () in clauses:
        return False
    handle = pysolvers.minisat22_new()
    try:
        for clause in clauses:
            pysolvers.minisat22_add_cl(handle, clause)
        return bool(pysolvers.minisat22_solve(handle, assumptions, 0))
    finally:
        pysolvers.minisat22_del(handle)


@dataclass(slots=True)
class Script:
    """One solver, and what it was told."""

    native: Any
    random: Random
    variables: int = field(init=False)
    solver: Any = field(init=False)
    clauses: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)  # by number: literals, tag
    handles: dict[int, int] = field(default_factory=dict)  # by number

    def __post_init__(self) -> None:
        self.variables = self.random.choice((3, 6, 12, 25, 50))
        self.solver = self.native.Solver(self.variables)

    def run(self) -> int:
        """Do everything; how many queries were asked."""
        random, queries = self.random, 0
        density = random.choice((1.0, 2.5, 4.2, 5.0))
        for _ in range(int(density * self.variables)):
            self.add()
        for _ in range(random.randint(1, 12)):
            for _ in range(random.randint(0, 4)):
                random.choice((self.add, self.add, self.raise_tag, self.remove))()
            self.ask()
            queries += 1
        return queries

    def literals(self, most: int) -> list[int]:
        """Some literals, perhaps several times, perhaps opposite ones."""
        random = self.random
        size = random.choice((1, 2, 2, 3, 3, 3, 3, random.randint(1, most)))
        return [random.choice((1, -1)) * random.randint(1, self.variables) for _ in range(size)]

    def add(self) -> None:
        """A clause."""
        clause, tag = self.literals(8), self.random.choice(_LEVELS)
        if self.random.random() < 0.5:
            tag = ALWAYS
        number = len(self.clauses)
        handle = self.solver.add(clause, tag)
        self.clauses[number] = tuple(clause), tag
        if handle >= 0 and tag != ALWAYS:
            self.handles[number] = handle

    def raise_tag(self) -> None:
        """A clause holds at more levels."""
        if self.handles:
            number = self.random.choice(sorted(self.handles))
            clause, tag = self.clauses[number]
            tag = self.random.choice([level for level in _LEVELS if level >= tag])
            self.solver.retag(self.handles[number], tag)
            self.clauses[number] = clause, tag
            if tag == ALWAYS:
                del self.handles[number]

    def remove(self) -> None:
        """A clause that another one subsumes goes: removing must not change what follows."""
        for number in sorted(self.handles):
            clause, tag = self.clauses[number]
            if any(set(other) < set(clause) and above >= tag for other, above in self.clauses.values()):
                self.solver.remove(self.handles.pop(number))
                return

    def ask(self) -> None:
        """One query, and its answer checked."""
        random = self.random
        level = random.choice(_LEVELS)
        assumptions = self.literals(self.variables) if random.random() < 0.8 else []
        extra = self.literals(10) if random.random() < 0.5 else []
        domain = None
        if random.random() < 0.3:
            domain = sorted({abs(x) for x in (*assumptions, *extra)} | {v for v in range(1, self.variables + 1) if random.random() < 0.6})
        is_sat, literals = self.solver.solve(assumptions, level, extra, domain)
        holding = [clause for clause, tag in self.clauses.values() if tag >= level] + [tuple(extra)] * bool(extra)
        if is_sat:
            values = set(literals)
            assert not any(-x in values for x in values), "a literal and its negation"
            assert values.issuperset(assumptions), "an assumption does not hold"
            inside = [c for c in holding if domain is None or {abs(x) for x in c} <= set(domain)]
            assert all(values.intersection(clause) for clause in inside), "a clause does not hold"
        else:
            assert set(literals) <= set(assumptions), "a core is made of assumptions"
            assert not is_satisfiable(holding, list(literals)), "what was refuted is satisfiable"


def run_scripts(native: Any, count: int, seed: int = 0) -> int:
    """That many scripts; how many queries they had."""
    return sum(Script(native, Random(f"{seed} {number}")).run() for number in range(count))


def main() -> None:
    """Scripts, then circuits."""
    from lemmata.solvers import _native

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{count} scripts, {run_scripts(_native, count)} queries: agreed", flush=True)


if __name__ == "__main__":
    main()
