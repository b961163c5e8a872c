"""Bad AIGER files: one line with place, cause and remedy, and never anything but an ``InputError``."""

from __future__ import annotations

import gzip
import os
import random

import pytest

from lemmata.errors import InputError
from lemmata.frontends import load
from lemmata.frontends.aiger import format_aiger, parse_aiger, read_aiger
from tests.support.full_aiger import FULL

# what is wrong: the file, the place, a part of the message
BAD = {
    "empty": (b"", "1:1", "empty"),
    "no aiger": (b"hello\n", "1:1", "starts with 'hello"),
    "longer word": (b"aagh 0 0 0 0 0\n", "1:1", "not an AIGER file"),
    "gzip": (gzip.compress(FULL), "byte 0", "gzip"),
    "zip": (b"PK\x03\x04rest", "byte 0", "zip"),
    "header without line end": (b"aag 0 0 0 0 0", "1:14", "does not end"),
    "header too short": (b"aag 0 0 0\n", "1:10", "3 counts"),
    "header too long": (b"aag 0 0 0 0 0 0 0 0 0 0\n", "1:23", "10 counts"),
    "header with a word": (b"aag 1 x 0 0 0\n", "1:7", "'x' is not a number"),
    "header with a negative count": (b"aag 1 -1 0 0 0\n", "1:7", "'-1' is not a number"),
    "header with an underscore": (b"aag 1_0 0 0 0 0\n", "1:5", "not a number"),
    "M too small": (b"aag 1 2 0 0 0\n2\n4\n", "1:5", "M must be at least"),
    "M too large in binary": (b"aig 3 2 0 0 0\n", "1:5", "M must equal"),
    "more variables than literals": (b"aag 2147483648 0 0 0 0\n", "1:5", "too many"),
    "count beyond any machine": (b"aag 99999999999999999999 0 0 0 0\n", "1:5", "too large"),
    "count of 5000 digits": (b"aag " + b"9" * 5000 + b" 0 0 0 0\n", "1:5", "too large"),
    "a billion gates, ascii": (b"aag 1000000000 0 0 0 1000000000\n", "1:22", "1000000000 gates, more than a file of"),
    "a billion gates, binary": (b"aig 1000000000 0 0 0 1000000000\n", "1:22", "1000000000 gates, more than a file of"),
    "a billion inputs, binary": (b"aig 1000000000 1000000000 0 0 0\n", "1:16", "1000000000 inputs"),
    "a billion outputs": (b"aig 0 0 0 1000000000 0\n", "1:11", "1000000000 outputs"),
    "a billion justice literals": (b"aag 0 0 0 0 0 0 0 2\n1\n1000000000\n0\n", "3:1", "more than the file can hold"),
    "input missing": (b"aag 2 2 0 0 0\n2\n", "3:1", "ends before input 1 of 2"),
    "input twice": (b"aag 2 2 0 0 0\n2\n2\n", "3:1", "defined twice"),
    "input negated": (b"aag 2 2 0 0 0\n2\n5\n", "3:1", "input 5 is negated"),
    "input constant": (b"aag 1 1 0 0 0\n0\n", "2:1", "the constant 0"),
    "input beyond M": (b"aag 1 1 0 0 0\n4\n", "2:1", "out of range"),
    "two inputs on a line": (b"aag 2 2 0 0 0\n2 4\n", "2:3", "'4' after the input"),
    "blank line": (b"aag 2 2 0 0 0\n2\n\n4\n", "3:1", "input 1 is incomplete"),
    "blank before a latch": (b"aig 1 0 1 0 0\n 1\n", "2:1", "a blank before the first number"),
    "tab before an input": (b"aag 2 2 0 0 0\n2\n\t4\n", "3:1", "a blank before the first number"),
    "latch without next": (b"aag 1 0 1 0 0\n2\n", "2:2", "latch 0 is incomplete"),
    "latch with four fields": (b"aag 1 0 1 0 0\n2 2 0 0\n", "2:7", "'0' after the latch"),
    "latch already an input": (b"aag 2 1 1 0 0\n2\n2 3\n", "3:1", "defined twice"),
    "next undefined": (b"aag 4 0 2 0 0\n2 4\n4 7\n", "3:3", "literal 7 is not defined"),
    "next undefined, odd numbering": (b"aag 4 0 2 0 0\n4 2\n2 7\n", "3:3", "literal 7 is not defined"),
    "next undefined, sparse": (b"aag 4000 0 2 0 0\n4 2\n2 7\n", "3:3", "literal 7 is not defined"),
    "reset out of range": (b"aag 1 0 1 0 0\n2 2 4\n", "2:5", "out of range"),
    "reset out of range, binary": (b"aig 1 0 1 0 0\n2 4\n", "2:3", "out of range"),
    "reset of two latches in a circle": (b"aag 2 0 2 0 0\n2 2 4\n4 4 2\n", "3:5", "reset of latch 1 depends on itself"),
    "reset to the own negation": (b"aag 1 0 1 0 0\n2 2 3\n", "2:5", "reset of latch 0 depends on itself"),
    "reset through a gate": (b"aag 3 1 1 0 1\n2\n4 4 6\n6 4 2\n", "3:5", "reset of latch 0 depends on itself"),
    "reset through a gate, binary": (b"aig 3 1 1 0 1\n4 6\n\x02\x02", "2:3", "reset of latch 0 depends on itself"),
    "output undefined": (b"aag 3 0 0 1 0\n6\n", "2:1", "literal 6 is not defined"),
    "output out of range": (b"aag 3 0 0 1 0\n8\n", "2:1", "literal 8 is out of range"),
    "output too large": (b"aag 3 0 0 1 0\n" + b"9" * 20 + b"\n", "2:1", "too large"),
    "output no number": (b"aag 0 0 0 1 0\n-0\n", "2:1", "is not a number"),
    "output with a plus": (b"aag 0 0 0 1 0\n+1\n", "2:1", "'+1' is not a number"),
    "gate missing": (b"aag 3 1 0 0 2\n2\n4 2 2\n", "4:1", "ends before gate 1 of 2"),
    "gate cut": (b"aag 2 1 0 0 1\n2\n4 2 2", "3:6", "ends within gate 0 of 1"),
    "gate announced, symbol found": (b"aag 3 1 0 0 2\n2\n4 2 2\ni0 x\n", "4:1", "'i0' is not a number"),
    "gate with two fields": (b"aag 2 1 0 0 1\n2\n4 2\n", "3:4", "gate 0 is incomplete"),
    "gate with four fields": (b"aag 2 1 0 0 1\n2\n4 2 2 2\n", "3:7", "'2' after the gate"),
    "gate negated": (b"aag 2 1 0 0 1\n2\n5 2 2\n", "3:1", "gate 5 is negated"),
    "gate twice": (b"aag 3 1 0 0 2\n2\n4 2 2\n4 2 3\n", "4:1", "defined twice"),
    "gate reads undefined": (b"aag 3 1 0 0 1\n2\n4 2 6\n", "3:5", "literal 6 is not defined"),
    "gate reads out of range": (b"aag 2 1 0 0 1\n2\n4 16 2\n", "3:3", "out of range"),
    "gate reads itself": (b"aag 2 1 0 0 1\n2\n4 2 5\n", "3:5", "in a cycle: 4 → 4"),
    "gates in a circle": (b"aag 4 1 0 0 3\n2\n4 2 9\n6 4 2\n8 6 6\n", "4:3", "in a cycle: 4 → 8 → 6 → 4"),
    "binary gate cut": (b"aig 2 1 0 0 1\n\x02", "byte 15", "ends within gate 0 of 1"),
    "binary gate cut in a number": (b"aig 2 1 0 0 1\n\x02\x80", "byte 16", "ends within gate 0 of 1"),
    "binary gate reads itself": (b"aig 2 1 0 0 1\n\x00\x00", "byte 14", "gate 4 reads literal 4"),
    "binary gate reads below 0": (b"aig 2 1 0 0 1\n\x05\x00", "byte 14", "gate 4 reads literal -1"),
    "binary gate reads below 0, right": (b"aig 2 1 0 0 1\n\x02\x03", "byte 15", "gate 4 reads literal -1"),
    "binary number without end": (b"aig 2 1 0 0 1\n\x02" + b"\xff" * 1000, "byte 15", "more than 5 bytes"),
    "binary with CRLF": (b"aig 2 1 0 0 1\r\n\x02\x00", "1:14", "CRLF"),
    "symbol beyond": (b"aag 1 1 0 0 0\n2\ni1 x\n", "3:1", "symbol for i1, but the header has 1"),
    "symbol beyond, binary": (b"aig 1 1 0 0 0\nl0 x\n", "byte 14", "symbol for l0, but the header has 0"),
    "symbol twice": (b"aag 1 1 0 0 0\n2\ni0 x\ni0 y\n", "4:1", "second symbol for i0"),
    "symbol without name": (b"aag 1 1 0 0 0\n2\ni0\n", "3:1", "'i0' is no symbol"),
    "symbol of no kind": (b"aag 1 1 0 0 0\n2\nx0 x\n", "3:1", "'x0 x' is no symbol"),
    "more gates than announced": (b"aag 3 1 0 0 1\n2\n4 2 2\n6 2 3\n", "4:1", "'6 2 3' is no symbol"),
    "garbage after binary gates": (b"aig 2 1 0 0 1\n\x02\x00\x00", "byte 16", "is no symbol"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_gets_one_line_with_place_and_cause(case):
    data, place, part = BAD[case]
    with pytest.raises(InputError) as caught:
        parse_aiger(data, "bad.aig")
    message = str(caught.value)
    assert message.startswith(f"bad.aig:{place}: ")
    assert part in message
    assert caught.value.remedy
    assert "\n" not in message and len(message) < 200


def only_input_errors(data: bytes) -> None:
    try:
        model = parse_aiger(data, "x")
    except InputError as error:
        assert "\n" not in str(error)
        return
    format_aiger(model, binary=True)


@pytest.mark.parametrize("binary", [False, True])
def test_every_prefix_is_read_or_refused(binary):
    data = format_aiger(parse_aiger(FULL), binary)
    for end in range(len(data)):
        only_input_errors(data[:end])


def test_no_prefix_that_ends_within_the_circuit_is_read():
    circuit = FULL[: FULL.index(b"i1")]
    for end in range(len(circuit)):
        with pytest.raises(InputError):
            parse_aiger(circuit[:end])
    binary = format_aiger(parse_aiger(circuit), binary=True)
    for end in range(len(binary)):
        with pytest.raises(InputError):
            parse_aiger(binary[:end])


@pytest.mark.parametrize("binary", [False, True])
def test_damaged_bytes_are_read_or_refused(binary):
    rng = random.Random(7)
    good = format_aiger(parse_aiger(FULL), binary)
    for _ in range(4000):
        data = bytearray(good)
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(data))
            action = rng.randrange(4)
            if action == 0:
                data[at] = rng.randrange(256)
            elif action == 1:
                data[at] = rng.choice(b"0123456789 \n-")
            elif action == 2:
                del data[at]
            else:
                data.insert(at, rng.choice(b"0123456789 \n\r\t\xff\x00"))
        only_input_errors(bytes(data))


def test_random_bytes_after_a_good_header_are_read_or_refused():
    rng = random.Random(8)
    for _ in range(2000):
        body = bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
        only_input_errors(b"aig 9 2 3 1 4 1\n" + body)
        only_input_errors(b"aig 9 2 3 1 4 1\n12\n14\n16\n12\n18\n" + body)


def test_files_that_cannot_be_read_are_input_errors(tmp_path):
    for path, part in (
        (tmp_path, "directory"),
        (tmp_path / "absent.aag", "no such file"),
        (tmp_path / ("x" * 300), "cannot read"),
        ("a\0b", "not a path"),
    ):
        for reader in (read_aiger, load):
            with pytest.raises(InputError, match=part) as caught:
                reader(path)
            assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_an_input_error(tmp_path):
    path = tmp_path / "locked.aag"
    path.write_bytes(FULL)
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        read_aiger(path)


def test_load_refuses_kinds_that_it_does_not_know(tmp_path):
    (tmp_path / "x.txt").write_text("hello\n")
    with pytest.raises(InputError, match="kind of this file is unknown"):
        load(tmp_path / "x.txt")
    (tmp_path / "x.gz").write_bytes(gzip.compress(FULL))
    with pytest.raises(InputError, match="gzip"):
        load(tmp_path / "x.gz")
