"""k-induction: proofs with and without different states, counterexamples, relations that are not total."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.engines.circuit.kinduction import KInduction
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.verdict import Evidence, Safe, Unsafe
from lemmata.work import now
from tests.support.small_circuits import Sketch, counter, dead_end, lasso


def proof(model: Aig, prop: int = 0, engine: KInduction | None = None) -> Evidence:
    """The certified proof of a safe property."""
    verdict = (engine or KInduction(model)).check(prop)
    assert isinstance(verdict, Safe)
    certify(model, prop, verdict)
    return verdict.invariant


def depth(model: Aig, prop: int = 0, engine: KInduction | None = None) -> int:
    """The depth of the replayed counterexample of an unsafe property."""
    verdict = (engine or KInduction(model)).check(prop)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Trace)
    certify(model, prop, verdict)
    return verdict.trace.depth


def test_a_latch_that_keeps_its_value_is_1_inductive() -> None:
    assert proof(Aig(0, (2,), (0,), (), (), bads=(2,))) == KInductive(1)


def test_a_shift_register_needs_as_many_steps_as_it_has_stages() -> None:
    # 0 → l0 → l1 → l2 → l3, all reset to 0; bad: l3. States repeat in models on the way; the proof does without
    assert proof(Aig(0, (0, 2, 4, 6), (0, 0, 0, 0), (), (), bads=(8,))) == KInductive(4)


def test_a_loop_among_unreachable_states_needs_different_states() -> None:
    assert proof(lasso()) == KInductive(3, simple=True)


def test_a_constraint_that_ends_all_runs_does_not_hide_the_bad_state_before() -> None:  # pono#457, pono#377
    engine = KInduction(model := dead_end())
    assert depth(model, 0, engine) == 2
    assert isinstance(proof(model, 1, engine), KInductive)


def test_a_constraint_without_successors_does_not_prove_too_much() -> None:  # pono#457
    # free latch a, next ¬a; constraint a; bad a: every state that satisfies the constraint is bad, none has a successor
    assert depth(Aig(0, (3,), (2,), (), (), bads=(2,), constraints=(2,))) == 0


def test_equal_properties_get_equal_verdicts() -> None:  # boolector#164
    model = Aig(0, (0, 2), (0, 0), (), (), bads=(4, 4))
    engine = KInduction(model)
    assert proof(model, 0, engine) == proof(model, 1, engine) == KInductive(2)
    model = counter(3, targets=[3, 3])
    engine = KInduction(model)
    assert depth(model, 0, engine) == depth(model, 1, engine) == 3


def test_a_counterexample_is_a_shortest_one() -> None:  # pono#320
    assert depth(counter(3, targets=[6], enabled=True)) == 6


def test_a_latch_without_reset_is_free() -> None:  # abc#278
    assert depth(Aig(0, (0,), (2,), (), (), bads=(2,))) == 0


def test_no_initial_state_satisfies_the_constraint() -> None:  # certifaiger#5
    wide = counter(20, targets=[1 << 19])
    model = Aig(0, wide.nexts, wide.resets, wide.lefts, wide.rights, bads=(0, *wide.bads), constraints=(2,))
    engine = KInduction(model)
    for prop in (0, 1):
        evidence = proof(model, prop, engine)
        assert isinstance(evidence, Invariant) and evidence.cubes == ((),)


def test_a_circuit_without_latches() -> None:  # certifaiger#7
    model = Aig(2, (), (), (2, 3), (4, 6), bads=(6, 8))  # a ∧ b, and ¬a ∧ a ∧ b
    engine = KInduction(model)
    assert depth(model, 0, engine) == 0
    evidence = proof(model, 1, engine)
    assert isinstance(evidence, Invariant) and evidence.cubes == ()


def test_a_run_may_return_to_its_first_state_when_resets_read_inputs() -> None:
    # latch a starts as input i and then holds; bad: a ∧ ¬i, which step 0 excludes and step 1, in the same state, allows
    model = Aig(1, (4,), (2,), (4,), (3,), bads=(6,))
    assert depth(model) == 1


def test_a_longer_way_back_to_the_first_state_is_not_taken_for_a_detour() -> None:
    # as before, and bad only at even steps: the states of the shortest counterexample are s, t, s
    sketch = Sketch(4)
    i, a, odd = 2, 4, 6
    bad = sketch.both(sketch.both(a, i ^ 1), odd ^ 1)
    assert depth(Aig(1, (a, odd ^ 1), (i, 0), sketch.lefts(), sketch.rights(), bads=(bad,))) == 2


def test_the_constraint_holds_at_the_last_step_too() -> None:
    # latch a toggles; bad: a; constraint: ¬a
    evidence = proof(Aig(0, (3,), (0,), (), (), bads=(2,), constraints=(3,)))
    assert isinstance(evidence, Invariant) and evidence.cubes == ()


def test_every_finite_circuit_is_settled() -> None:
    # bad is outside the counter's orbit 0, 1, 2, 3, 0 … only because of the constraint on 4
    evidence = proof(counter(4, targets=[9], forbidden=[4]))
    assert isinstance(evidence, KInductive)


def test_a_time_out_keeps_what_was_reached() -> None:
    engine = KInduction(model := counter(3, targets=[5, 2]))
    assert depth(model, 1, engine) == 2
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, until=now() - 1)
    assert engine.bound == -1  # of the property asked last
    assert depth(model, 0, engine) == 5


def test_bounds_are_told_under_the_engine_s_own_name() -> None:
    heard: list[Event] = []
    engine = KInduction(counter(3, targets=[2]), heard.append)
    engine.check(0)
    assert BoundReached("kinduction", 1) in heard
    assert engine.bound == 1
