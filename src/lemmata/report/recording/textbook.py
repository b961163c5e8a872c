"""The film of the textbook algorithm on bits: every query, every push a shot of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lemmata.events import Event
from lemmata.models.aig import Aig
from lemmata.report.explanation.formula import Notation, subscript
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.shots import Camera, Column, Shot
from lemmata.steps.given import Given
from lemmata.steps.textbook import (
    BitFrame,
    Blocking,
    NextTransition,
    Posed,
    PosedObligation,
    Propagation,
    Push,
    QueryUnsat,
    ZeroCheck,
)

_HEAD = 3  # lines of a propagation before its first push: a blank, the title, the new frame


class TextbookCamera(Camera):
    """Frames are sets of clauses, obligations are states."""

    _notation: Notation  # comes with the first step

    def __init__(self, push_lines: Callable[[Push], Iterator[ReportLine]]) -> None:
        """``push_lines`` are the words of one push."""
        super().__init__()
        self._push_lines = push_lines
        self._columns: tuple[Column, ...] = ()
        self._numbers: dict[int, int] = {}  # of the states of the run

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """A shot per step, and one per push."""
        match event:
            case Given(Aig() as model):
                self._notation = Notation(model)
            case Posed():
                yield Shot(lines)
            case ZeroCheck(frames=frames):
                yield self._shot(lines, frames)
            case NextTransition(obligation=obligation, frames=frames):
                now = None if obligation is None else self._add(obligation, None)
                yield self._shot(lines, frames, now, () if now is None else ("cti",))
            case Blocking(obligation=obligation, predecessor=predecessor, frames=frames):
                parent = self._numbers[obligation.number]
                if predecessor is None:
                    self._turn(parent, "blocked")
                    yield self._shot(lines, frames, parent, ("blocked",))
                else:
                    now = self._add(predecessor, parent)
                    if predecessor.level == 0:
                        self._reach(now)
                    yield self._shot(lines, frames, now)
            case Propagation():
                yield from self._propagation(event, lines)

    def _propagation(self, step: Propagation, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        self._columns = (*self._columns, self._column(BitFrame(True)))
        yield Shot(lines[:_HEAD], self._columns, tuple(self._nodes))
        for push in step.pushes:
            level = push.query.level + 1
            self._columns = (*self._columns[:level], self._column(push.after), *self._columns[level + 1 :])
            marks = ("push",) if isinstance(push.answer, QueryUnsat) else ()
            yield Shot(tuple(self._push_lines(push)), self._columns, tuple(self._nodes), None, marks)
        tail = next((k for k, line in enumerate(lines) if line.text == "  The frames are now"), _HEAD)
        yield self._shot(lines[tail:], step.frames, None, () if step.fixpoint is None else ("fixpoint",))

    def _shot(
        self, lines: tuple[ReportLine, ...], frames: Sequence[BitFrame], now: int | None = None, marks: tuple[str, ...] = ()
    ) -> Shot:
        self._columns = tuple(map(self._column, frames))
        return Shot(lines, self._columns, tuple(self._nodes), now, marks)

    def _column(self, frame: BitFrame) -> Column:
        return ((*(("P",) if frame.has_property else ()), *map(self._notation.clause, frame.cubes)),)

    def _add(self, obligation: PosedObligation, parent: int | None) -> int:
        state = f"{subscript('s', obligation.number)} = {self._notation.cube(obligation.state)}"
        self._numbers[obligation.number] = number = self._owe(state, obligation.level, parent)
        return number
