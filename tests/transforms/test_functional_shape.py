"""Which graphs are systems: only those in which a bad state can also go on."""

from __future__ import annotations

from dataclasses import replace

from lemmata.logic.build import conj, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import TRUE, make, var
from lemmata.models.graph import Edge, Graph, Origin
from lemmata.models.system import System, graph_of, system_of

X, Y, I, J = (var(name, BOOL) for name in "xyij")  # noqa: E741


def graph(constraint: bool = True) -> Graph:
    system = System((X, Y), (I, J), {X: None, Y: X}, {X: I, Y: X}, conj([I, J]) if constraint else TRUE, (X,))
    return graph_of(system, ("p",), Origin(), "test")


def with_edge(old: Graph, position: int, new: Edge) -> Graph:
    edges = list(old.edges)
    edges[position] = new
    return replace(old, edges=tuple(edges))


def test_a_graph_of_a_system_is_that_system_again() -> None:
    for constraint in (True, False):
        found = system_of(graph(constraint))
        assert found is not None
        assert found.constraint is (conj([I, J]) if constraint else TRUE)
        assert found.starts == {X: None, Y: X}


def test_bad_states_that_cannot_go_on_make_no_system() -> None:
    old = graph()
    for guard in (X, make("and", (X, I)), negate(old.edges[1].guard)):
        assert system_of(with_edge(old, 2, replace(old.edges[2], guard=guard))) is None


def test_the_conjuncts_of_the_constraint_may_stand_anywhere() -> None:
    old = graph()
    for guard in (make("and", (J, X, I)), make("and", (make("and", (I, X)), make("and", (J, TRUE))))):
        assert system_of(with_edge(old, 2, replace(old.edges[2], guard=guard))) is not None


def test_an_input_that_is_changed_on_its_way_in_is_no_free_start() -> None:
    old = graph()
    assert system_of(with_edge(old, 0, replace(old.edges[0], updates=(negate(X), X)))) is None
