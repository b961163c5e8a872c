"""The parts of checker ``interpolants``: cores, shadows, sums, hulls, words; each against Z3 or by hand."""

from __future__ import annotations

from random import Random

from lemmata.engines.traces.engine import Traces
from lemmata.engines.traces.interpolants import Interpolants
from lemmata.engines.traces.interpolants.cases import case_split
from lemmata.engines.traces.interpolants.core_solver import SolverLimits
from lemmata.engines.traces.interpolants.farkas import sums
from lemmata.engines.traces.interpolants.fourier_motzkin import fourier_motzkin
from lemmata.engines.traces.interpolants.point_hull import PointHull
from lemmata.engines.traces.interpolants.sequences import relax
from lemmata.engines.traces.interpolants.unfolding import Unfolding, unfold
from lemmata.engines.traces.trace import EdgeTrace
from lemmata.logic.build import build, conj, disj, ite, negate
from lemmata.logic.sorts import INT, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, var
from lemmata.logic.walk import variables
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.solvers.bitwuzla_interpolants import interpolant
from lemmata.solvers.smt import Unsat, open_solver
from lemmata.verdict import Safe
from tests.support.clock import in_time
from tests.support.lia_graphs import X2, Y2, N, X, Y, add, eq, le, num, phases
from tests.support.thesis_systems import loop_from_two, unreachable
from tests.support.trace_proofs import checked, line


def is_valid(formula: Term) -> bool:
    """For Z3."""
    solver = open_solver("z3")
    solver.add(negate(formula))
    return isinstance(solver.check(), Unsat)


def relaxed(graph: Graph, trace: EdgeTrace) -> tuple[Unfolding, tuple[tuple[Term, ...], ...]]:
    unfolding = unfold(graph, trace)
    parts = relax(unfolding, SolverLimits("z3"), 60.0)
    assert parts is not None
    return unfolding, parts


def told(graph: Graph, trace: EdgeTrace) -> list[Term]:
    """The sums along a trace."""
    unfolding, parts = relaxed(graph, trace)
    formulas = sums(unfolding, parts, SolverLimits("z3"))
    assert formulas is not None
    return [unfolding.told(step, formula) for step, formula in enumerate(formulas)]


def test_the_last_core_has_the_latest_formulas() -> None:
    parts = [eq(X, 1), le(X, 5), eq(X, 2), le(3, X), eq(X, 0)]
    assert SolverLimits("z3").core_solver().last_core(parts) == (le(3, X), eq(X, 0))
    assert set(SolverLimits("z3").core_solver().least_core(parts) or ()) != set(parts)


def test_a_trace_is_relaxed_to_what_the_last_rounds_need() -> None:
    _, parts = relaxed(phases(4), line(0, 1, 1, 1, 2, 3, 3, 3, 4, 5))
    assert parts[:3] == ((), (), ())
    assert len(parts[3]) == len(parts[7]) == 2


def test_sums_are_the_same_at_each_visit_if_they_can_be() -> None:
    assert told(loop_from_two(), line(0, 1, 2, 2, 2, 3)) == [TRUE, *[le(2, X)] * 4, FALSE]


def test_cases_of_an_inequation_are_put_together() -> None:
    formulas = told(unreachable(), line(0, 1, 2, 2, 4))
    assert formulas[0] is TRUE
    assert all(is_valid(build("=", (formula, eq(X, Y)))) for formula in formulas[1:-1])


def test_shadows_follow_and_have_no_more_variables() -> None:
    random = Random(7)
    names = [X, Y, N, X2, Y2]
    for _ in range(60):
        literals = []
        for _ in range(random.randint(2, 6)):
            total = add(random.choice(names), random.randint(-3, 3))
            for _ in range(random.randint(0, 2)):
                total = build(random.choice(["+", "-"]), (total, random.choice(names)))
            zero = add(Y, build("neg", (Y,)))
            literals.append(build(random.choice(["<=", "="]), (total, zero)))
        found = fourier_motzkin(literals, {X, N})
        assert not {X, N} & set(variables(found))
        assert is_valid(build("=>", (conj(literals), conj(found))))


def test_ways_say_what_the_formula_says() -> None:
    condition = le(X, Y)
    formulas = [
        disj([le(X, 1), le(Y, 1)]),
        negate(conj([le(X, 1), le(Y, 1)])),
        negate(eq(X, Y)),
        le(ite(condition, X, N), 3),
        ite(condition, le(N, 1), le(N, 2)),
        build("=", (condition, le(N, 1))),
        negate(build("=", (condition, le(N, 1)))),
    ]
    for formula in formulas:
        found = case_split(formula)
        assert found is not None
        assert len(found) == 2
        assert is_valid(build("=", (disj(found), formula)))
    assert case_split(le(X, 1)) is None


def test_a_hull_has_the_equations_and_remainders_of_its_points() -> None:
    hull = PointHull([X, Y], INT)
    for point in [(0, 1), (4, 9), (12, 25)]:
        hull.add(point)
    facts = conj(hull.facts())
    expected = conj([eq(Y, add(add(X, X), 1)), eq(build("mod", (X, num(4))), 0)])
    assert is_valid(build("=", (facts, expected)))
    hull.add((0, 0))
    hull.add((1, 0))
    assert hull.facts() == []


def _counting_words(width: int) -> Graph:
    """a and b count together, modulo 2ʷ; the error is that they differ."""
    a, b = (var(name, BitVec(width)) for name in "ab")
    here = (Source(0, (a, b)),)
    one = bv(1, width)
    step = Edge(here, 0, (), TRUE, (build("bvadd", (a, one)), build("bvadd", (b, one))))
    return Graph(
        (Location("loop", (a, b)), Location("error")),
        (Edge((), 0, (), TRUE, (bv(0, width), bv(0, width))), step, Edge(here, 1, (), negate(build("=", (a, b))))),
        (GraphProperty(0, "same", 1),),
    )


def test_words_have_interpolants_of_a_solver() -> None:
    a, b, c = (var(name, BitVec(6)) for name in "abc")
    side = [build("=", (a, bv(3, 6))), build("=", (b, build("bvmul", (a, bv(4, 6)))))]
    other = [build("=", (c, build("bvadd", (b, bv(1, 6))))), build("bvult", (c, bv(9, 6)))]
    found = interpolant(side, other)
    assert found is not None
    assert set(variables([found])) <= {b}
    assert is_valid(build("=>", (conj(side), found)))
    assert is_valid(negate(conj([found, *other])))
    assert interpolant(side[:1], other) is None


def test_traces_of_words_are_decided() -> None:
    graph = _counting_words(4)
    for rounds in range(4):
        checked(graph, line(0, *[1] * rounds, 2), Interpolants(graph))
    assert isinstance(Traces(graph, Interpolants(graph)).check(0, in_time()), Safe)
