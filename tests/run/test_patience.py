"""A proof that nobody can check, or not in time, holds up neither other properties nor other engines."""

from __future__ import annotations

from unittest import mock

import pytest

from lemmata.certify import query
from lemmata.certify.graph.check import certify_graph
from lemmata.config import Config
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.horn import parse_horn
from lemmata.run import flow as flow_module
from lemmata.run import postponed
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled, Uncertified
from lemmata.run.task import Task
from lemmata.run.worlds import graph as graph_world
from lemmata.verdict import Safe
from lemmata.work import FOREVER, OTHER, now, tally

PROGRAM = b"""procedure main(n : int)
{
  var i : int;
  i := 0;
  while (i < n) { assert i >= 0; i := i + 1; }
  assert i >= 0;
  assert i >= n;
}
"""


def test_properties_of_a_proof_that_is_too_hard_to_check_are_asked_alone() -> None:
    flow = Flow(Task(parse_boogie(PROGRAM, "p.bpl"), Config(workers=1)), NOBODY)
    flow.prepare()
    asked: list[object] = []

    def too_hard(graph: object, props: object, invariant: object, solvers: object, until: float, journal: object) -> str:
        asked.append(props)
        assert until < FOREVER
        raise GaveUp("timeout")

    with mock.patch.object(graph_world, "check_claims", too_hard):
        for _ in range(2):
            try:
                flow.settle(0, now() + 5)
            except GaveUp as gave_up:
                assert gave_up.reason == "timeout"
            else:
                break
    assert asked == [(0, 1, 2)]
    outcomes = [flow.settle(position, FOREVER) for position in range(3)]
    assert all(isinstance(outcome, Settled) and outcome.verdict.word == "safe" for outcome in outcomes)


LOOP = b"procedure main(n : int) { var i : int; i := 0; while (i < n) { i := i + 1; } assert i >= 0; }"


def looking(**options: object) -> Flow:
    flow = Flow(Task(parse_boogie(LOOP, "p.bpl"), Config(workers=1, **options)), NOBODY)  # type: ignore[arg-type]
    flow.prepare()
    return flow


@pytest.mark.parametrize("reason", ["incomplete", "timeout"])
def test_an_engine_whose_proof_nobody_can_check_is_out_and_the_others_go_on(reason: str) -> None:
    flow, refused = looking(), list[str]()

    def refuse_two(*question: object) -> str:
        if len(refused) < 2:
            refused.append(flow.engine.name)
            raise GaveUp(reason)
        return certify_graph(*question)  # type: ignore[arg-type]

    with mock.patch.object(graph_world, "certify_graph", refuse_two):
        outcome = flow.settle(0, FOREVER)
    assert isinstance(outcome, Settled) and outcome.verdict.word == "safe"
    assert len({outcome.engine, *refused}) == 3


def test_it_is_unknown_if_nobody_is_left() -> None:
    flow = looking(engine="lifted")
    with (
        mock.patch.object(graph_world, "certify_graph", side_effect=GaveUp("incomplete")) as asked,
        pytest.raises(GaveUp, match="incomplete"),
    ):
        flow.settle(0, FOREVER)
    assert asked.call_count == 1


@pytest.mark.parametrize("engine", ["auto", "lifted"])
@pytest.mark.parametrize("until", [FOREVER, 0.5])
def test_a_proof_that_takes_long_to_check_waits_and_is_checked_again_for_longer(engine: str, until: float) -> None:
    limits = list[float]()

    def slow(graph: object, prop: object, verdict: Safe, solvers: object, until: float, journal: object) -> str:
        limits.append(until - now())
        if limits[-1] < 1.5:
            tally[OTHER] += int(limits[-1] * 1e9)
            raise GaveUp("timeout")
        return "cvc5"

    with (
        mock.patch.object(graph_world, "certify_graph", slow),
        mock.patch.object(postponed, "CERTIFY_PATIENCE_S", 0.1),
        mock.patch.object(flow_module, "CERTIFY_S", 0.1),
    ):
        flow, outcome, slice_s = looking(engine=engine), None, until
        while outcome is None:
            try:
                outcome = flow.settle(0, now() + slice_s)
            except GaveUp as gave_up:
                assert gave_up.reason == "timeout" and until < FOREVER
                slice_s *= 2
    assert isinstance(outcome, Settled) and outcome.verdict.word == "safe"
    assert (len(limits) > 2) == (engine == "auto" or until < FOREVER)


def test_a_wrong_proof_stays_an_error() -> None:
    with mock.patch.object(graph_world, "certify_graph", side_effect=CertificateError("wrong")):
        assert isinstance(looking().settle(0, FOREVER), Uncertified)


ARRAYS = b"""(set-logic HORN)
(declare-fun p ((Array (_ BitVec 2) (_ BitVec 2)) (_ BitVec 2)) Bool)
(assert (p ((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00) #b00))
(assert (forall ((a (Array (_ BitVec 2) (_ BitVec 2))) (i (_ BitVec 2)))
  (=> (p a i) (p (store a i (bvadd #b01 i)) (bvadd i #b10)))))
(assert (forall ((a (Array (_ BitVec 2) (_ BitVec 2))) (i (_ BitVec 2))) (=> (p a i) (= (select a #b01) #b00))))
(check-sat)
"""


@pytest.mark.parametrize("is_weakened", [True, False])
def test_a_proof_with_constant_arrays_that_solvers_do_not_compare_is_no_end(is_weakened: bool) -> None:
    flow = Flow(Task(parse_horn(ARRAYS, "a.smt2"), Config(workers=1)), NOBODY)
    flow.prepare()
    refuted = query._is_refuted_without_constant_arrays if is_weakened else lambda *question: False
    with mock.patch.object(query, "_is_refuted_without_constant_arrays", refuted):
        outcome = flow.settle(0, FOREVER)
    assert isinstance(outcome, Settled) and outcome.verdict.word == "safe"
