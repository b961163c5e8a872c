"""The end of an explanation: the verdict, its evidence written out, and who has checked it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from lemmata.escapes import printable
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.report.explanation.formula import Notation
from lemmata.report.explanation.lines import ReportLine, Style, count
from lemmata.report.text.evidence import evidence_lines
from lemmata.verdict import Evidence, Safe, Unknown, Unsafe, Verdict

_MOST_CLAUSES = 60
MOST_STATES = 60
_STYLES: dict[str, Style] = {"safe": "safe", "unsafe": "unsafe", "unknown": "unknown"}
_TIMEOUT = "The time is over: --timeout gives more of it, and `lemmata check` is made for models of this size."
_INEXACT = "Some steps of the model do more than the file says: a run through them shows nothing."


def conclusion(
    model: Aig | Graph, verdict: Verdict, by: str = "", read_by: Sequence[str] = (), why: str = ""
) -> Iterator[ReportLine]:
    """The verdict on ``model`` in words; ``why`` is what the engine has to say where it is unknown."""
    yield ReportLine()
    match verdict:
        case Unknown(reason):
            yield ReportLine(f"Verdict: unknown ({reason})", "unknown")
            if cause := _TIMEOUT if reason == "timeout" else why or (_INEXACT if _is_inexact(model) else ""):
                yield ReportLine(f"  {cause}")
        case Safe(evidence) | Unsafe(evidence):
            yield ReportLine(f"Verdict: {verdict.word}", _STYLES[verdict.word])
            yield from _evidence(model, evidence, isinstance(verdict, Safe))
            yield ReportLine(f"  {_checked(verdict, by)}", "faint")
            if others := ", ".join(read_by[1:]):
                yield ReportLine(f"  It holds for another reading of the file, too: {others}.", "faint")
        case _:
            assert_never(verdict)


def _evidence(model: Aig | Graph, evidence: Evidence, is_safe: bool) -> Iterator[ReportLine]:
    match model, evidence:
        case Aig(), Invariant():
            yield from _invariant(model, evidence)
        case Aig(), Trace():
            yield from _trace(model, evidence)
        case _:
            yield ReportLine(f"  {'No reachable state is bad. The invariant:' if is_safe else 'A bad state is reachable:'}")
            lines = evidence_lines(evidence)
            yield from (ReportLine(f"    {printable(line)}", "frame") for line in lines[:MOST_STATES])
            if (more := len(lines) - MOST_STATES) > 0:
                yield ReportLine(f"    … and {count(more, 'line', 'lines')} more", "faint")


def _is_inexact(model: Aig | Graph) -> bool:
    return isinstance(model, Graph) and bool(model.origin.inexact)


def _invariant(model: Aig, invariant: Invariant) -> Iterator[ReportLine]:
    text = Notation(model)
    if not invariant.cubes:
        yield ReportLine("  No state is bad at all: the invariant is true.")
        return
    yield ReportLine("  No reachable state is bad. The inductive invariant, clause by clause:")
    for cube in invariant.cubes[:_MOST_CLAUSES]:
        yield ReportLine(f"    {text.clause(cube)}", "frame")
    if (more := len(invariant.cubes) - _MOST_CLAUSES) > 0:
        yield ReportLine(f"    … and {count(more, 'clause', 'clauses')} more", "faint")


def _trace(model: Aig, trace: Trace) -> Iterator[ReportLine]:
    text = Notation(model)
    yield ReportLine(f"  A bad state is reachable. The counterexample has {count(trace.depth, 'transition', 'transitions')}:")
    rows, state = list[tuple[str, str]](), trace.initial
    for inputs in trace.inputs[:MOST_STATES]:
        chosen = [model.input_lit(i) ^ 1 ^ bit for i, bit in enumerate(inputs)]
        cube = tuple(model.latch_lit(i) ^ 1 ^ bit for i, bit in enumerate(state))
        rows.append((text.cube(cube), f"   inputs ({text.literals(chosen)})" if chosen else ""))
        state = _successor(model, state, inputs)
    width = max(len(shown) for shown, _ in rows)
    for step, (shown, chosen_text) in enumerate(rows):
        yield ReportLine(f"    {'→' if step else ' '} {shown.ljust(width)}{chosen_text}".rstrip(), "frame")
    if trace.depth >= MOST_STATES:
        yield ReportLine(f"    … and {count(trace.depth + 1 - MOST_STATES, 'state', 'states')} more", "faint")


def _successor(model: Aig, state: tuple[int, ...], inputs: tuple[int, ...]) -> tuple[int, ...]:
    values = [0, *inputs, *state]
    for left, right in zip(model.lefts, model.rights, strict=True):
        values.append((values[left >> 1] ^ left & 1) & (values[right >> 1] ^ right & 1))
    return tuple(values[lit >> 1] ^ lit & 1 for lit in model.nexts)


def _checked(verdict: Safe | Unsafe, by: str) -> str:
    if isinstance(verdict, Safe):
        return f"Checked again by {by}: it holds initially, every step keeps it, and no bad state satisfies it."
    return f"Replayed on the file by {by}: the run starts in an initial state and ends in a bad one."
