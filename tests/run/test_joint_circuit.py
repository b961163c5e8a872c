"""Many properties of one circuit: settled together, each with its own evidence."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.certify.circuit.minimize import supports
from lemmata.config import Config
from lemmata.engines import Engine
from lemmata.engines.circuit.joint_look import JointLook
from lemmata.engines.registry import ENGINES, Order
from lemmata.errors import GaveUp
from lemmata.models.aig import Aig
from lemmata.run.processes.messages import Settled
from lemmata.run.processes.worker import work
from lemmata.run.task import Task
from lemmata.run.worlds.joint_circuit import JointCircuitEngine
from lemmata.transforms.circuit.assume import assume_properties
from lemmata.transforms.circuit.groups import group_properties
from lemmata.verdict import Safe, Unknown, Unsafe
from lemmata.work import FOREVER, now
from tests.scaling.designs import mesh, register_file
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit
from tests.support.small_circuits import counter


def many(seed: int, count: int = 12) -> Aig:
    """A random circuit with as many questions as one wants."""
    model = random_circuit(seed)
    chance = random.Random(seed)
    lits = tuple(chance.randrange(2, 2 * model.variables) for _ in range(count))
    return replace(model, outputs=(), justice=(), fairness=(), symbols={}, bads=lits)


def pdr(model: Aig) -> Engine:
    return ENGINES["pdr"].builds["circuit"](model, Order())


def jointly(model: Aig, prover=pdr) -> JointCircuitEngine:
    return JointCircuitEngine(model, set(range(len(model.questions))), prover)


@pytest.mark.parametrize("seats", [1, 2])
def test_many_properties_are_settled_as_enumeration_says(seats):
    for seed in range(12):
        model = many(seed)
        told = list[object]()
        work(Task(model, Config(workers=seats), seat=0, seats=seats), told.append, set)
        found = {message.prop: message for message in told if isinstance(message, Settled)}
        for prop, depth in enumerate(shortest_depths(model)):
            assert found[prop].verdict.word == ("safe" if depth is None else "unsafe"), (seed, prop)
            assert depth is None or found[prop].bound < depth, (seed, prop)


def test_proofs_without_a_look_are_certified_and_so_are_failures():
    words = set()
    for seed in range(60):
        model = many(seed)
        engine = jointly(model)
        engine._look.is_over = True
        for prop, depth in enumerate(shortest_depths(model)):
            verdict = engine.check(prop)
            assert verdict.word == ("safe" if depth is None else "unsafe"), (seed, prop)
            certify(model, prop, verdict)
            words.add(verdict.word)
    assert words == {"safe", "unsafe"}


def test_what_fails_later_than_another_property_has_no_first_failure_and_yet_fails():
    model = counter(4, targets=[3, 5, 9])
    assumed = assume_properties(model)
    alone = pdr(assumed.model)
    assert [alone.check(prop).word for prop in range(3)] == ["unsafe", "safe", "safe"]
    engine = jointly(model)
    engine._look.is_over = True
    for prop in range(3):
        verdict = engine.check(prop)
        assert isinstance(verdict, Unsafe)
        certify(model, prop, verdict)


class Lazy:
    """PDR that gives up on one question of the first circuit that it gets."""

    name, bound = "pdr", -1
    given = 0

    def __init__(self, model: Aig) -> None:
        self._pdr = pdr(model)
        self._number = Lazy.given
        Lazy.given += 1

    def check(self, prop: int, until: float | None = None):
        if prop == 0 and self._number == 0:
            raise GaveUp("timeout")
        return self._pdr.check(prop, until)


def test_what_is_not_proved_is_not_assumed_in_the_end():
    for seed in range(40):
        model = many(seed)
        Lazy.given = 0
        engine = jointly(model, Lazy)
        engine._look.is_over = True
        for prop, depth in enumerate(shortest_depths(model)):
            verdict = engine.check(prop)
            if not isinstance(verdict, Unknown):
                assert verdict.word == ("safe" if depth is None else "unsafe"), (seed, prop)
                certify(model, prop, verdict)


def test_lemmas_that_need_an_unproved_assumption_support_nothing():
    model = counter(3, targets=[4])  # 4 is reached; under the assumption that it is not, so is nothing above
    above = replace(model, bads=(*model.questions, 2 * (model.first_latch + 2)), outputs=())
    cube = (2 * (model.first_latch + 2),)
    assert supports(above, [1], [cube], FOREVER) == {}


def test_the_look_at_all_finds_what_fails_at_its_shortest_depth():
    found = 0
    for seed in range(30):
        model = many(seed)
        look = JointLook(model, set(range(len(model.questions))))
        look._runs = None
        depths = dict(enumerate(shortest_depths(model)))
        with suppress(GaveUp):
            while not look.is_over:
                for prop, trace in look.search(now() + 0.02).items():
                    found += 1
                    assert trace.depth == depths.pop(prop), (seed, prop)
                    assert certify(model, prop, Unsafe(trace)) == "simulation"
        assert all(depth is None for depth in depths.values()), seed
    assert found > 50


def test_every_property_is_in_one_group():
    for seed in range(20):
        model = many(seed, 50)
        groups = group_properties(model, range(50))
        assert sorted(prop for group in groups for prop in group) == list(range(50))


@pytest.mark.parametrize("make", [lambda: register_file(3, 2, 3), lambda: mesh(2, 1, 2, 3)])
def test_designs_have_the_verdicts_that_they_were_made_for(make, tmp_path):
    text, verdicts = make()
    file = tmp_path / "design.btor2"
    file.write_text(text)
    told: list[object] = []
    work(Task(str(file), Config(workers=1)), told.append, set)
    names = list(verdicts)
    found = {names[message.prop]: message for message in told if isinstance(message, Settled)}
    assert {name: message.verdict.word for name, message in found.items()} == verdicts
    assert all(len(message.read_by) == 2 for message in found.values())


def test_answers_that_are_known_come_before_the_next_question():
    model = counter(4, targets=[3, 2, 2, 2, 2, 2, 2, 2, 2, 15])
    told: list[object] = []
    work(Task(model, Config(workers=1)), told.append, set)
    order = [message.prop for message in told if isinstance(message, Settled)]
    assert order.index(8) < order.index(9)
    assert isinstance(told[-1], Settled) and not isinstance(told[-1].verdict, Safe)
