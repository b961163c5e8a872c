"""The first look by PDR: verdicts as enumeration has them, an end to its work, and what comes afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.config import Config
from lemmata.engines.pdr.bit import first_look
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.first_look import PdrFirstLook
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Event, Reduced
from lemmata.frontends.aiger.writer import write_aiger
from lemmata.models.aig import Aig
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.solvers.native import native_core
from lemmata.verdict import Unknown
from tests.support.clock import in_time
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit
from tests.support.small_circuits import counter

TWIN_WORDS = """\
1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 input 1
5 state 1
6 state 1
7 init 1 5 3
8 init 1 6 3
9 add 1 5 4
10 add 1 6 4
11 next 1 5 9
12 next 1 6 10
13 neq 2 5 6
14 bad 13
"""

pytestmark = pytest.mark.skipif(native_core() is None, reason="the native core was not built")


def twins() -> Aig:
    """Two latches that do the same, and a third one that nobody reads: can the two differ?"""
    return Aig(1, (2, 2, 9), (0, 0, 0), (4, 5, 11), (7, 6, 13), bads=(15,))


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first look ends at its first query."""
    monkeypatch.setattr(first_look, "PDR_FIRST_LOOK_S", 0.0)
    monkeypatch.setattr(first_look, "PDR_FIRST_LOOK_S_PER_GATE", 0.0)


@pytest.mark.parametrize("seed", range(60))
def test_verdicts_are_those_of_enumeration(seed: int) -> None:
    model = random_circuit(seed)
    look = PdrFirstLook(Pdr(model), model.gates)
    for prop, depth in enumerate(shortest_depths(model)):
        verdict = look.check(prop)
        assert verdict.word == ("safe" if depth is None else "unsafe")
        certify(model, prop, verdict)


@pytest.mark.usefixtures("no_work")
def test_it_ends_when_its_work_is_done() -> None:
    look = PdrFirstLook(Pdr(counter(4, targets=[9])), 0)
    assert look.check(0) == look.check(0) == Unknown("incomplete")


@pytest.mark.usefixtures("no_work")
def test_the_end_of_the_time_is_not_the_end_of_its_work() -> None:
    look = PdrFirstLook(Pdr(counter(4, targets=[9])), 0)
    with pytest.raises(GaveUp):
        look.check(0, until=0.0)


def settle(model: Aig, folder: Path) -> tuple[str, list[str]]:
    """The verdict of the whole flow, and which reductions were made."""
    write_aiger(model, folder / "model.aag", binary=False)
    steps: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Reduced):
            steps.append(event.transform)

    flow = Flow(Task(str(folder / "model.aag"), Config(workers=1), in_time()), listen)
    flow.prepare()
    outcome = flow.settle(0, in_time())
    assert isinstance(outcome, Settled)
    return outcome.verdict.word, steps


def test_what_the_first_look_settles_is_not_reduced(tmp_path: Path) -> None:
    assert settle(twins(), tmp_path) == ("safe", [])


@pytest.mark.usefixtures("no_work")
def test_what_it_does_not_settle_is_reduced(tmp_path: Path) -> None:
    word, steps = settle(twins(), tmp_path)
    assert word == "safe"
    assert "equivalent latches" in steps


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("seed", range(25))
def test_whatever_comes_after_the_first_look_agrees_with_enumeration(seed: int) -> None:
    model = random_circuit(seed)
    flow = Flow(Task(model, Config(workers=1), in_time()), NOBODY)
    flow.prepare()
    for position, depth in enumerate(shortest_depths(model)):
        outcome = flow.settle(position, in_time())
        assert isinstance(outcome, Settled)
        assert outcome.verdict.word == ("safe" if depth is None else "unsafe")


@pytest.mark.parametrize("is_settled", [True, False])
def test_words_are_looked_at_bit_by_bit_before_they_are_reduced(
    is_settled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_settled:
        monkeypatch.setattr(first_look, "PDR_FIRST_LOOK_S", 0.0)
        monkeypatch.setattr(first_look, "PDR_FIRST_LOOK_S_PER_GATE", 0.0)
    path, steps = tmp_path / "twins.btor2", list[str]()
    path.write_text(TWIN_WORDS)

    def listen(event: Event) -> None:
        if isinstance(event, Reduced):
            steps.append(event.transform)

    flow = Flow(Task(str(path), Config(workers=1), in_time()), listen)
    flow.prepare()
    outcome = flow.settle(0, in_time())
    assert isinstance(outcome, Settled)
    assert outcome.verdict.word == "safe"
    assert ("words to bits" not in steps) == is_settled
