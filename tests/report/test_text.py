"""The report in plain text: a page of evidence, whatever the number of properties, and a hint where there is more."""

from __future__ import annotations

from lemmata.logic.sorts import INT
from lemmata.logic.terms import var
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Location
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.report.text import evidence, footer, table
from lemmata.report.text.advice import advice
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


def result(*verdicts: Verdict) -> Result:
    props = [PropertyResult(f"p{k}", verdict, "pdr", 3, True, 0.1) for k, verdict in enumerate(verdicts)]
    return Result("file.aag", "0", tuple(props), 0.1, 10)


def clauses(count: int, first: int = 0) -> Safe:
    return Safe(Invariant(tuple((2 * (first + k) + 2,) for k in range(count))))


LONG = Unsafe(Trace(0, (0,), tuple((k % 2,) for k in range(60)), ("l",), ("go",)))


def test_short_invariants_of_several_properties_are_shown():
    assert evidence(result(clauses(2), clauses(1, 5), Unknown("timeout"))) == [
        "",
        "invariant of p0:",
        "  ¬l0",
        "  ¬l1",
        "",
        "invariant of p1:",
        "  ¬l5",
    ]


def test_equal_invariants_are_told_once():
    assert evidence(result(clauses(1), clauses(1)))[1] == "invariant of p0, p1:"


def test_one_long_invariant_has_twenty_lines():
    lines = evidence(result(clauses(50)))
    assert len(lines) == 2 + 20 + 1
    assert lines[-1] == "  … 30 more lines: -v shows them, --certificate FILE.txt writes them"
    assert len(evidence(result(clauses(50)), verbose=True)) == 52


def test_many_long_invariants_share_a_page():
    lines = evidence(result(*(clauses(30, 40 * k) for k in range(20))))
    assert sum(line.startswith("invariant of") for line in lines) == 8
    assert len(lines) <= 8 * 8 + 2
    assert lines[-1] == "… and 12 more properties: -v shows why"


def test_a_long_trace_shows_its_end():
    lines = evidence(result(LONG, clauses(30)))
    assert lines[1] == "trace to p0:"
    assert any("more lines" in line for line in lines)
    assert "  step 59: inputs go = 1" in lines


def test_an_unknown_says_how_far_it_came_and_what_to_try():
    (line,) = advice(result(Unknown("timeout")))
    assert line.startswith("p0: no bad state within 3 steps, pdr came furthest; try --timeout 10, another engine")
    assert advice(result(Unknown("error"), clauses(1))) == []


def test_an_incomplete_answer_says_why():
    prop = PropertyResult(
        "p", Unknown("incomplete"), "lifted", -1, False, 0.1, why="the model does more than line 7 of the file"
    )
    (line,) = advice(Result("file.bpl", "0", (prop,), 0.1, 10))
    assert line.startswith("p: the model does more than line 7 of the file; try another engine")


def test_a_narrow_page_keeps_names_and_verdicts():
    rows = [("a property with a very long name", "unsafe", "-", "pdr", "12", "13", "yes", "1.23")]
    for width in (40, 50, 60, 79):
        head, line = table(rows, width)
        assert len(line) <= width and len(head) <= width
        assert "unsafe" in line and line.startswith("a proper")
    assert table(rows, 100)[1].split()[-1] == "1.23"


def test_the_foot_of_a_narrow_page_has_two_lines():
    assert footer(result(), 40) == "\nfile.aag: 0.10 s, 10 MB"
    long = Result("a/very/long/path/to/some/file/of/ours.aag", "0", (), 0.1, 10)
    assert footer(long, 40) == "\na/very/long/path/to/some/file/of/ours.aag:\n0.10 s, 10 MB"


def test_a_table_has_reasons_where_something_is_unknown():
    told = [("p", "safe", "-", "pdr", "3", "-", "yes", "0.10"), ("q", "unknown", "timeout", "pdr", "3", "-", "no", "0.10")]
    assert "reason" not in table(told[:1])[0] and "timeout" in table(told)[2]
    assert "reason" not in table(told[:1], 40)[0]


def test_results_and_runs_show_themselves_in_a_line_whatever_they_hold():
    x = var("x", INT)
    place = Location("main", (x,))
    run = Derivation(0, (Fact(0, (), (), place, (10**5000,)), Fact(1, (0,), (), Location("error"), ())))
    told = result(Unsafe(run), Unknown("timeout"))
    assert repr(told) == "<Result file.aag: unsafe; p0 unsafe in 0 steps, p1 unknown (timeout)>"
    assert repr(told.properties[0]) == "<PropertyResult p0: unsafe in 0 steps, by pdr>"
    assert repr(run) == "<Derivation of 2 facts, depth 0>" and len(repr(run.facts[0])) > 5000
    many = result(*[Unknown("timeout")] * 20)
    assert repr(many).endswith(", and 12 more>")
