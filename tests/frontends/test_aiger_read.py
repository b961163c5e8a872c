"""What the AIGER reader makes of good files."""

from __future__ import annotations

import pytest

from lemmata.frontends import load
from lemmata.frontends.aiger import parse_aiger, read_aiger
from lemmata.models.aig import Aig
from tests.support.full_aiger import FULL


def test_every_section_is_read():
    model = parse_aiger(FULL, "full.aag")
    assert model == Aig(
        inputs=2,
        nexts=(12, 14, 16),
        resets=(1, 8, 13),
        lefts=(4, 12, 15, 16),
        rights=(2, 7, 11, 8),
        outputs=(12,),
        bads=(18,),
        constraints=(3, 1),
        justice=((6, 8), (10,)),
        fairness=(5,),
        symbols={("i", 1): "request", ("l", 0): "busy", ("b", 0): "never both", ("j", 1): "again", ("f", 0): "fair"},
        comments=("made by hand", "", "end"),
        file="full.aag",
    )


def test_crlf_line_ends_make_no_difference_in_ascii():
    assert parse_aiger(FULL.replace(b"\n", b"\r\n")) == parse_aiger(FULL)


def test_tabs_and_double_blanks_make_no_difference_in_ascii():
    head, tail = FULL.split(b"\ni1")
    assert parse_aiger(head.replace(b" ", b"\t  ") + b"\ni1" + tail) == parse_aiger(FULL)


def test_binary_gates_are_differences():
    model = parse_aiger(b"aig 5 2 1 1 2\n10 6\n9\n" + bytes([8 - 4, 4 - 2, 10 - 8, 8 - 7]))
    assert (model.inputs, model.nexts, model.resets, model.outputs) == (2, (10,), (6,), (9,))
    assert (model.lefts, model.rights) == ((4, 8), (2, 7))


def test_binary_differences_may_take_several_bytes():
    model = parse_aiger(b"aig 301 300 0 1 1\n602\n" + bytes([602 - 500, 0x80 | (500 - 2) % 128, 500 // 128]))
    assert (model.lefts, model.rights) == ((500,), (2,))


def test_missing_counts_are_zero():
    assert parse_aiger(b"aag 1 1 0 0 0 1\n2\n3\n").bads == (3,)
    assert parse_aiger(b"aag 0 0 0 0 0\n") == Aig(0, (), (), (), ())
    assert parse_aiger(b"aig 0 0 0 0 0 0 0 0 0\n") == Aig(0, (), (), (), ())


def test_variables_are_renumbered_inputs_latches_gates():
    model = parse_aiger(b"aag 99 2 1 2 2\n90\n70\n10 181 10\n20\n91\n180 20 71\n20 90 11\n")
    assert model.inputs == 2
    assert model.nexts == (11,)  # 181: the gate that is listed first but reads the other one
    assert model.resets == (6,)  # its own literal: free
    assert (model.lefts, model.rights) == ((7, 8), (2, 5))
    assert model.outputs == (8, 3)


def test_gates_listed_in_topological_order_keep_that_order():
    model = parse_aiger(b"aag 9 2 0 1 3\n2\n4\n12\n18 2 4\n8 18 3\n12 8 5\n")
    assert (model.lefts, model.rights, model.outputs) == ((4, 6, 8), (2, 3, 5), (10,))


def test_sparse_numbering_costs_nothing():
    model = parse_aiger(b"aag 2000000000 1 0 1 1\n4000000000\n3000000001\n3000000000 4000000000 1\n")
    assert (model.lefts, model.rights, model.outputs) == ((2,), (1,), (5,))


@pytest.mark.parametrize("listed", ["forwards", "backwards"])
def test_a_chain_of_gates_may_be_long(listed):
    count = 50_000
    rows = [b"%d %d 2\n" % (2 * i + 2, 2 * i) for i in range(1, count + 1)]
    data = b"aag %d 1 0 1 %d\n2\n%d\n" % (count + 1, count, 2 * count + 2)
    model = parse_aiger(data + b"".join(rows if listed == "forwards" else reversed(rows)))
    assert model.lefts == tuple(range(2, 2 * count + 2, 2))
    assert model.outputs == (2 * count + 2,)


def test_unused_variables_are_legal():
    assert parse_aiger(b"aag 7 1 0 1 0\n2\n2\n").inputs == 1


def test_reset_functions_may_read_inputs_gates_and_other_latches():
    model = parse_aiger(b"aag 4 1 2 1 1\n2\n4 4 8\n6 6 4\n4\n8 2 2\n")
    assert model.resets == (8, 4)


def test_a_symbol_keeps_blanks_and_foreign_bytes():
    model = parse_aiger(b"aag 1 1 0 1 0\n2\n2\ni0  a b \xff\no0 \xc3\xa9\n")
    assert model.symbols[("i", 0)] == " a b \udcff"
    assert model.symbols[("o", 0)] == "é"


def test_a_last_symbol_or_comment_needs_no_line_end():
    assert parse_aiger(b"aag 1 1 0 0 0\n2\ni0 x").symbols == {("i", 0): "x"}
    assert parse_aiger(b"aag 1 1 0 0 0\n2\nc\nhello").comments == ("hello",)
    assert parse_aiger(b"aag 1 1 0 0 0\n2\nc").comments == ()


def test_a_comment_on_the_line_of_the_c_is_kept():
    assert parse_aiger(b"aag 1 1 0 0 0\n2\ncnname\x00\nby ABC\n").comments == ("nname\x00", "by ABC")


def test_a_constraint_symbol_is_no_comment():
    model = parse_aiger(b"aag 1 1 0 0 0 0 1\n2\n2\nc0 assume\nc\nreally a comment\n")
    assert (model.symbols, model.comments) == ({("c", 0): "assume"}, ("really a comment",))


def test_load_knows_aiger_by_content_and_by_suffix(tmp_path):
    for name in ("x.aag", "x.AIG", "x", "x.txt"):
        path = tmp_path / name
        path.write_bytes(b"aag 1 1 0 1 0\n2\n2\n")
        assert load(path) == read_aiger(str(path))
