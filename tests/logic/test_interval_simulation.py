"""Simulation over the DAG: the paper's example, increments against full evaluation, marks, depth and speed."""

from __future__ import annotations

import random
import time

import pytest

from lemmata.logic.domains.interval_simulation import Simulation, WordInterval
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import Term, bv, make, var
from tests.support.random_words import random_dag

BYTE = BitVec(8)
X1, X2 = var("x1", BYTE), var("x2", BYTE)
TWO = bv(2, 8)


def paper_example() -> Term:
    """(x1 > 2 ∧ x2 > 2) ∨ x1 ≤ 2: figure 1 of Welp and Kuehlmann."""
    above = make("and", (make("bvult", (TWO, X1)), make("bvult", (TWO, X2))))
    return make("or", (above, make("bvule", (X1, TWO))))


def test_figure_1_of_the_paper() -> None:
    simulation = Simulation([paper_example()])
    at_least_3 = WordInterval.unsigned(3, 255, 8)
    (value,) = simulation.simulate({X1: at_least_3, X2: at_least_3})
    assert (value.umin, value.umax) == (1, 1)
    (value,) = simulation.simulate({X2: at_least_3})  # x1 occurs twice: an over-approximation, as the paper says
    assert (value.umin, value.umax) == (0, 1)
    (value,) = simulation.simulate({X1: WordInterval.unsigned(0, 2, 8)})
    assert (value.umin, value.umax) == (1, 1)


def test_widening_and_going_back() -> None:
    root = paper_example()
    simulation = Simulation([root])
    simulation.assign({X1: WordInterval.point(5, 8), X2: WordInterval.point(7, 8)})
    assert simulation.value(root).umin == 1
    simulation.widen(X1, WordInterval.unsigned(3, 255, 8))
    mark = simulation.mark()
    simulation.widen(X2, WordInterval.top(8))
    assert simulation.value(root) == WordInterval.top(1)
    simulation.widen(X1, WordInterval.point(1, 8))
    assert simulation.value(root) == WordInterval.point(1, 1)
    simulation.rollback(mark)
    assert simulation.value(root).umin == 1
    assert simulation.value(X1) == WordInterval.unsigned(3, 255, 8)
    assert simulation.value(X2) == WordInterval.point(7, 8)


@pytest.mark.parametrize("seed", range(20))
def test_increments_give_what_full_evaluation_gives_and_contain_the_concrete_values(seed: int) -> None:
    rng = random.Random(seed)
    width = rng.choice([2, 4, 9, 32])
    leaves, nodes = random_dag(rng, 60, width, 4)
    simulation, fresh = Simulation(nodes), Simulation(nodes)
    point = {leaf: rng.getrandbits(width) for leaf in leaves}
    arcs = {leaf: WordInterval.point(value, width) for leaf, value in point.items()}
    simulation.assign(arcs)
    concrete = evaluate(nodes, point)
    for _ in range(15):
        leaf = rng.choice(leaves)
        before = [simulation.value(node) for node in nodes]
        lo, hi = rng.randint(0, point[leaf]), rng.randint(point[leaf], (1 << width) - 1)
        mark = simulation.mark()
        simulation.widen(leaf, WordInterval.unsigned(lo, hi, width))
        after = [simulation.value(node) for node in nodes]
        assert after == fresh.simulate(arcs | {leaf: WordInterval.unsigned(lo, hi, width)})
        assert all(arc.contains(value) for arc, value in zip(after, concrete, strict=True))
        if rng.random() < 0.5:
            simulation.rollback(mark)
            assert [simulation.value(node) for node in nodes] == before
        else:
            arcs[leaf] = WordInterval.unsigned(lo, hi, width)


def test_points_give_points() -> None:
    rng = random.Random(7)
    leaves, nodes = random_dag(rng, 200, 16, 5)
    point = {leaf: rng.getrandbits(16) for leaf in leaves}
    arcs = Simulation(nodes).simulate({leaf: WordInterval.point(value, 16) for leaf, value in point.items()})
    assert [arc.umin for arc in arcs] == evaluate(nodes, point)
    assert all(arc.umin == arc.umax for arc in arcs)


def test_nothing_is_known_about_arrays_and_functions() -> None:
    memory = var("memory", Array(BitVec(2), BYTE))
    read = make("select", (memory, bv(1, 2)))
    called = make("apply", (X1,), ("f", (BYTE,), BOOL))
    chosen = make("ite", (called, memory, make("store", (memory, bv(0, 2), X1))))
    simulation = Simulation([make("bvand", (read, bv(15, 8))), called, make("=", (chosen, memory))])
    first, second, third = simulation.simulate({X1: WordInterval.point(3, 8)})
    assert (first.umin, first.umax) == (0, 15)
    assert second == third == WordInterval.top(1)
    with pytest.raises(ValueError, match="no arcs of sort"):
        simulation.value(memory)


def test_arcs_of_another_width_are_refused_and_unread_variables_are_no_matter() -> None:
    simulation = Simulation([paper_example()])
    with pytest.raises(ValueError, match="an arc of 4 bits for a variable of sort"):
        simulation.widen(X1, WordInterval.top(4))
    simulation.widen(var("elsewhere", BYTE), WordInterval.top(8))
    assert simulation.mark() == 0


def test_a_boolean_variable_has_an_arc_of_one_bit() -> None:
    b = var("b", BOOL)
    root = make("ite", (b, bv(3, 8), bv(5, 8)))
    simulation = Simulation([root])
    simulation.assign({b: WordInterval.point(1, 1)})
    assert simulation.value(root) == WordInterval.point(3, 8)
    simulation.widen(b, WordInterval.top(1))
    assert (simulation.value(root).umin, simulation.value(root).umax) == (3, 5)


def test_a_chain_of_100000_nodes_is_no_matter() -> None:
    chain = X1
    for _ in range(100_000):
        chain = make("bvadd", (chain, X2))
    simulation = Simulation([chain])
    simulation.assign({X1: WordInterval.unsigned(1, 2, 8), X2: WordInterval.point(1, 8)})
    assert (simulation.value(chain).umin, simulation.value(chain).umax) == (1 + 100_000 % 256, 2 + 100_000 % 256)
    simulation.widen(X1, WordInterval.point(0, 8))
    assert simulation.value(chain) == WordInterval.point(100_000 % 256, 8)


def test_evaluation_takes_microseconds_per_node() -> None:
    rng = random.Random(3)
    leaves, nodes = random_dag(rng, 5000, 32, 30)
    simulation = Simulation(nodes)
    start = time.process_time()
    simulation.assign({leaf: WordInterval.unsigned(1, 1000, 32) for leaf in leaves})
    assert (time.process_time() - start) / len(nodes) < 20e-6  # about 2 on an idle machine
