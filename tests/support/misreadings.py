"""Misreadings on purpose: a file, and another one that says what a wrong front end would have understood.

Evidence about the second is certified on the model of the second; a second reader of the first must reject it, in both
directions. The pairs differ in a verdict, so evidence for one cannot be true of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lemmata.config import Config
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now

SECONDS = 20.0


@dataclass(frozen=True)
class Misreading:
    """Two files; ``prop`` is the property that tells them apart."""

    name: str
    file: str
    as_if: str
    prop: int = 0


def settled(model: Aig | Graph, engine: str, seconds: float = SECONDS) -> Iterator[tuple[int, Safe | Unsafe]]:
    """The certified verdicts of an engine, in this process; what takes longer than ``seconds`` is left out."""
    flow = Flow(Task(model, Config(engine=engine, timeout=SECONDS)), NOBODY)
    flow.prepare()
    for position, prop in enumerate(flow.chosen):
        try:
            found = flow.settle(position, now() + seconds)
        except GaveUp:
            continue
        assert isinstance(found, Settled), found
        assert isinstance(found.verdict, Safe | Unsafe)
        yield prop.index, found.verdict


def _two_words(tag: str, other: str, result: int, width: int = 3) -> str:
    """``tag`` and ``other`` never differ, whatever two free words are."""
    return (
        f"1 sort bitvec 1\n2 sort bitvec {width}\n3 sort bitvec {result}\n4 state 2 a\n5 state 2 b\n"
        f"6 next 2 4 5\n7 next 2 5 4\n8 {tag} 3 4 5\n9 {other} 3 4 5\n10 neq 1 8 9\n11 bad 10\n"
    )


def _one_word(tag: str, other: str, result: int, sorts: str = "1 sort bitvec 1\n2 sort bitvec 3\n") -> str:
    """The same with one word."""
    text = f"{sorts}3 sort bitvec {result}\n4 state 2 a\n5 inc 2 4\n6 next 2 4 5\n8 {tag}\n9 {other}\n10 neq 1 8 9\n11 bad 10\n"
    return text.replace("$", "3 4")


_SAME = (
    ("sdiv", "udiv"),
    ("srem", "urem"),
    ("smod", "srem"),
    ("smod", "urem"),
    ("sra", "srl"),
    ("sll", "rol"),
    ("rol", "ror"),
    ("srl", "ror"),
    ("nand", "nor"),
    ("xnor", "xor"),
    ("or", "xor"),
    ("sub", "add"),
    ("mul", "and"),
)
_BIT = (
    ("slt", "ult"),
    ("sgte", "sgt"),
    ("ugte", "ugt"),
    ("ulte", "ugte"),
    ("slte", "ulte"),
    ("saddo", "uaddo"),
    ("ssubo", "usubo"),
    ("smulo", "umulo"),
    ("sdivo", "smulo"),
    ("neq", "eq"),
)
_ONE = (
    ("inc $", "dec $", 3),
    ("neg $", "not $", 3),
    ("redand $", "redor $", 1),
    ("redxor $", "redor $", 1),
    ("uext $ 2", "sext $ 2", 5),
    ("slice $ 2 1", "slice $ 1 0", 2),
    ("not $", "add $ 4", 3),
    ("concat $ 5", "concat 3 5 4", 6),
    ("sub 3 4 5", "sub 3 5 4", 3),
    ("sub 3 -4 5", "sub 3 4 5", 3),
)
_BASE = "1 sort bitvec 1,2 sort bitvec 4,3 zero 1,4 zero 2,5 one 2,6 constd 2 5,7 sort array 2 2"


def _text(*lines: str) -> str:
    """A file that begins with some sorts and constants."""
    return ",".join((_BASE, *lines)).replace(",", "\n") + "\n"


def _counter(init: str = "11 init 2 10 4", after: str = "13 next 2 10 12", *more: str) -> str:
    """A word that counts from 0 and must not be 5."""
    parts = ("10 state 2 s", init, "12 inc 2 10", after, "15 eq 1 10 6", *more, "30 bad 15")
    return _text(*filter(None, parts))


def _memory(init: str = "11 init 7 10 4", after: str = "16 next 7 10 10", bad: str = "17 read 2 10 14,19 redor 1 17") -> str:
    """A memory and an address; what is read there must be 0."""
    parts = ("10 state 7 m", init, "14 input 2 i", "15 write 7 10 14 5", after, bad, "30 bad 19")
    return _text(*filter(None, parts))


_ZERO, _COUNTS, _STAYS = "11 init 2 10 4", "13 next 2 10 12", "13 next 2 10 10"
_BELOW_5, _TO_5 = "20 ult 1 10 6,21 constraint 20", "20 ulte 1 10 6,21 constraint 20"
_TWINS = "10 state 7 m,11 state 7 n,12 init 7 11 10,13 next 7 10 10,14 next 7 11 11"

BTOR2 = (
    *(Misreading(f"{a} as {b}", _two_words(a, b, 3), _two_words(b, b, 3)) for a, b in _SAME),
    *(Misreading(f"{a} as {b}", _two_words(a, b, 1), _two_words(b, b, 1)) for a, b in _BIT),
    *(Misreading(f"{a} as {b}", _one_word(a, b, w), _one_word(b, b, w)) for a, b, w in _ONE),
    Misreading("the constraint is dropped", _counter(_ZERO, _COUNTS, _BELOW_5), _counter()),
    Misreading("the constraint is negated", _counter(_ZERO, _COUNTS, _TO_5), _counter(_ZERO, _COUNTS, f"{_TO_5[:-2]}-20")),
    Misreading(
        "a second constraint is dropped", _counter(_ZERO, _COUNTS, _TO_5, "22 constraint -15"), _counter(_ZERO, _COUNTS, _TO_5)
    ),
    Misreading("init is dropped", _counter(_ZERO, _STAYS), _counter("", _STAYS)),
    Misreading("init is another constant", _counter(_ZERO, _STAYS), _counter("11 init 2 10 6", _STAYS)),
    Misreading("next is dropped", _counter(_ZERO, _STAYS), _counter(_ZERO, "")),
    Misreading("next is not negated", _counter(_ZERO, "13 next 2 10 -12"), _counter(_ZERO, _COUNTS)),
    Misreading("bad is not negated", _text("10 bad -3"), _text("10 bad 3")),
    Misreading("bads change places", _text("10 bad 3", "11 bad -3"), _text("10 bad -3", "11 bad 3")),
    Misreading("a bad is dropped", _text("10 bad 3", "11 bad -3"), _text("11 bad -3")),
    Misreading(
        "branches change places",
        _text("10 ite 2 3 4 5,11 neq 1 10 5,12 bad 11"),
        _text("10 ite 2 3 5 4,11 neq 1 10 5,12 bad 11"),
    ),
    Misreading(
        "constd has no sign",
        _text("10 constd 2 -1,11 ones 2,12 neq 1 10 11,13 bad 12"),
        _text("10 constd 2 1,11 ones 2,12 neq 1 10 11,13 bad 12"),
    ),
    Misreading(
        "consth is decimal",
        _text("10 sort bitvec 8,11 consth 10 10,12 constd 10 16,13 neq 1 11 12,14 bad 13"),
        _text("10 sort bitvec 8,11 constd 10 10,12 constd 10 16,13 neq 1 11 12,14 bad 13"),
    ),
    Misreading(
        "two states change places",
        _text(
            "10 state 2 a,11 init 2 10 4,12 next 2 10 10,13 state 2 b,14 init 2 13 5,15 next 2 13 13,16 redor 1 10,17 bad 16"
        ),
        _text(
            "10 state 2 b,11 init 2 10 5,12 next 2 10 10,13 state 2 a,14 init 2 13 4,15 next 2 13 13,16 redor 1 10,17 bad 16"
        ),
    ),
    Misreading(
        "an input is a state",
        _text("10 input 2 i,11 redor 1 10,12 bad 11"),
        _text("10 state 2 i,11 init 2 10 4,12 next 2 10 10,13 redor 1 10,14 bad 13"),
    ),
    Misreading("a memory is filled with another word", _memory(), _memory("11 init 7 10 5")),
    Misreading("a memory starts free", _memory(), _memory("")),
    Misreading("a write is lost", _memory(after="16 next 7 10 15"), _memory()),
    Misreading(
        "index and value change places",
        _memory(bad="17 write 7 10 4 5,18 read 2 17 4,19 redor 1 18"),
        _memory(bad="17 write 7 10 5 4,18 read 2 17 4,19 redor 1 18"),
    ),
    Misreading("neq of memories is eq", _text(_TWINS, "15 neq 1 10 11,16 bad 15"), _text(_TWINS, "15 eq 1 10 11,16 bad 15")),
)

_ONE_LATCH = "aag 1 0 1 0 0 1\n"
AIGER = (
    Misreading("reset 1 as 0", f"{_ONE_LATCH}2 2 1\n2\n", f"{_ONE_LATCH}2 2\n2\n"),
    Misreading("reset 0 as 1", f"{_ONE_LATCH}2 2 0\n2\n", f"{_ONE_LATCH}2 2 1\n2\n"),
    Misreading("a free latch starts as 0", f"{_ONE_LATCH}2 2 2\n2\n", f"{_ONE_LATCH}2 2\n2\n"),
    Misreading(
        "a reset function is free", "aag 3 0 2 0 1 1\n2 2 2\n4 4 2\n6\n6 2 5\n", "aag 3 0 2 0 1 1\n2 2 2\n4 4 4\n6\n6 2 5\n"
    ),
    Misreading(
        "a reset function is negated", "aag 3 0 2 0 1 1\n2 2 2\n4 4 2\n6\n6 2 5\n", "aag 3 0 2 0 1 1\n2 2 2\n4 4 3\n6\n6 2 5\n"
    ),
    Misreading("a reset function of an input is 0", "aag 2 1 1 0 0 1\n2\n4 4 2\n4\n", "aag 2 1 1 0 0 1\n2\n4 4 0\n4\n"),
    Misreading("next is negated", f"{_ONE_LATCH}2 3\n2\n", f"{_ONE_LATCH}2 2\n2\n"),
    Misreading("next 1 as 0", f"{_ONE_LATCH}2 1\n2\n", f"{_ONE_LATCH}2 0\n2\n"),
    Misreading("bad is negated", f"{_ONE_LATCH}2 2\n2\n", f"{_ONE_LATCH}2 2\n3\n"),
    Misreading("the constants change places", "aag 0 0 0 0 0 1\n0\n", "aag 0 0 0 0 0 1\n1\n"),
    Misreading("a gate reads its operand negated", "aag 3 2 0 0 1 1\n2\n4\n6\n6 2 3\n", "aag 3 2 0 0 1 1\n2\n4\n6\n6 2 2\n"),
    Misreading("a gate is an or", "aag 2 1 0 0 1 1\n2\n4\n4 2 0\n", "aag 2 1 0 0 1 1\n2\n5\n4 3 1\n"),
    Misreading(
        "gates are taken in the order of the lines",
        "aag 4 2 0 0 2 1\n2\n4\n8\n8 6 2\n6 3 4\n",
        "aag 4 2 0 0 2 1\n2\n4\n8\n8 6 2\n6 2 4\n",
    ),
    Misreading("the constraint is dropped", "aag 1 1 0 0 0 1 1\n2\n2\n3\n", "aag 1 1 0 0 0 1\n2\n2\n"),
    Misreading("a second constraint is dropped", "aag 1 1 0 0 0 1 2\n2\n2\n2\n3\n", "aag 1 1 0 0 0 1 1\n2\n2\n2\n"),
    Misreading("the constraint is negated", "aag 1 1 0 0 0 1 1\n2\n2\n3\n", "aag 1 1 0 0 0 1 1\n2\n2\n2\n"),
    Misreading("a constraint does not hold at the start", "aag 1 0 1 0 0 1 1\n2 1\n2\n2\n", "aag 1 0 1 0 0 1\n2 1\n2\n"),
    Misreading("bads change places", "aag 0 0 0 0 0 2\n0\n1\n", "aag 0 0 0 0 0 2\n1\n0\n"),
    Misreading("bads and constraints change places", "aag 1 0 1 0 0 1 1\n2 2\n2\n1\n", "aag 1 0 1 0 0 1 1\n2 2\n1\n3\n"),
    Misreading("an output is the bad", "aag 0 0 0 1 0 1\n1\n0\n", "aag 0 0 0 0 0 1\n1\n"),
    Misreading("outputs are no bads", "aag 1 0 1 2 0\n2 3\n0\n2\n", "aag 1 0 1 2 0\n2 3\n2\n0\n", 1),
    Misreading("two latches change places", "aag 2 0 2 0 0 1\n2 2 1\n4 4\n4\n", "aag 2 0 2 0 0 1\n4 4\n2 2 1\n2\n"),
    Misreading("two latches swap their next values", "aag 2 0 2 0 0 1\n2 2\n4 1\n2\n", "aag 2 0 2 0 0 1\n2 1\n4 2\n2\n"),
    Misreading("an input is a latch", "aag 1 1 0 0 0 1\n2\n2\n", "aag 1 0 1 0 0 1\n2 2\n2\n"),
)
