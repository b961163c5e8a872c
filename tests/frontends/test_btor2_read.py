"""What the front end makes of a BTOR2 file: names, variables, inputs, starts, properties, Boolean structure."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lemmata.frontends import load
from lemmata.frontends.btor2 import is_btor2, parse_btor2
from lemmata.logic.build import truth
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import TRUE, Term, make, name_of, topological, value_of, var
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of

SORTS = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 1\n"


def read(text: str) -> Graph:
    return parse_btor2((SORTS + text).encode(), "x.btor2")


def system_in(text: str) -> System:
    system = system_of(read(text))
    assert system is not None
    return system


def names(terms: tuple[Term, ...]) -> list[str]:
    return [name_of(term) for term in terms]


# Names.


def test_variables_are_called_by_their_symbols() -> None:
    graph = read("4 state 2 top.cpu[3].pc\n5 next 2 4 4\n6 input 1 |odd;name\\\n7 input 1 größe ; a comment\n")
    assert names(graph.origin.states) == ["top.cpu[3].pc"]
    assert names(graph.origin.inputs) == ["|odd;name\\", "größe"]


def test_what_has_no_symbol_or_shares_it_is_called_by_its_id() -> None:
    graph = read("4 state 2\n5 state 2 a\n6 state 2 a\n7 input 1\n8 input 2 a\n9 input 2 b\n")
    assert names(graph.origin.states) == ["state4", "state5", "state6"]
    assert names(graph.origin.inputs) == ["input7", "input8", "b"]


def test_invented_names_do_not_clash_with_symbols() -> None:
    graph = read(
        "4 state 2 state5\n5 state 2\n6 state 2 x\n7 state 1 state5_\n8 input 1 x.next\n9 init 2 6 -4\n10 next 2 4 4\n"
    )
    assert names(graph.origin.states) == ["state5", "state5__", "x", "state5_"]
    system = system_of(graph)
    assert system is not None
    everything = names((*system.variables, *system.inputs))
    assert "x.next_" in everything and len(set(everything)) == len(everything)


def test_a_symbol_that_ends_with_a_prime_is_not_used() -> None:
    assert names(read("4 state 2 x′\n5 state 2 x\n").origin.states) == ["state4", "x"]


def test_variables_without_symbols_are_called_like_outputs_and_copies() -> None:
    text = "4 state 2\n5 input 1\n6 state 2\n7 output 4 count ; top.sv:1.4-1.9\n8 uext 1 5 0 go\n9 output -6 other\n"
    assert names(system_in(f"{text}10 next 2 4 4\n11 next 2 6 6\n12 bad 5\n").variables) == ["count", "state6"]
    assert names(system_in(f"{text}12 bad 5\n").inputs) == ["go", "count", "state6"]


def test_symbols_of_outputs_that_are_taken_or_cannot_be_shown_are_not_used() -> None:
    text = "4 state 2 count\n5 state 2\n6 output 5 count\n7 state 2\n9 output 7 b′\n"
    more = b"10 output 7 \xff\n11 input 1\n12 bad 11\n"
    system = system_of(parse_btor2((SORTS + text).encode() + more, "x.btor2"))
    assert system is not None and names(system.inputs) == ["input11", "count", "state5", "state7"]


def test_places_of_a_source_are_names_and_places_of_properties() -> None:
    graph = read(
        "4 input 1\n5 bad 4 ; top.sv:7.3-7.20\n6 bad 4 high ; top.sv:9.1-9.2|lib.sv:1.1-1.2\n"
        "7 bad 4 top.sv:3.1-3.4\n8 bad 4 ; why\n"
    )
    assert [q.name for q in graph.questions] == ["top.sv:7.3-7.20", "high", "top.sv:3.1-3.4", "b3"]
    assert [q.place and (q.place.file, q.place.line) for q in graph.questions] == [
        ("top.sv", 7),
        ("top.sv", 9),
        ("top.sv", 3),
        None,
    ]


def test_properties_are_called_by_their_symbols_or_positions() -> None:
    graph = read("4 zero 1\n5 bad 4\n6 bad -4 always\n7 bad 4\n8 bad 4 always\n")
    assert [question.name for question in graph.properties()] == ["b0", "always", "b2", "always"]
    assert [question.index for question in graph.properties()] == [0, 1, 2, 3]


# States.


def test_a_state_without_init_is_free() -> None:
    system = system_in("4 state 2 x\n5 next 2 4 4\n")
    (x,) = system.variables
    assert system.starts == {x: None} and system.nexts == {x: x} and system.inputs == ()


def test_a_state_with_neither_init_nor_next_is_an_input() -> None:
    graph = read("4 input 2 i\n5 state 2 x\n6 input 2 j\n")
    system = system_of(graph)
    assert system is not None and system.variables == ()
    assert names(system.inputs) == ["i", "j", "x"]
    assert names(graph.origin.states) == ["x"] and names(graph.origin.inputs) == ["i", "j"]


def test_a_state_with_init_but_without_next_gets_any_next_value() -> None:
    graph = read("4 zero 2\n5 state 2 x\n6 init 2 5 4\n")
    system = system_of(graph)
    assert system is not None
    (x,), (any_value,) = system.variables, system.inputs
    assert system.nexts == {x: any_value} and name_of(any_value) == "x.next" and any_value.sort is x.sort
    assert graph.origin.inputs == ()


def test_a_state_without_next_stays_a_variable_when_an_initial_value_depends_on_it() -> None:
    system = system_in("4 state 2 y\n5 state 2 x\n6 init 2 5 4\n7 next 2 5 5\n")
    y, x = system.variables
    assert system.starts == {y: None, x: y}
    assert names(system.inputs) == ["y.next"]


def test_an_initial_value_over_other_states_is_stated_over_the_free_ones() -> None:
    text = "4 state 2 a\n5 inc 2 4\n6 state 2 b\n7 init 2 6 5\n8 add 2 6 4\n9 state 2 c\n10 init 2 9 8\n"
    text += "11 next 2 4 4\n12 next 2 6 6\n13 next 2 9 9\n"
    system = system_in(text)
    a, b, c = system.variables
    starts = [start for v in (b, c) if (start := system.starts[v]) is not None]
    assert {term for term in topological(starts) if term.is_var} == {a}
    assert evaluate(starts, {a: 7}) == [8, 15]


def test_a_word_fills_an_array() -> None:
    system = system_in("4 one 1\n5 state 3 m\n6 init 3 5 4\n7 next 3 5 5\n")
    (m,) = system.variables
    start = system.starts[m]
    assert start is not None and isinstance(m.sort, Array)
    assert evaluate([start], {}) == [ArrayValue(m.sort, 1)]


def test_an_array_may_start_as_another_array() -> None:
    system = system_in("4 state 3 m\n5 state 3 n\n6 init 3 5 4\n7 next 3 4 4\n8 next 3 5 5\n")
    m, n = system.variables
    assert system.starts == {m: None, n: m}


# Terms.


def test_conditions_are_boolean_inside() -> None:
    system = system_in("4 state 1 a\n5 state 1 b\n6 and 1 4 -5\n7 bad 6\n8 next 1 4 4\n9 next 1 5 5\n")
    a, b = system.variables
    assert system.bads[0].sort is BOOL
    wanted = make("and", (truth(a), make("not", (truth(b),))))
    assert set(topological([system.bads[0]])) >= set(wanted.args) - {wanted}


def test_several_constraints_hold_together() -> None:
    graph = read("4 input 1 a\n5 input 1 b\n6 constraint 4\n7 constraint -5\n8 one 1\n9 bad 8\n")
    system = system_of(graph)
    assert system is not None
    a, b = system.inputs
    for x in (0, 1):
        for y in (0, 1):
            assert evaluate([system.constraint], {a: x, b: y}) == [x == 1 and y == 0]


def test_without_constraints_everything_is_allowed() -> None:
    assert system_in("4 one 1\n5 bad 4\n").constraint is TRUE


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("zero 2", 0),
        ("one 2", 1),
        ("ones 2", 15),
        ("const 2 0110", 6),
        ("constd 2 9", 9),
        ("constd 2 -8", 8),
        ("constd 2 -1", 15),
        ("constd 2 0009", 9),
        ("constd 2 -0", 0),
        ("consth 2 b", 11),
        ("consth 2 0B", 11),
        ("constd 1 -1", 1),
    ],
)
def test_constants_have_their_values(line: str, value: int) -> None:
    sort = line.split()[1]
    graph = read(f"4 {line}\n5 state {sort} x\n6 init {sort} 5 4\n7 next {sort} 5 5\n")
    system = system_of(graph)
    assert system is not None
    start = system.starts[system.variables[0]]
    assert start is not None and value_of(start) == value


# The file.


def test_blanks_tabs_carriage_returns_and_comments_do_not_matter() -> None:
    plain = read("4 state 2 x\n5 inc 2 4\n6 next 2 4 5\n7 redor 1 4\n8 bad 7 hit\n")
    odd = "; head\r\n  1 sort\tbitvec 1 ;;; one\r\n\r\n2  sort bitvec   4\r\n3 sort array 2 1\r\n4 state 2 x;y\r\n"
    odd = odd.replace("x;y", "x ;y") + "5 inc 2 4 plus;one ; comment\r\n;6 bad 1\r\n6 next 2 4 5\r\n7 redor 1 4\r\n8 bad 7 hit"
    assert parse_btor2(odd.encode(), "x.btor2") == plain
    assert parse_btor2(odd.encode() + b"\n; \xff\xfe\n", "x.btor2") == plain


def test_liveness_is_counted_and_not_answered() -> None:
    graph = read("4 state 1 x\n5 justice 2 4 -4\n6 fair 4\n7 justice 1 4 name\n8 output 4 out\n")
    assert (
        graph.questions == ()
        and graph.origin.liveness == (5, 7)
        and graph.origin.fairness == (6,)
        and graph.origin.kind == "btor2"
    )


def test_load_knows_btor2_by_its_name_and_by_its_content(tmp_path: Path) -> None:
    text = "; " + "a long comment " * 20 + "\n" + SORTS + "4 one 1\n5 bad 4\n"
    for name in ("x.btor2", "x.btor", "x.BTOR2", "x.txt", "x"):
        (tmp_path / name).write_text(text)
        graph = load(tmp_path / name)
        assert isinstance(graph, Graph) and graph.file == str(tmp_path / name)
    assert not is_btor2(b"1 hello\n") and not is_btor2(b"") and not is_btor2(b"aag 1 1 0 0 0\n")


@pytest.mark.slow
def test_two_hundred_thousand_lines_in_a_chain_are_read() -> None:
    lines = [SORTS + "4 state 2 x\n5 input 2 i"]
    tags = ("add", "xor", "sub", "mul")
    lines += [f"{node} {tags[node % 4]} 2 {-(node - 1) if node % 3 else node - 1} {4 + node % 2}" for node in range(6, 200_006)]
    lines += ["200006 next 2 4 200005", "200007 redand 1 200005", "200008 bad 200007"]
    start = time.process_time()
    graph = parse_btor2("\n".join(lines).encode(), "x.btor2")
    assert time.process_time() - start < 20
    system = system_of(graph)
    assert system is not None
    (x,), (i,) = system.variables, system.inputs
    assert evaluate([system.nexts[x]], {x: 3, i: 5})[0] in range(16)


def test_a_long_chain_of_initial_values_is_read() -> None:
    lines = [SORTS + "4 state 2\n5 next 2 4 4"]
    for node in range(6, 12_006, 4):
        lines += [f"{node} inc 2 {node - 3 if node > 6 else 4}", f"{node + 1} state 2", f"{node + 2} init 2 {node + 1} {node}"]
        lines.append(f"{node + 3} next 2 {node + 1} {node + 1}")
    system = system_of(parse_btor2("\n".join(lines).encode(), "x.btor2"))
    assert system is not None
    last = system.starts[system.variables[-1]]
    assert last is not None and evaluate([last], {system.variables[0]: 1}) == [(1 + 3000) % 16]


def test_words_of_a_million_bits_are_read() -> None:
    text = (
        "1 sort bitvec 1\n2 sort bitvec 1048576\n3 state 2 x\n4 redxor 1 3\n5 rol 2 3 3\n6 smulo 1 3 3\n7 ones 2\n8 mul 2 7 7\n"
    )
    graph = parse_btor2((text + "9 add 2 5 8\n10 next 2 3 9\n11 and 1 4 6\n12 bad 11\n").encode(), "x.btor2")
    assert graph.origin.states == (var("x", BitVec(1 << 20)),)
