"""The parts of PDR on graphs, one by one: cubes, frames, families of lemmas, names and numbers, observed."""

from __future__ import annotations

from lemmata.engines.pdr.graph.cube import GraphCube, convex, cube_of, limits_imply, quick, shape
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.graph.global_guidance import GlobalGuide
from lemmata.engines.pdr.graph.halfspaces import Halfspaces
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.engines.pdr.graph.observed_transitions import ObservedTransitions
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.graph.symbolic_constants import SymbolicConstants
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.build import build, equal, ite, negate
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from tests.support.loop_graphs import add, counter, le, loop, lt, num

X, Y = var("x", INT), var("y", INT)


def cube(*literals: Term) -> GraphCube:
    return cube_of(0, [canonical(literal) for literal in literals])


def guesses(*cubes: GraphCube) -> list[GraphCube]:
    """What the guide guesses when it hears of the last one."""
    graph = loop((X, Y), (num(0), num(0)), [(TRUE, (X, Y))], lt(X, num(0)))
    frames = GraphFrames()
    guide = GlobalGuide(frames, Halfspaces(SmtOracle(graph, frames, preferred(), lambda: None)))
    found: list[GraphCube] = []
    for one in cubes:
        found = [guess.cube for guess in guide.guesses(frames.add(one, 1), GraphObligation(one, 1))]
    return found


def test_a_tighter_bound_implies_a_weaker_one() -> None:
    assert limits_imply(shape(cube(le(X, num(3))).literals), cube(le(X, num(4))).literals)
    assert not limits_imply(shape(cube(le(X, num(5))).literals), cube(le(X, num(4))).literals)


def test_equations_become_bounds_and_disequations_the_side_of_the_model() -> None:
    both = convex(0, [equal(X, num(3)), negate(equal(Y, num(1)))], {X: 3, Y: 7})
    assert both == cube(le(X, num(3)), le(num(3), X), le(num(2), Y))


def test_names_keep_their_equations() -> None:
    assert convex(0, [equal(X, num(3)), le(X, num(9))], {X: 3, Y: 7}, {X}).literals == (equal(X, num(3)),)


def test_a_stronger_lemma_replaces_weaker_ones() -> None:
    frames = GraphFrames()
    weak = frames.add(cube(le(X, num(3)), le(Y, num(0))), 2)
    frames.add(cube(le(X, num(4))), 1)
    assert weak in frames.lemmas[0]  # it holds at a higher level
    frames.add(cube(le(X, num(4))), 2)
    assert weak not in frames.lemmas[0]
    assert frames.blocks(cube(le(X, num(1))), 2) and not frames.blocks(cube(le(X, num(1))), 3)


def test_bounds_that_move_against_each_other_are_combined() -> None:
    family = [cube(le(X, num(k)), le(num(k + 1), Y)) for k in range(3)]
    assert cube(lt(X, Y)).literals[0] in guesses(*family)[0].literals


def test_a_bound_that_becomes_ever_weaker_goes() -> None:
    assert guesses(*[cube(le(X, num(k)), le(num(5), Y)) for k in range(3)]) == [cube(le(num(5), Y))]


def test_steps_are_kept_as_a_congruence() -> None:
    family = [cube(le(X, num(k)), le(num(k), X)) for k in (1, 3, 5)]
    assert cube(equal(build("mod", (X, num(2))), num(1))).literals[0] in guesses(*family)[0].literals


def test_two_lemmas_are_no_family() -> None:
    assert guesses(*[cube(le(X, num(k)), le(num(5), Y)) for k in range(2)]) == []


def phases() -> Graph:
    """x is set to constants and compared with them, y is counted."""
    step = ite(equal(X, num(7)), num(9), X)
    return loop((X, Y), (num(7), num(0)), [(TRUE, (step, add(Y, num(1))))], equal(X, num(8)))


def test_control_states_are_names_and_counters_are_not() -> None:
    assert SymbolicConstants(phases()).names[0] == {X}
    assert SymbolicConstants(counter(3, 4)).names[0] == frozenset()


def test_a_name_that_flows_into_a_number_is_one() -> None:
    graph = loop((X, Y), (num(7), num(0)), [(TRUE, (X, X)), (TRUE, (X, add(Y, num(1))))], equal(X, num(8)))
    assert SymbolicConstants(graph).names[0] == frozenset()


def test_a_core_is_kept_apart_from_what_is_reached() -> None:
    observed = ObservedTransitions(phases(), GraphFrames())
    assert observed.meet(ReachFact(0, 0, (), {X: 7, Y: 0}))
    assert not observed.meet(ReachFact(0, 0, (), {X: 7, Y: 0}))
    whole = cube(le(X, num(8)), le(num(1), Y))
    assert observed.is_reached(cube(le(X, num(8))))
    assert observed.apart(cube(le(X, num(8))), whole) == whole


def test_whole_reals_are_compared_as_numbers() -> None:
    level = var("level", REAL)
    state = quick({level: const(3, REAL).data[0]})
    assert type(state[level]) is int
    assert GraphCube(0, (canonical(build("<=", (level, const(3, REAL)))),)).contains(state)


def test_lemmas_for_ever_are_counted() -> None:
    frames = GraphFrames()
    lemma = frames.add(cube(le(X, num(3))), 1)
    assert frames.eternal == 0
    frames.raise_to(lemma, INFINITY)
    assert frames.eternal == 1
