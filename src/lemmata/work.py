"""The work clock: how much this process has done, in *nominal seconds*, whatever else the machine does.

Whoever works counts what it does (``tally``): nodes of terms, gates, clauses, questions, and what solvers count themselves.
Each kind of work has a price in nanoseconds (``PRICES_NS``), fitted so that a nominal second is a second of the processor on
average; ``now`` is the sum. So a deadline on the work clock (``until``, everywhere in the engines) is met at the same point of
every run of the same file, seed and options, however busy the machine is. See ADR 18.

The user's own limit is the one thing that is about time. ``start`` takes it, and past it the work clock stands at infinity:
every ``until`` is over then, also ``FOREVER``. Who is told ``None`` instead has no limit at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from operator import mul
from time import monotonic

KINDS = {  # and their prices, in nanoseconds
    "node": 1300,  # of a term, walked over or translated
    "term": 18_000,  # that is new, with what its maker does around it
    "evaluation": 500,  # of one operator of a prepared term
    "gate": 250,  # of a circuit, walked over or made
    "clause": 1700,  # given to a SAT solver
    "statement": 5000,  # of a program, executed
    "pivot": 100,  # entry of the table of a linear program, at each pivot
    "sat": 22_000,  # question to a SAT solver, with what the engine does around it
    "minisat": 115,  # propagation of MiniSat or Glucose
    "cadical": 130,  # propagation of CaDiCaL
    "native": 130,  # propagation of the native core; a question counts as some of them
    "smt": 130_000,  # question to an SMT solver, with what the engine does around it
    "given": 1000,  # formula that is assumed in it, or term whose value is wanted
    "yices": 1000,  # formula that Yices holds, at each question
    "z3": 250,  # unit of its resources; from 65 (words) to 800 (hard integers)
    "cvc5": 20_000,  # unit of its resources, in limits; from 2000 to 200,000
    "bitwuzla": 50_000,  # look at whether to stop; from 10,000 to 900,000
    "other": 1,  # nanosecond
}
NODE, TERM, EVALUATION, GATE, CLAUSE, STATEMENT, PIVOT, SAT, MINISAT = range(9)
CADICAL, NATIVE_PROPAGATION, SMT, GIVEN, YICES, Z3_UNIT, CVC5_UNIT, BITWUZLA, OTHER = range(9, 18)
PRICES_NS = tuple(KINDS.values())

FOREVER = math.inf  # an ``until``: no limit but the user's
tally = [0] * len(KINDS)
_deadline = math.inf


def start(deadline: float | None = None) -> None:
    """Nothing is done yet; ``deadline`` is the user's, in ``time.monotonic``."""
    global _deadline
    tally[:] = [0] * len(KINDS)
    _deadline = math.inf if deadline is None else deadline


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """While inside, the user's limit is so many seconds away, for work in this process."""
    start(None if seconds is None else monotonic() + seconds)
    try:
        yield
    finally:
        start()


def now() -> float:
    """Nominal seconds of what is done; infinite past the user's deadline."""
    return math.inf if monotonic() >= _deadline else sum(map(mul, tally, PRICES_NS)) * 1e-9


def left(until: float | None) -> float | None:
    """Nominal seconds until then, 0 if that is over; ``None`` if there is no limit but the user's."""
    return None if until is None or until == math.inf else max(until - now(), 0.0)


def units(until: float | None, kind: int) -> int | None:
    """How much work of one kind fits until then, at least 1, rounded up to three digits; ``None`` without a limit."""
    seconds = left(until)
    if seconds is None:
        return None
    count = math.ceil(seconds * 1e9 / PRICES_NS[kind])
    digits = int(10 ** max(len(str(count)) - 3, 0))
    return max(-(-count // digits) * digits, 1)


def wall_left() -> float | None:
    """Seconds until the user's deadline, if there is one."""
    return None if _deadline == math.inf else max(_deadline - monotonic(), 0.0)


def is_late() -> bool:
    """Is the user's deadline over?"""
    return monotonic() >= _deadline


def is_over(until: float | None) -> bool:
    """Is the work until then done, or the user's deadline over?"""
    return until is not None and now() >= until
