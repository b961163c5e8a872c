"""The words of ``lemmata explain --preset thesis``: steps, queries and tables as in its sections 3.3.1 and 3.3.2.

``ThesisExplainer`` listens to the steps and tells lines while the run goes on. After ``most_steps`` steps it only counts.
Tables of frames have a row per location and a column per level; what does not fit is cut and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.logic.terms import TRUE, Term, name_of
from lemmata.logic.text import infix
from lemmata.models.graph import Graph
from lemmata.report.explanation import DOUBTED, Explanation
from lemmata.report.explanation.formula import subscript
from lemmata.report.explanation.lines import ReportLine, TellLine, count, ordinal
from lemmata.steps.given import Given
from lemmata.steps.graph import InexactDerivation
from lemmata.steps.thesis import (
    EdgeQuery,
    FrameCell,
    FrameTable,
    Goal,
    Interpolated,
    NextLevel,
    ReachedError,
    ThesisPosed,
    ThesisPropagation,
    ThesisStep,
    ThesisZeroCheck,
)

MOST_LEVELS = 6
MOST_PLACES = 30
_WIDTH = 36  # of a cell
_WHOLE = 110  # of a row; a table that fits is not cut


def tabled(table: FrameTable, write: Callable[[FrameCell], str]) -> Iterator[ReportLine]:
    """The table as lines; the last levels if there are many."""
    levels = len(table[0].cells) if table else 0
    first = max(0, levels - MOST_LEVELS)
    shown = table[:MOST_PLACES]
    rows = [["location", *[f"level {level}" if level == first else str(level) for level in range(first, levels)]]]
    rows += [[printable(row.place), *map(write, row.cells[first:])] for row in shown]
    if sum(_widths(rows)) > _WHOLE:
        rows = [[_cut(text) for text in row] for row in rows]
    if first:
        yield ReportLine(f"    … {count(first, 'level', 'levels')} before these", "faint")
    widths = _widths(rows)
    for number, row in enumerate(rows):
        text = " │ ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()
        yield ReportLine(f"    {text}", "frame" if number else "faint")
    if (more := len(table) - len(shown)) > 0:
        yield ReportLine(f"    … and {count(more, 'more location', 'more locations')}", "faint")


def _widths(rows: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


MOST_TRANSITIONS = 60
MOST_GOALS = 12
_NODES = 400  # of a formula that is written out


class ThesisExplainer(Explanation):
    """Listens to steps and tells lines."""

    def __init__(self, tell: TellLine, most_steps: int) -> None:
        super().__init__(tell, most_steps)
        self._titles = 0
        self._level = 0
        self._last: ThesisStep | None = None
        self._has_procedures = False

    def __call__(self, event: Event) -> None:
        """Tell one step."""
        match event:
            case Given(Graph() as graph):
                self._has_procedures = any(len(edge.sources) > 1 for edge in graph.edges)
            case InexactDerivation():
                self._titles = 0
                self._tell(DOUBTED)
            case (
                ThesisPosed()
                | ThesisZeroCheck()
                | NextLevel()
                | EdgeQuery()
                | Interpolated()
                | ThesisPropagation()
                | ReachedError()
            ):
                self._show(event)

    def why_unknown(self, reason: str) -> str:
        """What stopped the run."""
        if reason == "incomplete" and self._has_procedures:
            return "The thesis has no procedures: edges with two sources are for --preset strong."
        return ""

    def _show(self, step: ThesisStep) -> None:
        self.steps += not isinstance(step, ThesisPosed)
        lines = list(self._lines(step)) if self.steps <= self._most else []
        self._last = step
        for line in lines:
            self._tell(line)

    def _lines(self, step: ThesisStep) -> Iterator[ReportLine]:
        match step:
            case ThesisPosed():
                yield from _posed(step)
            case ThesisZeroCheck():
                yield from self._title("check for a 0-counterexample")
                yield from _zero_check(step)
            case NextLevel():
                self._level = step.level
                yield from self._title("next level")
                yield from _next_level(step)
            case EdgeQuery():
                yield from self._phase()
                if not (isinstance(self._last, EdgeQuery) and self._last.goal == step.goal):
                    yield ReportLine(f"  Proof obligation {_goal(step.goal)}", "title")
                yield from _query(step)
            case Interpolated():
                yield from self._phase()
                yield from _interpolated(step)
            case ThesisPropagation():
                yield from self._title(f"{ordinal(step.level)} propagation phase")
                yield from _propagation(step)
            case ReachedError():
                yield from self._phase()
                yield from _reached(step)
            case _:
                assert_never(step)

    def _phase(self) -> Iterator[ReportLine]:
        """The title of the blocking phase, at its first step."""
        if isinstance(self._last, NextLevel):
            yield from self._title(f"{ordinal(self._level)} blocking phase")

    def _title(self, text: str) -> Iterator[ReportLine]:
        self._titles += 1
        yield ReportLine()
        yield ReportLine(f"{self._titles}. Step: {text}", "title")


def _posed(step: ThesisPosed) -> Iterator[ReportLine]:
    yield ReportLine(f"X = {{{', '.join(printable(name_of(v)) for v in step.variables)}}}", "frame")
    yield ReportLine(
        f"L = {{{', '.join(map(printable, step.places))}}}, ℓ₀ = {_place(step.start)}, ℓ_E = {_place(step.error)}", "frame"
    )
    for position, arrow in enumerate(step.transitions[:MOST_TRANSITIONS]):
        lead = "G: " if position == 0 else "   "
        yield ReportLine(f"{lead}({_place(arrow.source)}, {_joined(arrow.parts)}, {_place(arrow.target)})", "frame")
    if (more := len(step.transitions) - MOST_TRANSITIONS) > 0:
        yield ReportLine(f"   … and {more} more", "faint")


def _zero_check(step: ThesisZeroCheck) -> Iterator[ReportLine]:
    if step.is_error:
        yield ReportLine("  ℓ₀ is ℓ_E: the error is reachable at once.", "yes")
        return
    yield ReportLine("  ℓ₀ is not ℓ_E. Level 0 is true at ℓ₀ and false elsewhere:", "no")
    yield from tabled(step.table, frame_text)


def _next_level(step: NextLevel) -> Iterator[ReportLine]:
    yield ReportLine(f"  New frames for level {step.level}:")
    yield from tabled(step.table, frame_text)
    yield ReportLine(f"  {count(len(step.goals), 'proof obligation', 'proof obligations')}:")
    yield from _goals(step.goals, "  ")


def _query(step: EdgeQuery) -> Iterator[ReportLine]:
    arrow, level = step.transition, step.goal.level
    source, target = _place(arrow.source), _place(arrow.target)
    yield ReportLine(f"    predecessor {source}:  {subscript('F', level - 1)}({source}) ∧ T({source} → {target}) ∧ t′", "query")
    yield ReportLine(f"      {_joined((*arrow.parts, step.primed), frame_text(step.frame))}", "query")
    if step.found:
        yield ReportLine(
            f"      satisfiable; the weakest precondition gives {count(len(step.found), 'obligation', 'obligations')}:", "yes"
        )
        yield from _goals(step.found, "      ")
        return
    how = "known to be unsatisfiable" if step.is_remembered else "unsatisfiable"
    if step.added is None:
        yield ReportLine(f"      {how}; nothing new is added.", "no")
        return
    yield ReportLine(f"      {how}; {_text(step.added)} is added to {_levels(level)} of {target}:", "no")
    yield from tabled(step.table, frame_text)


def _interpolated(step: Interpolated) -> Iterator[ReportLine]:
    goal = step.goal
    yield ReportLine(
        f"    {_goal(goal)} is blocked; {_text(step.lemma)} is added to {_levels(goal.level)} of {_place(goal.place)}:", "no"
    )
    yield from tabled(step.table, frame_text)


def _propagation(step: ThesisPropagation) -> Iterator[ReportLine]:
    if step.fixpoint is None:
        yield ReportLine("  There is no level i where F_{i-1} and F_i are the same at every location: go on.", "yes")
        return
    yield from tabled(step.table, frame_text)
    first, second = subscript("F", step.fixpoint - 1), subscript("F", step.fixpoint)
    yield ReportLine(
        f"  {first} and {second} are the same at every location: a global fix-point. The error is unreachable.", "no"
    )


def _reached(step: ReachedError) -> Iterator[ReportLine]:
    yield ReportLine(f"  Proof obligation {_goal(step.goal)} is at ℓ₀: the error is reachable,", "yes")
    yield ReportLine(f"  {' → '.join(map(_place, step.places))}", "yes")


def _goals(goals: Sequence[Goal], indent: str) -> Iterator[ReportLine]:
    for goal in goals[:MOST_GOALS]:
        yield ReportLine(f"{indent}  {_goal(goal)}", "query")
    if (more := len(goals) - MOST_GOALS) > 0:
        yield ReportLine(f"{indent}  … and {more} more", "faint")


def _goal(goal: Goal) -> str:
    return f"({_text(goal.formula)}, {_place(goal.place)}, {goal.level})"


def frame_text(cell: FrameCell) -> str:
    """``true ∧ x ≠ 1``."""
    return _joined(cell.lemmas, "true" if cell.base else "false")


def _levels(level: int) -> str:
    return f"{subscript('F', 0)} … {subscript('F', level)}"


def _joined(formulas: Sequence[Term], first: str = "") -> str:
    """The formulas with ∧ between them; disjunctions in parentheses, and *true* only where nothing else is said."""
    formulas = [formula for formula in formulas if formula is not TRUE]
    is_one = len(formulas) + bool(first) == 1
    parts = [_text(f) if is_one or f.op not in ("or", "=>", "ite") else f"({_text(f)})" for f in formulas]
    return " ∧ ".join(([first] if first else []) + parts) or "true"


def _place(name: str) -> str:
    return printable(name)


def _text(formula: Term) -> str:
    return printable(infix(formula, _NODES))
