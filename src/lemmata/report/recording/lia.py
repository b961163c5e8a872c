"""The film of the textbook algorithm over integers."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.logic.build import conj
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.shots import Camera, Column, Shot
from lemmata.steps.lia import InductiveCheck, LiaBlocking, LiaCube, LiaFrames, LiaPosed, LiaPropagation, LiaZeroCheck, PreImage

_NODES = 400  # of a formula that is written out


class LiaCamera(Camera):
    """Frames are sets of formulas, obligations are cubes of pre-images."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[Column, ...] = ()

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """A shot per step."""
        match event:
            case LiaPosed(initial=initial):
                self._columns = (_column(initial),)
                yield Shot(lines)
            case LiaZeroCheck():
                yield self._shot(lines)
            case InductiveCheck(_, state):
                yield self._shot(lines, None, () if state is None else ("cti",))
            case PreImage(level, goal, cubes):
                parent = None if goal is None else self._find(_cube(goal), level + 1)
                for cube in cubes:
                    self._owe(_cube(cube), level, parent)
                yield self._shot(lines, parent)
            case LiaBlocking():
                yield self._blocking(event, lines)
            case LiaPropagation(kept, _, frames, is_fixpoint):
                self._columns = _columns(frames)
                marks = (*(("push",) if kept else ()), *(("fixpoint",) if is_fixpoint else ()))
                yield self._shot(lines, None, marks)

    def _blocking(self, step: LiaBlocking, lines: tuple[ReportLine, ...]) -> Shot:
        now = self._find(_cube(step.cube), step.level)
        if now is None:
            now = self._owe(_cube(step.cube), step.level)
        if step.held is None:
            self._reach(now)
        else:
            self._turn(now, "blocked")
        self._columns = _columns(step.frames) if step.frames else self._columns
        return self._shot(lines, now, () if step.held is None else ("blocked",))

    def _shot(self, lines: tuple[ReportLine, ...], now: int | None = None, marks: tuple[str, ...] = ()) -> Shot:
        return Shot(lines, self._columns, tuple(self._nodes), now, marks)


def _columns(frames: LiaFrames) -> tuple[Column, ...]:
    return tuple(map(_column, frames))


def _column(frame: tuple[Term, ...]) -> Column:
    return (tuple([printable(infix(formula, _NODES)) for formula in frame]),)


def _cube(cube: LiaCube) -> str:
    return printable(infix(conj(cube), _NODES))
