"""k-induction over words: proofs with and without different states, counterexamples, memories, relations that are not total."""

from __future__ import annotations

import contextlib

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.engines.circuit.bmc import Bmc
from lemmata.engines.words.kinduction import WordKInduction
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event
from lemmata.logic.build import build, conj, disj, ite, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, var
from lemmata.models.graph import Origin
from lemmata.models.invariant import KInductive
from lemmata.models.system import System, graph_of
from lemmata.models.trace import Trace
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.transforms.system.blast import blast
from lemmata.verdict import Evidence, Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.small_systems import MEMORY, counter, equals, memory, replays, successor, system, word
from tests.support.word_systems import random_system


def certified(model: System, prop: int, verdict: Verdict) -> Verdict:
    names = tuple(f"b{index}" for index in range(len(model.bads)))
    certify_graph(graph_of(model, names, Origin(), "<test>"), prop, verdict, ("z3", "bitwuzla"))
    return verdict


def proof(model: System, prop: int = 0, engine: WordKInduction | None = None) -> Evidence:
    """The certified proof of a safe property."""
    verdict = certified(model, prop, (engine or WordKInduction(model)).check(prop))
    assert isinstance(verdict, Safe)
    return verdict.invariant


def depth(model: System, prop: int = 0, engine: WordKInduction | None = None) -> int:
    """The depth of the replayed counterexample of an unsafe property."""
    verdict = certified(model, prop, (engine or WordKInduction(model)).check(prop))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, WordTrace)
    assert replays(model, verdict.trace)
    return verdict.trace.depth


def lasso(width: int) -> System:
    """Counts 0, 1, 0, 1 …; from 2 on, numbers go round in a circle that the environment can leave for the bad state."""
    x, leave = word("x", width), var("leave", BOOL)
    top = (1 << width) - 1
    circle = ite(leave, bv(top, width), ite(equals(x, top - 1), bv(2, width), successor(x)))
    step = ite(equals(x, 0), bv(1, width), ite(equals(x, 1), bv(0, width), circle))
    return system({x: step}, {x: bv(0, width)}, [equals(x, top)], inputs=[leave])


def delayed(stages: int) -> System:
    """A word that stays below 10 goes through registers; bad: the last one is 99."""
    registers = [word(f"r{stage}", 8) for stage in range(stages)]
    i = word("i", 8)
    first = ite(build("bvult", (i, bv(10, 8))), i, bv(0, 8))
    nexts = dict(zip(registers, [first, *registers], strict=False))
    return system(nexts, {r: bv(0, 8) for r in registers}, [equals(registers[-1], 99)], inputs=[i])


def shortest(model: System, prop: int) -> int:
    """The depth of a shortest counterexample, found on bits."""
    verdict = Bmc(blast(model).aig).check(prop)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Trace)
    return verdict.trace.depth


def test_a_word_that_keeps_its_value_is_1_inductive() -> None:
    x = word("x", 32)
    assert proof(system({x: x}, {x: bv(7, 32)}, [equals(x, 8)])) == KInductive(1)


def test_registers_need_as_many_steps_as_there_are_stages() -> None:
    assert proof(delayed(4)) == KInductive(4)


def test_a_circle_of_unreachable_states_needs_different_states() -> None:
    assert proof(lasso(3)) == KInductive(6, simple=True)


def test_states_that_differ_in_a_memory_only_are_different() -> None:
    # m counts in its cell 0 while x stays 0; bad when the cell is 5. Without the memory all states would look the same
    m, x, zero = var("m", MEMORY), word("x", 8), bv(0, 4)
    cell = make("select", (m, zero))
    starts = {m: make("filled", (bv(0, 8),), MEMORY), x: bv(0, 8)}
    bad = conj([equals(cell, 5), equals(x, 0)])
    assert depth(system({m: make("store", (m, zero, successor(cell))), x: x}, starts, [bad])) == 5


def test_small_numbers_written_anywhere_keep_any_one_cell_small() -> None:
    m, where, what, kept = var("m", MEMORY), word("where", 4), word("what", 8), word("kept", 4)
    small = build("bvult", (what, bv(10, 8)))
    written = make("ite", (small, make("store", (m, where, what)), m))
    cell = make("select", (m, kept))
    starts = {m: make("filled", (bv(0, 8),), MEMORY)}
    assert proof(system({m: written, kept: kept}, starts, [build("bvult", (bv(20, 8), cell))], inputs=[where, what])) == (
        KInductive(1)
    )


def test_a_memory_is_found_to_hold_the_bad_value() -> None:
    assert depth(memory(4)) == 4


def test_a_constraint_that_ends_all_runs_does_not_hide_the_bad_state_before() -> None:  # pono#457, pono#377
    x = word("x", 4)
    model = system({x: successor(x)}, {x: bv(0, 4)}, [equals(x, 2), equals(x, 5)], negate(equals(x, 3)))
    engine = WordKInduction(model)
    assert depth(model, 0, engine) == 2
    assert isinstance(proof(model, 1, engine), KInductive)


def test_equal_properties_get_equal_verdicts() -> None:  # boolector#164
    model = delayed(2)
    twice = System(model.variables, model.inputs, model.starts, model.nexts, model.constraint, model.bads * 2)
    engine = WordKInduction(twice)
    assert proof(twice, 0, engine) == proof(twice, 1, engine) == KInductive(2)
    model = counter(3, [3, 3])
    engine = WordKInduction(model)
    assert depth(model, 0, engine) == depth(model, 1, engine) == 3


def test_a_variable_without_a_start_is_free() -> None:  # abc#278
    x = word("x", 8)
    assert depth(system({x: bv(0, 8)}, {}, [equals(x, 77)])) == 0


def test_no_initial_state_satisfies_the_constraint() -> None:  # certifaiger#5
    x = word("x", 20)
    model = system({x: successor(x)}, {x: bv(1, 20)}, [FALSE, equals(x, 1 << 19)], negate(equals(x, 1)))
    engine = WordKInduction(model)
    for prop in (0, 1):
        assert proof(model, prop, engine) == WordInvariant((FALSE,))


def test_a_system_without_variables() -> None:  # certifaiger#7
    i = word("i", 8)
    model = system({}, {}, [equals(i, 2), conj([equals(i, 1), equals(i, 2)])], inputs=[i])
    engine = WordKInduction(model)
    assert depth(model, 0, engine) == 0
    assert proof(model, 1, engine) == WordInvariant(())


def test_the_constraint_holds_at_the_last_step_too() -> None:
    x = word("x", 1)
    model = system({x: build("bvnot", (x,))}, {x: bv(0, 1)}, [equals(x, 1)], equals(x, 0))
    assert proof(model) == WordInvariant(())


def test_what_no_run_reaches_because_all_runs_end_is_proved() -> None:
    x, i = word("x", 3), word("i", 3)
    model = system({x: successor(x)}, {x: bv(0, 3)}, [equals(x, 6)], disj([equals(i, 0), equals(i, 1)]), [i])
    cut = conj([model.constraint, negate(equals(x, 3))])
    assert isinstance(proof(System(model.variables, model.inputs, model.starts, model.nexts, cut, model.bads)), KInductive)


def test_a_time_out_keeps_what_was_reached() -> None:
    model = counter(4, [9, 2])
    engine = WordKInduction(model)
    assert depth(model, 1, engine) == 2
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, until=now() - 1)
    assert engine.bound == -1  # of the property asked last
    bounds, seconds = [-1], 0.002
    while bounds[-1] < 8:  # slices in which little more than one query fits
        seconds *= 1.1
        with contextlib.suppress(GaveUp):
            engine.check(0, until=now() + seconds)
        assert engine.bound >= bounds[-1]
        bounds.append(engine.bound)
    assert depth(model, 0, engine) == 9


def test_bounds_are_told_under_the_engine_s_own_name() -> None:
    heard: list[Event] = []
    engine = WordKInduction(counter(3, [2]), heard.append)
    engine.check(0)
    assert BoundReached("kinduction", 1) in heard
    assert engine.bound == 1


def test_random_systems_get_verdicts_that_hold() -> None:
    settled: list[str] = []
    for seed in range(40):
        model = random_system(seed, arrays=seed % 2 == 0)
        engine = WordKInduction(model)
        for prop in range(len(model.bads)):
            try:
                until = now() + 0.5
                verdict = engine.check(prop, until)
            except GaveUp:
                continue
            certified(model, prop, verdict)
            settled.append(verdict.word)
            if isinstance(verdict, Unsafe):
                assert isinstance(verdict.trace, WordTrace)
                assert verdict.trace.depth == shortest(model, prop)
    assert settled.count("safe") > 5 and settled.count("unsafe") > 5


def test_true_is_bad_at_once() -> None:
    x: Term = word("x", 4)
    assert depth(system({x: x}, {x: bv(0, 4)}, [TRUE])) == 0
