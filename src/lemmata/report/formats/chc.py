"""The words of the competition of Horn clause solvers: ``sat`` is safe, ``unsat`` is unsafe.

On request the evidence follows: the model as definitions of the predicates, the refutation as comments.
"""

from __future__ import annotations

from lemmata.escapes import printable
from lemmata.result import Result
from lemmata.verdict import Unsafe

_WORDS = {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"}


def chc_word(result: Result) -> str:
    """The one word on a line of its own."""
    return _WORDS.get(result.verdict, "unknown")


def refutation(result: Result) -> str:
    """Every derivation, line by line as comments; empty if there is none."""
    traces = [prop.verdict.trace for prop in result.properties if isinstance(prop.verdict, Unsafe)]
    return "\n".join(f"; {printable(line)}" for trace in traces for line in trace.describe().split("\n"))
