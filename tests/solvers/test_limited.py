"""The solvers behind BMC and k-induction: answers are values, deadlines hold inside a question."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from lemmata.errors import GaveUp
from lemmata.solvers.limited import Cadical, Core, Limited, Minisat, SatModel
from lemmata.work import now
from tests.support.clock import LATE

BACKENDS = [Minisat, Cadical]


def pigeons(solver: Limited, holes: int) -> None:
    """One pigeon more than holes: contradictory, and hard to see for a solver."""

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    for pigeon in range(holes + 1):
        solver.add([sits(pigeon, hole) for hole in range(holes)])
        for other in range(pigeon):
            for hole in range(holes):
                solver.add([-sits(pigeon, hole), -sits(other, hole)])


@pytest.mark.parametrize("backend", BACKENDS)
def test_answers_are_models_and_cores(backend: Callable[[], Limited]) -> None:
    solver = backend()
    solver.add((-1, 2))
    model = solver.solve((1,))
    assert isinstance(model, SatModel)
    assert model.holds(1) and model.holds(2) and not model.holds(-2)
    assert not model.holds(99) and model.holds(-99)
    core = solver.solve((1, -2, 3))
    assert isinstance(core, Core) and set(core.failed) == {1, -2}
    solver.add((-2,))
    solver.add((1,))
    assert solver.solve((3,)) == Core(())


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_deadline_holds_inside_a_question(backend: Callable[[], Limited]) -> None:
    solver = backend()
    pigeons(solver, 14)
    start = time.monotonic()
    with pytest.raises(GaveUp, match="timeout"):
        solver.solve((), until=now() + 0.2)
    assert time.monotonic() - start < LATE


@pytest.mark.parametrize("backend", BACKENDS)
def test_slices_do_not_change_the_answer(backend: Callable[[], Limited]) -> None:
    solver = backend()
    pigeons(solver, 7)
    breaths = []
    assert solver.solve((), breathe=lambda: breaths.append(1)) == Core(())
    assert solver.attempt((), 10**6) == Core(())
    assert breaths


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_attempt_ends_when_its_effort_is_spent(backend: Callable[[], Limited]) -> None:
    solver = backend()
    pigeons(solver, 12)
    assert solver.attempt((), 0) is None
    assert solver.attempt((), 50_000) is None
    assert 50_000 <= solver.effort <= 500_000


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_question_takes_the_same_way(backend: Callable[[], Limited]) -> None:
    efforts = []
    for _ in range(2):
        solver = backend()
        pigeons(solver, 8)
        solver.solve(())
        efforts.append(solver.effort)
    assert efforts[0] == efforts[1] > 0
