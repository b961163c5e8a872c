"""The plain solver's answers are fixed by the formula: checked against all assignments of small random ones."""

from __future__ import annotations

from itertools import product
from random import Random

from lemmata.solvers.plain import Plain

VARIABLES = 5
Clauses = list[list[int]]


def random_clauses(random: Random) -> Clauses:
    return [
        [random.choice((-1, 1)) * v for v in random.sample(range(1, VARIABLES + 1), 3)] for _ in range(random.randint(4, 22))
    ]


def models(clauses: Clauses) -> list[frozenset[int]]:
    """In the order of ``first``: variable 1 decides first, true comes before false."""
    found = []
    for signs in product((1, -1), repeat=VARIABLES):
        model = frozenset(sign * (v + 1) for v, sign in enumerate(signs))
        if all(model & set(clause) for clause in clauses):
            found.append(model)
    return found


def solver(clauses: Clauses) -> Plain:
    plain = Plain(VARIABLES)
    for clause in clauses:
        plain.add(clause)
    return plain


def test_the_first_model_is_the_first_of_all_models() -> None:
    random = Random(1)
    for _ in range(200):
        clauses = random_clauses(random)
        expected = models(clauses)
        assert solver(clauses).first([], range(1, VARIABLES + 1)) == (expected[0] if expected else None)


def test_a_contradiction_fails_and_no_part_of_it_is_superfluous() -> None:
    random = Random(2)
    contradictions = 0
    for _ in range(200):
        clauses = random_clauses(random)
        parts = [random.choice((-1, 1)) * v for v in range(1, VARIABLES + 1)]
        kept = solver(clauses).contradiction(parts)
        possible = models(clauses)
        if kept is None:
            assert frozenset(parts) in possible
            continue
        contradictions += 1
        chosen = {parts[position] for position in kept}
        assert not any(chosen <= model for model in possible)
        assert all(any(chosen - {part} <= model for model in possible) for part in chosen)
    assert contradictions > 50
