"""Linear programs: optima with their proofs, contradictions with Farkas' factors."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import z3

from lemmata.logic.build import build
from lemmata.logic.linear import Atom, Linear, atom, from_coefficients, normal, total
from lemmata.logic.linear.lp import EmptyPolyhedron, Optimum, Unbounded, farkas, maximize
from lemmata.logic.sorts import REAL
from lemmata.logic.terms import const, var
from tests.support.random_arithmetic import for_z3, variable_for_z3

NAMES = [var(f"{name}_lp", REAL) for name in "xyzw"]
X, Y = NAMES[:2]


def bound(kind: str, constant: int, **coefficients: int) -> Atom:
    by_name = dict(zip("xyzw", NAMES, strict=True))
    return normal(kind, from_coefficients({by_name[name]: c for name, c in coefficients.items()}, constant, REAL))


def direction(*coefficients: int) -> Linear:
    return from_coefficients(dict(zip(NAMES, coefficients, strict=False)), 0, REAL)


def test_the_optimum_is_at_a_corner() -> None:
    atoms = [bound("le", -4, x=1, y=2), bound("le", -6, x=3, y=1), bound("le", 0, x=-1), bound("le", 0, y=-1)]
    answer = maximize(direction(1, 1), atoms)
    assert isinstance(answer, Optimum)
    assert answer.value == Fraction(14, 5)
    assert answer.factors == (Fraction(2, 5), Fraction(1, 5), 0, 0)


def test_a_direction_without_bounds_is_unbounded() -> None:
    assert maximize(direction(1), [bound("le", 0, x=-1)]) == Unbounded()
    assert maximize(direction(0, 1), [bound("le", 0, x=1)]) == Unbounded()
    assert maximize(direction(1), []) == Unbounded()


def test_a_constant_direction_has_its_value() -> None:
    assert maximize(Linear((), 7, REAL), [bound("le", 0, x=1)]) == Optimum(Fraction(7), (Fraction(0),))


def test_equations_have_factors_of_any_sign() -> None:
    answer = maximize(direction(1), [bound("eq", -5, x=-1, y=-1), bound("le", -2, y=-1)])
    assert isinstance(answer, Optimum) and answer.value == -3
    assert farkas([bound("eq", -5, x=1), bound("le", -3, x=1)]) is not None


def test_strict_bounds_alone_can_contradict() -> None:
    assert farkas([bound("lt", 0, x=1, y=-1), bound("le", 0, x=-1, y=1)]) == (1, 1)
    assert farkas([bound("le", 0, x=1, y=-1), bound("le", 0, x=-1, y=1)]) is None
    assert farkas([]) is None


def test_degenerate_corners_end() -> None:
    atoms = [bound("le", 0, x=a, y=b, z=-1) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2)] + [bound("le", -3, z=1)]
    answer = maximize(direction(1, 1, 0), atoms)
    assert isinstance(answer, Optimum) and answer.value == Fraction(3, 2)


def test_twenty_variables_and_forty_bounds_are_quick() -> None:
    rng = Random(7)
    many = [var(f"v{i}_lp", REAL) for i in range(20)]
    atoms = [
        normal("le", from_coefficients({v: rng.randint(-3, 3) for v in rng.sample(many, 5)}, -rng.randint(0, 9), REAL))
        for _ in range(40)
    ]
    atoms += [normal("le", from_coefficients({v: 1}, -9, REAL)) for v in many]
    assert isinstance(maximize(from_coefficients(dict.fromkeys(many, 1), 0, REAL), atoms), Optimum)


def _random(rng: Random) -> list[Atom]:
    atoms = []
    for _ in range(rng.randint(1, 7)):
        form = from_coefficients(
            {v: rng.randint(-3, 3) for v in NAMES}, Fraction(rng.randint(-6, 6), rng.choice([1, 1, 2])), REAL
        )
        atoms.append(normal(rng.choice(["le", "le", "le", "lt", "eq"]), form))
    return [found for found in atoms if found.form.terms]


@pytest.mark.parametrize("start", [0, 60])
def test_random_programs_agree_with_z3(start: int) -> None:
    for seed in range(start, start + 60):
        rng = Random(f"lp {seed}")
        atoms, goal = _random(rng), direction(*[rng.randint(-3, 3) for _ in NAMES])
        factors = farkas(atoms)
        solver = z3.Solver()
        solver.add(*[for_z3(found.to_term()) for found in atoms])
        assert (solver.check() == z3.unsat) == (factors is not None), seed
        if factors is not None:
            _is_contradiction(atoms, factors)
            continue
        answer = maximize(goal, atoms)
        if isinstance(answer, Optimum):
            _is_proof(goal, atoms, answer)
            above = build("<", (const(answer.value, REAL), goal.to_term()))
            solver.add(for_z3(above) if goal.terms else z3.BoolVal(False))
            assert solver.check() == z3.unsat, seed
        else:
            assert isinstance(answer, Unbounded), seed
            solver.add(z3.Sum([int(c) * variable_for_z3(v) for v, c in goal.terms]) > 10**6)
            assert solver.check() == z3.sat, seed


def _is_contradiction(atoms: list[Atom], factors: tuple[Fraction, ...]) -> None:
    assert all(factor >= 0 or found.kind == "eq" for found, factor in zip(atoms, factors, strict=True))
    form = total(zip([found.form for found in atoms], factors, strict=True), REAL)
    is_strict = any(found.kind == "lt" and factor > 0 for found, factor in zip(atoms, factors, strict=True))
    assert not form.terms and (form.constant > 0 or (form.constant == 0 and is_strict))


def _is_proof(goal: Linear, atoms: list[Atom], answer: Optimum) -> None:
    assert all(factor >= 0 or found.kind == "eq" for found, factor in zip(atoms, answer.factors, strict=True))
    form = goal - total(zip([found.form for found in atoms], answer.factors, strict=True), REAL)
    assert not form.terms and form.constant == answer.value


def test_infeasible_programs_say_why() -> None:
    found = [atom(build("<=", (X, const(1, REAL)))), atom(build("<=", (const(3, REAL), X)))]
    atoms = [entry for entry in found if entry is not None]
    answer = maximize(direction(0, 1), atoms)
    assert isinstance(answer, EmptyPolyhedron)
    _is_contradiction(atoms, answer.factors)
