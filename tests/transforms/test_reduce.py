"""Reductions against enumeration: nothing that matters changes, what is claimed holds, and the way back leads home."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import product
from random import Random

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.events import Event, Reduced
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant
from lemmata.transforms.circuit import CircuitReduction
from lemmata.transforms.circuit.correspondence import equivalent_latches, merge_equivalent_latches
from lemmata.transforms.circuit.rebuild import AigBuilder, initial_state, rebuild
from lemmata.transforms.circuit.reduce import reduce
from lemmata.transforms.circuit.stuck_latches import drop_stuck_latches, stuck_values
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now
from tests.support.clock import in_time
from tests.support.enumerate import State, evaluate, initial_moves, shortest_depths
from tests.support.evidence import accepts, holds, latch_value, reachable, settle, shortest_trace, strongest_invariant
from tests.support.planted import planted_circuit
from tests.support.random_circuits import random_circuit

PLANTED = range(90)
TRANSFORMS: dict[str, Callable[[Aig], CircuitReduction]] = {
    "rebuild": rebuild,
    "stuck": drop_stuck_latches,
    "equivalent": merge_equivalent_latches,
    "light": lambda model: reduce(model, range(len(model.properties())), light=True),
    "all": lambda model: reduce(model, range(len(model.properties()))),
}
planted = cache(planted_circuit)


@cache
def depths_of(seed: int) -> list[int | None]:
    """The depths of the planted circuit of ``seed``."""
    return shortest_depths(planted(seed).model)


@cache
def states_of(seed: int) -> set[State]:
    """The reachable states of the planted circuit of ``seed``."""
    return reachable(planted(seed).model)


def toggler(**changes: object) -> Aig:
    """One latch that changes at each step; bad when it is 1."""
    return replace(Aig(0, (3,), (0,), (), (), bads=(2,)), **changes)  # type: ignore[arg-type]


# what is kept


@pytest.mark.parametrize("name", TRANSFORMS)
def test_every_transform_keeps_each_depth(name: str) -> None:
    for seed in PLANTED:
        model = planted(seed).model
        assert shortest_depths(TRANSFORMS[name](model).model) == depths_of(seed), seed


@pytest.mark.parametrize("name", TRANSFORMS)
def test_every_transform_brings_traces_back_at_the_same_depth(name: str) -> None:
    for seed in PLANTED:
        model = planted(seed).model
        reduction = TRANSFORMS[name](model)
        for prop, depth in enumerate(depths_of(seed)):
            if depth is not None:
                trace = shortest_trace(reduction.model, prop)
                assert trace is not None
                back = reduction.back.trace(trace)
                assert (back.prop, back.depth) == (prop, depth), seed
                certify(model, prop, Unsafe(back))


@pytest.mark.parametrize("name", TRANSFORMS)
def test_every_transform_brings_invariants_back(name: str) -> None:
    brought = 0
    for seed in PLANTED:
        model = planted(seed).model
        reduction = TRANSFORMS[name](model)
        invariant = strongest_invariant(reduction.model)
        for prop in range(len(model.properties())):
            if accepts(reduction.model, prop, Safe(invariant)):
                certify(model, prop, Safe(reduction.back.invariant(invariant)))
                brought += 1
    assert brought > 50


def test_the_engine_s_verdicts_survive_the_way_back() -> None:
    for seed in PLANTED:
        model = planted(seed).model
        depths = depths_of(seed)
        for prop, verdict in settle(model):
            certify(model, prop, verdict)
            assert verdict.word == ("safe" if depths[prop] is None else "unsafe"), seed


def test_a_single_property_is_kept_under_its_own_number() -> None:
    for seed in PLANTED:
        model = planted(seed).model
        for prop, depth in enumerate(depths_of(seed)):
            reduction = reduce(model, [prop])
            assert shortest_depths(reduction.model) == [depth]
            assert reduction.model.properties()[0].name == model.properties()[prop].name
            trace = shortest_trace(reduction.model, 0)
            assert (trace is None) == (depth is None)
            if trace is not None:
                certify(model, prop, Unsafe(reduction.back.trace(trace)))


def test_reducing_again_finds_little_to_do() -> None:
    for seed in PLANTED:
        once = TRANSFORMS["all"](planted(seed).model).model
        twice = TRANSFORMS["all"](once).model
        assert (twice.inputs, twice.latches) <= (once.inputs, once.latches)
        assert twice.gates <= once.gates


# what is found


def test_planting_changes_no_depth() -> None:
    for seed in PLANTED:
        garden = planted(seed)
        assert depths_of(seed) == shortest_depths(garden.bare), seed


def test_stuck_latches_never_move_even_where_constraints_are_violated() -> None:
    for seed in PLANTED:
        model = planted(seed).model
        found = stuck_values(model)
        for state in reachable(model, constrained=False):
            assert all(state[position] == value for position, value in found.items()), seed


def test_planted_stuck_latches_are_found() -> None:
    for seed in PLANTED:
        garden = planted(seed)
        found = stuck_values(garden.model)
        assert all(found.get((lit >> 1) - garden.model.first_latch) == lit & 1 for lit in garden.stuck), seed


def test_equivalent_latches_are_equal_in_every_reachable_state() -> None:
    merged = 0
    for seed in PLANTED:
        model = planted(seed).model
        classes = equivalent_latches(model, in_time())
        for state in states_of(seed):
            assert all(len({latch_value(model, state, lit) for lit in members}) == 1 for members in classes), seed
        merged += len(classes)
    assert merged > 50


def test_planted_copies_and_opposites_are_found() -> None:
    pairs = 0
    for seed in PLANTED:
        garden = planted(seed)
        classes = equivalent_latches(garden.model, in_time())
        for pair in garden.equal:
            assert any(set(pair) <= c or {lit ^ 1 for lit in pair} <= c for c in map(set, classes)), seed
        pairs += len(garden.equal)
    assert pairs > 50


def test_all_that_was_planted_goes() -> None:
    for seed in PLANTED:
        garden = planted(seed)
        assert TRANSFORMS["all"](garden.model).model.latches <= garden.bare.latches, seed


def test_facts_hold_in_every_reachable_state_and_are_inductive_together() -> None:
    for seed in PLANTED:
        model = replace(planted(seed).model, bads=(0,))
        facts = reduce(planted(seed).model, [0]).back.invariant(Invariant(()))
        for state in states_of(seed):
            assert not any(all(latch_value(model, state, lit) for lit in cube) for cube in facts.cubes), seed
        certify(model, 0, Safe(facts))


def test_latches_that_part_after_forty_steps_are_not_merged() -> None:
    model = late_difference()
    assert shortest_depths(model) == [41]
    assert equivalent_latches(model, in_time()) == [[2, 14]]  # the counter's lowest bit and one of the two
    assert shortest_depths(TRANSFORMS["all"](model).model) == [41]


def late_difference() -> Aig:
    """Six latches count; two more change together until state 40, where only one does; bad when they differ."""
    builder = AigBuilder(9)
    *bits, one, two = [2 * (1 + i) for i in range(8)]
    carry, nexts = 1, []
    for bit in bits:
        nexts.append(builder.conjoin(builder.conjoin(bit, carry) ^ 1, builder.conjoin(bit ^ 1, carry ^ 1) ^ 1))
        carry = builder.conjoin(bit, carry)
    forty = builder.conjoin_all([bits[0] ^ 1, bits[1] ^ 1, bits[2] ^ 1, bits[3], bits[4] ^ 1, bits[5]])
    nexts += [one ^ 1, builder.conjoin(two ^ 1, forty ^ 1)]
    bad = builder.conjoin(one, two ^ 1)
    return Aig(0, tuple(nexts), (0,) * 8, tuple(builder.lefts), tuple(builder.rights), bads=(bad,))


def test_equality_that_needs_the_constraint_is_found_and_brought_back() -> None:
    same = Aig(2, (2, 4), (0, 0), (6, 7, 13, 2, 3, 19), (9, 8, 11, 5, 4, 17), bads=(15,), constraints=(20,))
    assert [sorted(c) for c in equivalent_latches(same, in_time())] == [[6, 8]]
    assert shortest_depths(same) == [None]
    reduction = TRANSFORMS["all"](same)
    assert reduction.model.latches < 2
    certify(same, 0, Safe(reduction.back.invariant(strongest_invariant(reduction.model))))
    assert shortest_depths(replace(same, constraints=())) == [1]


def test_free_latches_and_reset_functions_are_never_merged_with_others() -> None:
    twins = Aig(1, (2, 2, 2), (4, 2, 0), (), (), bads=(4,))  # a free one, one that starts as the input, one that starts as 0
    assert equivalent_latches(twins, in_time()) == []
    assert stuck_values(Aig(0, (2, 2), (2, 2), (), ())) == {}


def test_no_time_means_no_merging() -> None:
    assert equivalent_latches(planted_twin(), in_time())
    assert equivalent_latches(planted_twin(), now() - 1) == []


def planted_twin() -> Aig:
    """Two latches with the same functions over gates of their own."""
    return Aig(1, (8, 10), (0, 0), (4, 6), (2, 2), bads=(4,))


# odd circuits


@pytest.mark.parametrize(
    ("model", "depths"),
    [
        pytest.param(Aig(0, (), (), (), (), bads=(0, 1)), [None, 0], id="nothing but constants"),
        pytest.param(Aig(3, (), (), (2,), (5,), bads=(8, 9)), [0, 0], id="no latches, an unused input"),
        pytest.param(Aig(0, (1, 4), (1, 0), (), (), bads=(3, 4)), [None, None], id="everything stuck"),
        pytest.param(toggler(constraints=(1,)), [1], id="a constraint that always holds"),
        pytest.param(toggler(constraints=(0,)), [None], id="a constraint that never holds"),
        pytest.param(toggler(constraints=(3,)), [None], id="the constraint forbids the bad state"),
        pytest.param(toggler(resets=(2,)), [0], id="a free latch"),
        pytest.param(toggler(resets=(1,), constraints=(3,)), [None], id="no initial state satisfies the constraints"),
        pytest.param(toggler(bads=(), outputs=(2, 3)), [1, 0], id="outputs as properties"),
        pytest.param(toggler(bads=(2, 2, 2)), [1, 1, 1], id="the same property three times"),
        pytest.param(Aig(1, (6, 6), (2, 5), (4,), (6,), bads=(8,)), [1], id="reset functions"),
    ],
)
@pytest.mark.parametrize("name", TRANSFORMS)
def test_odd_circuits_survive(name: str, model: Aig, depths: list[int | None]) -> None:
    assert shortest_depths(model) == depths
    reduction = TRANSFORMS[name](model)
    assert shortest_depths(reduction.model) == depths
    invariant = reduction.back.invariant(strongest_invariant(reduction.model))
    for prop, depth in enumerate(depths):
        if depth is None:
            certify(model, prop, Safe(invariant))
        else:
            trace = shortest_trace(reduction.model, prop)
            assert trace is not None
            certify(model, prop, Unsafe(reduction.back.trace(trace)))


def test_a_circuit_in_which_nothing_moves_loses_all_its_latches() -> None:
    reduced = TRANSFORMS["all"](Aig(2, (6, 8, 1), (0, 1, 1), (), (), bads=(6, 11), constraints=(8,))).model
    assert (reduced.inputs, reduced.latches, reduced.gates, reduced.constraints) == (0, 0, 0, ())
    assert reduced.bads == (0, 0)


def test_what_nobody_reads_is_dropped_and_comes_back_with_legal_values() -> None:
    model = Aig(2, (8, 6, 11), (0, 1, 10), (), (), bads=(6,))  # latch 2 (free) and both inputs matter to nobody
    reduction = rebuild(model)
    assert (reduction.model.inputs, reduction.model.latches) == (0, 2)
    trace = shortest_trace(reduction.model, 0)
    assert trace is not None
    back = reduction.back.trace(trace)
    assert (len(back.initial), {len(line) for line in back.inputs}) == (3, {2})
    certify(model, 0, Unsafe(back))


def test_evidence_comes_back_in_the_file_s_names() -> None:
    model = replace(planted_twin(), symbols={("l", 0): "busy", ("l", 1): "also busy", ("i", 0): "go"})
    reduction = TRANSFORMS["all"](model)
    invariant = reduction.back.invariant(Invariant(()))
    assert "busy" in invariant.describe()
    assert reduction.model.latches == 0  # both are stuck at 0


def test_a_rebuilt_circuit_keeps_names() -> None:
    model = toggler(symbols={("l", 0): "on", ("b", 0): "never on"})
    smaller = rebuild(model).model
    assert smaller.latch_name(0) == "on"
    assert smaller.properties()[0].name == "never on"


# events


def test_each_step_that_changes_something_is_told() -> None:
    told: list[Event] = []
    model = planted(3).model
    reduced = reduce(model, range(len(model.properties())), told.append).model
    assert told and all(isinstance(event, Reduced) for event in told)
    last = told[-1]
    assert isinstance(last, Reduced)
    assert (last.inputs, last.latches, last.gates) == (reduced.inputs, reduced.latches, reduced.gates)
    told.clear()
    reduce(reduced, range(len(model.properties())), told.append)
    assert told == []


# the builder and the initial states


def test_the_builder_s_rules_are_true() -> None:
    for seed in range(60):
        random, builder = Random(seed), AigBuilder(5)
        assignments = list(product((0, 1), repeat=4))
        truth: dict[Lit, tuple[int, ...]] = {}

        def table(lit: Lit, known: dict[Lit, tuple[int, ...]]) -> tuple[int, ...]:
            return tuple(bit ^ (lit & 1) for bit in known[lit & ~1])

        truth[0] = (0,) * 16
        truth |= {2 * (1 + i): tuple(bits[i] for bits in assignments) for i in range(4)}
        for _ in range(40):
            a, b = (random.choice(sorted(truth)) | random.randrange(2) for _ in range(2))
            expected = tuple(x & y for x, y in zip(table(a, truth), table(b, truth), strict=True))
            gate = builder.conjoin(a, b)
            assert gate == builder.conjoin(b, a)
            if gate & ~1 not in truth:
                truth[gate & ~1] = tuple(bit ^ (gate & 1) for bit in expected)
            assert table(gate, truth) == expected
        _assert_gates_are(builder, truth)


def _assert_gates_are(builder: AigBuilder, truth: dict[Lit, tuple[int, ...]]) -> None:
    """What the builder stores computes what it was asked for, in topological order and without constants."""
    values = {lit: bits for lit, bits in truth.items() if lit >> 1 < builder.first}
    for number, (left, right) in enumerate(zip(builder.lefts, builder.rights, strict=True)):
        gate = 2 * (builder.first + number)
        assert 1 < left < gate and 1 < right < gate
        pairs = zip(values[left & ~1], values[right & ~1], strict=True)
        values[gate] = tuple((x ^ (left & 1)) & (y ^ (right & 1)) for x, y in pairs)
        assert truth.get(gate, values[gate]) == values[gate]


@pytest.mark.parametrize("count", range(6))
def test_a_conjunction_of_many_is_true_when_all_are(count: int) -> None:
    builder = AigBuilder(7)
    lits = [2 * (1 + i) for i in range(count)]
    model = Aig(6, (), (), (), (), bads=(builder.conjoin_all(lits),))
    model = replace(model, lefts=tuple(builder.lefts), rights=tuple(builder.rights))
    for bits in product((0, 1), repeat=6):
        assert holds(evaluate(model, (), bits), model.bads[0]) == int(all(bits[:count]))


def test_initial_states_agree_with_enumeration() -> None:
    for seed in range(80):
        model = random_circuit(seed)
        for state, inputs in initial_moves(model):
            pick = partial(initial_state, model, inputs=inputs)
            assert tuple(pick(chosen=dict(enumerate(state)))) == state, seed
            assert (tuple(pick(chosen={})), inputs) in initial_moves(model)
