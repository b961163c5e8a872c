"""Loops on which PDR without guidance goes on for ever: proved by this engine alone, without the facts of another."""

from __future__ import annotations

import pytest

from lemmata.logic.build import build, conj, disj, equal, negate
from lemmata.logic.sorts import INT
from lemmata.logic.terms import TRUE, Term, const, var
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unsafe
from tests.support.lifted_verdicts import settle
from tests.support.loop_graphs import add, le, loop, lt, num

X, Y, Z, N = (var(name, INT) for name in "xyzn")


def times(factor: int, term: Term) -> Term:
    return build("*", (const(factor, INT), term))


def different(a: Term, b: Term) -> Term:
    return negate(equal(a, b))


SAFE = {
    "a weighted sum is kept": loop(
        (X, Y),
        (X, Y),
        [(TRUE, (add(X, num(1)), add(Y, num(-1))))],
        lt(num(5), add(X, times(2, Y))),
        le(add(X, times(2, Y)), num(5)),
    ),
    "an even counter": loop((X,), (num(0),), [(TRUE, (add(X, num(2)),))], equal(X, num(7))),
    "an even counter, any odd number": loop(
        (X,), (num(0),), [(TRUE, (add(X, num(2)),))], equal(build("mod", (X, num(2))), num(1))
    ),
    "two counters": loop((X, Y), (num(0), num(0)), [(TRUE, (add(X, num(1)), add(Y, num(1))))], different(X, Y)),
    "two counters that stop": loop(
        (X, Y, N), (num(0), num(0), N), [(lt(X, N), (add(X, num(1)), add(Y, num(1)), N))], conj([le(N, X), different(X, Y)])
    ),
    "twice as fast": loop((X, Y), (num(0), num(0)), [(TRUE, (add(X, num(1)), add(Y, num(2))))], different(Y, times(2, X))),
    "up and down": loop(
        (X, Y, N),
        (num(0), N, N),
        [(lt(X, N), (add(X, num(1)), add(Y, num(-1)), N))],
        conj([le(N, X), different(Y, num(0))]),
        le(num(0), N),
    ),
    "three phases": loop(
        (X, Y),
        (num(0), num(0)),
        [
            (lt(X, num(10)), (add(X, num(1)), add(Y, num(1)))),
            (conj([le(num(10), X), lt(X, num(20))]), (add(X, num(1)), Y)),
            (conj([le(num(20), X), lt(X, num(30))]), (add(X, num(1)), add(Y, num(-1)))),
        ],
        conj([le(num(30), X), different(Y, num(0))]),
    ),
}


@pytest.mark.parametrize("name", SAFE)
def test_a_diverging_loop_is_proved(name: str) -> None:
    assert isinstance(settle(SAFE[name], 30), Safe)


def _far(limit: int) -> Graph:
    return loop((X, Z), (num(0), num(0)), [(TRUE, (add(X, num(1)), add(Z, X)))], disj([equal(X, num(limit)), lt(Z, num(0))]))


def test_a_counterexample_far_away_is_met_by_a_walk() -> None:
    assert isinstance(settle(_far(800)), Unsafe)
