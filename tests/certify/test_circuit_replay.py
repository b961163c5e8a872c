"""Traces: what is accepted runs from an initial state to a bad one; one wrong bit and it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lemmata.certify.circuit.check import certify, replay
from lemmata.errors import CertificateError
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.trace import Trace
from lemmata.verdict import Unsafe

# Latch one is 1 after a step with input 1, latch two after two such steps in a row; bad: two.
TWICE = b"aag 4 1 2 0 1 1\n2\n4 2\n6 8\n6\n8 4 2\nl0 one\nl1 two\n"
# The bad state 1 has no successor that satisfies the constraint "not after": after follows now.
DEAD_END = b"aag 2 0 2 0 0 1 1\n2 1\n4 2\n2\n5\n"
# A latch that starts as the input and one that starts as its negation; bad: the first.
FUNCTION = b"aag 3 1 2 0 0 1\n2\n4 4 2\n6 6 5\n4\n"


def test_two_ones_reach_the_bad_state() -> None:
    replay(parse_aiger(TWICE), Trace(0, (0, 0), ((1,), (1,), (0,))))


@pytest.mark.parametrize("inputs", [((0,), (1,), (0,)), ((1,), (0,), (0,)), ((1,), (1,)), ((1,), (1,), (0,), (0,))])
def test_other_inputs_do_not(inputs: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(CertificateError, match="does not reach b0"):
        replay(parse_aiger(TWICE), Trace(0, (0, 0), inputs))


def test_the_constraint_holds_in_the_last_step_too_and_nothing_is_asked_after_it() -> None:
    replay(parse_aiger(DEAD_END), Trace(0, (0, 0), ((), ())))
    with pytest.raises(CertificateError, match=r"constraint c0 is violated in step 2"):
        replay(parse_aiger(DEAD_END), Trace(0, (0, 0), ((), (), ())))


@pytest.mark.parametrize(("initial", "inputs"), [((1, 0), ((1,),))])
def test_a_reset_function_is_evaluated_under_the_first_inputs(initial: tuple[int, ...], inputs: tuple[tuple[int]]) -> None:
    replay(parse_aiger(FUNCTION), Trace(0, initial, inputs))


@pytest.mark.parametrize(
    ("initial", "inputs"),
    [((1, 0), ((0,),)), ((1, 1), ((1,),)), ((0, 1), ((1,),))],
    ids=["other-input", "second-function", "first-function"],
)
def test_a_state_that_no_reset_allows_is_rejected(initial: tuple[int, ...], inputs: tuple[tuple[int]]) -> None:
    with pytest.raises(CertificateError, match="initial state"):
        replay(parse_aiger(FUNCTION), Trace(0, initial, inputs))


def test_a_free_latch_may_start_as_anything() -> None:
    replay(parse_aiger(b"aag 1 0 1 0 0 1\n2 2 2\n2\n"), Trace(0, (1,), ((),)))


def test_a_constant_reset_may_not_be_ignored() -> None:
    with pytest.raises(CertificateError, match="l0 is 1, its reset is 0"):
        replay(parse_aiger(b"aag 1 0 1 0 0 1\n2 2\n2\n"), Trace(0, (1,), ((),)))


@pytest.mark.parametrize(
    ("trace", "cause"),
    [
        (Trace(0, (0, 0), ()), "no step"),
        (Trace(0, (0,), ((1,),)), "the initial state has 1 bits, the model has 2 latches"),
        (Trace(0, (0, 0), ((1, 0),)), "step 0 has 2 bits, the model has 1 inputs"),
        (Trace(0, (0, 0), ((1,), ())), "step 1 has 0 bits"),
        (Trace(0, (0, 0), ((2,),)), "neither 0 nor 1"),
        (Trace(1, (0, 0), ((1,),)), "no property 1"),
        (Trace(-1, (0, 0), ((1,),)), "no property -1"),
    ],
)
def test_a_trace_of_the_wrong_shape_is_rejected(trace: Trace, cause: str) -> None:
    with pytest.raises(CertificateError, match=cause):
        replay(parse_aiger(TWICE), trace)


def test_a_trace_that_runs_on_is_told_where_to_stop() -> None:
    with pytest.raises(CertificateError, match=r"not bad in its last step, 1 \(it is in step 0"):
        replay(parse_aiger(b"aag 1 0 1 0 0 1\n2 0 1\n2\n"), Trace(0, (1,), ((), ())))


def test_the_trace_must_be_about_the_property() -> None:
    model = parse_aiger(b"aag 1 0 1 0 0 2\n2 2 1\n2\n2\n")
    trace = Trace(0, (1,), ((),))
    assert certify(model, 0, Unsafe(trace)) == "simulation"
    assert certify(model, 1, Unsafe(replace(trace, prop=1))) == "simulation"
    with pytest.raises(CertificateError, match="about property 0"):
        certify(model, 1, Unsafe(trace))


def test_only_outputs_count_where_there_are_no_bads() -> None:
    replay(parse_aiger(b"aag 1 1 0 1 0\n2\n3\n"), Trace(0, (), ((0,),)))
