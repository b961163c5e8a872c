"""The film of the lifted algorithm of Werner's thesis: a row of frames per location."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.shots import Camera, Column, Shot
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
    ThesisZeroCheck,
)

_NODES = 400  # of a formula that is written out


class ThesisCamera(Camera):
    """Frames are per location, obligations are (t, ℓ, i)."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[Column, ...] = ()

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """A shot per step."""
        match event:
            case ThesisPosed():
                yield Shot(lines)
            case ThesisZeroCheck(table=table):
                yield self._shot(lines, table)
            case NextLevel(_, goals, table):
                for goal in goals:
                    self._owe(_goal(goal), goal.level)
                yield self._shot(lines, table)
            case EdgeQuery():
                yield self._query(event, lines)
            case Interpolated(goal, _, table):
                now = self._met(goal)
                self._turn(now, "blocked")
                yield self._shot(lines, table, now, ("blocked",))
            case ThesisPropagation(_, fixpoint, table):
                yield self._shot(lines, table, None, () if fixpoint is None else ("fixpoint",))
            case ReachedError(goal):
                now = self._met(goal)
                self._reach(now)
                yield self._shot(lines, (), now)

    def _query(self, step: EdgeQuery, lines: tuple[ReportLine, ...]) -> Shot:
        now = self._met(step.goal)
        for goal in step.found:
            self._owe(_goal(goal), goal.level, now)
        if step.found or step.added is not None:
            self._turn(now, "open" if step.found else "blocked")
        marks = ("cti",) if step.found else ("blocked",) if step.added is not None else ()
        return self._shot(lines, step.table, now, marks)

    def _met(self, goal: Goal) -> int:
        found = self._find(_goal(goal), goal.level)
        return self._owe(_goal(goal), goal.level) if found is None else found

    def _shot(
        self, lines: tuple[ReportLine, ...], table: FrameTable, now: int | None = None, marks: tuple[str, ...] = ()
    ) -> Shot:
        if table:
            self.places = tuple([printable(row.place) for row in table])
            levels = len(table[0].cells)
            self._columns = tuple([tuple([_cell(row.cells[level]) for row in table]) for level in range(levels)])
        return Shot(lines, self._columns, tuple(self._nodes), now, marks)


def _cell(cell: FrameCell) -> tuple[str, ...]:
    return ("true" if cell.base else "false", *map(_text, cell.lemmas))


def _goal(goal: Goal) -> str:
    return f"{_text(goal.formula)} at {printable(goal.place)}"


def _text(formula: Term) -> str:
    return printable(infix(formula, _NODES))
