"""VMT-LIB: annotations become a graph, and what is wrong with a file has a line and a column."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from lemmata.errors import InputError, Unsupported
from lemmata.frontends import load
from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.build import build, conj, equal, negate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import TRUE, const, name_of, var
from lemmata.models.graph import Graph, Source
from tests.support.paths import ROOT

SUITE = ROOT.parent / "shared" / "bench" / "vmt"
COUNTER = """(set-info :source |by hand|)
(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun i () Int)
(define-fun .def_1 () Int (! x :next |x.next|))
(define-fun .def_2 () Bool (! (= .def_1 0) :init true))
(define-fun .def_3 () Bool (! (and (= x.next (+ .def_1 i)) (<= 0 i)) :trans true))
(define-fun .def_4 () Bool (! (<= 0 .def_1) :invar-property 0))
(assert true)
"""
X, NEXT, INPUT = var("x", INT), var("x.next", INT), var("i", INT)
ZERO = const(0, INT)


def read(text: str) -> Graph:
    return parse_vmt(text.encode(), "a.vmt")


def test_a_system_is_a_location_with_an_initial_edge_a_loop_and_an_error() -> None:
    graph = read(COUNTER)
    start, loop, bad = graph.edges
    assert [place.name for place in graph.locations] == ["main", "error: p0"]
    assert graph.locations[0].variables == (X,)
    assert (start.sources, start.inputs, start.guard, start.updates) == ((), (X,), equal(X, ZERO), (X,))
    assert (loop.sources, loop.inputs, loop.updates) == ((Source(0, (X,)),), (NEXT, INPUT), (NEXT,))
    assert loop.guard is conj([equal(NEXT, build("+", (X, INPUT))), build("<=", (ZERO, INPUT))])
    assert (bad.target, bad.inputs, bad.guard, bad.updates) == (1, (), negate(build("<=", (ZERO, X))), ())
    assert [edge.line for edge in graph.edges] == [6, 7, 8]
    assert graph.origin.kind == "vmt"
    assert (graph.origin.states, graph.origin.inputs) == ((X,), (INPUT,))


def test_a_next_symbol_need_not_be_declared() -> None:
    graph = read(
        COUNTER.replace("(declare-fun i () Int)", "(declare-fun y () Real)\n(define-fun z () Real (! y :next y1))", 1)
        .replace("(+ .def_1 i)", ".def_1")
        .replace("(<= 0 i)", "true")
    )
    assert graph.locations[0].variables == (X, var("y", REAL))
    assert graph.edges[1].updates == (NEXT, var("y1", REAL))


def test_what_no_step_speaks_of_is_told_where_its_next_symbol_is_not_declared() -> None:
    slip = COUNTER.replace(":next |x.next|", ":next x.nxt")
    assert read(slip).origin.notes == ("warning: a.vmt:5:38: x.nxt is not declared: x may have any value after a step",)
    assert read(COUNTER).origin.notes == ()
    assert read(COUNTER.replace("(declare-fun x.next () Int)\n", "")).origin.notes == ()  # the step speaks of it


def test_many_next_symbols_without_a_declaration_are_told_in_one_line() -> None:
    more = "".join(f"(declare-fun v{k} () Int)(define-fun d{k} () Int (! v{k} :next w{k}))\n" for k in range(2))
    assert read(COUNTER + more).origin.notes == (
        "warning: a.vmt:10:58: w0, w1 are not declared: v0, v1 may have any value after a step",
    )
    more = "".join(f"(declare-fun v{k} () Int)(define-fun d{k} () Int (! v{k} :next w{k}))\n" for k in range(9))
    (note,) = read(COUNTER + more).origin.notes
    assert note.endswith(": w0, w1, w2 and 6 more are not declared: v0, v1, v2 and 6 more may have any value after a step")


def test_every_property_has_its_own_question_in_the_order_of_the_indices() -> None:
    more = "(define-fun good () Bool (! (< i 5) :invar-property 7))\n(define-fun .d () Bool (! (< x 5) :invar-property 3))\n"
    graph = read(COUNTER + more)
    assert [(p.index, p.name, p.location) for p in graph.properties()] == [(0, "p0", 1), (1, "p3", 2), (2, "good", 3)]
    assert [edge.inputs for edge in graph.edges[2:]] == [(), (), (INPUT,)]


def test_two_properties_with_one_name_are_told_apart() -> None:
    more = "(define-fun p0 () Bool (! (< x 5) :invar-property 1))"
    assert [p.name for p in read(COUNTER + more).properties()] == ["p0", "p0~2"]


def test_one_term_may_have_several_annotations() -> None:
    text = """(declare-fun b () Bool) (declare-fun c () Bool)
    (define-fun ok () Bool (! b :next c :invar-property 0))
    (define-fun i () Bool (! b :init true)) (define-fun t () Bool (! (= c b) :trans true :predicate true))"""
    graph = read(text)
    assert graph.locations[0].variables == (var("b", BOOL),)
    assert graph.edges[2].guard is negate(var("b", BOOL))
    assert graph.properties()[0].name == "ok"


def test_all_sorts_are_read() -> None:
    sorts = {"a": "Bool", "b": "Int", "c": "Real", "d": "(_ BitVec 4)", "e": "(Array Int Real)"}
    lines = [
        f"(declare-fun {v} () {s})(declare-fun {v}1 () {s})(define-fun {v}0 () {s} (! {v} :next {v}1))"
        for v, s in sorts.items()
    ]
    lines += ["(define-fun i () Bool (! (= (select e b) c) :init true))", "(define-fun t () Bool (! (= d d1) :trans true))"]
    lines += ["(define-fun p () Bool (! a :invar-property 0))"]
    assert [v.sort for v in read("\n".join(lines)).locations[0].variables] == [BOOL, INT, REAL, BitVec(4), Array(INT, REAL)]


def test_liveness_beside_safety_is_counted() -> None:
    assert read(COUNTER + "(define-fun l () Bool (! (< x 5) :live-property 1))").origin.liveness == (10,)


def test_liveness_alone_is_refused() -> None:
    with pytest.raises(Unsupported, match=r"a.vmt:8:\d+: liveness .*:invar-property"):
        read(COUNTER.replace(":invar-property", ":live-property"))


# what replaces what, the place of the error and a part of its message
MISTAKES = [
    ("(assert true)", "(assert (< x 5))", "9:1", "asserts nothing but true"),
    ("(assert true)", "(push 1)", "9:1", "'push' is not a command"),
    ("(assert true)", "(assert true", "9:1", "never closed"),
    ("(assert true)", "(assert (! true :init true))", "9:17", "a second ':init'"),
    ("(assert true)", "(define-fun a () Bool (! (< x 1) :trans true))", "9:34", "a second ':trans'"),
    ("(assert true)", "(define-fun a () Bool (! (< x 1) :invar-property 0))", "9:50", "a second property 0"),
    ("(assert true)", "(define-fun a () Int (! x :next i))", "9:33", "a second next value of x"),
    ("(assert true)", "(define-fun a () Int (! i :next x))", "2:14", "x is the next value of i and has a next value"),
    ("(assert true)", "(define-fun a () Int (! i :next i))", "4:14", "i is the next value of i and has a next value"),
    ("(assert true)", "(define-fun a () Int (! i :next x.next))", "3:14", "x.next is the next value of x and of i"),
    ("(assert true)", "(define-fun a () Int (! 5 :next i))", "9:27", "':next' is for declared variables"),
    ("(assert true)", "(define-fun a () Int (! i :next true))", "9:33", "'true' is not a declared variable"),
    ("(assert true)", "(define-fun a () Int (! i :next (i)))", "9:27", "the symbol of the next value"),
    ("(assert true)", "(define-fun a () Int (! i :next .def_2))", "9:33", "'.def_2' is not a declared variable"),
    ("(assert true)", "(declare-fun f (Int) Int)", "9:14", "function without a meaning"),
    ("(assert true)", "(define-fun f ((a Int)) Bool (! (< a 0) :invar-property 1))", "9:41", "which has parameters"),
    (
        "(declare-fun i () Int)",
        "(declare-fun i () Int)(declare-fun b () Bool)(define-fun a () Int (! i :next b))",
        "4:78",
        "is a Bool",
    ),
    (":init true", ":init false", "6:50", "':init' is followed by true"),
    ("(= .def_1 0)", "(= .def_1 i)", "6:44", "speaks of i, an input"),
    ("(= .def_1 0)", "(= x.next 0)", "6:44", "speaks of x.next, a next value"),
    ("(<= 0 .def_1)", "(<= 0 x.next)", "8:45", "speaks of x.next, a next value"),
    (":invar-property 0", ":invar-property", "8:45", "the index of the property"),
    (":invar-property 0", ":invar-property x", "8:61", "'x' is not a number"),
    ("(! (<= 0 .def_1) :invar-property 0)", "true", "1:1", "nothing is asked"),
    (":init true", ":named one", "1:1", "no formula is annotated with ':init'"),
    (":trans true", ":named one", "1:1", "no formula is annotated with ':trans'"),
    ("Bool (! (<= 0 .def_1)", "Int (! .def_1", "8:37", "is for formulas, this is a Int"),
    ("(<= 0 .def_1)", "(<= 0 .def_9)", "8:37", "there is no '.def_9'"),
]


@pytest.mark.parametrize(("old", "new", "place", "cause"), MISTAKES, ids=[f"{m[3]} {n}" for n, m in enumerate(MISTAKES)])
def test_a_mistake_is_told_with_its_place(old: str, new: str, place: str, cause: str) -> None:
    assert COUNTER.count(old) == 1
    with pytest.raises(InputError) as caught:
        read(COUNTER.replace(old, new))
    assert str(caught.value).startswith(f"a.vmt:{place}: ")
    assert cause in str(caught.value)


def test_long_chains_of_definitions_are_read_quickly() -> None:
    chain = [f"(define-fun c{n} () Int (+ c{n - 1} i))" for n in range(1, 10_000)]
    text = COUNTER + "(define-fun c0 () Int x)" + "\n".join(chain) + "(define-fun q () Bool (! (< c9999 0) :invar-property 1))"
    began = time.process_time()
    assert len(read(text).properties()) == 2
    assert time.process_time() - began < 5


def test_load_knows_the_suffix_and_the_annotations(tmp_path: Path) -> None:
    for name in ("counter.vmt", "counter.smt2"):
        file = tmp_path / name
        file.write_text(";" * 9000 + "\n" + COUNTER)
        graph = load(file)
        assert isinstance(graph, Graph) and graph.origin.kind == "vmt"


@pytest.mark.skipif(not SUITE.is_dir(), reason="the benchmarks are not here")
@pytest.mark.parametrize("folder", ["bv", "cav12", "conc", "ctigar", "lustre"])
def test_public_files_have_as_many_states_and_properties_as_their_index_says(folder: str) -> None:
    with (SUITE / "index.csv").open() as index:
        rows = [row for row in csv.DictReader(index) if row["file"].startswith(f"{folder}/")]
    assert rows
    for row in rows[::3]:
        graph = parse_vmt((SUITE / row["file"]).read_bytes(), row["file"])
        assert len(graph.locations[0].variables) == int(row["state_vars"])
        assert len(graph.properties()) == int(row["invar_properties"])
        assert not any(name_of(v) == "" for v in graph.origin.inputs)
        assert graph.edges[0].guard is not TRUE
