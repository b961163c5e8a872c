"""A proof that nobody can check in time holds up no other property."""

from __future__ import annotations

from unittest import mock

from lemmata.config import Config
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.run.worlds import graph as graph_world
from lemmata.work import FOREVER, now

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
