"""Engines on graphs that lie: whatever they say wrongly is caught, becomes unknown, and leaves a bug bundle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lemmata import run
from lemmata.config import Config
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.registry import ENGINES
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, const, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from tests.support.counter_graphs import EVEN, counter, run_of


@dataclass
class Liar:
    """An engine that says what it was told to say."""

    verdict: Verdict
    name: str = "lifted"
    bound: int = -1

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Without a look."""
        return self.verdict


def claims(graph: Graph, *lemmas) -> GraphInvariant:
    return GraphInvariant((Claim(0, graph.locations[0], lemmas),))


SAFE, BROKEN = counter(bad=5), counter(bad=4)
RIGHT = run_of(BROKEN, 0, 2, 4)
LIES = {
    "nothing is claimed": (SAFE, Safe(claims(SAFE))),
    "the start is forgotten": (SAFE, Safe(claims(SAFE, FALSE))),
    "a step is forgotten": (SAFE, Safe(claims(SAFE, make("<=", (var("x", INT), const(4, INT)))))),
    "the error is not excluded": (SAFE, Safe(claims(SAFE, make("<=", (const(0, INT), var("x", INT)))))),
    "an unsafe graph is called safe": (BROKEN, Safe(claims(BROKEN, EVEN))),
    "no claim at all": (SAFE, Safe(GraphInvariant(()))),
    "another graph's variable": (SAFE, Safe(claims(SAFE, make("=", (var("z", INT), const(0, INT)))))),
    "k is too small": (SAFE, Safe(GraphKInductive(1, claims(SAFE)))),
    "k without a base": (BROKEN, Safe(GraphKInductive(2, claims(BROKEN, EVEN)))),
    "a safe graph is called unsafe": (SAFE, Unsafe(run_of(SAFE, 0, 2, 4))),
    "a step is left out": (BROKEN, Unsafe(run_of(BROKEN, 0, 4))),
    "the start is wrong": (BROKEN, Unsafe(run_of(BROKEN, 4))),
    "the error is not reached": (BROKEN, Unsafe(replace(RIGHT, facts=RIGHT.facts[:-1]))),
    "an empty derivation": (BROKEN, Unsafe(Derivation(0, ()))),
    "an edge that is not there": (BROKEN, Unsafe(Derivation(0, (Fact(9, (), (), BROKEN.locations[1], ()),)))),
    "another property": (BROKEN, Unsafe(replace(RIGHT, prop=1))),
}


def checked(graph: Graph, engine: object, monkeypatch, tmp_path: Path) -> run.Outcome:
    monkeypatch.setitem(ENGINES, "lifted", replace(ENGINES["lifted"], builds={"graph": lambda *_: engine}))
    config = Config(engine="lifted", workers=1, preprocess=False)
    return run.supervise(graph, config, bundles=tmp_path, is_fork=True)


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_never_a_verdict(lie, monkeypatch, tmp_path):
    graph, verdict = LIES[lie]
    outcome = checked(graph, Liar(verdict), monkeypatch, tmp_path)
    assert outcome.result.properties[0].verdict == Unknown("uncertified")
    assert outcome.is_broken
    ((bug, bundle),) = outcome.bugs
    assert bug.kind == "uncertified" and bundle is not None and (bundle / "evidence.json").exists()


def test_the_truth_is_a_verdict(monkeypatch, tmp_path):
    for graph, engine, word in (
        (SAFE, Liar(Safe(claims(SAFE, EVEN))), "safe"),
        (BROKEN, Liar(Unsafe(RIGHT)), "unsafe"),
        (BROKEN, LiftedPdr(BROKEN), "unsafe"),
    ):
        outcome = checked(graph, engine, monkeypatch, tmp_path)
        assert outcome.result.verdict == word and not outcome.bugs
