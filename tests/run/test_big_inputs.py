"""Files of every kind that ``make bench-scaling`` makes, small ones, all the way; an error comes before simplification."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.config import Config
from lemmata.events import NOBODY
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.run.worlds import graph as graphs
from lemmata.run.worlds import words as over_words
from tests.scaling.inputs import Family, families
from tests.support.clock import in_time

SMALL = {"lines": 60, "bytes": 4_000, "gates": 400, "nodes": 300}


def words(path: Path) -> list[str]:
    flow = Flow(Task(str(path), Config(workers=1), in_time()), NOBODY)
    flow.prepare()
    outcomes = [flow.settle(position, in_time()) for position in range(len(flow.chosen))]
    assert all(isinstance(outcome, Settled) for outcome in outcomes)
    return [outcome.verdict.word for outcome in outcomes]


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.name)
def test_small_files_of_every_family_have_the_verdict_that_they_are_made_for(family: Family, tmp_path: Path) -> None:
    path = tmp_path / f"small{family.suffix}"
    family.write(SMALL[family.unit], path)
    assert (family.verdict == "unsafe") == ("unsafe" in words(path))


@pytest.mark.parametrize("name", ["straight, unsafe", "branching, unsafe", "variables, unsafe", "clauses, unsafe"])
def test_a_shallow_error_is_found_before_the_graph_is_simplified(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the graph was simplified")

    monkeypatch.setattr(graphs, "_LARGE_VALUES", 100)
    monkeypatch.setattr(graphs, "simplify_graph", never)
    family = next(family for family in families() if family.name == name)
    path = tmp_path / f"big{family.suffix}"
    family.write(10 * SMALL[family.unit], path)
    assert words(path) == ["unsafe"]


def test_no_bit_is_made_of_a_large_system_whose_error_many_inputs_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("there are bits")

    monkeypatch.setattr(over_words, "_LARGE_TERMS", 100)
    monkeypatch.setattr(over_words, "blast", never)
    family = next(family for family in families() if family.name == "words, unsafe")
    path = tmp_path / "large.btor2"
    family.write(1000, path)
    assert words(path) == ["unsafe"]


def test_a_proof_comes_after_a_look_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "_LARGE_VALUES", 100)
    path = tmp_path / "safe.bpl"
    family = next(family for family in families() if family.name == "branching, safe")
    family.write(SMALL["lines"], path)
    assert words(path) == ["safe"]
