"""Terms as expressions of C: a compiler finds the values that evaluation finds."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata.logic.build import build, conj, disj, equal, implies, ite, negate
from lemmata.logic.c_text import CName, c_expression
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import INT, Array, BitVec
from lemmata.logic.terms import Term, const, make, var

TYPES = {
    "c": ("signed char", -(1 << 7), (1 << 7) - 1),
    "i": ("int", -(1 << 31), (1 << 31) - 1),
    "j": ("int", -(1 << 31), (1 << 31) - 1),
    "u": ("unsigned int", 0, (1 << 32) - 1),
    "l": ("long long", -(1 << 63), (1 << 63) - 1),
    "m": ("unsigned long long", 0, (1 << 64) - 1),
}
NAMES = {var(name, INT): CName(name, low, high, low < 0) for name, (_, low, high) in TYPES.items()}
WIDTHS = {"c": 8, "i": 32, "j": 32, "u": 32, "l": 64, "m": 64}
WORDS = {var(name, BitVec(WIDTHS[name])): CName(name, low, high, low < 0) for name, (_, low, high) in TYPES.items()}
K, J, U = (var(name, INT) for name in "iju")


def number(value: int) -> Term:
    return const(value, INT)


@pytest.mark.parametrize(
    "term, text",
    [
        (make("<=", (K, number(5))), "i <= 5"),
        (negate(make("<=", (K, number(5)))), "i > 5"),
        (make("<=", (U, number(5))), "u <= 5"),
        (equal(make("+", (K, J)), number(3)), "(long long)i + j == 3"),
        (make("<=", (K, U)), "(long long)i <= u"),
        (conj([make("<", (K, J)), disj([equal(K, number(0)), equal(J, number(0))])]), "i < j && (i == 0 || j == 0)"),
        (equal(make("mod", (U, number(2))), number(0)), "u % 2 == 0"),
        (make("<=", (make("*", (number(-2), K)), J)), "-2 * (long long)i <= j"),
        (equal(K, number(-(1 << 31))), "i == (-2147483647 - 1)"),
    ],
)
def test_casts_stand_where_c_needs_them(term: Term, text: str) -> None:
    assert c_expression(term, NAMES) == text


def test_numbers_without_bounds_need_no_casts() -> None:
    names = {K: CName("i"), J: CName("j")}
    assert c_expression(make("<=", (make("+", (K, J)), number(1 << 40))), names) == "i + j <= 1099511627776LL"


@pytest.mark.parametrize("term", [var("x", INT), make("select", (var("a", Array(INT, INT)), K)), make("div", (K, J))])
def test_what_c_cannot_say_has_no_text(term: Term) -> None:
    assert c_expression(equal(term, number(1)), NAMES) is None


def test_cells_are_named_by_whoever_knows_them() -> None:
    cell = make("select", (var("a", Array(INT, INT)), K))
    assert c_expression(equal(cell, number(1)), NAMES, lambda term: CName("a[i]")) == "a[i] == 1"


def random_number(rng: random.Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        small = (0, 1, -1, 7, 255, 1 << 31, -(1 << 31), (1 << 32) - 1)
        return number(rng.choice(small)) if rng.random() < 0.3 else rng.choice(list(NAMES))
    a, b = random_number(rng, depth - 1), random_number(rng, depth - 1)
    match rng.randrange(7):
        case 0 | 1:
            return make("+", (a, b))
        case 2:
            return make("*", (number(rng.choice((-3, -1, 2, 100))), a))
        case 3:
            return make("-", (a, b))
        case 4:
            return make(rng.choice(("div", "mod")), (a, number(rng.choice((2, 7, 1 << 32)))))
        case 5:
            return make("neg", (a,))
    return ite(random_formula(rng, depth - 1), a, b)


def random_word(rng: random.Random, width: int, depth: int) -> Term:
    own = [v for v in WORDS if v.width == width]
    if depth == 0 or rng.random() < 0.2:
        return (
            const(rng.choice((0, 1, 2, (1 << width) - 1, 1 << (width - 1))), BitVec(width))
            if rng.random() < 0.3 or not own
            else rng.choice(own)
        )
    a, b = random_word(rng, width, depth - 1), random_word(rng, width, depth - 1)
    match rng.randrange(6):
        case 0:
            return build(rng.choice(("bvneg", "bvnot")), (a,))
        case 1 if width > 8:
            half = random_word(rng, width // 2, depth - 1)
            return build(rng.choice(("zero_extend", "sign_extend")), (half,), width // 2)
        case 2 if width < 64:
            return build("extract", (random_word(rng, 2 * width, depth - 1),), (width - 1, 0))
        case 3:
            return build(rng.choice(("bvshl", "bvlshr")), (a, const(rng.randrange(width), BitVec(width))))
    return build(rng.choice(("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor")), (a, b))


def random_formula(rng: random.Random, depth: int, words: bool = False) -> Term:
    if depth > 1 and rng.random() < 0.4:
        parts = [random_formula(rng, depth - 1, words) for _ in range(2)]
        return rng.choice((conj, disj))(parts) if rng.random() < 0.8 else implies(*parts)
    if words:
        width = rng.choice((8, 32, 64))
        a, b = random_word(rng, width, depth), random_word(rng, width, depth)
        found = build(rng.choice(("=", "bvult", "bvule", "bvslt", "bvsle")), (a, b))
    else:
        found = make(rng.choice(("<", "<=", "=")), (random_number(rng, depth), random_number(rng, depth)))
    return negate(found) if rng.random() < 0.5 else found


def random_value(rng: random.Random, low: int, high: int) -> int:
    near = [low, high, 0, 1, rng.randint(low, high), rng.randint(-9, 9)]
    return max(low, min(high, rng.choice(near)))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("words", [False, True])
def test_a_compiler_finds_the_same_values(tmp_path: Path, words: bool) -> None:
    rng = random.Random(7)
    lines, wanted = [], []
    names = WORDS if words else NAMES
    while len(lines) < 150:
        term = random_formula(rng, 3, words)
        text = c_expression(term, names)
        if text is None:
            continue
        point = {v: random_value(rng, n.low or 0, n.high or 0) for v, n in names.items()}
        raw = {v: value % (1 << v.width) if words else value for v, value in point.items()}
        wanted.append(int(bool(Program([term]).run(raw)[0])))
        given = " ".join(f"{TYPES[n.text][0]} {n.text} = {_literal(point[v])};" for v, n in names.items())
        lines.append(f"{{ {given} putchar(({text}) ? '1' : '0'); }}")
    source = tmp_path / "terms.c"
    source.write_text("#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
    flags = ["-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(tmp_path / "terms")], check=True)
    done = subprocess.run([str(tmp_path / "terms")], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("".join(map(str, wanted)), "")


def _literal(value: int) -> str:
    return "(-9223372036854775807LL - 1)" if value == -(1 << 63) else f"{value}ULL" if value >= 1 << 63 else f"{value}LL"
