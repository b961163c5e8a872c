"""The domains of abstract interpretation: affine equations, ranges, cells; and which directions are looked at."""

import random
from fractions import Fraction

import pytest

from lemmata.engines.abstract.directions import template_directions
from lemmata.engines.abstract.partition import Partition, PartitionCell
from lemmata.engines.abstract.predicates import levels
from lemmata.engines.abstract.ranges import Direction, Range
from lemmata.engines.abstract.shape import LocationShape, ShapeView
from lemmata.logic.build import build, conj, equal, ite, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term, const, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.oracles.affine_hull import AffineHull
from lemmata.oracles.support import support

A, B, C = (var(name, INT) for name in ("a", "b", "c"))
P = var("p", BOOL)


def at_most(a: Term, b: Term | int) -> Term:
    return build("<=", (a, b if isinstance(b, Term) else const(b, INT)))


def plus(a: Term, b: int) -> Term:
    return build("+", (a, const(b, INT)))


def looped(variables: tuple[Term, ...], guard: Term, updates: tuple[Term, ...], bad: Term) -> Graph:
    here = Source(0, variables)
    start = Edge((), 0, (), TRUE, tuple(const(0, v.sort) for v in variables))
    edges = (start, Edge((here,), 0, (), guard, updates), Edge((here,), 1, (), bad))
    return Graph((Location("main", variables), Location("error")), edges, (GraphProperty(0, "p", 1),))


def parts_of(graph: Graph, location: int = 0) -> set[tuple[tuple[int, int], ...]]:
    """Directions by position, whatever order and sign they were found in."""
    found = [sorted(direction.parts) for direction in template_directions(graph)[location]]
    return {tuple((i, c if parts[0][1] > 0 else -c) for i, c in parts) for parts in found}


# Affine equations.


@pytest.mark.parametrize("seed", range(30))
def test_a_hull_keeps_exactly_the_equations_that_all_points_satisfy(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(1, 5)
    base = [[chance.randint(-9, 9) for _ in range(size)] for _ in range(chance.randint(1, size))]
    points = [base[0]]
    for _ in range(12):
        weights = [chance.randint(-3, 3) for _ in base[1:]]
        points.append([x + sum(w * row[i] for w, row in zip(weights, base[1:], strict=True)) for i, x in enumerate(base[0])])
    hull = AffineHull(range(size), points[0])
    for point in points[1:]:
        hull.join(point)
    assert all(not equation.residue(point) for equation in hull.equations for point in points)
    assert len(hull.equations) == size - _rank([[x - y for x, y in zip(p, points[0], strict=True)] for p in points])


def _rank(rows: list[list[int]]) -> int:
    matrix, rank = [[Fraction(x) for x in row] for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((row for row in matrix[rank:] if row[column]), None)
        if pivot is None:
            continue
        matrix.remove(pivot)
        matrix.insert(rank, pivot)
        rank += 1
        for row in matrix[rank:]:
            factor = row[column] / pivot[column]
            row[:] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
    return rank


def test_a_join_that_changes_a_hull_costs_one_equation() -> None:
    hull = AffineHull((0, 1, 2), (0, 0, 0))
    assert [hull.join(point) for point in ((1, 1, 2), (2, 2, 4), (5, 5, 0), (7, 7, 7))] == [True, False, True, False]
    assert [(e.parts, e.constant) for e in hull.equations] == [(((0, 1), (1, -1)), 0)]


def test_large_values_leave_short_equations() -> None:
    hull = AffineHull(range(4), (10**9, 10**9, 7, 3))
    for point in ((10**12 + 1, 10**12 + 1, 10**15, 5), (-(10**13), -(10**13), 10**17 + 3, 11)):
        hull.join(point)
    assert (((0, 1), (1, -1)), 0) in [(e.parts, e.constant) for e in hull.equations]


# Ranges.


def test_a_bound_moves_then_jumps_to_thresholds_then_vanishes() -> None:
    found = Range(Direction(((0, 1),), True, False, frozenset(), (-10, 50, 100)), 0, delay=2)
    seen = []
    for value in (1, 2, 3, 60, 101):
        found.join((value,))
        seen.append(found.high)
    assert seen == [1, 2, 50, 100, None]
    assert found.low == 0


def test_remainders_shrink_to_what_all_values_have_in_common() -> None:
    found = Range(Direction(((0, 1),), True, True), 1, delay=0, bounds=False)
    seen = []
    for value in (13, 7, 10, 11):
        found.join((value,))
        seen.append(found.remainder)
    assert seen == [(12, 1), (6, 1), (3, 1), None]


def test_large_remainders_count_only_if_the_program_has_them() -> None:
    for moduli, expected in ((frozenset[int](), None), (frozenset({2000}), (2000, 5))):
        found = Range(Direction(((0, 1),), True, True, moduli), 5, delay=0)
        found.join((4005,))
        found.join((6005,))
        assert found.remainder == expected


# Cells and partitions.


@pytest.mark.parametrize("seed", range(20))
def test_every_point_satisfies_the_facts_of_its_cell(seed: int) -> None:
    chance = random.Random(seed)
    x = var("x", REAL)
    variables = (A, B, P, x)
    shape = LocationShape(
        variables,
        (Direction(((0, 1),), True, True), Direction(((0, 1), (1, -1)), True, True), Direction(((3, 2),), False, False)),
        (at_most(A, B), P),
        pairs=((2, 2),),
        delay=1,
    )
    partition = Partition(shape)
    points = []
    for _ in range(12):
        point = (chance.randint(-6, 6), chance.randint(-6, 6), chance.random() < 0.5, Fraction(chance.randint(-9, 9), 4))
        partition.join((point[0] <= point[1], point[2]), point)
        points.append(dict(zip(variables, point, strict=True)))
    formulas = [partition.formula(variables), conj(partition.facts())]
    assert all(all(evaluate(formulas, point)) for point in points)


def test_a_location_that_was_never_seen_is_claimed_unreachable_and_one_given_up_claims_nothing() -> None:
    partition = Partition(LocationShape((A,)))
    assert partition.facts() == [FALSE]
    partition.give_up()
    assert partition.facts() == []


def test_a_cell_tells_whether_a_point_is_new() -> None:
    shape = LocationShape((A, B), (Direction(((0, 1),), True, True),), delay=9)
    cell = PartitionCell(shape, (0, 0))
    assert [cell.join(point) for point in ((0, 0), (2, 2), (1, 1), (0, 2))] == [False, True, True, True]
    assert [str(fact) for fact in cell.remainders(ShapeView(shape, (A, B)))] == []


# Directions and predicates.


def test_what_a_loop_keeps_is_a_direction() -> None:
    """x counts down while i counts up to n: x + i - n is in no atom."""
    graph = looped((A, B, C), negate(at_most(C, B)), (plus(A, -1), plus(B, 1), C), at_most(A, -1))
    assert ((0, 1), (1, 1), (2, -1)) in parts_of(graph)


def test_two_turns_of_a_loop_together_give_directions() -> None:
    """a grows by 2 in every turn, b by 1 in every other one: a - 4·b stays small."""
    even = equal(build("mod", (C, const(2, INT))), const(0, INT))
    graph = looped((A, B, C), TRUE, (plus(A, 2), ite(even, plus(B, 1), B), plus(C, 1)), at_most(A, -1))
    assert ((0, 1), (1, -4)) in parts_of(graph)


def test_thresholds_follow_the_edges() -> None:
    graph = looped((A,), at_most(A, 99), (plus(A, 10),), at_most(const(1000, INT), A))
    (direction,) = template_directions(graph)[0]
    assert 109 in direction.thresholds


def test_predicates_come_by_levels_and_booleans_first() -> None:
    graph = looped((P, A), P, (negate(P), ite(at_most(A, 5), plus(A, 1), A)), at_most(const(7, INT), A))
    chosen = [level[0] for level in levels(graph)]
    assert chosen[0] == ()
    assert chosen[1] == (P,)
    assert chosen[2] == (P, at_most(A, 5))
    assert len(chosen[3]) == 3


# Support.


def test_support_chooses_the_facts_that_the_proof_needs() -> None:
    graph = looped((A, B, C), TRUE, (plus(A, 1), plus(B, 1), plus(C, 3)), negate(equal(A, B)))
    facts = [equal(A, B), at_most(const(0, INT), A), equal(build("mod", (C, const(3, INT))), const(0, INT))]
    assert support(graph, [facts, []], 1, "z3") == [[equal(A, B)], []]


def test_support_keeps_everything_if_something_does_not_follow() -> None:
    graph = looped((A,), TRUE, (plus(A, 1),), at_most(A, -1))
    assert support(graph, [[at_most(A, 7)], []], 1, "z3") == [[at_most(A, 7)], []]
