"""Words to bits and back: the circuit does what the system does, and evidence about bits says the same about words."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from lemmata.certify.circuit.replay import CircuitSimulator
from lemmata.errors import Unsupported
from lemmata.logic.build import disj
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import FALSE, OPERATORS, TRUE, Term, Value, bv, const, make, name_of, topological, var
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.models.invariant import Invariant
from lemmata.models.system import System, graph_of
from lemmata.models.trace import Trace
from lemmata.transforms.system.blast import Blasted, blast
from lemmata.transforms.system.cone import initial_values, is_run
from lemmata.verdict import Safe
from tests.support.evidence import settle
from tests.support.word_systems import random_system, random_values, run, terms_of

SEEDS = range(150)
NUMBERS = {"+", "*", "-", "neg", "div", "mod", "/", "<", "<=", "to_real", "to_int", "apply"}


def bits_of(value: Value, width: int) -> list[int]:
    return [int(value) >> i & 1 for i in range(width)]


def flat(blasted: Blasted, system_values: dict[Term, Value], leaves: tuple[Term, ...]) -> list[int]:
    """The bits of the leaves of the circuit, given values of the system as it was before."""
    bits: list[int] = []
    arrays = {name_of(v): v for v in system_values if isinstance(v.sort, Array)}
    for leaf in leaves:
        name, _, rest = name_of(leaf).partition("[#")
        value = system_values[arrays[name]].select(int(rest[:-1])) if rest else system_values[leaf]
        bits += bits_of(value, 1 if leaf.sort is BOOL else leaf.width)
    return bits


# the circuit


def test_random_systems_use_every_operator_on_words_and_arrays():
    assert {term.op for seed in SEEDS for term in terms_of(random_system(seed))} >= OPERATORS - NUMBERS


@pytest.mark.parametrize("chunk", range(5))
def test_the_circuit_steps_as_the_system_does(chunk):
    for seed in SEEDS[chunk::5]:
        chance, system = Random(seed), random_system(seed)
        blasted = blast(system)
        aig, small = blasted.aig, blasted.system
        kept = [v for v in system.variables if any(name_of(w).partition("[#")[0] == name_of(v) for w in small.variables)]
        simulator = CircuitSimulator(aig, [*aig.constraints, *aig.bads, *aig.nexts])
        for _ in range(12):
            values = random_values(chance, (*system.variables, *system.inputs))
            valid, *rest = evaluate([system.constraint, *system.bads, *(system.nexts[v] for v in kept)], values)
            bads, nexts = rest[: len(system.bads)], dict(zip(kept, rest[len(system.bads) :], strict=True))
            found = simulator.evaluate(flat(blasted, values, small.inputs), flat(blasted, values, small.variables))
            count = len(aig.constraints)
            assert all(found[:count]) == valid
            assert found[count : count + len(bads)] == list(map(int, bads))
            assert found[count + len(bads) :] == flat(blasted, nexts, small.variables)


def test_the_circuit_starts_as_the_system_does():
    for seed in SEEDS:
        chance, system = Random(seed), random_system(seed)
        blasted = blast(system)
        simulator = CircuitSimulator(blasted.aig, blasted.aig.resets)
        initial = dict(initial_values(system, random_values(chance, system.variables)))
        bits = flat(blasted, initial, blasted.system.variables)
        assert simulator.evaluate([0] * blasted.aig.inputs, bits) == bits


def test_bits_carry_the_names_of_their_words_and_properties_keep_theirs():
    x, flag, switch = var("x", BitVec(3)), var("flag", BitVec(1)), var("switch", BOOL)
    system = System(
        (x, flag),
        (switch,),
        {x: bv(5, 3), flag: None},
        {x: make("ite", (switch, x, bv(0, 3))), flag: flag},
        TRUE,
        (make("=", (make("concat", (x, flag)), bv(3, 4))), make("=", (flag, bv(1, 1)))),
    )
    aig = blast(graph_of(system, ("low", "high"), Origin(), "f.btor2")).aig
    assert [aig.latch_name(i) for i in range(4)] == ["x[0]", "x[1]", "x[2]", "flag"]
    assert aig.input_name(0) == "switch"
    assert [prop.name for prop in aig.properties()] == ["low", "high"]
    assert aig.resets == (1, 0, 1, aig.latch_lit(3))
    assert aig.file == "f.btor2"
    assert blast(graph_of(system, ("low", "high"), Origin(), "f"), [1]).aig.latches == 1


def test_a_start_that_depends_on_a_free_variable_becomes_a_reset_function():
    x, y = var("x", BitVec(2)), var("y", BitVec(2))
    system = System((x, y), (), {x: None, y: make("bvnot", (x,))}, {x: x, y: y}, TRUE, (make("=", (x, y)),))
    aig = blast(system).aig
    assert aig.resets == (aig.latch_lit(0), aig.latch_lit(1), aig.latch_lit(0) ^ 1, aig.latch_lit(1) ^ 1)


def test_each_part_of_the_constraint_is_a_constraint_of_the_circuit():
    a, b = var("a", BOOL), var("b", BOOL)
    system = System((), (a, b), {}, {}, make("and", (a, TRUE, make("not", (b,)))), (TRUE,))
    assert blast(system).aig.constraints == (2, 5)
    assert blast(System((), (), {}, {}, FALSE, (TRUE,))).aig.constraints == (0,)


def test_numbers_have_no_bits():
    x = var("x", INT)
    r = const(1, REAL)
    with pytest.raises(Unsupported, match="bit-vectors only"):
        blast(System((x,), (), {x: None}, {x: x}, TRUE, (make("<", (x, x)),)))
    with pytest.raises(Unsupported, match="bit-vectors only"):
        blast(System((), (), {}, {}, TRUE, (make("<", (r, make("+", (r, r)))),)))


def test_a_graph_with_two_inner_locations_is_no_circuit():
    edges = (
        Edge((), 0, (), TRUE),
        Edge((Source(0, ()),), 1, (), TRUE),
        Edge((Source(1, ()),), 2, (), TRUE),
    )
    graph = Graph((Location("a"), Location("b"), Location("error")), edges, (GraphProperty(0, "p", 2),), file="f.bpl")
    with pytest.raises(Unsupported, match=r"f\.bpl: only a transition system"):
        blast(graph)


# the way back


def test_runs_of_the_circuit_are_runs_of_the_system():
    reached = 0
    for seed in SEEDS:
        chance, system = Random(seed), random_system(seed)
        blasted = blast(system)
        aig = blasted.aig
        simulator = CircuitSimulator(aig, [*aig.constraints, *aig.bads, *aig.nexts])
        free = [chance.getrandbits(1) for _ in range(aig.latches)]
        state = initial = CircuitSimulator(aig, aig.resets).evaluate([0] * aig.inputs, free)
        lines = []
        for _ in range(4):
            lines.append(tuple(chance.getrandbits(1) for _ in range(aig.inputs)))
            found = simulator.evaluate(lines[-1], state)
            if not all(found[: len(aig.constraints)]):
                break
            bads, state = found[len(aig.constraints) :][: len(aig.bads)], found[len(aig.constraints) + len(aig.bads) :]
            for prop, bad in enumerate(bads):
                trace = blasted.trace(Trace(prop, tuple(initial), tuple(lines)))
                assert [v for v, _ in trace.initial] == list(system.variables)
                assert all([v for v, _ in line] == list(system.inputs) for line in trace.inputs)
                assert is_run(system, trace) == bool(bad)
                assert run(system, dict(trace.initial), [dict(line) for line in trace.inputs])[-1][1 + prop] == bool(bad)
                reached += bad
    assert reached > 100


def random_cubes(chance: Random, first: int, latches: int) -> tuple[tuple[int, ...], ...]:
    """Cubes of all lengths, many of them over neighbours, some that make bits equal."""
    cubes: list[tuple[int, ...]] = []
    for _ in range(chance.randint(0, 6)):
        start, length = chance.randrange(latches), chance.choice([1, 1, 2, 2, 3, 5])
        places = sorted(
            {min(start + i, latches - 1) if chance.random() < 0.8 else chance.randrange(latches) for i in range(length)}
        )
        same = chance.choice([None, 0, 1])
        cube = tuple(2 * (first + p) | (chance.getrandbits(1) if same is None else same) for p in places)
        cubes.append(cube)
        if len(cube) == 2 and chance.random() < 0.7:
            cubes.append(tuple(lit ^ 1 for lit in cube))
    return tuple(cubes)


@pytest.mark.parametrize("chunk", range(3))
def test_an_invariant_says_about_words_what_the_cubes_say_about_bits(chunk):
    for seed in SEEDS[chunk::3]:
        chance, system = Random(seed), random_system(seed)
        blasted = blast(system)
        aig = blasted.aig
        if not aig.latches:
            continue
        for _ in range(4):
            cubes = random_cubes(chance, aig.first_latch, aig.latches)
            lemmas = blasted.invariant(Invariant(cubes, (), aig.first_latch)).lemmas
            assert {v for v in topological(lemmas) if v.is_var} <= set(system.variables)
            for _ in range(12):
                values = random_values(chance, system.variables)
                bits = flat(blasted, values, blasted.system.variables)
                met = any(all(bits[(lit >> 1) - aig.first_latch] != lit & 1 for lit in cube) for cube in cubes)
                assert all(evaluate(lemmas, values)) == (not met)


X, Y = var("x", BitVec(8)), var("y", BitVec(8))
HOLD = System((X, Y), (), {X: None, Y: None}, {X: X, Y: Y}, TRUE, (make("=", (X, Y)),))


def cube(**bits: str) -> tuple[int, ...]:
    """``x="0..1...."``: the bits of a word from the top, dots for bits that are not in the cube."""
    lits = []
    for offset, name in ((0, "x"), (8, "y")):
        for i, letter in enumerate(reversed(bits.get(name, ""))):
            if letter != ".":
                lits.append(2 * (1 + offset + i) | (letter == "0"))
    return tuple(lits)


def implied(word: Term, value: int) -> Term:
    """If y is not negative, then the word has this value."""
    return disj((make("bvslt", (Y, bv(0, 8))), make("=", (word, bv(value, word.width)))))


@pytest.mark.parametrize(
    ("cubes", "expected"),
    [
        ([cube(x="00000101")], [make("not", (make("=", (X, bv(5, 8))),))]),
        ([cube(x="..0110..")], [make("not", (make("=", (make("extract", (X,), (5, 2)), bv(6, 4))),))]),
        ([cube(x="0000....", y="1.......")], [make("or", (make("bvule", (bv(16, 8), X)), make("bvsle", (bv(0, 8), Y))))]),
        ([cube(x="111.....")], [make("bvult", (X, bv(224, 8)))]),
        ([cube(x="1......."), cube(x=".1......"), cube(x="..1.....")], [make("bvult", (X, bv(32, 8)))]),
        ([cube(x="1.......")], [make("bvsle", (bv(0, 8), X))]),
        ([cube(x="1......."), cube(x="0.......")], [FALSE]),
        ([cube(x="......1.", y="0......."), cube(x=".......1", y="0.......")], [implied(make("extract", (X,), (1, 0)), 0)]),
        ([cube(x="......1.", y="0......."), cube(x="......0.", y="0.......")], [make("bvslt", (Y, bv(0, 8)))]),
        ([()], [FALSE]),
        ([], []),
    ],
)
def test_facts_about_words_are_short(cubes, expected):
    lemmas = blast(HOLD).invariant(Invariant(tuple(cubes), (), 1)).lemmas
    assert set(lemmas) == set(expected)


def test_bits_that_are_equal_one_by_one_make_words_that_are_equal():
    pairs = [(2 * (1 + i), 2 * (9 + i)) for i in range(8)]
    cubes = [c for a, b in pairs for c in ((a, b ^ 1), (a ^ 1, b))]
    assert blast(HOLD).invariant(Invariant(tuple(cubes), (), 1)).lemmas == (make("=", (X, Y)),)


def counter(arrays: bool) -> System:
    """A counter that goes 0, 2, 4, 6 and back, and a memory that holds what it was."""
    x, i = var("x", BitVec(3)), var("i", BitVec(1))
    memory = var("m", Array(BitVec(1), BitVec(3)))
    follow = make("ite", (make("=", (x, bv(6, 3))), bv(0, 3), make("bvadd", (x, bv(2, 3)))))
    odd = make("=", (make("extract", (make("select", (memory, i)) if arrays else x,), (0, 0)), bv(1, 1)))
    zeros = make("filled", (bv(0, 3),), memory.sort)
    return System(
        (x, memory), (i,), {x: bv(0, 3), memory: zeros}, {x: follow, memory: make("store", (memory, i, x))}, TRUE, (odd,)
    )


@pytest.mark.parametrize("arrays", [False, True])
def test_a_proof_about_bits_is_a_proof_about_words(arrays):
    system = counter(arrays)
    blasted = blast(system)
    ((_, verdict),) = settle(blasted.aig)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, Invariant)
    invariant = blasted.invariant(verdict.invariant)
    inv = make("and", (*invariant.lemmas, TRUE))
    x, memory, i = *system.variables, *system.inputs
    sort = memory.sort
    memories = [ArrayValue(sort, 0, {0: a, 1: b}) for a, b in product(range(8), repeat=2)]
    for value, content, at in product(range(8), memories, range(2)):
        here = {x: value, memory: content, i: at}
        held, bad, *nexts = evaluate([inv, system.bads[0], system.nexts[x], system.nexts[memory]], here)
        there = dict(zip(system.variables, nexts, strict=True))
        assert not held or (not bad and evaluate([inv], there) == [True])
    assert evaluate([inv], dict(initial_values(system, {}))) == [True]
