"""What people read: infix text with few parentheses, and values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, bv, const, make, var
from lemmata.logic.text import infix, value_text
from lemmata.logic.values import ArrayValue

W8, W32 = BitVec(8), BitVec(32)
x, y = var("x", W8), var("y", W8)
wide = var("w", W32)
u = var("u", BitVec(1))
p, q, r = (var(name, BOOL) for name in "pqr")
i, j = var("i", INT), var("j", INT)
memory = var("m", Array(W8, W8))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (
            disj([make("bvule", (x, bv(5, 8))), negate(make("=", (make("extract", (y,), (3, 0)), bv(2, 4))))]),
            "x ≤ 5 ∨ y[3:0] ≠ 2",
        ),
        (make("bvsle", (x, bv(-3, 8))), "x ≤ₛ -3"),
        (make("+", (i, make("*", (const(-3, INT), j)), const(-2, INT))), "i - 3 · j - 2"),
        (make("+", (i, make("neg", (make("+", (i, j)),)))), "i - (i + j)"),
        (make("+", (var("a", REAL), const(Fraction(-1, 2), REAL))), "a - 1/2"),
        (make("bvslt", (bv(-3, 8), x)), "x >ₛ -3"),
        (make("bvult", (bv(200, 8), x)), "x > 200"),
        (make("not", (make("bvule", (x, y)),)), "x > y"),
        (negate(build("=", (u, bv(1, 1)))), "u = 0"),
        (conj([p, disj([q, r])]), "p ∧ (q ∨ r)"),
        (disj([p, conj([q, r])]), "p ∨ q ∧ r"),
        (make("not", (make("and", (p, q)),)), "¬(p ∧ q)"),
        (make("=>", (make("=>", (p, q)), negate(r))), "(p → q) → ¬r"),
        (make("=", (p, make("=", (q, r)))), "p ↔ (q ↔ r)"),
        (make("bvadd", (make("bvmul", (x, y)), bv(-1, 8))), "x · y - 1"),
        (make("bvmul", (make("bvadd", (x, y)), bv(3, 8))), "(x + y) · 3"),
        (make("bvsub", (x, make("bvsub", (y, x)))), "x - (y - x)"),
        (make("bvsub", (make("bvsub", (x, y)), x)), "x - y - x"),
        (make("concat", (x, make("concat", (y, x)))), "x ++ y ++ x"),
        (make("extract", (make("bvadd", (x, y)),), (3, 3)), "(x + y)[3]"),
        (make("=", (wide, bv(0x12345678, 32))), "w = 0x12345678"),
        (make("bvslt", (wide, bv(-100000, 32))), "w <ₛ -0x186a0"),
        (make("ite", (make("bvult", (x, y)), x, make("ite", (p, y, bv(0, 8))))), "if x < y then x else if p then y else 0"),
        (make("bvadd", (x, make("ite", (p, x, y)))), "x + (if p then x else y)"),
        (make("select", (make("store", (memory, x, bv(7, 8))), y)), "m[x := 7][y]"),
        (make("filled", (bv(7, 8),), memory.sort), "{default 7}"),
        (make("zero_extend", (x,), 8), "zext(x, 16)"),
        (make("bvashr", (x, make("bvurem", (y, bv(8, 8))))), "x >>ₛ y % 8"),
        (make("<=", (make("*", (const(-2, INT), i)), make("neg", (make("+", (i, j)),)))), "-2 · i ≤ -(i + j)"),
        (make("apply", (x, y), ("f", (W8, W8), BOOL)), "f(x, y)"),
    ],
)
def test_a_term_reads_well(term: Term, text: str) -> None:
    assert infix(term) == text


def test_a_huge_term_ends_in_dots() -> None:
    term: Term = x
    for _ in range(100):
        term = make("bvmul", (term, term))
    text = infix(term, limit=50)
    assert "…" in text
    assert len(text) < 500


@pytest.mark.parametrize(
    ("value", "sort", "text"),
    [
        (1, BitVec(1), "1"),
        (65535, W32, "65535"),
        (65536, W32, "0x10000"),
        (True, BOOL, "true"),
        (-3, INT, "-3"),
        (Fraction(1, 3), REAL, "1/3"),
        (ArrayValue(Array(W8, W8), 0, {3: 7, 1: 0, 2: 5}), Array(W8, W8), "{default 0, 2: 5, 3: 7}"),
    ],
)
def test_a_value_reads_well(value: Value, sort: Sort, text: str) -> None:
    assert value_text(value, sort) == text


def test_factors_may_have_thousands_of_digits() -> None:
    x, y = (build("zero_extend", (var(name, BitVec(20000)),), 40000) for name in "xy")
    total = build("bvadd", (build("bvmul", (x, bv(1 << 20000, 60000))), y))
    assert infix(build("bvsle", (total, bv(5, 60000)))) == f"0x1{'0' * 5000}·x + y ≤ 5 in ℤ"
