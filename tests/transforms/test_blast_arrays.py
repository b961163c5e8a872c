"""The cone of words, arrays spelled out, arrays havocked: exact where it is said, more runs and never fewer elsewhere."""

from __future__ import annotations

from random import Random

import pytest

from lemmata.errors import GaveUp
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import TRUE, Term, Value, bv, const, make, name_of, var
from lemmata.logic.values import ArrayValue
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.transforms.system.arrays import TooLarge, expand_arrays, large_sorts
from lemmata.transforms.system.arrays_havoc import Havoced, havoc_arrays
from lemmata.transforms.system.blast import blast
from lemmata.transforms.system.cone import initial_values, is_run, reduce_system_cone
from tests.support.word_systems import random_system, random_values, run, terms_of

SEEDS = range(150)
MEMORY = Array(BitVec(2), BitVec(3))
HUGE = Array(BitVec(32), BitVec(8))
M, BIG = var("m", MEMORY), var("big", HUGE)
AT, J = var("i", BitVec(2)), var("j", BitVec(2))
ADDRESS, OTHER, BYTE = var("address", BitVec(32)), var("other", BitVec(32)), var("byte", BitVec(8))


def select(array: Term, index: Term) -> Term:
    return make("select", (array, index))


def store(array: Term, index: Term, value: Term) -> Term:
    return make("store", (array, index, value))


def random_lines(chance: Random, system: System, count: int) -> list[dict[Term, Value]]:
    return [random_values(chance, system.inputs) for _ in range(count)]


# the cone


def test_the_cone_keeps_what_properties_constraints_and_starts_read():
    names = "abcdefg"
    a, b, c, d, e, f, g = (var(name, BOOL) for name in names)
    system = System(
        (a, b, c, d, e, f),
        (g,),
        {a: None, b: c, c: None, d: TRUE, e: TRUE, f: TRUE},
        {a: b, b: b, c: TRUE, d: d, e: make("and", (e, g)), f: f},
        make("or", (f, TRUE)),
        (make("not", (a,)), d),
    )
    small = reduce_system_cone(system, [0]).model
    assert (small.variables, small.inputs) == ((a, b, c, f), ())
    assert small.bads == (make("not", (a,)),)
    assert reduce_system_cone(system).model.variables == (a, b, c, d, f)
    assert reduce_system_cone(system, []).model.variables == (f,)


def test_a_run_of_the_cone_becomes_a_run_of_the_whole():
    for seed in SEEDS:
        chance, system = Random(seed), random_system(seed)
        for prop in range(len(system.bads)):
            part = reduce_system_cone(system, [prop])
            initial = initial_values(part.model, random_values(chance, part.model.variables))
            lines = random_lines(chance, part.model, 3)
            trace = WordTrace(0, initial, tuple(tuple(line.items()) for line in lines))
            whole = part.back.trace(trace)
            assert whole.prop == prop
            assert is_run(system, whole) == is_run(part.model, trace)
            assert [v[:2] for v in run(part.model, dict(initial), lines)] == [
                [v[0], v[1 + prop]] for v in run(system, dict(whole.initial), [dict(line) for line in whole.inputs])
            ]


def test_the_constraint_that_graphs_repeat_is_dropped_from_bad():
    a, b = var("a", BOOL), var("b", BOOL)
    system = System((), (a, b), {}, {}, a, (make("and", (a, b)), make("and", (b, a))))
    assert reduce_system_cone(system).model.bads == (b, make("and", (b, a)))


def test_a_run_needs_its_start_its_constraint_at_every_step_and_a_bad_state_at_the_end():
    x, go = var("x", BitVec(2)), var("go", BOOL)
    counts = make("bvadd", (x, bv(1, 2)))
    system = System((x,), (go,), {x: bv(0, 2)}, {x: counts}, go, (make("=", (x, bv(1, 2))),))

    def trace(start: int, *goes: bool) -> WordTrace:
        return WordTrace(0, ((x, start),), tuple(((go, value),) for value in goes))

    assert is_run(system, trace(0, True, True))
    assert not is_run(system, trace(1, True))
    assert not is_run(system, trace(0, True))
    assert not is_run(system, trace(0, True, True, True))
    assert not is_run(system, trace(0, False, True))
    assert not is_run(system, trace(0, True, False))


# arrays spelled out


def test_an_expanded_system_has_no_arrays_and_runs_alike():
    for seed in SEEDS:
        chance, system = Random(seed), random_system(seed)
        expansion = expand_arrays(system)
        small = expansion.model
        assert not any(isinstance(term.sort, Array) for term in terms_of(small))
        initial = initial_values(small, random_values(chance, small.variables))
        lines = random_lines(chance, small, 3)
        trace = expansion.back.trace(WordTrace(0, initial, tuple(tuple(line.items()) for line in lines)))
        assert trace.initial == initial_values(system, dict(trace.initial))
        there = run(system, dict(trace.initial), [dict(line) for line in trace.inputs])
        count = 1 + len(system.bads)
        assert [v[:count] for v in run(small, dict(initial), lines)] == [v[:count] for v in there]


def test_an_invariant_about_elements_speaks_of_reads():
    system = System((M,), (AT, J), {M: None}, {M: store(M, AT, bv(1, 3))}, TRUE, (make("=", (select(M, J), bv(5, 3))),))
    expansion = expand_arrays(system)
    words = expansion.model.variables
    assert [name_of(word) for word in words] == ["m[#0]", "m[#1]", "m[#2]", "m[#3]"]
    lemma = make("bvult", (words[0], words[3]))
    (back,) = expansion.back.invariant(WordInvariant((lemma,))).lemmas
    assert back is make("bvult", (select(M, bv(0, 2)), select(M, bv(3, 2))))


def test_elements_never_take_a_name_that_exists():
    taken = var("m[#1]", BitVec(3))
    system = System((M, taken), (AT,), {M: None, taken: None}, {M: M, taken: taken}, TRUE, (make("=", (select(M, AT), taken)),))
    small = expand_arrays(system).model
    assert len(set(small.variables)) == len({name_of(v) for v in small.variables}) == 5


def test_a_read_at_a_constant_index_needs_no_multiplexer():
    system = System((M,), (), {M: None}, {M: M}, TRUE, (make("=", (select(M, bv(2, 2)), bv(5, 3))),))
    small = expand_arrays(system).model
    assert small.bads == (make("=", (small.variables[2], bv(5, 3))),)


def test_a_long_chain_of_writes_is_no_problem():
    chain = M
    for step in range(3000):
        chain = store(chain, make("bvadd", (AT, bv(step, 2))), bv(step, 3))
    system = System((M,), (AT, J), {M: None}, {M: M}, TRUE, (make("=", (select(chain, J), bv(5, 3))),))
    small = expand_arrays(system).model
    values = {J: 2, AT: 1, M: ArrayValue(MEMORY, 0)}
    words = dict.fromkeys(small.variables, 0)
    assert evaluate(small.bads, {**values, **words}) == evaluate(system.bads, values)


def test_an_array_that_is_too_large_is_named_with_its_widths():
    system = System((BIG,), (ADDRESS,), {BIG: None}, {BIG: BIG}, TRUE, (make("=", (select(BIG, ADDRESS), bv(5, 8))),))
    with pytest.raises(TooLarge, match=r"the array big is too large .*index of 32 bits, elements of 8 bits"):
        expand_arrays(system)
    with pytest.raises(GaveUp):
        blast(system)


def test_the_limit_is_for_all_arrays_together_and_small_ones_come_first():
    small, large = Array(BitVec(3), BitVec(8)), Array(BitVec(4), BitVec(8))
    a, b, c = var("a", small), var("b", large), var("c", large)
    system = System((a, b, c), (), dict.fromkeys((a, b, c)), {v: v for v in (a, b, c)}, TRUE, (make("=", (b, c)),))
    assert large_sorts(system, bits=320) == frozenset()
    assert large_sorts(system, bits=319) == {large}
    assert large_sorts(system, bits=63) == {small, large}
    with pytest.raises(TooLarge, match="the array b"):
        expand_arrays(system, bits=319)


def test_arrays_outside_the_cone_may_be_large():
    system = System((BIG,), (AT,), {BIG: None}, {BIG: BIG}, TRUE, (make("=", (AT, bv(1, 2))),))
    assert blast(system).aig.latches == 0


def test_arrays_of_arrays_are_refused():
    nested = Array(BitVec(1), MEMORY)
    n = var("n", nested)
    system = System((n,), (AT,), {n: None}, {n: n}, TRUE, (make("=", (select(select(n, bv(0, 1)), AT), bv(1, 3))),))
    for transform in (expand_arrays, havoc_arrays):
        with pytest.raises(TooLarge, match="the array n "):
            transform(system)


# arrays havocked


def havoc_values(back: Havoced, values: dict[Term, Value]) -> dict[Term, Value]:
    """The values of the new system's leaves that correspond to values of the old one."""
    known = {v: values[v] for v in (*back.new.variables, *back.new.inputs) if v in values}
    for read in back.reads:
        (index,) = evaluate([read.index], known)
        known[read.answer] = values[read.array].select(index)
    return known


def test_every_step_of_a_system_is_a_step_of_its_abstraction():
    compared = 0
    for seed in range(400):
        chance, system = Random(seed), random_system(seed)
        if any(t.op == "=" and isinstance(t.args[0].sort, Array) for t in terms_of(system)):
            continue
        abstraction = havoc_arrays(system)
        back, small = abstraction.back, abstraction.model
        assert not any(isinstance(term.sort, Array) for term in terms_of(small))
        if abstraction.is_exact:
            assert small is system
            continue
        assert isinstance(back, Havoced)
        compared += 1
        for _ in range(10):
            values = random_values(chance, (*system.variables, *system.inputs))
            known = havoc_values(back, values)
            old = evaluate([system.constraint, *system.bads, *(system.nexts[v] for v in small.variables)], values)
            assert evaluate([small.constraint, *small.bads, *small.nexts.values()], known) == old
            start = dict(initial_values(system, values))
            assert all(s is None or evaluate([s], start) == [start[v]] for v, s in small.starts.items())
    assert compared > 30


def test_equations_of_arrays_become_one_free_boolean_each():
    other = var("n", MEMORY)
    same = make("=", (M, other))
    system = System(
        (M, other), (), {M: None, other: None}, {M: M, other: M}, make("not", (same,)), (same, make("=", (other, M)))
    )
    small = havoc_arrays(system).model
    assert small.variables == ()
    assert small.bads == (small.inputs[0], small.inputs[0])
    assert small.constraint is make("not", (small.inputs[0],))


def test_reads_of_one_array_are_tied_together():
    clash = make("not", (make("=", (select(BIG, ADDRESS), select(BIG, OTHER))),))
    system = System((BIG,), (ADDRESS, OTHER), {BIG: None}, {BIG: BIG}, make("=", (ADDRESS, OTHER)), (clash,))
    small = havoc_arrays(system).model
    first, second = small.inputs[2:]
    values = {ADDRESS: 7, OTHER: 7, first: 1, second: 2}
    assert evaluate([small.bads[0], small.constraint], values) == [True, False]
    assert evaluate([small.constraint], {**values, second: 1}) == [True]


def test_a_read_after_a_write_in_the_same_step_is_known():
    written = store(BIG, ADDRESS, BYTE)
    bad = make("not", (make("=", (select(written, ADDRESS), BYTE)),))
    system = System((BIG,), (ADDRESS, BYTE), {BIG: None}, {BIG: written}, TRUE, (bad,))
    assert havoc_arrays(system).model.bads == (const(False, BOOL),)


def test_only_the_sorts_that_are_named_vanish():
    both = make("and", (make("=", (select(M, AT), bv(1, 3))), make("=", (select(BIG, ADDRESS), bv(1, 8)))))
    system = System((M, BIG), (AT, ADDRESS), {M: None, BIG: None}, {M: store(M, AT, bv(2, 3)), BIG: BIG}, TRUE, (both,))
    abstraction = havoc_arrays(system, {HUGE})
    assert abstraction.model.variables == (M,)
    assert abstraction.model.nexts[M] is system.nexts[M]
    blasted = blast(system, abstract=True)
    assert (blasted.is_exact, blasted.aig.latches) == (False, 12)
    assert blast(system_without_big(system), abstract=True).is_exact


def test_without_a_bit_to_spare_all_arrays_vanish():
    system = System((M,), (AT,), {M: None}, {M: store(M, AT, bv(2, 3))}, TRUE, (make("=", (select(M, AT), bv(1, 3))),))
    assert blast(system, abstract=True, bits=0).aig.latches == 0
    with pytest.raises(TooLarge):
        blast(system, bits=0)


def test_many_reads_of_an_array_make_it_large():
    wide = Array(BitVec(12), BitVec(1))
    memory, at = var("wide", wide), var("at", BitVec(12))
    reads = [make("=", (select(memory, make("bvadd", (at, bv(i, 12)))), bv(1, 1))) for i in range(200)]
    system = System((memory,), (at,), {memory: None}, {memory: memory}, TRUE, (make("and", tuple(reads)),))
    assert large_sorts(system) == {wide}
    assert large_sorts(System((memory,), (at,), {memory: None}, {memory: memory}, TRUE, (reads[0],))) == frozenset()


def system_without_big(system: System) -> System:
    return System((M,), (AT,), {M: None}, {M: system.nexts[M]}, TRUE, (make("=", (select(M, AT), bv(1, 3))),))


def test_a_start_that_reads_a_vanished_array_is_free():
    x = var("x", BitVec(8))
    system = System((x, BIG), (), {x: select(BIG, bv(0, 32)), BIG: None}, {x: x, BIG: BIG}, TRUE, (make("=", (x, bv(1, 8))),))
    assert havoc_arrays(system).model.starts == {x: None}


def writer(start: Term | None) -> System:
    """Writes what it reads somewhere, plus one, to another place; bad is a byte of 3 at the address."""
    seen = select(BIG, ADDRESS)
    step = store(BIG, OTHER, make("bvadd", (seen, bv(1, 8))))
    return System((BIG,), (ADDRESS, OTHER), {BIG: start}, {BIG: step}, TRUE, (make("=", (seen, bv(3, 8))),))


def abstract_run(system: System, lines: list[dict[str, int]]) -> tuple[Havoced, WordTrace]:
    back = havoc_arrays(system).back
    assert isinstance(back, Havoced)
    (read,) = back.reads
    named = {"a": ADDRESS, "o": OTHER, "r": read.answer}
    return back, WordTrace(0, (), tuple(tuple((named[name], value) for name, value in line.items()) for line in lines))


def test_a_run_of_the_abstraction_is_completed_with_contents_of_the_arrays():
    system = writer(None)
    back, trace = abstract_run(system, [{"a": 10, "o": 20, "r": 2}, {"a": 20, "o": 0, "r": 3}])
    found = back.trace(trace)
    assert is_run(system, found)
    assert found.initial == ((BIG, ArrayValue(HUGE, 0, {10: 2})),)


@pytest.mark.parametrize("start", [None, make("filled", (bv(0, 8),), HUGE)])
def test_a_run_that_no_contents_allow_is_given_up(start):
    lines = [{"a": 10, "o": 20, "r": 2}, {"a": 20, "o": 0, "r": 9}, {"a": 10, "o": 0, "r": 3}]
    back, trace = abstract_run(writer(start), lines)
    with pytest.raises(GaveUp, match="abstracted"):
        back.trace(trace)
