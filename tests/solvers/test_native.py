"""The native core: a short version of its soak test, deadlines, and life without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.oracle import BitOracle
from lemmata.errors import UsageError
from lemmata.events import Event, LemmaLearned
from lemmata.frontends import load
from lemmata.run.options import make_config, technique_choices
from lemmata.solvers.native import NATIVE, PURE, native_core, preferred_backend
from lemmata.verdict import Verdict
from tests.soak.native import ALWAYS, run_circuits, run_scripts
from tests.support.clock import in_turns
from tests.support.paths import ROOT
from tests.support.program import run_program

built = pytest.mark.skipif(native_core() is None, reason="the native core was not built")


@pytest.fixture
def without_core(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process in which the native core was not built."""
    monkeypatch.setitem(sys.modules, "lemmata.solvers._native", None)
    native_core.cache_clear()
    yield
    native_core.cache_clear()


@built
def test_the_solver_agrees_with_pysat_on_scripts_of_clauses() -> None:
    assert run_scripts(native_core(), 1500, seed=1) > 8000


@built
def test_the_oracle_agrees_with_pysat_on_circuits() -> None:
    assert run_circuits(300, seed=1_000_000) > 2000


@built
def test_a_push_that_is_asked_again_knows_what_the_first_query_settled_for_ever() -> None:
    """A gate that was found constant in between was taken for open, and the search ran out of its domain."""
    assert run_circuits(1, seed=1177) > 0


@built
def test_a_clause_holds_up_to_its_level() -> None:
    solver = native_core().Solver(2)
    solver.add([1], 2)
    solver.add([-1, 2], ALWAYS)
    assert solver.solve([-2], 2, [], None) == (False, (-2,))
    assert solver.solve([-2], 3, [], None)[0]


@built
def test_a_temporary_clause_is_forgotten() -> None:
    solver = native_core().Solver(2)
    assert solver.solve([-1, -2], 0, [1, 2], None)[0] is False
    assert solver.solve([-1, -2], 0, [], None)[0] is True


@built
def test_literals_that_do_not_exist_are_refused() -> None:
    solver = native_core().Solver(2)
    for clause in ([0], [3], [-3], [2**40]):
        with pytest.raises((ValueError, OverflowError)):
            solver.add(clause, ALWAYS)
    with pytest.raises(ValueError, match="out of range"):
        native_core().Oracle(0, (8,), (2,), (2,), (0,), (), (), True, True, "core", False)


def pigeons(count: int) -> list[list[int]]:
    """More pigeons than holes: hard to refute by resolution."""
    at = [[1 + pigeon * (count - 1) + hole for hole in range(count - 1)] for pigeon in range(count)]
    one_each = [[-at[i][hole], -at[k][hole]] for hole in range(count - 1) for i in range(count) for k in range(i)]
    return at + one_each


@built
def test_a_limit_holds_inside_a_query() -> None:
    solver = native_core().Solver(11 * 12)
    for clause in pigeons(12):
        solver.add(clause, ALWAYS)
    solver.limit(100_000)
    with pytest.raises(TimeoutError):
        solver.solve([], 0, [], None)
    assert 100_000 <= solver.counts()["propagations"] < 200_000
    solver.limit(None)
    assert solver.solve([1, 12], 0, [], None) == (False, (12, 1))


@built
def test_lemmas_that_were_learnt_before_the_time_was_up_are_known_to_the_frames() -> None:
    model = load(ROOT / "examples" / "fifo.aag")
    engine = Pdr(model, options=PdrOptions(backend=NATIVE))

    def turn(until: float) -> Verdict:
        try:
            return engine.check(0, until)
        finally:
            for lemma in engine.frames.from_level(1):
                assert engine.frames.blocks(lemma.cube, lemma.level)

    verdict, turns = in_turns(turn, first=0.00005)
    assert verdict.word == "safe" and turns > 3


@built
def test_the_same_run_twice_learns_the_same_lemmas() -> None:
    model = load(ROOT / "examples" / "fifo.aag")
    heard: tuple[list[Event], list[Event]] = [], []
    for events in heard:
        Pdr(model, events.append, PdrOptions(backend=NATIVE)).check(0)
    lemmas = [[event for event in events if isinstance(event, LemmaLearned)] for events in heard]
    assert lemmas[0] and lemmas[0] == lemmas[1]


def test_pysat_does_the_work_where_there_is_no_core(without_core: None) -> None:
    assert preferred_backend() == PURE
    engine = Pdr(load(ROOT / "examples" / "fifo.aag"))
    assert isinstance(engine.oracle, BitOracle)
    assert engine.check(0).word == "safe"


def test_what_was_not_built_cannot_be_chosen(without_core: None) -> None:
    assert NATIVE not in technique_choices()["backend"]
    with pytest.raises(UsageError, match="backend is one of auto, minisat22"):
        make_config(technique={"backend": NATIVE})


def test_the_version_tells_whether_there_is_a_core() -> None:
    for arguments in (["--version", "-v"], ["-v", "--version"]):
        done = run_program(*arguments)
        assert done.out.splitlines()[1].startswith("native core: ")
    assert len(run_program("--version").out.splitlines()) == 1
