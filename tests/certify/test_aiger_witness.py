"""AIGER witnesses: written as aigsim reads them, read with places in the errors."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata.certify.circuit.check import format_witness, parse_witness, replay
from lemmata.errors import InputError, Unsupported
from lemmata.frontends.aiger import parse_aiger, write_aiger
from lemmata.models.trace import Trace

# Latch one is 1 after a step with input 1, latch two after two such steps in a row; latch free is anything. bad: two, free.
MODEL = parse_aiger(b"aag 5 1 3 0 1 2\n2\n4 2\n6 10\n8 8 8\n6\n8\n10 4 2\nl0 one\nl1 two\nl2 free\ni0 go\n")
TRACE = Trace(0, (0, 0, 1), ((1,), (1,), (0,)), ("one", "two", "free"), ("go",))
TEXT = "1\nb0\n001\n1\n1\n0\n.\n"


def test_a_trace_is_written_as_aiger_says() -> None:
    assert format_witness(MODEL, TRACE) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        "c a comment\nu0\nu1\n" + TEXT,
        "1\nb0\nc between\n001\n1\n1\n0\n.\n",
        TEXT + "1\nb1\n001\n0\n.\n",
        "1\nb0b1\n001\n1\n1\n0\n.",
        "1\nb0\nxx1\n1\n1\nx\n.\n",
    ],
    ids=["ours", "crlf", "comments", "comment-between", "second-witness", "two-properties", "x"],
)
def test_a_witness_is_read_back(text: str) -> None:
    assert parse_witness(text, MODEL) == TRACE


def test_x_is_the_reset_where_that_is_constant_and_0_elsewhere() -> None:
    model = parse_aiger(b"aag 4 1 3 0 0 1\n2\n4 4 1\n6 6\n8 8 8\n4\n")
    assert parse_witness("1\nb0\nxxx\nx\n.\n", model).initial == (1, 0, 0)


def test_empty_lines_are_states_and_inputs_of_models_that_have_none() -> None:
    model = parse_aiger(b"aag 0 0 0 1 0\n1\n")
    trace = Trace(0, (), ((),))
    assert format_witness(model, trace) == "1\nb0\n\n\n.\n"
    assert parse_witness("1\nb0\n\n\n.\n", model) == trace


@pytest.mark.parametrize(
    ("text", "where", "cause"),
    [
        ("", "w:1:1", "ends too early"),
        ("c\n", "w:2:1", "ends too early"),
        ("0\nb0\n.\n", "w:1:1", "proved"),
        ("2\nb0\n.\n", "w:1:1", "nothing is known"),
        ("sat\nb0\n", "w:1:1", "starts with 0, 1 or 2"),
        ("1\n001\n1\n.\n", "w:2:1", "expected a property"),
        ("1\nb\n001\n1\n.\n", "w:2:1", "expected a property"),
        ("1\nb0x\n001\n1\n.\n", "w:2:1", "expected a property"),
        ("1\nb2\n001\n1\n.\n", "w:2:1", "b2 does not exist"),
        ("1\nb0\n00\n1\n.\n", "w:3:3", "2 bits, but the model has 3 latches"),
        ("1\nb0\n0011\n1\n.\n", "w:3:4", "4 bits, but the model has 3 latches"),
        ("1\nb0\n001\n1\n12\n.\n", "w:5:2", "expected 0, 1 or x, not '2'"),
        ("1\nb0\n001\n1\n\n.\n", "w:5:1", "0 bits, but the model has 1 inputs"),
        ("1\nb0\n001\n.\n", "w:4:1", "without a step"),
        ("1\nb0\n001\n1\n", "w:5:1", "ends too early"),
    ],
)
def test_a_broken_witness_is_an_error_with_its_place(text: str, where: str, cause: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_witness(text, MODEL, "w")
    assert str(caught.value).startswith(f"{where}: ")
    assert cause in str(caught.value)


def test_a_justice_witness_is_not_supported() -> None:
    with pytest.raises(Unsupported, match="liveness"):
        parse_witness("1\nj0\n001\n1\n.\n", MODEL)


@pytest.mark.skipif(shutil.which("aigsim") is None, reason="aigsim is not installed")
@pytest.mark.parametrize(
    ("text", "trace"),
    [
        (b"aag 4 1 2 0 1 1\n2\n4 2\n6 8\n6\n8 4 2\n", Trace(0, (0, 0), ((1,), (1,), (0,)))),
        (b"aag 1 0 1 0 0 1\n2 2 2\n2\n", Trace(0, (1,), ((),))),
        (b"aag 2 0 2 0 0 1 1\n2 1\n4 2\n2\n5\n", Trace(0, (0, 0), ((), ()))),
        (b"aag 3 1 2 0 0 1\n2\n4 4 2\n6 6 5\n4\n", Trace(0, (1, 0), ((1,),))),
        (b"aag 1 1 0 2 0\n2\n2\n3\n", Trace(1, (), ((0,),))),
    ],
    ids=["inputs", "free", "constraint", "reset-function", "outputs"],
)
def test_aigsim_accepts_our_witnesses(text: bytes, trace: Trace, tmp_path: Path) -> None:
    model = parse_aiger(text)
    replay(model, trace)
    write_aiger(model, tmp_path / "model.aag", binary=False)
    (tmp_path / "witness").write_text(format_witness(model, trace))
    run = subprocess.run(["aigsim", "-c", "model.aag", "witness"], cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
