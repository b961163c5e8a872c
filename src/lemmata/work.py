"""The work clock: how much this process has done, in *nominal seconds*, whatever else the machine does.

Whoever works counts what it does (``tally``): nodes of terms, gates, clauses, questions, and what solvers count themselves.
Each kind of work has a price in nanoseconds (``PRICES_NS``), fitted so that a nominal second is a second of the processor on
average; ``now`` is the sum. Nothing here reads a clock, so a deadline on the work clock (``until``, everywhere in the engines)
is met at the same point of every run of the same file, seed and options.

The user's own limit is the one thing that is about time. ``start`` takes it, and past it the work clock stands at infinity:
every ``until`` is over then, also ``FOREVER``. Who is told ``None`` instead has no limit at all.
"""

from __future__ import annotations

import math
from operator import mul
from time import monotonic

KINDS = (
    "node",  # of a term, walked over or translated
    "term",  # that is new
    "step",  # of a prepared evaluation
    "gate",  # of a circuit, walked over or made
    "clause",  # given to a SAT solver
    "statement",  # of a program, executed
    "pivot",  # entry of a table of a linear program that a pivot changes
    "sat",  # question to a SAT solver
    "minisat",  # propagation
    "cadical",  # propagation
    "smt",  # question to an SMT solver
    "given",  # formula that is assumed in it, or term whose value is wanted
    "yices",  # formula asserted, and asked about
    "z3",  # unit of its resources
    "cvc5",  # unit of its resources
    "bitwuzla",  # look at whether to stop
    "spare",  # nanosecond
)
NODE, TERM, STEP, GATE, CLAUSE, STATEMENT, PIVOT, SAT, MINISAT, CADICAL, SMT, GIVEN, YICES, Z3, CVC5, BITWUZLA, SPARE = range(
    len(KINDS)
)
PRICES_NS = (1000, 4000, 200, 500, 1500, 5000, 100, 30_000, 30, 100, 300_000, 3000, 50, 70, 10_000, 200_000, 1)

FOREVER = math.inf  # an ``until``: no limit but the user's
tally = [0] * len(KINDS)
_deadline = math.inf


def start(deadline: float | None = None) -> None:
    """Nothing is done yet; ``deadline`` is the user's, in ``time.monotonic``."""
    global _deadline
    tally[:] = [0] * len(KINDS)
    _deadline = math.inf if deadline is None else deadline


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
    digits = 10 ** max(len(str(count)) - 3, 0)
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
