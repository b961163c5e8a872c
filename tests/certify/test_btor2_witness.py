"""BTOR2 witnesses: what is written can be read again, says the same, and is what ``btorsim`` accepts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lemmata.certify.formats.btor2_witness import format_btor2_witness, parse_btor2_witness
from lemmata.certify.words.replay import replay_words
from lemmata.errors import CertificateError, InputError, Unsupported
from lemmata.frontends.btor2 import parse_btor2
from lemmata.logic.sorts import Array
from lemmata.logic.terms import Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.models.words import WordTrace
from tests.support.btor2_interpreter import Interpreter
from tests.support.btor2_random import Shape, random_model
from tests.support.btor2_simulator import Simulator
from tests.support.btor2_terms import as_term_value, random_value
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples" / "btor2"

SYSTEM = """1 sort bitvec 1
2 sort bitvec 3
3 sort array 1 2
4 zero 2
5 input 1 i
6 state 2 fixed
7 init 2 6 4
8 state 2 free
9 state 2 noise
10 state 2 key
11 init 2 10 4
12 state 3 memory
13 input 2 j
14 next 2 6 13
15 next 2 8 8
16 next 3 12 12
17 one 1
18 bad 17
19 bad 5 second
"""
WITNESS = """sat
b1
#0
1 101 free#0
2 001 noise#0
4 [1] 111 memory#0
@0
0 1 i@0
1 011 j@0
#1
2 010 noise#1
3 110 key#1
@1
0 1 i@1
1 000 j@1
.
"""


def graph_of_text(text: str) -> Graph:
    return parse_btor2(text.encode(), "x.btor2")


GRAPH = graph_of_text(SYSTEM)


def values(trace: WordTrace) -> tuple[dict[str, Value], list[dict[str, Value]]]:
    return {name_of(v): x for v, x in trace.initial}, [{name_of(v): x for v, x in line} for line in trace.inputs]


def test_a_witness_says_what_each_state_and_input_is() -> None:
    trace = parse_btor2_witness(WITNESS, GRAPH, "w")
    initial, inputs = values(trace)
    memory = initial.pop("memory")
    assert trace.prop == 1 and isinstance(memory, ArrayValue)
    assert (memory.select(0), memory.select(1)) == (0, 7)
    assert initial == {"fixed": 0, "free": 5, "key": 0}
    assert inputs == [
        {"i": 1, "j": 3, "noise": 1, "key.next": 6},
        {"i": 1, "j": 0, "noise": 2, "key.next": 0},
    ]


def test_writing_a_trace_gives_the_same_witness_again() -> None:
    assert format_btor2_witness(GRAPH, parse_btor2_witness(WITNESS, GRAPH, "w")) == WITNESS


def test_what_a_witness_leaves_out_is_zero() -> None:
    trace = parse_btor2_witness("sat\nb0\n@0\n@1\n.\n", GRAPH, "w")
    initial, inputs = values(trace)
    memory = initial.pop("memory")
    assert isinstance(memory, ArrayValue) and memory.default == 0 and memory.items == ()
    assert set(initial.values()) == {0} and all(set(line.values()) == {0} for line in inputs)
    assert trace.depth == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sat\n", "; said by me\nsat\n"),
        ("b1\n", "b1 b0 j0\n"),
        ("101 free#0", "101"),
        ("\n", "\r\n"),
        (".\n", "."),
        (".\n", ".\nsat\nb0\n@0\n.\n"),
        ("@0\n0 1 i@0\n1 011 j@0\n", "@0\n1 011 j@0\n0 1 i@0\n"),
        ("1 000 j@1", "1 0x0 j@1"),
        ("#1\n", "#1\n0 011 fixed#1\n1 101 free#1\n4 [1] 111\n4 [0] 000\n"),
        ("#0\n", "#0\n0 000\n"),
        ("[1] 111", "[1]  111"),
    ],
)
def test_harmless_differences_do_not_matter(old: str, new: str) -> None:
    assert old in WITNESS
    assert parse_btor2_witness(WITNESS.replace(old, new, -1 if old == "\n" else 1), GRAPH, "w") == parse_btor2_witness(
        WITNESS, GRAPH, "w"
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (WITNESS, "", 1, "the witness ends too early"),
        ("sat\n", "unsat\n", 1, "the property was proved"),
        ("sat\n", "unknown\n", 1, "nothing is known"),
        ("sat\n", "1\n", 1, "a witness starts with sat, not '1'"),
        ("b1\n", "b2\n", 2, "b2 does not exist: x.btor2 has 2 properties"),
        ("b1\n", "c1\n", 2, "expected a property such as b0"),
        ("b1\n", "j0\n", 2, "liveness is not supported"),
        ("b1\n", "b" + "9" * 5000 + "\n", 2, "expected a property"),
        ("#0\n", "", 3, "expected #0 or @0"),
        ("#0\n", "#1\n", 3, "#1 does not follow here"),
        ("@0\n", "@1\n", 7, "@1 does not follow here"),
        ("@0\n", "#0\n", 7, "#0 does not follow here"),
        ("#1\n", "#0\n", 10, "#0 does not follow here"),
        ("@1\n", "@0\n", 13, "@0 does not follow here"),
        ("#1\n", "@0\n", 10, "@0 does not follow here"),
        ("1 101 free", "1 10 free", 4, "2 bits instead of 3"),
        ("1 101 free", "1 1011 free", 4, "4 bits instead of 3"),
        ("1 101 free", "1 102 free", 4, "is no assignment"),
        ("1 101 free", "1 [0] 101 free", 4, "free is no array"),
        ("1 101 free", "x 101 free", 4, "is no assignment"),
        ("1 101 free", "-1 101 free", 4, "is no assignment"),
        ("1 101 free", "5 101 free", 4, "there is no 5: the model has 5 states"),
        ("2 001 noise#0", "1 101 free", 5, "a second value for free"),
        ("4 [1] 111", "4 111", 6, "memory is an array"),
        ("4 [1] 111", "4 [01] 111", 6, "2 bits instead of 1"),
        ("4 [1] 111", "4 [1] 11", 6, "2 bits instead of 3"),
        ("4 [1] 111", "4 [] 11", 6, "is no assignment"),
        ("@0\n0 1", "@0\n2 1", 8, "there is no 2: the model has 2 inputs"),
        ("1 011 j@0", "0 1 i@0", 9, "a second value for i"),
        ("#0\n", "#0\n0 001\n", 4, "fixed cannot be .* here: it is"),
        ("#1\n", "#1\n1 001\n", 11, "free cannot be .* here: it is"),
        ("#1\n", "#1\n4 [1] 001\n", 11, "memory cannot be .* here: it is"),
        ("@1\n0 1 i@1\n1 000 j@1\n", "", 13, "the last step has no inputs"),
        (".\n", "", 16, "the witness ends too early"),
        ("@0\n0 1 i@0\n1 011 j@0\n#1\n2 010 noise#1\n3 110 key#1\n@1\n0 1 i@1\n1 000 j@1\n.", "", 8, "ends too early"),
    ],
)
def test_a_malformed_witness_is_refused_at_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in WITNESS
    with pytest.raises(InputError, match=message) as caught:
        parse_btor2_witness(WITNESS.replace(old, new, 1), GRAPH, "w")
    assert caught.value.place.line == line
    assert caught.value.place.file == "w" and "\n" not in str(caught.value)


def test_a_witness_without_a_step_is_refused() -> None:
    with pytest.raises(InputError, match="the last step has no inputs"):
        parse_btor2_witness("sat\nb0\n.\n", GRAPH, "w")


def test_every_mutated_witness_is_read_or_refused() -> None:
    rng = random.Random(3)
    outcomes = set()
    for _ in range(3000):
        text = list(WITNESS)
        text[rng.randrange(len(text))] = rng.choice("01x#@.[] \n9b-~é")
        try:
            outcomes.add(type(parse_btor2_witness("".join(text), GRAPH, "w")))
        except InputError as error:
            assert "\n" not in str(error)
            outcomes.add(InputError)
    assert outcomes == {WordTrace, InputError}


# What btorsim demands, checked without it.


def random_trace(text: str, rng: random.Random) -> WordTrace | None:
    """A trace to a bad state, found by walking at random; in the terms of the graph."""
    model, graph = Interpreter(text), graph_of_text(text)
    system = system_of(graph)
    assert system is not None
    state = model.initial([random_value(rng, leaf) for leaf in model.free()])
    here = dict(zip(graph.origin.states, state, strict=True))
    initial = tuple((v, as_term_value(here[v], v)) for v in system.variables)
    steps = []
    for _ in range(4):
        inputs = tuple(random_value(rng, leaf) for leaf in model.inputs)
        loose = [random_value(rng, leaf) for leaf in model.loose()]
        after, holds, bads = model.step(state, inputs, loose)
        if not holds:
            return None
        given = dict(zip((*graph.origin.inputs, *graph.origin.states), (*inputs, *state), strict=True))
        given |= {system.nexts[v]: x for v, x in zip(graph.origin.states, after, strict=True) if v in system.nexts}
        steps.append(tuple((i, as_term_value(given[i], i)) for i in system.inputs))
        if any(bads):
            return WordTrace(bads.index(True), initial, tuple(steps))
        state = after
    return None


def test_random_traces_survive_the_round_trip_and_the_strict_reading() -> None:
    found = 0
    for seed in range(350):
        rng = random.Random(seed)
        text = random_model(rng, Shape(state_bits=7))
        trace = random_trace(text, rng)
        if trace is None:
            continue
        found += 1
        graph = graph_of_text(text)
        replay_words(graph, trace)
        witness = format_btor2_witness(graph, trace)
        assert Simulator(text, witness).reaches_bad(), (seed, text, witness)
        again = parse_btor2_witness(witness, graph, "w")
        replay_words(graph, again)
        assert format_btor2_witness(graph, again) == witness
    assert found > 60


def test_the_strict_reading_notices_a_wrong_trace() -> None:
    text = (EXAMPLES / "combination-lock.btor2").read_text()
    good = "sat\nb0\n#0\n@0\n0 011\n@1\n0 001\n@2\n0 100\n@3\n0 000\n.\n"
    assert Simulator(text, good).reaches_bad()
    assert not Simulator(text, good.replace("100", "101")).reaches_bad()
    graph = graph_of_text(text)
    replay_words(graph, parse_btor2_witness(good, graph, "w"))
    with pytest.raises(CertificateError):
        replay_words(graph, parse_btor2_witness(good.replace("100", "101"), graph, "w"))


# Arrays with a default that is not 0.

WIDE = """1 sort bitvec 1
2 sort bitvec 32
3 sort bitvec 4
4 sort array 2 3
5 state 4 memory
6 next 4 5 5
7 input 2 address
8 read 3 5 7
9 constd 3 9
10 eq 1 8 9
11 bad 10 nine
12 state 4 other
13 next 4 12 12
14 neq 1 5 12
15 zero 3
16 constd 2 5
17 write 4 12 16 15
18 eq 1 5 17
19 bad 18 same
"""


def wide_trace(prop: int, other: int) -> tuple[Graph, WordTrace]:
    graph = graph_of_text(WIDE)
    system = system_of(graph)
    assert system is not None
    memory, second = system.variables
    assert isinstance(memory.sort, Array)
    initial = ((memory, ArrayValue(memory.sort, 9, {5: 0})), (second, ArrayValue(memory.sort, other)))
    return graph, WordTrace(prop, initial, (((system.inputs[0], 77),),))


def test_a_wide_array_is_listed_where_the_run_looks_at_it() -> None:
    graph, trace = wide_trace(0, 0)
    replay_words(graph, trace)
    witness = format_btor2_witness(graph, trace)
    assert f"0 [{77:032b}] 1001 memory#0\n" in witness and len(witness.splitlines()) < 12
    replay_words(graph, parse_btor2_witness(witness, graph, "w"))


def test_a_wide_array_that_matters_as_a_whole_becomes_smaller_or_is_refused() -> None:
    graph, trace = wide_trace(1, 9)
    replay_words(graph, trace)
    replay_words(graph, parse_btor2_witness(format_btor2_witness(graph, trace), graph, "w"))
    unequal = graph_of_text(WIDE.replace("19 bad 18", "19 ones 3\n20 constd 2 6\n21 read 3 5 20\n22 and 1 14 18\n23 bad 22"))
    system = system_of(unequal)
    assert system is not None
    memory, second = system.variables
    values = ((memory, ArrayValue(memory.sort, 9, {5: 0})), (second, ArrayValue(memory.sort, 9)))  # type: ignore[arg-type]
    replay_words(unequal, replace(trace, initial=values))
    witness = format_btor2_witness(unequal, replace(trace, initial=values))
    replay_words(unequal, parse_btor2_witness(witness, unequal, "w"))


def test_a_trace_that_no_list_of_cells_can_show_is_unsupported() -> None:
    text = WIDE.replace("19 bad 18", "19 state 4 filled\n20 init 4 19 9\n21 eq 1 5 19\n22 next 4 19 19\n23 bad 21")
    graph = graph_of_text(text)
    system = system_of(graph)
    assert system is not None
    array = ArrayValue(system.variables[0].sort, 9)  # type: ignore[arg-type]
    trace = WordTrace(1, tuple((v, array) for v in system.variables), (((system.inputs[0], 0),),))
    replay_words(graph, trace)
    with pytest.raises(Unsupported, match="cannot list so many cells"):
        format_btor2_witness(graph, trace)


def test_a_narrow_array_is_listed_whole() -> None:
    graph = graph_of_text(WIDE.replace("2 sort bitvec 32", "2 sort bitvec 3"))
    system = system_of(graph)
    assert system is not None
    array = ArrayValue(system.variables[0].sort, 9)  # type: ignore[arg-type]
    trace = WordTrace(0, tuple((v, array) for v in system.variables), (((system.inputs[0], 7),),))
    witness = format_btor2_witness(graph, trace)
    assert sum("memory" in line for line in witness.splitlines()) == 8
    assert parse_btor2_witness(witness, graph, "w") == trace
