"""Several properties at once: one proof for all that hold, a derivation for each that fails, and the same verdicts as alone."""

from __future__ import annotations

from unittest import mock

import pytest

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.config import Config
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.errors import CertificateError
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.run.worlds import joint_graph
from lemmata.run.worlds.joint_graph import JointGraphProperties, groups
from lemmata.transforms.graph.joint import joint
from lemmata.verdict import Safe, Unsafe
from tests.support.clock import in_time

TEXT = b"""
procedure main(n : int)
{
  var i, j : int;
  i, j := 0, 0;
  while (i < n)
  {
    assert i == j;
    assert i >= 0;
    i, j := i + 1, j + 1;
    assert i != 3;
  }
  assert i >= n;
  assert i == n;
}
"""
FAILING = {"assert at line 11", "assert at line 14"}


def program() -> Graph:
    return parse_boogie(TEXT, "p.bpl")


def test_a_derivation_of_any_error_is_one_of_its_own_property() -> None:
    graph = program()
    question = joint(graph, range(len(graph.questions)))
    verdict = GraphBmc(question.model).check(0, in_time())
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    found = question.back.trace(verdict.trace)
    assert graph.questions[found.prop].name in FAILING
    replay_derivation(graph, found)


def test_one_invariant_proves_all_properties_that_hold() -> None:
    graph = program()
    holding = [q.index for q in graph.questions if q.name not in FAILING]
    question = joint(graph, holding)
    verdict = LiftedPdr(question.model).check(0, in_time())
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    invariant = question.back.invariant(verdict.invariant)
    check_claims(graph, holding, invariant)
    with pytest.raises(CertificateError, match="the claims allow to reach"):
        check_claims(graph, range(len(graph.questions)), invariant)


def test_check_gives_every_property_its_verdict_and_asks_few_questions() -> None:
    made: list[Graph] = []

    class Counting(JointGraphProperties):
        def _turn(self, end: float) -> None:
            made.append(self._graph)
            super()._turn(end)

    with (
        mock.patch("lemmata.run.worlds.graph.JointGraphProperties", Counting),
        mock.patch.object(joint_graph, "JOINT_FIRST_S", 60),
    ):
        flow = Flow(Task(program(), Config(), in_time()), NOBODY)
        flow.prepare()
        settled = [flow.settle(n, in_time()) for n in range(len(flow.chosen))]
    words = {p.name: s.verdict.word for p, s in zip(flow.chosen, settled, strict=True) if isinstance(s, Settled)}
    assert words == {p.name: "unsafe" if p.name in FAILING else "safe" for p in flow.chosen}
    assert len(made) == 3  # two that fail, and one proof of the rest


def test_properties_of_different_entries_are_not_asked_together() -> None:
    text = b"procedure p(x : int) { assert x > 0; assert x > 1; }"
    text += b"procedure q(x : int) { assert x > 2; } procedure r() { assert true; }"
    assert groups(parse_boogie(text, "p.bpl"), range(4)) == [[0, 1]]
    assert groups(parse_boogie(text, "p.bpl"), [0, 2]) == []
    assert groups(program(), range(5)) == [[0, 1, 2, 3, 4]]


def test_one_property_is_not_asked_together_with_nobody() -> None:
    flow = Flow(Task(program(), Config(property="0"), in_time()), NOBODY)
    flow.prepare()
    with mock.patch.object(JointGraphProperties, "_turn", side_effect=AssertionError):
        assert isinstance(flow.settle(0, in_time()), Settled)
