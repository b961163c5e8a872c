"""The gates behind our own SMT solver: whatever shape a gate is said to have, it computes that."""

from __future__ import annotations

from random import Random

from lemmata.solvers.circuit import Circuit

LEAVES = 4
ALL = (1 << (1 << LEAVES)) - 1  # a truth table: one bit per assignment


class Tables:
    """A circuit with the truth table of every variable."""

    def __init__(self) -> None:
        self.circuit = Circuit()
        self.of = {0: 0}
        self.lits = [self.circuit.leaf() for _ in range(LEAVES)]
        for place, lit in enumerate(self.lits):
            self.of[lit >> 1] = sum(1 << point for point in range(1 << LEAVES) if point >> place & 1)

    def table(self, lit: int) -> int:
        return self.of[lit >> 1] ^ (ALL if lit & 1 else 0)

    def conjoin(self, a: int, b: int) -> int:
        lit = self.circuit.conjoin(a, b)
        if lit >> 1 in self.of:
            assert self.table(lit) == self.table(a) & self.table(b)
        self.of[lit >> 1] = self.table(a) & self.table(b) ^ (ALL if lit & 1 else 0)
        return lit

    def shaped(self, variable: int) -> int:
        shape, reads = self.circuit.shape(variable)
        a, b, *rest = (self.table(read) for read in reads)
        match shape:
            case "and":
                for table in rest:
                    b &= table
                return a & b
            case "xor":
                return a ^ b
            case "choice":
                return (a & b | ~a & rest[0]) ^ ALL
        return (a & b | a & rest[0] | b & rest[0]) ^ ALL


def random_tables(seed: int) -> Tables:
    """Gates over few inputs, so that two levels meet again and again."""
    random, tables = Random(seed), Tables()
    for _ in range(30):
        a, b, c = (random.choice(tables.lits) ^ random.randrange(2) for _ in range(3))
        both, neither = tables.conjoin(a, b), tables.conjoin(a ^ 1, b ^ 1)
        one = tables.conjoin(both ^ 1, neither ^ 1)
        inner = random.choice((one, one ^ 1, neither ^ 1, neither, both, a, a ^ 1))
        tables.lits.append(tables.conjoin(both ^ random.randrange(2), tables.conjoin(inner, c) ^ 1))
        if len(tables.lits) > 12:
            del tables.lits[random.randrange(len(tables.lits))]
    return tables


def test_a_gate_computes_what_its_shape_says() -> None:
    seen = set()
    for seed in range(200):
        tables = random_tables(seed)
        for variable in tables.of:
            if tables.circuit.inputs(2 * variable):
                seen.add(tables.circuit.shape(variable)[0])
                assert tables.shaped(variable) == tables.of[variable]
    assert seen == {"and", "xor", "choice", "majority"}


def test_an_adder_is_two_exclusive_ors_and_a_majority() -> None:
    circuit = Circuit()
    a, b, c = (circuit.leaf() for _ in range(3))
    both, neither = circuit.conjoin(a, b), circuit.conjoin(a ^ 1, b ^ 1)
    one = circuit.conjoin(both ^ 1, neither ^ 1)
    two = circuit.conjoin(one, c)
    total = circuit.conjoin(two ^ 1, circuit.conjoin(one ^ 1, c ^ 1) ^ 1)
    carry = circuit.conjoin(both ^ 1, two ^ 1)
    assert circuit.shape(carry >> 1) == ("majority", (a, b, c))
    assert circuit.shape(total >> 1)[0] == circuit.shape(one >> 1)[0] == "xor"
    assert {literal >> 1 for literal in circuit.shape(total >> 1)[1]} == {one >> 1, c >> 1}
