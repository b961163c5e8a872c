"""``FallbackSolver``: when the second solver takes over, and what it is told."""

from collections.abc import Callable, Sequence

import pytest

from lemmata.errors import GaveUp
from lemmata.logic.build import equal, negate
from lemmata.logic.sorts import BOOL, INT, Array
from lemmata.logic.terms import Term, const, make, var
from lemmata.oracles.fallback import FALLBACK, FallbackSolver, with_fallback
from lemmata.solvers.smt import Inexpressible, Sat, Unsat, open_solver
from lemmata.work import now
from tests.support.lia_graphs import X, Y, eq, le
from tests.support.solvers import available

ODD = var("odd", BOOL)  # what the first solver has no word for


class Fake:
    """A solver that notes what it is told, and fails on purpose: ``trouble`` raises at a question."""

    def __init__(self, name: str, log: list[str], trouble: str = "") -> None:
        self.name = name
        self._log, self._trouble = log, trouble
        self._inner = open_solver(FALLBACK)

    def add(self, formula: Term) -> None:
        if formula is ODD and self.name != FALLBACK:
            raise Inexpressible(self.name, "odd")
        self._inner.add(formula)

    def push(self) -> None:
        self._inner.push()

    def pop(self) -> None:
        self._inner.pop()

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        self._log.append(self.name)
        if ODD in assumptions and self.name != FALLBACK:
            raise Inexpressible(self.name, "odd")
        if self._trouble and self.name != FALLBACK:
            raise GaveUp(self._trouble)
        return self._inner.check(assumptions, wanted)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was asked; the first solver is called by the trouble that it makes."""
    asked: list[str] = []
    troubles = {"timeout": "timeout", "incomplete": "incomplete"}
    monkeypatch.setattr("lemmata.oracles.fallback.open_solver", lambda name: Fake(name, asked, troubles.get(name, "")))
    return asked


def is_possible(solver: FallbackSolver, *assumptions: Term) -> bool:
    return isinstance(solver.check(assumptions), Sat)


def test_the_first_solver_is_asked_as_long_as_it_answers(log: list[str]) -> None:
    solver = FallbackSolver("first", [le(0, X)])
    assert is_possible(solver, eq(X, 1))
    solver.add(le(X, 5))
    assert not is_possible(solver, eq(X, 6))
    assert (log, solver.name, solver.queries) == (["first", "first"], "first", 2)


@pytest.mark.parametrize("is_open", [False, True])
def test_a_fact_without_words_changes_the_solver_and_no_scope_is_lost(log: list[str], is_open: bool) -> None:
    solver = FallbackSolver("first", [le(0, X)])
    solver.push()
    solver.add(le(X, 5))
    if is_open:
        solver.open()
    solver.push()
    solver.add(ODD)
    assert is_possible(solver, eq(X, 5)) and not is_possible(solver, negate(ODD)) and not is_possible(solver, eq(X, 6))
    solver.pop()
    assert is_possible(solver, negate(ODD)) and not is_possible(solver, eq(X, 6))
    solver.pop()
    assert is_possible(solver, eq(X, 6)) and not is_possible(solver, eq(X, -1))
    assert set(log) == {FALLBACK} == {solver.name}


def test_an_assumption_without_words_changes_the_solver_for_good(log: list[str]) -> None:
    solver = FallbackSolver("first", [eq(X, 1)])
    assert solver.check([negate(eq(X, 1)), ODD]) == Unsat((negate(eq(X, 1)),))
    assert is_possible(solver)
    assert log == ["first", FALLBACK, FALLBACK]


@pytest.mark.parametrize("ask", [lambda solver: solver.check(), lambda solver: solver.attempt((), (), None, 1.0)])
def test_who_does_not_know_is_not_asked_again(log: list[str], ask: Callable[[FallbackSolver], object]) -> None:
    solver = FallbackSolver("incomplete", [le(0, X)])
    assert isinstance(ask(solver), Sat) and isinstance(ask(solver), Sat)
    assert log == ["incomplete", FALLBACK, FALLBACK]


def test_a_time_out_is_a_reason_only_for_those_who_say_so(log: list[str]) -> None:
    with pytest.raises(GaveUp, match="timeout"):
        FallbackSolver("timeout").check()
    assert is_possible(FallbackSolver("timeout", hard=0.1))
    with pytest.raises(GaveUp, match="timeout"):
        FallbackSolver("timeout", hard=0.1).check((), (), now() - 1)  # there is no time for the second, either
    assert log == ["timeout", "timeout", FALLBACK, "timeout"]


def test_too_hard_is_an_answer_where_patience_is_short(log: list[str]) -> None:
    solver = FallbackSolver("timeout", hard=0.1)
    assert solver.attempt((), (), None, 0.1) is None
    with pytest.raises(GaveUp, match="timeout"):
        solver.attempt((), (), now() - 1, 0.1)
    assert solver.name == "timeout" and log == ["timeout", "timeout"]


def test_a_solver_is_built_anew_after_many_assumed_terms(log: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("lemmata.oracles.fallback.open_solver", lambda name: opened.append(name) or Fake(name, log))
    solver = FallbackSolver("first", [le(0, X)], renew=3)
    solver.push()
    solver.add(le(X, 20))
    assert [is_possible(solver, eq(X, n)) for n in (-1, 0, 20, 21, 22, 1)] == [False, True, True, False, False, True]
    assert opened == ["first", "first"]
    solver.restart([le(X, 0)])
    assert is_possible(solver, eq(X, -1)) and not solver.is_worn and len(opened) == 3


def test_all_of_it_again_where_a_solver_cannot_change_on_the_way() -> None:
    names: list[str] = []

    def work(name: str) -> str:
        names.append(name)
        if name != FALLBACK:
            raise GaveUp("timeout" if name == "slow" else "incomplete")
        return "done"

    assert with_fallback("first", work) == with_fallback(FALLBACK, work) == "done"
    with pytest.raises(GaveUp, match="timeout"):
        with_fallback("slow", work)
    assert names == ["first", FALLBACK, FALLBACK, "slow"]


@pytest.mark.skipif("yices" not in available(), reason="yices is an optional package")
def test_what_yices_has_no_words_for_z3_answers() -> None:
    memory = Array(INT, INT)
    m = var("m", memory)
    solver = FallbackSolver("yices", [eq(X, 3)])
    assert not is_possible(solver, eq(X, 4)) and solver.name == "yices"
    solver.add(equal(m, make("filled", (const(7, INT),), memory)))
    assert not is_possible(solver, eq(make("select", (m, X)), 8)) and solver.name == FALLBACK
    assert is_possible(solver, eq(make("*", (X, Y)), 12)) and not is_possible(solver, eq(X, 4))
