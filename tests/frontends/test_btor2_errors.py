"""What is wrong with a BTOR2 file is said in one line, with its place; nothing else comes out of the front end."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from lemmata.errors import InputError, Unsupported
from lemmata.frontends import load
from lemmata.frontends.btor2 import parse_btor2
from lemmata.models.graph import Graph
from tests.support.btor2_random import random_model

BASE = """1 sort bitvec 1
2 sort bitvec 8
3 sort array 2 1
4 zero 2
5 state 2 x
6 state 3 m
7 input 2 i
8 zero 1
9 state 1 b
"""
# what is added as line 10, its column, part of the message
CASES = [
    ("10 add 2 5 77", 12, "there is no 77 before this line"),
    ("10 add 2 5 -77", 12, "there is no 77 before this line"),
    ("10 add 2 5 0", 12, "there is no 0 before this line"),
    ("10 add 2 5 10", 12, "there is no 10 before this line"),
    ("10 add 2 5 3", 12, "3 is a line 'sort' and has no value"),
    ("10 add 2 5 x", 12, "'x' is no id"),
    ("10 add 2 5 1_0", 12, "'1_0' is no id"),
    ("10 add 2 5 +5", 12, r"'\+5' is no id"),
    ("10 add 2 5 --5", 12, "'--5' is no id"),
    ("10 add 2 5 " + "9" * 5000, 12, "is no id"),
    ("9 add 2 5 5", 1, "the id 9 is used twice"),
    ("1 add 2 5 5", 1, "the id 1 is used twice"),
    ("0 add 2 5 5", 1, "0 is no id"),
    ("-10 add 2 5 5", 1, "'-10' is no id"),
    ("x add 2 5 5", 1, "'x' is no id"),
    ("9" * 5000 + " add 2 5 5", 1, "is too large"),
    ("10", 3, "the line ends after its id"),
    ("10 add", 7, "the line ends too early: expected 'id add sort id id'"),
    ("10 add 2 5", 11, "the line ends too early"),
    ("10 zero", 8, "the line ends before its sort"),
    ("10 constd 2", 12, "the line ends too early"),
    ("10 add 2 5 5 name more", 19, "'more' is one word too many"),
    ("10 frobnicate 2 5 5", 4, "'frobnicate' is no tag of BTOR2"),
    ("10 var 2", 4, "BTOR version 1"),
    ("10 add 4 5 5", 8, "4 is not a sort"),
    ("10 add -2 5 5", 8, "'-2' is no id of a sort"),
    ("10 add 99 5 5", 8, "99 is not a sort"),
    ("10 add 1 5 5", 8, "'add' gives 8 bits here, but the sort has 1 bit"),
    ("10 add 2 5 9", 12, "has 1 bit, but the one before has 8 bits"),
    ("10 add 2 5 6", 12, "is an array, not a word"),
    ("10 add 3 6 6", 10, "is an array, not a word"),
    ("10 not 3 6", 10, "is an array, not a word"),
    ("10 eq 1 6 -6", 11, "6 is an array and cannot be negated"),
    ("10 eq 2 5 5", 7, "'eq' gives 1 bit here, but the sort has 8 bits"),
    ("10 eq 1 5 6", 11, "has an array sort \\(8 bits to 1 bit\\), but the one before has 8 bits"),
    ("10 iff 1 5 5", 10, "has 8 bits instead of 1"),
    ("10 implies 1 9 5", 16, "has 8 bits instead of 1"),
    ("10 redor 2 5", 10, "'redor' gives 1 bit here"),
    ("10 saddo 2 5 5", 10, "'saddo' gives 1 bit here"),
    ("10 concat 2 5 5", 11, "'concat' gives 16 bits here"),
    ("10 ite 2 5 5 5", 10, "has 8 bits instead of 1"),
    ("10 ite 2 6 5 5", 10, "has an array sort \\(8 bits to 1 bit\\) instead of 1"),
    ("10 ite 2 9 5 9", 14, "has 1 bit, but the one before has 8 bits"),
    ("10 read 1 5 5", 11, "is a word, not an array"),
    ("10 read 1 6 9", 13, "has 1 bit, but the array wants 8 bits"),
    ("10 read 2 6 5", 9, "'read' gives 1 bit here"),
    ("10 write 3 6 9 9", 14, "has 1 bit, but the array wants 8 bits"),
    ("10 write 3 6 5 5", 16, "has 8 bits, but the array wants 1 bit"),
    ("10 write 2 6 5 9", 10, "gives an array sort \\(8 bits to 1 bit\\) here, but the sort has 8 bits"),
    ("10 slice 1 5 8 8", 14, "there is no bit 8 in a word of 8 bits"),
    ("10 slice 1 5 2 3", 16, "the lower bit 3 is above the upper bit 2"),
    ("10 slice 2 5 3 0", 10, "'slice' gives 4 bits here"),
    ("10 slice 1 5 -1 0", 14, "'-1' is no position of a bit"),
    ("10 slice 1 6 0 0", 12, "is an array, not a word"),
    ("10 uext 2 5 1", 9, "'uext' gives 9 bits here, but the sort has 8 bits"),
    ("10 uext 3 5 1", 9, "'uext' gives 9 bits here"),
    ("10 sext 2 9 999999999999999999", 9, "'sext' gives 1000000000000000000 bits here"),
    ("10 sext 2 9 -1", 13, "'-1' is no number of bits"),
    ("10 sort bitvec 0", 16, "a word of 0 bits"),
    ("10 sort bitvec", 15, "the line ends too early"),
    ("10 sort bitvec -3", 16, "'-3' is no width"),
    ("10 sort float 3", 9, "'float' is no kind of sort"),
    ("10 sort", 8, "the sort has no kind"),
    ("10 sort array 2", 16, "the line ends too early"),
    ("10 sort array 2 5", 17, "5 is not a sort"),
    ("10 const 2 0101", 12, "'0101' has 4 digits, but the sort has 8 bits"),
    ("10 const 2 01012222", 12, "is no number"),
    ("10 constd 2 256", 13, "'256' does not fit into 8 bits"),
    ("10 constd 2 -129", 13, "'-129' does not fit into 8 bits"),
    ("10 constd 2 1_0", 13, "'1_0' is no number"),
    ("10 constd 2 --1", 13, "'--1' is no number"),
    ("10 consth 2 100", 13, "'100' does not fit into 8 bits"),
    ("10 consth 2 0x1", 13, "'0x1' is no number"),
    ("10 consth 2 " + "f" * 10000, 13, "does not fit into 8 bits"),
    ("10 zero 3", 9, "a constant is a word"),
    ("10 init 2 7 4", 11, "7 is not a state"),
    ("10 init 2 -5 4", 11, "-5 is not a state"),
    ("10 init 2 5 7", 13, "the initial value of state 5 comes after it"),
    ("10 init 2 5 5", 13, "the initial value of state 5 comes after it"),
    ("10 init 2 5 -9", 13, "the initial value of state 5 comes after it"),
    ("10 init 1 5 4", 9, "state 5 has 8 bits, but this sort has 1 bit"),
    ("10 init 1 9 4", 13, "state 9 has 1 bit, but this has 8 bits"),
    ("10 init 3 6 4", 13, "state 6 has an array sort \\(8 bits to 1 bit\\), but this has 8 bits"),
    ("10 init 2 5 4\n11 init 2 5 4", 11, "a second init for state 5"),
    ("10 state 2 y\n11 init 2 10 7", 14, "depends on the input i"),
    ("10 add 2 5 7\n11 state 2\n12 init 2 11 10", 14, "depends on the input i"),
    ("10 next 2 7 4", 11, "7 is not a state"),
    ("10 next 2 -5 4", 11, "-5 is not a state"),
    ("10 next 1 5 4", 9, "state 5 has 8 bits, but this sort has 1 bit"),
    ("10 next 2 5 9", 13, "state 5 has 8 bits, but this has 1 bit"),
    ("10 next 3 6 8", 13, "state 6 has an array sort \\(8 bits to 1 bit\\), but this has 1 bit"),
    ("10 next 2 5 4\n11 next 2 5 4", 11, "a second next for state 5"),
    ("10 bad 5", 8, "a condition has 1 bit, but this has 8 bits"),
    ("10 bad 6", 8, "a condition has 1 bit"),
    ("10 bad", 7, "the line ends too early"),
    ("10 constraint 5", 15, "a condition has 1 bit"),
    ("10 fair 5", 9, "a condition has 1 bit"),
    ("10 justice", 11, "the line ends too early"),
    ("10 justice 2 9", 15, "the line ends too early"),
    ("10 justice 1 5", 14, "a condition has 1 bit"),
    ("10 justice 999999999999 9", 26, "the line ends too early"),
    ("10 output 99", 11, "there is no 99"),
    ("10 bad 9 \xff", 10, "cannot be printed|is no text"),
]


@pytest.mark.parametrize(("added", "column", "message"), CASES, ids=lambda value: str(value)[:30])
def test_a_mistake_is_reported_where_it_is(added: str, column: int, message: str) -> None:
    data = (BASE + added + "\n").encode("latin-1")
    with pytest.raises(InputError, match=message) as caught:
        parse_btor2(data, "x.btor2")
    place = caught.value.place
    assert (place.line, place.column) == (10 + added.count("\n"), column)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_an_id_may_not_be_smaller_than_the_one_before() -> None:
    with pytest.raises(InputError, match="the id 4 comes after 5"):
        parse_btor2(b"1 sort bitvec 1\n5 zero 1\n4 one 1\n", "x.btor2")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("10 sort bitvec 1048577", "words of 1048577 bits are too wide"),
        ("10 sort bitvec 999999999999999999", "too wide"),
        ("10 sort array 3 1", "arrays of arrays"),
        ("10 sort array 2 3", "arrays of arrays"),
        ("10 sort bitvec 99999\n11 constd 10 1" + "0" * 5000, "decimal number of 5001 digits is too long"),
    ],
)
def test_what_is_legal_but_too_much_is_unsupported(line: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message):
        parse_btor2((BASE + line).encode(), "x.btor2")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b" \r\n\t\n", "the file is empty"),
        (b"; nothing\n", "nothing but comments"),
        (b"\x00\x01\x02", "is no id"),
        (b"\xff\xfe1\x00", "is no id"),
        (b"aag 0 0 0 0 0\n", "is no id"),
        (b"1 sort bitvec 8\n2 state 1 a\xffb\n", "the symbol .* is no text"),
        (b"1 sort bitvec 8\n2 state 1 a\x07b\n", "cannot be printed"),
    ],
)
def test_what_is_no_btor2_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_btor2(data, "x.btor2")
    assert caught.value.place.line is not None and str(caught.value).isprintable()


def test_load_reports_files_that_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        load(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "missing.btor2")
    (tmp_path / "empty.btor2").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        load(tmp_path / "empty.btor2")
    (tmp_path / "packed.btor2").write_bytes(b"\x1f\x8b\x08\x00")
    with pytest.raises(InputError, match="gzip"):
        load(tmp_path / "packed.btor2")


def outcome(data: bytes) -> str:
    try:
        assert isinstance(parse_btor2(data, "x.btor2"), Graph)
    except InputError as error:
        assert "\n" not in str(error)
        return "refused"
    return "read"


def test_every_truncation_is_read_or_refused() -> None:
    for seed in range(3):
        data = random_model(random.Random(seed)).encode()
        outcomes = [outcome(data[:end]) for end in range(len(data) + 1)]
        assert outcomes[-1] == "read" and "refused" in outcomes


def test_every_file_with_a_changed_byte_is_read_or_refused_and_quickly() -> None:
    rng = random.Random(7)
    start = time.process_time()
    outcomes: list[str] = []
    for seed in range(60):
        data = bytearray(random_model(rng).encode())
        for _ in range(60):
            changed = data.copy()
            changed[rng.randrange(len(data))] = rng.choice((rng.randrange(256), *b"0123456789- \n;"))
            outcomes.append(outcome(bytes(changed)))
        assert time.process_time() - start < 60, seed
    assert set(outcomes) == {"read", "refused"}


def test_every_file_with_a_changed_word_is_read_or_refused() -> None:
    rng = random.Random(8)
    tags = ["add", "concat", "slice", "uext", "read", "write", "ite", "init", "next", "state", "input", "bad", "constraint"]
    tags += ["sort", "const", "constd", "justice", "not"]
    outcomes: list[str] = []
    for _ in range(1500):
        lines = [line.split() for line in random_model(rng).splitlines()]
        line = rng.choice(lines)
        line[rng.randrange(len(line))] = rng.choice([str(rng.randint(-40, 60)), rng.choice(tags)])
        outcomes.append(outcome("\n".join(map(" ".join, lines)).encode()))
    assert set(outcomes) == {"read", "refused"}
