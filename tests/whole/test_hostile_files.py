"""A small file cannot keep a command busy: it is read, or refused with its place, within seconds; limits hold for the rest."""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from lemmata.errors import GaveUp
from lemmata.logic.build import build
from lemmata.logic.evaluate import evaluate
from lemmata.logic.linear.sums import linearize
from lemmata.logic.sorts import INT, REAL, BitVec
from lemmata.logic.terms import Term, bv, const, make, var
from tests.support.clock import LATE
from tests.support.hostile_files import FILES, SMALL
from tests.support.program import run_program

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits inside one call need fork and /proc")


def lemmata(*arguments: str | Path) -> tuple[int, str, float]:
    """Exit code, standard error, seconds."""
    started = time.monotonic()
    done = run_program(*arguments)
    return done.code, done.err, time.monotonic() - started


@LINUX
@pytest.mark.parametrize("name", FILES)
def test_info_reads_or_refuses_a_small_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    assert len(FILES[name]) <= 1.3 * SMALL
    code, error, _ = lemmata("info", path, "--timeout", "300", "--memory", "1000")
    assert code in (0, 2), error
    if code == 2:
        assert error.startswith(f"lemmata: {path}:") and len(error.splitlines()) == 1


@LINUX
@pytest.mark.parametrize("command", ["convert", "explain", "check"])
@pytest.mark.parametrize("name", ["let-squares.smt2", "mul-state.btor2", "powers.bpl", "macros.smt2"])
def test_the_other_commands_keep_their_limits(command: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    target = [tmp_path / ("out.aag" if path.suffix == ".btor2" else "out.smt2")] if command == "convert" else []
    code, error, seconds = lemmata(command, path, *target, "--timeout", "3", "--memory", "1000")
    assert code in (0, 2, 5, 10) and seconds < LATE, error
    assert len(error.splitlines()) <= 1


def squared(term: Term, times: int) -> Term:
    for _ in range(times):
        term = build("*", (term, term))
    return term


def test_numbers_are_folded_up_to_a_size_and_stay_terms_beyond_it() -> None:
    assert squared(const(3, INT), 5) is const(3**32, INT)
    large = squared(const(3, INT), 40)
    assert large.op == "*" and linearize(large).terms
    assert squared(const(Fraction(3, 2), REAL), 40).op == "*"
    half = const(Fraction(1, 3), REAL)
    for n in range(200):
        half = build("+", (build("*", (half, half)), const(Fraction(1, 7 + n), REAL)))
    assert half.op == "+"
    assert build("mod", (squared(const(3, INT), 13), const(7, INT))).op in ("const", "mod")


def test_what_stays_a_term_keeps_its_meaning() -> None:
    x = var("x", INT)
    large = squared(const(3, INT), 15)
    assert large.op == "*"
    for term in (build("-", (large, large)), build("*", (large, const(0, INT)))):
        assert evaluate([term], {}) == [0]
    assert evaluate([build("*", (large, x))], {x: 2}) == [2 * 3 ** (1 << 15)]
    assert evaluate([linearize(build("+", (large, make("*", (x, large))))).to_term()], {x: 1}) == [2 * 3 ** (1 << 15)]


def test_wide_words_are_folded_up_to_a_size() -> None:
    wide, narrow = bv(-1, 1 << 20), bv(-1, 64)
    for op in ("bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"):
        assert build(op, (wide, bv(-3, 1 << 20))).op == op
        assert build(op, (narrow, bv(-3, 64))).op == "const"
    x = var("w", BitVec(1 << 20))
    twice = build("bvmul", (build("bvmul", (x, wide)), wide))
    assert evaluate([twice], {x: 5}) == [5]


def test_a_product_at_a_point_is_given_up_before_it_fills_the_memory() -> None:
    x = var("x", INT)
    term = x
    for _ in range(40):
        term = make("*", (term, term))
    with pytest.raises(GaveUp, match="memory"):
        evaluate([term], {x: 3})
    assert evaluate([term], {x: 1}) == [1]
