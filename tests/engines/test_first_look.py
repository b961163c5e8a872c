"""The first look at a circuit: shortest counterexamples as enumeration finds them, and an early end."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.engines.circuit.first_look import FirstLook
from lemmata.models.aig import Aig
from lemmata.models.simulation import RandomRuns
from lemmata.models.trace import Trace
from lemmata.verdict import Unknown, Unsafe
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit
from tests.support.small_circuits import counter, dead_end


def depth(engine: FirstLook, model: Aig, prop: int) -> int | None:
    match engine.check(prop):
        case Unsafe(Trace() as trace) as verdict:
            assert certify(model, prop, verdict) == "simulation"
            return trace.depth
        case verdict:
            assert verdict == Unknown("incomplete")
            return None


@pytest.mark.parametrize("seed", range(60))
def test_what_is_found_is_a_shortest_counterexample(seed: int) -> None:
    model = random_circuit(seed)
    engine = FirstLook(model)
    for prop, wanted in enumerate(shortest_depths(model)):
        assert depth(engine, model, prop) in (wanted, None)


def test_a_shallow_error_is_found() -> None:
    model = counter(3, targets=[1, 2])
    assert [depth(FirstLook(model), model, prop) for prop in (0, 1)] == [1, 2]


def test_constraints_of_one_property_do_not_cut_off_the_next() -> None:
    model = dead_end()
    engine = FirstLook(model)
    assert depth(engine, model, 1) is None
    assert depth(engine, model, 0) in (2, None)
    assert depth(FirstLook(model), model, 0) == 2


def test_it_ends_after_so_much_work() -> None:
    model = counter(12, targets=[4000])
    engine = FirstLook(model)
    assert engine.check(0) == Unknown("incomplete")
    assert engine.bound < 40


def test_random_runs_are_runs() -> None:
    found = 0
    for seed in range(200):
        model = random_circuit(seed)
        runs = RandomRuns(model, 8, seed)
        for k in range(4):
            met = runs.step(dict(enumerate(model.questions)))
            assert runs.steps == k + 1
            for prop, trace in met.items():
                found += 1
                assert trace.depth == k
                assert certify(model, prop, Unsafe(trace)) == "simulation"
    assert found > 50


def test_what_many_inputs_lead_to_needs_no_solver() -> None:
    model = counter(3, targets=[0])
    engine = FirstLook(model)
    assert depth(engine, model, 0) == 0
    assert engine.bound == -1
