"""The film of word-level PDR: frames as half-spaces, and where there are one or two words the plane that they cut."""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.errors import UsageError
from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, LemmaLearned
from lemmata.logic.build import negate
from lemmata.logic.terms import FALSE, Term
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.models.system import System
from lemmata.report.drawing.frames import Plane, Scene, plane_of, scene
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.queries import bad_by, found_by, let_in_by
from lemmata.report.recording.shots import Camera, Column, Shot
from lemmata.steps.given import Given
from lemmata.steps.words import Snapshot

_NODES = 200  # of a formula that is written out


class WordCamera(Camera):
    """A shot per change of the frames, and per obligation."""

    def __init__(self) -> None:
        super().__init__()
        self._variables: tuple[Term, ...] = ()
        self._signed: frozenset[Term] = frozenset()
        self._bad = FALSE
        self._scenes: list[Scene] = []
        self._columns: tuple[Column, ...] = ()
        self._seen: set[str] = set()
        self._owed: dict[int, int] = {}  # the newest node of each obligation
        self._current: int | None = None  # the node that is worked on
        self._let_in: tuple[ReportLine, ...] = ()  # the query of a lemma whose frames are not shown yet

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """Lemmas are shown with the frames that have them."""
        match event:
            case Given(System() as system):
                self._variables = tuple(system.variables)
                if len(system.bads) == 1 and set(variables(system.bads)) <= set(system.variables):
                    self._bad = system.bads[0]
            case BoundReached():
                yield Shot(lines, self._columns, tuple(self._nodes), scene=self._scenes[-1] if self._scenes else None)
            case LemmaLearned(_, level):
                self._let_in = (let_in_by(level),)
            case Snapshot(frames, signed, obligation, level, number, parent):
                self._signed = signed
                self._scenes.append(scene(frames, obligation, level))
                self._columns = (("I",),), *[(tuple([_text(negate(cube)) for cube in frame]),) for frame in frames[1:]]
                if obligation is None and self._current is not None:  # a lemma was learned of it
                    self._turn(self._current, "blocked")
                is_new = obligation is not None and number not in self._owed
                now = None if obligation is None else self._attended(_text(obligation), level, number, parent)
                self._current = now
                found = (bad_by(level) if parent is None else found_by(level, is_last=False),) if is_new else ()
                yield self._shot((*lines, *self._let_in), now, found)
                self._let_in = ()

    def _attended(self, text: str, level: int, number: int, parent: int | None) -> int:
        """The node of an obligation whose turn it is: one that comes back on a higher level was blocked, and has a new one."""
        known = self._owed.get(number)
        if known is not None and self._nodes[known].level == level:
            return known
        if known is not None:
            self._turn(known, "blocked")
        self._owed[number] = self._owe(text, level, None if parent is None else self._owed.get(parent), "met")
        return self._owed[number]

    def _shot(self, lines: tuple[ReportLine, ...], now: int | None, found: tuple[ReportLine, ...] = ()) -> Shot:
        marks = []
        if now is not None:
            node = self._nodes[now]
            lines = (*lines, ReportLine(f"  obligation at level {node.level}: {node.text}", "query"), *found)
            marks.append("cti")
        pushed = {
            lemma
            for before, after in zip(self._columns[1:], self._columns[2:], strict=False)
            for lemma in (*after[0],)
            if lemma in before[0]
        }
        if pushed - self._seen:
            marks.append("push")
        self._seen |= pushed
        return Shot(lines, self._columns, tuple(self._nodes), now, tuple(marks), self._scenes[-1])

    def plane(self) -> Plane | None:
        """The plane of the words that the run speaks of most."""
        try:
            return plane_of(self._variables, self._signed, self._scenes, self._bad)
        except UsageError:  # bits only, or memories
            return None


def _text(formula: Term) -> str:
    return printable(infix(formula, _NODES))
