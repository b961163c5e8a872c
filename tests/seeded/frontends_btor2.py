"""Misreadings of BTOR2, which the interpreter of its lines notices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from lemmata.errors import LemmataError
from tests.seeded.bug import Catcher, SeededBug, edit, entry
from tests.support.btor2_agreement import compare
from tests.support.btor2_random import random_model

MODELS = 120
MORE = """1 sort bitvec 4
2 sort bitvec 1
3 constd 1 -3
4 consth 1 a
5 state 1 x
6 state 1 y
7 state 1 z
8 input 1 i
9 init 1 6 4
10 init 1 7 -6
11 next 1 5 8
12 next 1 6 5
13 rol 1 5 3
14 sext 1 5 0
15 smod 1 14 3
16 srem 1 13 5
17 slt 2 15 -16
18 bad 17
19 eq 2 5 6
20 constraint -19
21 redxor 2 13
22 bad 21
23 smulo 2 5 6
24 bad 23
25 sdivo 2 5 6
26 bad 25
27 usubo 2 5 6
28 bad 27
29 sra 1 5 6
30 ror 1 29 8
31 ugte 2 30 13
32 bad 31
"""


@cache
def _texts() -> tuple[str, ...]:
    return (MORE, *[random_model(Random(seed)) for seed in range(MODELS)])


def _look(_: float) -> Iterator[str]:
    for number, text in enumerate(_texts()):
        try:
            compare(text, Random(number))
        except (LemmataError, AssertionError, LookupError, ValueError, TypeError) as error:
            yield f"model {number}: {type(error).__name__}"


READING = Catcher("BTOR2 interpreter", "lines of text evaluated to plain integers, against the terms of the front end", _look)
READER, STATES, ARITHMETIC = "frontends.btor2.reader", "frontends.btor2.states", "frontends.btor2.arithmetic"
OPERATORS = "frontends.btor2.operators:BTOR2_OPERATORS"

BUGS: tuple[SeededBug, ...] = (
    entry("slt is unsigned", OPERATORS, b"slt", b"ult", READING),
    entry("ugte is strict", OPERATORS, b"ugte", b"ugt", READING),
    entry("sra is logical", OPERATORS, b"sra", b"srl", READING),
    entry("srem has the sign of smod", OPERATORS, b"srem", b"smod", READING),
    entry("xnor is xor", OPERATORS, b"xnor", b"xor", READING),
    entry("ror is rol", OPERATORS, b"ror", b"rol", READING),
    edit(
        "a negated id is read without its sign",
        "frontends.btor2.table:IdTable.argument",
        "= invert_word(positive)",
        "= positive",
        READING,
    ),
    edit("sext extends by zeros", f"{READER}:_Reader._extension", '"sign_extend" if tag', '"zero_extend" if tag', READING),
    edit(
        "a slice is one bit too low",
        f"{READER}:_Reader._slice",
        "(high, low))",
        "(high - 1, low - 1) if low else (high, low))",
        READING,
    ),
    edit(
        "the last constraint is dropped",
        f"{READER}:_Reader.graph",
        "conj(self._constraints)",
        "conj(self._constraints[:-1])",
        READING,
    ),
    edit("init is ignored", f"{READER}:_Reader._init", "state.init = value", "pass", READING),
    edit(
        "a state without next keeps its value",
        f"{STATES}:_any",
        'return var(names.fresh(f"{name_of(state)}.next"), state.sort)',
        "return state",
        READING,
    ),
    edit(
        "initial values that depend on others are not put in", f"{STATES}:_starts", "if not start.is_const", "if False", READING
    ),
    edit(
        "a constant loses its sign",
        "frontends.btor2.constants:read_constant",
        "return const(value, sort)",
        "return const(abs(value), sort)",
        READING,
    ),
    edit(
        "saddo is asked without the sign",
        f"{ARITHMETIC}:_leaves_range",
        'build(op, (build("sign_extend", (left,)',
        'build(op, (build("zero_extend", (left,)',
        READING,
    ),
    edit(
        "sdivo overflows whenever it divides by -1",
        f"{ARITHMETIC}:sdivo",
        "equal(left, bv(1 << (width - 1), width)), ",
        "",
        READING,
    ),
    edit("parity forgets a bit", f"{ARITHMETIC}:parity", "if width % 2 else low", "if width % 2 else high", READING),
    edit(
        "a rotation by a constant goes the other way",
        f"{ARITHMETIC}:_rotate",
        'if there == "bvshl"',
        'if there != "bvshl"',
        READING,
    ),
)
