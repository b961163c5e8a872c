"""BMC: shortest counterexamples, the semantics of constraints and resets, several properties on one engine."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.engines.circuit.bmc import Bmc
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event, Progress
from lemmata.models.aig import Aig
from lemmata.models.trace import Trace
from lemmata.verdict import Unknown, Unsafe
from lemmata.work import now
from tests.support.small_circuits import counter, dead_end


def depth(engine: Bmc, model: Aig, prop: int = 0) -> int | None:
    """The depth of the counterexample, which is replayed; None if there is none within the engine's bound."""
    match engine.check(prop):
        case Unsafe(Trace() as trace) as verdict:
            assert certify(model, prop, verdict) == "simulation"
            return trace.depth
        case Unknown("incomplete"):
            return None
    raise AssertionError("BMC proves nothing")


@pytest.mark.parametrize("target", [0, 1, 5, 7])
def test_a_counter_reaches_a_value_in_exactly_so_many_steps(target: int) -> None:  # pono#320
    model = counter(3, targets=[target])
    assert depth(Bmc(model), model) == target


def test_an_enabled_counter_is_driven_by_its_input() -> None:
    model = counter(3, targets=[6], enabled=True)
    verdict = Bmc(model).check(0)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Trace)
    assert verdict.trace.inputs[:-1] == ((1,),) * 6


def test_a_bad_state_whose_successor_breaks_the_constraint_is_reached() -> None:  # pono#377
    model = dead_end()
    engine = Bmc(model, max_bound=10)
    assert depth(engine, model, 0) == 2
    assert depth(engine, model, 1) is None


def test_constraints_of_deeper_bounds_do_not_cut_off_the_next_property() -> None:
    model = dead_end()
    engine = Bmc(model, max_bound=10)
    assert depth(engine, model, 1) is None  # looks past the end of all runs
    assert depth(engine, model, 0) == 2


def test_a_latch_without_reset_is_free() -> None:  # abc#278
    model = Aig(0, (0,), (2,), (), (), bads=(2,))
    assert depth(Bmc(model), model) == 0


def test_a_reset_function_reads_the_inputs_of_step_0() -> None:
    # latch 4 starts as input 2, latch 6 as the negation of latch 4; bad: latch 6 and not input 2
    model = Aig(1, (4, 6), (2, 5), (6,), (3,), bads=(8, 7))
    assert depth(Bmc(model), model, 0) == 0
    # with the constraint "input 2" latch 6 starts as 0 and stays
    model = Aig(1, (4, 6), (2, 5), (6,), (3,), bads=(6, 8), constraints=(2,))
    engine = Bmc(model, max_bound=5)
    assert depth(engine, model, 0) is None
    assert depth(engine, model, 1) is None


def test_reset_functions_that_no_property_needs_are_still_in_the_trace() -> None:
    # latch 4 starts as input 2 and is not in the cone of bad = input 2
    model = Aig(1, (4,), (2,), (), (), bads=(2,))
    assert depth(Bmc(model), model) == 0


def test_all_initial_states_break_the_constraint() -> None:  # certifaiger#5
    model = Aig(0, (1,), (0,), (), (), bads=(2, 1), constraints=(2,))
    engine = Bmc(model)
    assert depth(engine, model, 0) is None
    assert depth(engine, model, 1) is None
    assert engine.bound == 0


def test_a_circuit_without_latches_needs_one_bound() -> None:  # certifaiger#7
    model = Aig(2, (), (), (2, 3), (4, 6), bads=(6, 8))  # a ∧ b, and ¬a ∧ a ∧ b
    engine = Bmc(model)
    assert depth(engine, model, 0) == 0
    assert depth(engine, model, 1) is None


def test_constant_properties() -> None:
    model = Aig(0, (2,), (0,), (), (), bads=(1, 0))
    engine = Bmc(model, max_bound=3)
    assert depth(engine, model, 0) == 0
    assert depth(engine, model, 1) is None


def test_equal_properties_get_equal_verdicts() -> None:  # boolector#164
    model = counter(3, targets=[4, 4])
    engine = Bmc(model)
    assert [depth(engine, model, prop) for prop in (0, 1, 0)] == [4, 4, 4]


def test_properties_may_be_asked_in_any_order() -> None:
    model = counter(3, targets=[7, 2, 5], enabled=True)
    engine = Bmc(model)
    assert [depth(engine, model, prop) for prop in (0, 1, 2)] == [7, 2, 5]


def test_the_bound_belongs_to_the_property_last_asked() -> None:
    model = counter(3, targets=[5, 2])
    engine = Bmc(model)
    assert engine.bound == -1
    engine.check(0)
    assert engine.bound == 4
    engine.check(1)
    assert engine.bound == 1


def test_max_bound_is_the_last_bound_asked() -> None:
    model = counter(3, targets=[5])
    engine = Bmc(model, max_bound=4)
    for _ in range(2):
        assert engine.check(0) == Unknown("incomplete")
        assert engine.bound == 4


def test_a_time_out_keeps_what_was_reached() -> None:
    model = counter(3, targets=[5])
    engine = Bmc(model)
    engine.deepen(0)
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0, until=now() - 1)
    assert engine.bound == 0
    assert depth(engine, model) == 5


def test_every_bound_is_told() -> None:
    heard: list[Event] = []
    Bmc(counter(3, targets=[4]), heard.append).check(0)
    assert [event for event in heard if not isinstance(event, Progress)] == [BoundReached("bmc", k) for k in range(4)]


def test_the_same_seed_gives_the_same_trace() -> None:
    model = counter(4, targets=[9], enabled=True)
    assert Bmc(model, seed=3).check(0) == Bmc(model, seed=3).check(0)


def test_cadical_takes_over_when_minisat_has_had_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lemmata.engines.circuit.bmc.BMC_EASY_PROPAGATIONS", -(10**9))
    model = dead_end()
    engine = Bmc(model, max_bound=10)
    assert [depth(engine, model, prop) for prop in (1, 0)] == [None, 2]
