"""Traces for people: their states are those of the run, and inputs that are called irrelevant are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from lemmata.frontends.aiger import parse_aiger
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import topological
from lemmata.models.graph import Origin
from lemmata.models.system import graph_of
from lemmata.models.trace import Trace
from lemmata.models.words import WordTrace
from lemmata.run.evidence import states
from lemmata.run.evidence.states import with_states
from lemmata.run.evidence.word_states import justified_leaves
from tests.support.enumerate import evaluate
from tests.support.evidence import shortest_trace
from tests.support.random_circuits import random_circuit
from tests.support.small_systems import replays
from tests.support.word_systems import random_system, random_value, random_values

# The latch follows input 0, input 1 is never looked at; bad: the latch.
FOLLOW = parse_aiger(b"aag 3 2 1 0 0 1\n2\n4\n6 2\n6\ni0 go\ni1 idle\nl0 on\nb0 hot\n")


def initial_under(model, state, inputs):
    """Latches with reset functions have the values that the inputs give them."""
    value = evaluate(model, state, inputs)
    return tuple(
        bit if reset in (0, 1, model.latch_lit(k)) else value[reset >> 1] ^ reset & 1
        for k, (bit, reset) in enumerate(zip(state, model.resets, strict=True))
    )


def ends_badly(model, prop, initial, inputs):
    state = initial
    for line in inputs:
        value = evaluate(model, state, line)
        if not all(value[lit >> 1] ^ lit & 1 for lit in model.constraints):
            return False
        bad = value[model.questions[prop] >> 1] ^ model.questions[prop] & 1
        state = tuple(value[lit >> 1] ^ lit & 1 for lit in model.nexts)
    return bool(bad)


def test_an_input_that_matters_is_told_from_one_that_does_not():
    trace = with_states(FOLLOW, Trace(0, (0,), ((1, 1), (0, 1)), ("on",), ("go", "idle")))
    assert list(map(list, trace.states)) == [[0], [1]]
    assert list(map(list, trace.needed)) == [[1, 0], [0, 0]]
    assert trace.to_json()["relevant_inputs"] == ["1x", "xx"]
    assert trace.timeline().lines() == ["step     0  1", "on       0  1", "inputs:", "go       1"]


@pytest.mark.parametrize("seed", range(150))
def test_inputs_that_do_not_matter_may_have_any_value(seed):
    model, chance = random_circuit(seed), Random(seed)
    for prop in range(len(model.properties())):
        if (trace := shortest_trace(model, prop)) is None:
            continue
        shown = with_states(model, trace)
        assert shown == trace
        for _ in range(8):
            lines = [
                tuple(bit if flag else chance.getrandbits(1) for bit, flag in zip(line, flags, strict=True))
                for line, flags in zip(trace.inputs, shown.needed, strict=True)
            ]
            assert ends_badly(model, prop, initial_under(model, trace.initial, lines[0]), lines)


@pytest.mark.parametrize("seed", range(60))
def test_terms_keep_their_values_where_their_reasons_do(seed):
    system, chance = random_system(seed), Random(seed)
    roots = [system.constraint, *system.bads, *system.nexts.values()]
    leaves = (*system.variables, *system.inputs)
    values = random_values(chance, leaves)
    order = topological(roots)
    truth = dict(zip(order, Program(order).run(values), strict=True))
    for root in roots:
        kept = justified_leaves([root], truth)
        for _ in range(4):
            other = {v: values[v] if v in kept else random_value(chance, v.sort) for v in leaves}
            assert Program([root]).run(other) == [truth[root]]


@pytest.mark.parametrize("seed", range(60))
def test_runs_over_words_keep_their_ends(seed):
    system, chance = random_system(seed), Random(seed)
    graph = graph_of(system, tuple(map(str, range(len(system.bads)))), Origin("btor2"), "<random>")
    first = random_values(chance, system.variables)
    trace = WordTrace(
        0, tuple(first.items()), tuple(tuple(random_values(chance, system.inputs).items()) for _ in range(chance.randint(1, 4)))
    )
    if not replays(system, trace):
        return
    shown = with_states(graph, trace)
    lines = [
        tuple((v, value if v in needed else random_value(chance, v.sort)) for v, value in line)
        for line, needed in zip(trace.inputs, shown.needed, strict=True)
    ]
    assert replays(system, replace(trace, inputs=tuple(lines)))


def test_a_run_that_is_too_long_is_shown_by_its_inputs(monkeypatch):
    trace = Trace(0, (0,), ((1, 1), (0, 1)), ("on",), ("go", "idle"))
    monkeypatch.setattr(states, "STATE_BITS", 1)
    assert with_states(FOLLOW, trace).states == ()
    assert with_states(FOLLOW, trace).describe().splitlines() == ["step     0  1", "inputs:", "go       1  0", "idle     1  1"]
