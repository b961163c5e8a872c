"""The clauses of a circuit define its functions, with and without elimination, and a solver loads no more than it needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

import pytest

from lemmata.models.aig import Aig, Lit
from lemmata.solvers.cones import Cones
from lemmata.solvers.relation import Relation, dimacs
from lemmata.solvers.sat import SAT_BACKENDS, SatSolver
from tests.support.enumerate import evaluate
from tests.support.evidence import holds, words
from tests.support.random_circuits import random_circuit


def random_gates(seed: int, gates: int = 30) -> Aig:
    """Three inputs, three latches, and gates that read any literal, also constants, the same one twice, or its negation."""
    random = Random(seed)
    lefts, rights = [], []
    for gate in range(gates):
        top = 2 * (7 + gate)
        left = random.randrange(top) if random.random() < 0.6 else random.randrange(max(0, top - 12), top)
        kind = random.random()
        lefts.append(left)
        rights.append(left if kind < 0.03 else left ^ 1 if kind < 0.06 else random.randrange(top))
    top = 2 * (7 + gates)
    roots = [random.randrange(top - 16, top) for _ in range(6)]
    return Aig(3, tuple(roots[:3]), (0, 1, 10), tuple(lefts), tuple(rights), bads=(roots[3], roots[4]), constraints=(roots[5],))


def roots(model: Aig) -> list[Lit]:
    """The literals that an engine may ask about."""
    bads = [prop.bad for prop in model.properties()]
    return sorted({*model.nexts, *bads, *model.constraints, *model.resets})


def moves(model: Aig) -> Iterator[tuple[list[int], list[int]]]:
    """Every assignment of the leaves, as DIMACS literals, with the value of every variable."""
    for state in words(model.latches):
        for inputs in words(model.inputs):
            bits = (*inputs, *state)
            yield [v if bit else -v for v, bit in enumerate(bits, 1)], evaluate(model, state, inputs)


def assert_defines(model: Aig, relation: Relation) -> None:
    """Under each assignment of the leaves each root has its own value and no other."""
    solver = Cones(relation, "minisat22")
    asked = [(lit, relation.literal(lit)) for lit in roots(model)]
    for leaves, value in moves(model):
        assumed = solver.translate(leaves)
        for lit, x in asked:
            wrong, right = (-x, x) if holds(value, lit) else (x, -x)
            assert solver.sat.refute([*assumed, *solver.translate([right])]) is None
            assert solver.sat.refute([*assumed, *solver.translate([wrong])]) is not None


@pytest.mark.parametrize("eliminate", [True, False])
def test_clauses_define_the_functions_of_random_circuits(eliminate: bool) -> None:
    for seed in range(60):
        model = random_circuit(seed)
        assert_defines(model, Relation(model, eliminate))


@pytest.mark.parametrize("eliminate", [True, False])
def test_clauses_define_the_functions_of_random_gates(eliminate: bool) -> None:
    for seed in range(25):
        model = random_gates(seed)
        assert_defines(model, Relation(model, eliminate))


def test_the_cone_of_a_root_holds_all_that_its_function_depends_on() -> None:
    for seed in range(25):
        model = random_gates(seed)
        for eliminate in (True, False):
            relation = Relation(model, eliminate)
            for lit in roots(model):
                leaves = {v for v in relation.cone([abs(relation.literal(lit))]) if v < model.first_gate}
                assert dependencies(model, lit) <= leaves


def dependencies(model: Aig, lit: Lit) -> set[int]:
    """The leaves that can change the literal's value."""
    table = {tuple(x > 0 for x in leaves): holds(value, lit) for leaves, value in moves(model)}
    width = model.first_gate - 1
    return {v + 1 for v in range(width) for bits in table if table[bits] != table[(*bits[:v], not bits[v], *bits[v + 1 :])]}


def loaded(relation: Relation) -> dict[int, list[tuple[int, ...]]]:
    """The clauses of every gate that some root needs."""
    needed = relation.cone(abs(relation.literal(lit)) for lit in roots(relation.model))
    return {v: relation.definition(v)[0] for v in needed if relation.model.first_gate <= v < relation.true}


def test_elimination_leaves_fewer_gates_and_no_more_clauses() -> None:
    gone = 0
    for seed in range(25):
        model = random_gates(seed)
        plain, small = loaded(Relation(model, eliminate=False)), loaded(Relation(model))
        assert small.keys() <= plain.keys()
        assert sum(map(len, small.values())) <= sum(map(len, plain.values()))
        gone += len(plain) - len(small)
    assert gone > 100


def test_what_can_be_asked_about_is_never_eliminated() -> None:
    for seed in range(25):
        model = random_gates(seed)
        clauses = loaded(Relation(model))
        assert all(lit >> 1 in clauses for lit in roots(model) if lit >> 1 >= model.first_gate)


def test_every_gate_owns_a_definition_over_smaller_variables() -> None:
    for seed in range(25):
        relation = Relation(random_gates(seed))
        for v, clauses in loaded(relation).items():
            reads = set(relation.definition(v)[1])
            assert {abs(x) for clause in clauses for x in clause} - {v} == reads
            assert all(u < v for u in reads)
            assert all(v in map(abs, clause) and not any(-x in clause for x in clause) for clause in clauses)


def test_elimination_without_time_is_harmless() -> None:
    model = random_gates(1, gates=300)
    hurried = Relation(model, patience=-1.0)
    assert len(loaded(Relation(model))) < len(loaded(hurried))
    assert_defines(model, hurried)


def test_constants_are_literals_too() -> None:
    relation = Relation(Aig(1, (), (), (), (), bads=(0, 1)))
    solver = Cones(relation, "minisat22")
    assert relation.literal(1) == -relation.literal(0)
    assert solver.sat.refute(solver.translate([relation.literal(1)])) is None
    assert solver.sat.refute(solver.translate([relation.literal(0)])) is not None


def test_signs_follow_the_negation_bit() -> None:
    assert (dimacs(6), dimacs(7)) == (3, -3)


# cones

TWO_CONES = Aig(2, (10, 12), (0, 0), (2, 4), (6, 8), bads=(10,))  # next of latch 0: i0 ∧ l0, next of latch 1: i1 ∧ l1


def test_a_cone_is_loaded_when_it_is_asked_for_and_not_before() -> None:
    solver = Cones(Relation(TWO_CONES), "minisat22")
    assert not any(solver.local)
    solver.load([5])
    assert {v for v in range(1, 7) if solver.local[v]} == {1, 3, 5}
    solver.translate([-6])
    assert {v for v in range(1, 7) if solver.local[v]} == {1, 2, 3, 4, 5, 6}


def test_local_numbers_are_compact_stable_and_signed() -> None:
    for seed in range(10):
        model = random_gates(seed)
        solver = Cones(Relation(model), "minisat22")
        before: dict[int, int] = {}
        for lit in roots(model):
            if lit > 1:
                solver.load([lit >> 1])
            now = {v: solver.local[v] for v in range(1, model.variables) if solver.local[v]}
            assert sorted(now.values()) == list(range(1, len(now) + 1))
            assert all(solver.local[-v] == -number for v, number in now.items())
            assert before.items() <= now.items()
            before = now


def test_loading_twice_changes_nothing() -> None:
    solver = Cones(Relation(TWO_CONES), "minisat22")
    solver.load([5, 6])
    numbers = list(solver.local)
    solver.load([5, 6, 3, 1])
    assert solver.local == numbers


def test_a_temporary_clause_holds_under_its_guard_until_it_is_retired() -> None:
    solver = Cones(Relation(TWO_CONES), "minisat22")
    x, y = solver.translate([3, 4])
    guard = solver.temporary([-3, -4])
    assert solver.sat.refute([x, y, guard]) is not None
    assert solver.sat.refute([x, y]) is None
    assert solver.retired == 0
    solver.retire(guard)
    assert solver.retired == 1
    assert solver.sat.refute([x, y]) is None
    assert solver.sat.refute([guard]) is not None


@pytest.mark.parametrize("latches", [1, 2, 3])
def test_a_state_is_read_from_the_latches_that_were_loaded(latches: int) -> None:
    model = Aig(1, (2,) * 4, (0,) * 4, (), (), bads=(2,))
    solver = Cones(Relation(model), "minisat22")
    solver.load([1])
    wanted = [2, -3, 4][:latches]
    solver.add([1])
    found = solver.sat.find(solver.translate(wanted))
    assert found is not None
    assert solver.state(found) == frozenset(wanted)


def test_permanent_clauses_speak_of_circuit_variables() -> None:
    solver = Cones(Relation(TWO_CONES), "minisat22")
    solver.add([-3])
    assert solver.sat.refute(solver.translate([5])) is not None
    assert solver.sat.refute(solver.translate([6])) is None


# the solver itself


@pytest.mark.parametrize("backend", SAT_BACKENDS)
def test_every_backend_answers_with_models_and_cores(backend: str) -> None:
    sat = SatSolver(backend)
    sat.add([-1, 2])
    sat.add([-2, 3])
    assert sat.find([1]) == [1, 2, 3]
    core = sat.refute([4, 1, 5, -3])
    assert core is not None and set(core) == {1, -3}
    assert sat.refute([4, -3]) is None
    sat.add([3])
    sat.add([-3])
    assert sat.refute([]) == []
    assert sat.refute([4, 5]) == []
    assert sat.queries == 5


@pytest.mark.parametrize("backend", SAT_BACKENDS)
def test_every_backend_goes_quietly(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    sat = SatSolver(backend)
    sat.add([1])
    del sat
    assert complaints == []


@pytest.mark.parametrize("backend", SAT_BACKENDS)
def test_cores_and_models_are_true_on_random_clauses(backend: str) -> None:
    for seed in range(40):
        random = Random(seed)
        clauses = [[random.choice((1, -1)) * v for v in random.sample(range(1, 9), 3)] for _ in range(26)]
        sat = SatSolver(backend)
        for clause in clauses:
            sat.add(clause)
        for _ in range(5):
            assumed = [random.choice((1, -1)) * v for v in random.sample(range(1, 9), 4)]
            found = sat.find(assumed)
            if found is None:
                core = sat.refute(assumed)
                assert core is not None and set(core) <= set(assumed)
                assert sat.find(core) is None
            else:
                assert set(assumed) <= set(found)
                assert all(any(x in found for x in clause) for clause in clauses)
