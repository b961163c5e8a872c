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

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.oracle import Cti, Cube, Inductive
from lemmata.models.aig import Aig
from lemmata.solvers.cones import Cones
from lemmata.solvers.native import NATIVE, PURE, native_core
from lemmata.solvers.relation import Relation
from tests.support.random_circuits import random_circuit

DEPTH = 3
PARTS = 20  # of a run, each told when it is done
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
            domain = sorted(
                {abs(x) for x in (*assumptions, *extra)} | {v for v in range(1, self.variables + 1) if random.random() < 0.6}
            )
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


def larger_circuit(random: Random) -> Aig:
    """Up to 14 latches and 120 gates, mostly in groups that elimination finds; constant, free and computed resets."""
    inputs, latches = random.randint(0, 5), random.randint(3, 14)
    leaves, gates = inputs + latches + 1, list[tuple[int, int]]()

    def literal() -> int:
        near = range(max(1, leaves + len(gates) - 25), leaves + len(gates))
        return 2 * random.choice(near if random.random() < 0.6 else range(1, leaves)) | random.getrandbits(1)

    def gate(a: int, b: int) -> int:
        gates.append((max(a, b), min(a, b)))
        return 2 * (leaves + len(gates) - 1)

    for _ in range(random.randint(5, 40)):
        a, b, c = literal(), literal(), literal()
        match random.randrange(3):
            case 0:
                gate(a, b)
            case 1:
                gate(gate(a, b) ^ 1, gate(a ^ 1, b ^ 1) ^ 1)
            case 2:
                gate(gate(a, b) ^ 1, gate(a ^ 1, c) ^ 1)
    resets = [random.choice((0, 0, 0, 1, 2 * v)) for v in range(inputs + 1, leaves)]
    if random.random() < 0.2:
        resets[0] = 2 * random.randint(1, inputs) if inputs else 0
    nexts = tuple(random.choice((literal(), literal(), literal(), random.randint(0, 1))) for _ in range(latches))
    constraints = tuple(literal() for _ in range(random.choice((0, 0, 0, 1))))
    sides = tuple(left for left, _ in gates), tuple(right for _, right in gates)
    return Aig(inputs, nexts, tuple(resets), *sides, bads=(literal(),), constraints=constraints)


class Duel:
    """The native oracle and PySAT's on one circuit with the same frames."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.model = random_circuit(seed) if seed % 2 else larger_circuit(self.random)
        first = self.model.first_latch
        self.latches = range(first, first + self.model.latches)
        self.native, self.pure = (Pdr(self.model, options=PdrOptions(backend=backend)) for backend in (NATIVE, PURE))
        self.lemmas = 0
        for engine in (self.native, self.pure):
            for _ in range(DEPTH):
                engine.frames.open()
                engine.oracle.open()

    def cube(self) -> Cube:
        """Some latches, often few."""
        share = self.random.choice((0.2, 0.5, 0.9))
        return tuple(v * self.random.choice((1, -1)) for v in self.latches if self.random.random() < share)

    def run(self) -> int:
        """Random questions, some answers of which become lemmas; how many were asked."""
        asked = 0
        for _ in range(12):
            cube, level = self.cube(), self.random.randint(0, DEPTH)
            is_initial = self.pure.oracle.initial(cube)
            assert self.native.oracle.initial(cube) == is_initial, "initial"
            if cube and not is_initial:
                self.consecution(cube, level)
                asked += 1
        for lemma in self.pure.frames.from_level(1):
            mine, other = (engine.oracle.pushes(lemma.cube, lemma.level) for engine in (self.native, self.pure))
            assert isinstance(mine, tuple) == isinstance(other, tuple), "pushes"
            assert not lemma.cube or self.native.frames.blocks(lemma.cube, lemma.level), "blocks"
            asked += 1
        return asked

    def consecution(self, cube: Cube, level: int) -> None:
        """One cube, both oracles; what is inductive is generalized and may become a lemma."""
        mine, other = (engine.oracle.consecution(cube, level, whole=True) for engine in (self.native, self.pure))
        if isinstance(mine, Cti):
            self.steps_into(mine, cube)
            assert isinstance(other, Cti) or self.lemmas, "native misses that a cube is inductive"
            return
        assert isinstance(other, Inductive), "native says inductive"
        assert self.pure.oracle.inductive(mine.core, level) is not None and not self.pure.oracle.initial(mine.core), "core"
        if level < DEPTH:
            before = set(self.native.frames.from_level(1))
            lemma = self.native.loop.generalizer.generalize(mine.core, level, 0)
            for found in set(self.native.frames.from_level(1)) - before:  # on the way
                self.pure.loop.learn(found.cube, found.level)
            assert set(lemma) <= set(mine.core)
            assert self.pure.oracle.inductive(lemma, level) is not None and not self.pure.oracle.initial(lemma), "lemma"
            reached = self.random.randint(1, level + 1)
            for engine in (self.native, self.pure):
                engine.loop.learn(lemma, reached)
            self.lemmas += 1

    def steps_into(self, cti: Cti, cube: Cube) -> None:
        """Every state of the cti steps with its inputs into the cube, and the constraint holds."""
        relation = Relation(self.model, eliminate=False)
        solver = Cones(relation, PURE)
        targets = [relation.literal(self.model.nexts[abs(x) - self.model.first_latch]) * (1 if x > 0 else -1) for x in cube]
        targets += [relation.literal(lit) for lit in self.model.constraints]
        given = solver.translate([*cti.cube, *cti.inputs])
        for target in targets:
            assert solver.sat.refute([*given, *solver.translate([-target])]) is not None, "a predecessor misses its target"


def run_circuits(count: int, seed: int = 0) -> int:
    """That many circuits; how many questions they had."""
    asked = 0
    for number in range(seed, seed + count):
        try:
            asked += Duel(number).run()
        except AssertionError as error:
            error.add_note(f"circuit {number}")
            raise
    return asked


def main() -> None:
    """Scripts, then circuits."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    native = native_core()
    assert native is not None, "the native core was not built"
    print(native.__file__)
    queries = questions = 0
    for part in range(PARTS):
        scripts, circuits = count // PARTS, count // PARTS // 5
        queries += run_scripts(native, scripts, seed=part)
        questions += run_circuits(circuits, seed=part * circuits)
        done = part + 1
        print(
            f"{done * scripts} scripts, {queries} queries, {done * circuits} circuits, {questions} questions: agreed",
            flush=True,
        )


if __name__ == "__main__":
    main()
