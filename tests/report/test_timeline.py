"""Runs as tables: only what changes, unless all is asked for; never wider than the page."""

from __future__ import annotations

from lemmata.logic.sorts import INT, Array, BitVec
from lemmata.logic.terms import FALSE, const, make, var
from lemmata.logic.values import ArrayValue
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant, Stretch, Turn
from lemmata.models.graph import Location
from lemmata.models.timeline import Timeline, TimeRow, circuit_timeline
from lemmata.models.vectors import slices, vectors
from lemmata.models.word_rows import rows_of, word_rows
from lemmata.report.text.evidence import evidence_lines

X, Y = var("x", INT), var("y", INT)
HERE, THERE, ERROR = Location("main", (X, Y)), Location("main:7", (X, Y)), Location("error: odd")


def test_what_never_changes_is_told_in_one_line():
    rows = (TimeRow("x", ("0", "10", "2")), TimeRow("y", ("7", "7", "7")), TimeRow("go", ("1", "0", "0"), True))
    assert Timeline(rows, 3).lines() == [
        "step     0   1  2",
        "x        0  10  2",
        "inputs:",
        "go       1   0  0",
        "unchanged: y = 7",
    ]


def test_names_that_a_tool_made_up_are_left_out_beside_others():
    made_up = ("$auto$async2sync.cc:104:execute$7", "top.$procdff$3", "$techmap\\dut.$auto$v.cc:1:f$2", "$0\\x[3:0]")
    rows = (TimeRow("x", ("0",)), TimeRow("$i0", ("4",)), *(TimeRow(name, ("1",)) for name in made_up))
    assert Timeline(rows, 1).lines() == [
        "step     0",
        "x        0",
        "$i0      4",
        "left out: 4 signals named by a tool, -v shows all",
    ]
    assert len(Timeline(rows, 1).lines(verbose=True)) == 7
    assert [line.split()[0] for line in Timeline(rows[2:], 1).lines()] == ["step", *made_up]


def test_unchanged_signals_that_a_tool_named_are_counted_too():
    rows = (TimeRow("x", ("0", "1")), TimeRow("y", ("5", "5")), TimeRow("$procdff$3", ("7", "7")))
    assert Timeline(rows, 2).lines()[2:] == ["unchanged: y = 5", "left out: 1 signal named by a tool, -v shows all"]
    assert Timeline(rows[::2], 2).lines()[2:] == ["left out: 1 signal named by a tool, -v shows all"]
    assert Timeline(rows[2:], 2).lines()[-1] == "unchanged: $procdff$3 = 7"


def test_all_rows_are_shown_on_demand():
    rows = (TimeRow("x", ("0", "1")), TimeRow("y", ("7", "7")), TimeRow("go", ("1", "0"), True, (True, False)))
    assert Timeline(rows, 2).lines(verbose=True) == [
        "step     0  1",
        "x        0  1",
        "y        7  7",
        "inputs:",
        "go       1  0",
    ]
    assert Timeline(rows, 2).lines()[3] == "go       1"


def test_a_table_that_does_not_fit_is_a_line_per_step_with_what_is_new():
    rows = (TimeRow("x", tuple(map(str, range(20)))), TimeRow("half", tuple(str(k // 10) for k in range(20))))
    lines = Timeline(rows, 20).lines(width=40)
    assert lines[:2] == ["step 0: x = 0, half = 0", "step 1: x = 1"]
    assert lines[10] == "step 10: x = 10, half = 1"
    assert all(len(line) <= 40 for line in Timeline(rows, 20).lines(width=40, verbose=True))


def test_a_hundred_variables_are_folded():
    rows = tuple(TimeRow(f"v{k}", tuple(str((step * k) % 7) for step in range(40))) for k in range(100))
    lines = Timeline(rows, 40).lines(width=80)
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("step 0: v1 = 0, v2 = 0")


def test_a_run_of_one_step_shows_its_state():
    assert Timeline((TimeRow("x", ("3",)),), 1).lines() == ["step     0", "x        3"]


def test_names_cannot_talk_to_the_terminal():
    lines = Timeline((TimeRow("\x1b[2Jx\n", ("0", "1")), TimeRow("\u202ey", ("1", "1"))), 2).lines()
    assert all(line.isprintable() for line in lines)


def test_bits_are_words_where_their_names_say_so():
    timeline = circuit_timeline(["n[0]", "n[1]", "free"], ["go"], [(0, 0, 0), (1, 0, 0), (0, 1, 1)], [(1,), (1,), (0,)])
    assert [(row.name, row.texts) for row in timeline.rows] == [
        ("n", ("0", "1", "2")),
        ("free", ("0", "0", "1")),
        ("go", ("1", "1", "0")),
    ]


def test_bits_with_gaps_or_with_a_taken_name_stay_bits():
    assert vectors(["a[0]", "a[2]", "b[0]", "b[1]", "b", "c[3]"]) == {}
    assert vectors(["c[4]", "x", "c[3]"]) == {"c": (3, [2, 0])}


def test_cells_of_a_memory_have_rows():
    sort = Array(BitVec(4), BitVec(8))
    empty, written = ArrayValue(sort, 0), ArrayValue(sort, 0, {3: 9})
    rows = word_rows(var("mem", sort), [empty, written])
    assert [(row.name, row.texts) for row in rows] == [("mem[3]", ("0", "9")), ("mem[…]", ("0", "0"))]


def test_a_run_at_one_place_is_a_table():
    facts = (Fact(0, (), (), HERE, (0, 5)), Fact(1, (0,), (), HERE, (2, 5)), Fact(2, (1,), (), ERROR, ()))
    assert evidence_lines(Derivation(0, facts)) == ["step     0  1", "x        0  2", "unchanged: y = 5"]


def test_a_run_through_places_tells_what_is_new():
    facts = (
        Fact(0, (), (), HERE, (0, 5), 3),
        Fact(1, (0,), (), THERE, (2, 5), 4),
        Fact(1, (1,), (), THERE, (8, 5), 4, Stretch(3, (Turn(1),))),
        Fact(2, (2,), (), ERROR, ()),
    )
    derivation = Derivation(0, facts)
    assert evidence_lines(derivation) == [
        "0: main  (line 3)  x = 0, y = 5",
        "1: main:7  (line 4)  x = 2",
        "2: main:7  (line 4)  after 3 times 1 edge  x = 8",
        "3: error: odd",
    ]
    assert evidence_lines(derivation, verbose=True) == derivation.told()


def test_a_derivation_that_is_a_tree_tells_every_fact():
    facts = (Fact(0, (), (), HERE, (0, 5)), Fact(0, (), (), HERE, (1, 5)), Fact(1, (0, 1), (), ERROR, ()))
    assert evidence_lines(Derivation(0, facts)) == Derivation(0, facts).told()


def test_a_run_of_a_program_quotes_its_statements():
    first, second = Location("main:3", (X,), 3, "x := 1"), Location("main:5/p:9", (X,), 9, "x := 2")
    start = Location("main:start", (X,), 1)
    facts = (Fact(0, (), (), start, (0,), 1), Fact(1, (0,), (), first, (0,), 1), Fact(2, (1,), (), second, (1,), 3))
    end = (Fact(3, (2,), (), Location("main:6", (X,), 6, "}"), (2,), 9), Fact(4, (3,), (), ERROR, (), 6))
    assert evidence_lines(Derivation(0, facts + end)) == [
        "0: main:start  (line 1)  x = 0",
        "1: before line 3 ‹x := 1›",
        "2: line 3 ‹x := 1›  x = 1",
        "3: main:5/p line 9 ‹x := 2›  x = 2",
        "4: error: odd  (line 6)",
    ]


def test_claims_that_say_nothing_are_left_out_and_unreachable_places_come_last():
    here, there = Location("main:3", (X,), 3, "x := 1"), Location("main:4", (X,), 4, "x := 2")
    odd = make("=", (X, const(1, INT)))
    claims = (Claim(0, here), Claim(1, there, (FALSE,)), Claim(2, here, (odd,)), Claim(3, here, (odd,)))
    assert GraphInvariant(claims).describe().split("\n") == ["main:3 ‹x := 1›: x = 1", "never reached: main:4 ‹x := 2›"]
    assert GraphInvariant(claims[:1]).describe() == "true (there is nothing to claim)"


def test_parts_of_a_register_are_one_row():
    names = ("count[7:1]", "count[0]", "count[8]", "mem[0]", "mem[1]", "top[4:2]", "half[3:0]", "half[4]", "half")
    words = [var(name, BitVec(width)) for name, width in zip(names, (7, 1, 1, 4, 4, 3, 4, 1, 2), strict=True)]
    lines = [(127, 1, 0, 3, 4, 5, 15, 1, 2), (0, 0, 1, 3, 4, 5, 15, 1, 2)]
    rows = list(rows_of(words, lines))
    assert [row.name for row in rows] == ["count", *names[3:]]
    assert rows[0].texts == ("255", "256") and rows[1].texts == ("3", "3")
    inputs = list(rows_of(words[:3], lines, True, [[False, True, False], [False, False, False]]))
    assert [(row.name, row.is_input, row.needed) for row in inputs] == [("count", True, (True, False))]


def test_parts_of_a_word_need_all_bits_from_0_on():
    assert slices(["x[3:1]", "x[0]"], [3, 1]) == {"x": [(1, 0), (0, 1)]}
    for names, widths in (
        (["x[3:1]", "x[1]"], [3, 1]),  # overlap
        (["x[3:2]", "x[0]"], [2, 1]),  # a gap
        (["x[3:1]"], [3]),  # one part
        (["x[3:1]", "x[0]"], [3, 8]),  # cells
        (["x[1:3]", "x[0]"], [3, 1]),
        (["x[123456]", "x[0]"], [1, 1]),
    ):
        assert slices(names, widths) == {}
