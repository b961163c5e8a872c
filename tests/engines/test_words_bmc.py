"""BMC over words: shortest counterexamples, free variables, constraints, memories, several properties, time-outs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lemmata.engines.words.bmc import WordBmc
from lemmata.engines.words.unroll import Unrolling, _read_in_run
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event, Progress
from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, var
from lemmata.logic.values import ArrayValue
from lemmata.models.system import System, at
from lemmata.models.words import WordTrace
from lemmata.solvers.smt import Sat, Unsat, open_solver
from lemmata.verdict import Unknown, Unsafe
from lemmata.work import now
from tests.support.small_systems import MEMORY, counter, equals, memory, replays, successor, system, word


def found(model: System, prop: int = 0, engine: WordBmc | None = None) -> WordTrace:
    """The counterexample, which is replayed."""
    verdict = (engine or WordBmc(model)).check(prop)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, WordTrace)
    assert verdict.trace.prop == prop
    assert replays(model, verdict.trace)
    return verdict.trace


@pytest.mark.parametrize("target", [0, 1, 5, 7])
def test_a_counter_reaches_a_value_in_exactly_so_many_steps(target: int) -> None:  # pono#320
    trace = found(counter(3, [target]))
    assert trace.depth == target
    assert [dict(values)[var("enable", BOOL)] for values in trace.inputs[:-1]] == [True] * target


def test_a_bad_state_whose_successor_breaks_the_constraint_is_reached() -> None:  # pono#377
    assert found(counter(3, [2], forbidden=[3, 0b111])).depth == 2


def test_no_run_goes_on_where_the_constraint_cuts_all_successors() -> None:
    x = word("x", 8)
    model = system({x: successor(x)}, {x: bv(0, 8)}, [equals(x, 5), equals(x, 2)], negate(equals(x, 3)))
    engine = WordBmc(model)
    assert engine.check(0) == Unknown("incomplete")
    assert found(model, 1, engine).depth == 2  # constraints of deeper bounds do not cut off the next property


def test_the_constraint_holds_at_the_last_step_too() -> None:
    x, i = word("x", 4), word("i", 4)
    model = system({x: i}, {x: bv(0, 4)}, [equals(x, 9), equals(x, 8)], negate(equals(x, 9)), [i])
    engine = WordBmc(model)
    assert found(model, 1, engine).depth == 1
    while engine.bound < 1:
        with pytest.raises(GaveUp, match="timeout"):
            engine.check(0, until=now() + 0.2)


def test_a_variable_without_a_start_is_free_and_others_may_start_from_it() -> None:
    x, y, z = word("x", 8), word("y", 8), word("z", 8)
    starts = {y: build("bvadd", (x, x))}
    bad = conj([equals(y, 44), build("bvult", (bv(100, 8), x))])
    trace = found(system({x: x, y: y, z: bv(0, 8)}, starts, [bad]))
    assert trace.depth == 0
    assert dict(trace.initial) == {x: 150, y: 44, z: 0}


def test_what_is_not_read_is_zero_in_the_trace() -> None:
    x, m, i = word("x", 4), var("m", MEMORY), var("unread", Array(BitVec(2), BitVec(3)))
    trace = found(system({x: successor(x), m: m}, {x: bv(0, 4)}, [equals(x, 1)], inputs=[i]))
    assert dict(trace.initial)[m] == ArrayValue(MEMORY, 0)
    assert dict(trace.inputs[1])[i] == ArrayValue(Array(BitVec(2), BitVec(3)), 0)


def test_a_memory_keeps_what_was_written() -> None:
    assert found(memory(3)).depth == 3


def test_a_memory_without_a_start_is_free() -> None:
    m, a, b = var("m", MEMORY), word("a", 4), word("b", 4)
    bad = conj([equals(make("select", (m, a)), 7), equals(make("select", (m, b)), 9), equals(a, 2)])
    trace = found(system({m: m}, {}, [bad], inputs=[a, b]))
    value = dict(trace.initial)[m]
    assert isinstance(value, ArrayValue) and value.select(2) == 7


def test_an_input_may_be_a_memory() -> None:
    x, m, a = word("x", 8), var("m", MEMORY), word("a", 4)
    model = system({x: make("select", (m, a))}, {x: bv(0, 8)}, [equals(x, 200)], inputs=[m, a])
    assert found(model).depth == 1


def test_names_with_steps_in_them_are_kept_apart() -> None:
    x, y = word("x", 4), word("x@0", 4)
    bad = conj([equals(x, 3), equals(y, 5)])
    assert found(system({x: y, y: bv(5, 4)}, {x: bv(3, 4)}, [bad])).depth == 0


def test_properties_of_one_engine_do_not_disturb_each_other() -> None:
    model = counter(4, [9, 3, 9])
    engine = WordBmc(model)
    assert [found(model, prop, engine).depth for prop in (0, 1, 2)] == [9, 3, 9]
    assert engine.bound == 8
    assert found(model, 1, engine).depth == 3
    assert engine.bound == 2


def test_where_no_variable_matters_one_bound_is_enough() -> None:
    i = word("i", 8)
    model = system({}, {}, [conj([equals(i, 1), equals(i, 2)]), equals(i, 2)], inputs=[i])
    engine = WordBmc(model)
    assert engine.check(0) == Unknown("incomplete")
    assert engine.bound == 0
    assert found(model, 1, engine).depth == 0


def test_a_constraint_that_never_holds_leaves_no_run() -> None:
    assert WordBmc(counter(3, [0], forbidden=[0])).check(0) == Unknown("incomplete")
    x = word("x", 3)
    assert WordBmc(system({x: x}, {}, [TRUE], FALSE)).check(0) == Unknown("incomplete")


def test_a_time_out_keeps_what_was_reached() -> None:
    model = counter(6, [40, 2])
    engine = WordBmc(model)
    assert found(model, 1, engine).depth == 2
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, until=now() - 1)
    assert engine.bound == -1  # of the property asked last
    for _ in range(3):
        engine.deepen(0)
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, until=now() - 1)
    assert engine.bound == 2
    assert found(model, 0, engine).depth == 40


def test_bounds_and_signs_of_life_are_told() -> None:
    heard: list[Event] = []
    engine = WordBmc(counter(3, [3]), heard.append)
    engine.check(0)
    assert [event for event in heard if isinstance(event, BoundReached)] == [BoundReached("bmc", k) for k in range(3)]
    assert any(isinstance(event, Progress) for event in heard)


def test_only_the_cone_of_influence_is_unrolled() -> None:
    x, y, z, i, j = (word(name, 4) for name in "xyzij")
    model = system({x: y, y: i, z: build("bvadd", (z, j))}, {z: bv(0, 4)}, [equals(x, 1)], inputs=[i, j])
    assert _read_in_run(model, model.bads) == {x, y, i}
    unrolling = Unrolling(model, model.bads, initial=True)
    assert (unrolling.variables, unrolling.inputs) == ((x, y), (i,))
    assert unrolling.roots(2) == (equals(at(i, 0), 1),)


def test_constant_starts_fold_away() -> None:
    x, y, i = word("x", 4), word("y", 4), word("i", 4)
    model = system({x: successor(x), y: i}, {x: bv(0, 4)}, [disj([equals(x, 3), equals(y, 1)])], inputs=[i])
    unrolling = Unrolling(model, model.bads, initial=True)
    assert unrolling.roots(3) == (TRUE,)
    assert unrolling.roots(4) == (equals(at(i, 3), 1),)


class _Unsure:
    """A solver that gives up for a reason at its third question."""

    name = "unsure"

    def __init__(self, reason: str) -> None:
        self._inner, self._left, self._reason = open_solver("bitwuzla"), 3, reason

    def add(self, formula: Term) -> None:
        self._inner.add(formula)

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        self._left -= 1
        if not self._left:
            raise GaveUp(self._reason)
        return self._inner.check(assumptions, wanted, until)


@pytest.mark.parametrize(("reason", "opened"), [("incomplete", ["bitwuzla", "z3"]), ("timeout", ["bitwuzla"])])
def test_where_the_first_solver_cannot_answer_another_one_goes_on(
    reason: str, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def opening(name: str) -> object:
        names.append(name)
        return _Unsure(reason) if name == "bitwuzla" else open_solver(name)

    monkeypatch.setattr("lemmata.oracles.fallback.open_solver", opening)
    model = counter(3, [6], forbidden=[7])
    engine = WordBmc(model)
    if reason == "timeout":
        with pytest.raises(GaveUp, match="timeout"):
            engine.check(0)
    assert found(model, 0, engine).depth == 6
    assert names == opened


def test_memories_that_are_compared_with_a_constant_one_are_told_apart() -> None:
    m, where = var("m", MEMORY), word("where", 4)
    zeros, ones = (make("filled", (bv(value, 8),), MEMORY) for value in (0, 1))
    bad = conj([negate(make("=", (m, zeros))), negate(make("=", (m, ones)))])
    model = system({m: make("store", (m, where, bv(1, 8)))}, {m: zeros}, [bad], inputs=[where])
    assert found(model).depth == 1
