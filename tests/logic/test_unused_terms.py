"""Terms that nobody refers to are freed; those that are in use stay what they are."""

from __future__ import annotations

from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, TRUE, Sweep, const, free_unused_terms, make, topological, var


def test_what_is_in_use_stays_one_object() -> None:
    kept = make("+", (var("kept", INT), const(123457, INT)))
    number = kept.number
    free_unused_terms()
    assert make("+", (var("kept", INT), const(123457, INT))) is kept
    assert kept.number == number and kept.args[0] is var("kept", INT)
    assert make("and", (TRUE, FALSE)) is make("and", (TRUE, FALSE))


def test_what_is_not_goes_with_its_arguments() -> None:
    free_unused_terms()
    for n in range(50):
        make("+", (make("*", (const(n + 7_000_000, INT), var("unused", INT))), var("unused", INT)))
    assert free_unused_terms() >= 150
    assert free_unused_terms() == 0


def test_numbers_still_order_arguments_before_terms() -> None:
    old = make("+", (var("a", INT), var("b", INT)))
    free_unused_terms()
    new = make("*", (old, make("+", (var("c", INT), old))))
    order = topological([new])
    assert all(order.index(arg) < order.index(term) for term in order for arg in term.args)


def test_sweeps_wait_until_there_is_enough_to_do() -> None:
    free_unused_terms()
    sweep = Sweep(least=1 << 40)
    make("+", (var("garbage", INT), const(987_654, INT)))
    sweep.when_grown()
    assert free_unused_terms() >= 2
