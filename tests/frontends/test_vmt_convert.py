"""Graphs written as VMT-LIB and as Horn clauses: read again they have the same verdict, and Spacer agrees."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest

from lemmata.bench.peers import find_spacer
from lemmata.cli.convert import convert
from lemmata.errors import Unsupported, UsageError
from lemmata.frontends import load
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.horn.writer import format_horn
from lemmata.frontends.vmt import format_vmt, parse_vmt
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import FALSE, TRUE, Term, const, make, name_of, var
from lemmata.models.aig import Aig
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source
from lemmata.run.api import check
from tests.support.clock import HANGS
from tests.support.paths import ROOT
from tests.support.random_relations import Maker

EXAMPLES = ROOT / "examples"
SPACER = find_spacer("spacer", "")
COUNTER = """(declare-fun .x () Int)
(declare-fun |next x| () Int)
(declare-fun and. () Int)
(define-fun .d () Int (! .x :next |next x|))
(define-fun .i () Bool (! (= .x 0) :init true))
(define-fun .t () Bool (! (let ((s (+ .x and.))) (and (< s 10) (= |next x| s) (< 0 and.))) :trans true))
(define-fun low () Bool (! (< .x 9) :invar-property 0))
(define-fun .p () Bool (! (or (< and. 0) (< .x 10)) :invar-property 1))
"""


def spacer(clauses: bytes, folder: Path) -> str:
    assert SPACER is not None
    file = folder / "clauses.smt2"
    file.write_bytes(clauses)
    done = subprocess.run([SPACER.binary, "-T:1", "fp.engine=spacer", str(file)], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def words(graph: Graph) -> list[str]:
    return [one.verdict.word for one in check(graph, timeout=HANGS).properties]


def test_vmt_is_written_as_it_was_read() -> None:
    graph = parse_vmt(COUNTER.encode(), "a.vmt")
    again = parse_vmt(format_vmt(graph), "a.vmt")
    assert again.locations == graph.locations
    assert [(e.guard, e.inputs, e.updates) for e in again.edges] == [(e.guard, e.inputs, e.updates) for e in graph.edges]
    assert [p.name for p in again.properties()] == ["low", "p1"]


def test_clauses_have_a_query_for_each_property(tmp_path: Path) -> None:
    clauses = format_horn(parse_vmt(COUNTER.encode(), "a.vmt"))
    assert clauses.startswith(b"(set-logic HORN)\n(declare-fun main (Int) Bool)\n")
    assert clauses.count(b" false)))") == 2 and b"\n; low\n" in clauses
    assert len(parse_horn(clauses, "a.smt2").questions) == 1


@pytest.mark.skipif(SPACER is None, reason="no z3 here")
def test_spacer_reads_what_is_written(tmp_path: Path) -> None:
    graph = parse_vmt(COUNTER.encode(), "a.vmt")
    assert spacer(format_horn(graph), tmp_path) == "unsat"
    safe = parse_vmt(COUNTER.replace("(< .x 9)", "(< .x 12)").encode(), "a.vmt")
    assert spacer(format_horn(safe), tmp_path) == "sat"


@pytest.mark.skipif(SPACER is None, reason="no z3 here")
def test_converted_examples_have_their_verdicts(tmp_path: Path) -> None:
    with (EXAMPLES / "lia" / "index.csv").open() as index:
        expected = {row["file"]: row["expected"] for row in csv.DictReader(index)}
    compared = 0
    for name, verdict in expected.items():
        graph = load(EXAMPLES / "lia" / name)
        assert isinstance(graph, Graph)
        answer = spacer(format_horn(graph), tmp_path)
        if answer in ("sat", "unsat"):
            assert (name, answer) == (name, "sat" if verdict == "safe" else "unsat")
            compared += 1
    assert compared > 5


@pytest.mark.parametrize("name", ["counter", "free-start", "constraints", "lift", "fifo"])
def test_words_go_to_vmt_and_clauses_and_keep_their_verdicts(tmp_path: Path, name: str) -> None:
    source = EXAMPLES / "btor2" / f"{name}.btor2"
    convert(source, tmp_path / "a.vmt")
    system, converted = load(source), load(tmp_path / "a.vmt")
    assert isinstance(system, Graph) and isinstance(converted, Graph)
    wanted = words(system)
    assert words(converted) == wanted
    if SPACER is not None:
        convert(tmp_path / "a.vmt", tmp_path / "a.smt2")
        answer = spacer((tmp_path / "a.smt2").read_bytes(), tmp_path)
        assert answer in ("unsat" if "unsafe" in wanted else "sat", "unknown", "timeout")


def test_vmt_over_words_goes_to_bits(tmp_path: Path) -> None:
    convert(EXAMPLES / "btor2" / "counter.btor2", tmp_path / "a.vmt")
    convert(tmp_path / "a.vmt", tmp_path / "a.aig")
    bits, system = load(tmp_path / "a.aig"), load(EXAMPLES / "btor2" / "counter.btor2")
    assert isinstance(bits, Aig) and isinstance(system, Graph)
    assert [one.verdict.word for one in check(bits, timeout=HANGS).properties] == words(system)


def test_random_graphs_are_the_same_after_writing() -> None:
    for seed in range(2000, 2040):
        graph = Maker(seed).graph()
        again = parse_vmt(format_vmt(graph), "a.vmt")
        assert [e.guard for e in again.edges] == [e.guard for e in graph.edges]


@pytest.mark.skipif(SPACER is None, reason="no z3 here")
def test_several_edges_are_joined_with_names_that_do_not_clash(tmp_path: Path) -> None:
    x, y, i = var("x", INT), var("y", INT), var("x.next", INT)
    names = (var("a", INT), var("x", BOOL))  # an edge may call the variables as it likes
    one = const(1, INT)
    places = (Location("main", (x, y)), Location("error"))
    edges = [
        Edge((), 0, (i,), make("<", (i, one)), (i, one)),
        Edge((), 0, (x, y), make("=", (x, y)), (y, x)),
        Edge((Source(0, (y, x)),), 0, (i,), make("<", (i, y)), (make("+", (x, one)), i)),
        Edge((Source(0, (x, y)),), 0, (names[1],), names[1], (x, make("+", (y, one)))),
        Edge((Source(0, (names[0], y)),), 1, (x,), make("=", (x, make("+", (names[0], one)))), ()),
    ]
    graph = Graph(places, tuple(edges), (GraphProperty(0, "p", 1),))
    again = parse_vmt(format_vmt(graph), "a.vmt")
    assert again.locations[0].variables == (x, y)
    assert spacer(format_horn(graph), tmp_path) == spacer(format_horn(again), tmp_path) == "unsat"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    for name in ("mccarthy.smt2", "three-phases.smt2"):
        with pytest.raises(Unsupported, match=r"cannot be written as VMT-LIB: .*Horn clauses"):
            convert(EXAMPLES / "lia" / name, tmp_path / "a.vmt")
    with pytest.raises(Unsupported, match=r"AIGER cannot be written as \.vmt"):
        convert(EXAMPLES / "fifo.aag", tmp_path / "a.vmt")
    with pytest.raises(Unsupported):
        convert(EXAMPLES / "lia" / "counter.vmt", tmp_path / "a.aig")
    with pytest.raises(UsageError, match=r"\.vmt for VMT-LIB"):
        convert(EXAMPLES / "lia" / "counter.vmt", tmp_path / "a.txt")
    with pytest.raises(UsageError, match="would be overwritten"):
        convert(EXAMPLES / "lia" / "counter.vmt", EXAMPLES / "lia" / "counter.vmt")
    assert not list(tmp_path.iterdir())


def test_names_that_smt_lib_cannot_have_are_written_all_the_same(tmp_path: Path) -> None:
    odd = [var(name, BOOL) for name in ("a|b", "and", "x y", "", "é", "0", "main", "init", "p")]
    nexts = [var(f"{name_of(v)}'", BOOL) for v in odd]
    here = Source(0, tuple(odd))
    step: Term = make("and", tuple(make("=", (w, v)) for v, w in zip(odd, nexts, strict=True)))
    edges = (
        Edge((), 0, tuple(odd), make("and", tuple(odd)), tuple(odd)),
        Edge((here,), 0, tuple(nexts), step, tuple(nexts)),
        Edge((here,), 1, (), make("not", (odd[0],))),
    )
    graph = Graph((Location("main", tuple(odd)), Location("error")), edges, (GraphProperty(0, "p", 1),))
    assert len(parse_vmt(format_vmt(graph), "a.vmt").locations[0].variables) == len(odd)
    assert len(parse_horn(format_horn(graph), "a.smt2").locations[0].variables) == len(odd)
    if SPACER is not None:
        assert spacer(format_horn(graph), tmp_path) == "sat"


def test_a_graph_without_loop_or_without_start_is_written() -> None:
    x = var("x", INT)
    bad = Edge((Source(0, (x,)),), 1, (), TRUE)
    graph = Graph((Location("main", (x,)), Location("error")), (bad,), (GraphProperty(0, "p", 1),))
    again = parse_vmt(format_vmt(graph), "a.vmt")
    assert [edge.guard for edge in again.edges] == [FALSE, FALSE, TRUE]
