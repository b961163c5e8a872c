"""The unrolling means the same as simulation, step by step, and stays small."""

from __future__ import annotations

from random import Random

from lemmata.engines.circuit.netlist import XOR, netlist
from lemmata.engines.circuit.unroll import TRUE_NODE, Definition, LayeredCone, Unroller
from lemmata.models.aig import Aig
from tests.support.enumerate import evaluate
from tests.support.random_circuits import random_circuit
from tests.support.small_circuits import Sketch, counter


def values(definitions: list[Definition], random: Random) -> list[bool]:
    """Random values for the leaves, and the values of all nodes under them."""
    value = [False, True]

    def at(node: int) -> bool:
        return value[node] if node > 0 else not value[-node]

    for key in definitions[2:]:
        if not key:
            value.append(random.random() < 0.5)
        elif key[0]:
            value.append(all(at(node) for node in key))
        elif len(key) == 3:
            value.append(at(key[1]) != at(key[2]))
        else:
            value.append(at(key[2]) if at(key[1]) else at(key[3]))
    return value


def test_every_copied_literal_has_its_simulated_value() -> None:
    for seed in range(150):
        model = random_circuit(seed)
        net = netlist(model)
        roots = range(2, 2 * net.first_op)  # inputs and latches; operations are compared through next states
        for initial in (True, False):
            unroller = Unroller(net, initial)
            cone = LayeredCone(net, roots)
            for bound in range(4):
                unroller.extend(cone, bound)
            value = values(unroller.definitions, Random(seed))

            def bits(first: int, count: int, time: int) -> tuple[int, ...]:
                nodes = [unroller.at(2 * (first + i), time) for i in range(count)]  # noqa: B023
                return tuple(int(value[abs(node)] == (node > 0)) for node in nodes)  # noqa: B023

            state = bits(model.first_latch, model.latches, 0)
            for time in range(4):
                inputs = bits(1, model.inputs, time)
                assert bits(model.first_latch, model.latches, time) == state
                now = evaluate(model, state, inputs)
                if initial and time == 0:
                    assert all(now[reset >> 1] ^ (reset & 1) == bit for reset, bit in zip(model.resets, state, strict=True))
                state = tuple(now[lit >> 1] ^ (lit & 1) for lit in model.nexts)


def test_groups_of_gates_become_single_operations() -> None:
    sketch = Sketch(5)
    a, b, c, d = 2, 4, 6, 8
    xor = sketch.differ(a, b)
    choice = sketch.both(sketch.both(c, d) ^ 1, sketch.both(c ^ 1, a) ^ 1)
    wide = sketch.both(sketch.both(a, b), sketch.both(c ^ 1, d))
    net = netlist(Aig(4, (), (), sketch.lefts(), sketch.rights(), bads=(xor, choice, wide)))
    assert len(net.ops) == 3
    assert net.ops[0][3] == XOR
    assert net.ops[1][1:] in ((c, d ^ 1, a ^ 1), (c ^ 1, a ^ 1, d ^ 1))
    assert {net.ops[2][1], net.ops[2][2], *net.ops[2][3]} == {a, b, c ^ 1, d}  # type: ignore[misc]


def test_a_gate_with_several_readers_keeps_its_variable() -> None:
    sketch = Sketch(4)
    shared = sketch.both(2, 4)
    net = netlist(Aig(3, (), (), (*sketch.lefts(), shared, shared), (*sketch.rights(), 6, 7), bads=(10, 12)))
    assert len(net.ops) == 3


def test_a_counter_without_inputs_unrolls_to_constants() -> None:
    net = netlist(counter(8, targets=[100]))
    unroller, cone = Unroller(net, initial=True), LayeredCone(net, net.bads)
    for bound in range(101):
        unroller.extend(cone, bound)
        assert unroller.at(net.bads[0], bound) == (TRUE_NODE if bound == 100 else -TRUE_NODE)
    assert len(unroller.definitions) == 2


def test_only_the_layers_that_a_bound_needs_are_copied() -> None:
    # a shift register of 50 free latches: bad at time k rests on latch k from the end, and on no gate
    length = 50
    nexts = (0, *[2 * i for i in range(1, length)])
    model = Aig(0, nexts, tuple(2 * i for i in range(1, length + 1)), (), (), bads=(2 * length,))
    net = netlist(model)
    unroller, cone = Unroller(net, initial=True), LayeredCone(net, net.bads)
    unroller.extend(cone, 0)
    unroller.extend(cone, 1)
    assert unroller.definitions == [(), (), (), ()]
    assert cone.latches() == list(range(length))


def test_equal_steps_share_their_nodes() -> None:
    # the latch holds its free value for ever, so bad is one node at all times
    sketch = Sketch(3)
    bad = sketch.both(2, 4)
    net = netlist(Aig(0, (2, 4), (2, 4), sketch.lefts(), sketch.rights(), bads=(bad,)))
    unroller, cone = Unroller(net, initial=True), LayeredCone(net, net.bads)
    seen = set()
    for bound in range(5):
        unroller.extend(cone, bound)
        seen.add(unroller.at(net.bads[0], bound))
    assert len(seen) == 1


def test_a_cone_in_progress_keeps_what_another_one_no_longer_needs() -> None:
    # bad = g ∧ y, g = i ∧ z, y follows x, x follows g: at bound 2 latch x at time 1 reads g, copied at bound 0
    sketch = Sketch(5)
    i, x, y, z = 2, 4, 6, 8
    g = sketch.both(i, z)
    bad = sketch.both(g, y)
    net = netlist(Aig(1, (g, x, z), (x, y, z), sketch.lefts(), sketch.rights(), bads=(bad, i)))
    unroller, slow, quick = Unroller(net, initial=True), LayeredCone(net, net.bads[:1]), LayeredCone(net, net.bads[1:])
    unroller.extend(slow, 0)
    first = unroller.at(net.nexts[0], 0)
    unroller.extend(slow, 1)
    for bound in range(6):
        unroller.extend(quick, bound)
    unroller.extend(slow, 2)
    assert unroller.at(x, 1) == first != 0
    assert unroller.at(net.bads[0], 2) > TRUE_NODE


def test_contradictory_operands_make_false() -> None:
    # latch b starts as the negation of the free latch a; bad: a ∧ b ∧ i
    sketch = Sketch(4)
    i, a, b = 2, 4, 6
    bad = sketch.both(sketch.both(a, b), i)
    net = netlist(Aig(1, (a, b), (a, a ^ 1), sketch.lefts(), sketch.rights(), bads=(bad,)))
    unroller = Unroller(net, initial=True)
    unroller.extend(LayeredCone(net, net.bads), 0)
    assert unroller.at(net.bads[0], 0) == -TRUE_NODE
