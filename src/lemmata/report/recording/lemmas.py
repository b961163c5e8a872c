"""The film of what an engine learns: lemmas by level, with their locations on graphs.

A lemma that is good for k steps is in the frames F₁ … F_k. A new one that says more than an older one of the same place takes
its place up to its own level: it subsumes it. An obligation is blocked when a lemma subsumes it, literal by literal, or when
it comes back on a higher level.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, LemmaLearned
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.models.graph import Graph
from lemmata.report.explanation.lemmas import cube_text, shown_places, with_equations
from lemmata.report.explanation.lines import ReportLine
from lemmata.report.recording.queries import bad_by, found_by, let_in_by, tried
from lemmata.report.recording.shots import Camera, Column, Shot
from lemmata.steps.bits import BitObligation
from lemmata.steps.given import Given
from lemmata.steps.graph import FixpointMet, Learned, ObligationMet, Tried
from lemmata.values import dataclass

_NODES = 200  # of a formula that is written out
_FOREVER = 1 << 30  # a level
_SHOWN_QUERIES = 12  # queries of one generalization that are shown


@dataclass(frozen=True, slots=True)
class ShownLemma:
    """A lemma: its place, its literals, its text, and the last level that it holds on."""

    place: int
    literals: frozenset[object]
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class OwedCube:
    """An obligation that was met: its node in the tree, its place, its literals and its level."""

    node: int
    place: str
    literals: frozenset[object]
    level: int


class LemmaCamera(Camera):
    """Bounds, lemmas, and on graphs the obligations that were met."""

    first_level = 1

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[ShownLemma] = []
        self._names: dict[str, str] = {}
        self._rows: dict[str, int] = {}
        self._owed: dict[int, OwedCube] = {}  # by the number of the obligation
        self._top = 0
        self._tries: list[ReportLine] = []  # of generalization, since the last lemma

    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """A shot per event that was told."""
        match event:
            case Given(Graph() as graph):
                self._names = shown_places(graph)
            case BoundReached(_, bound):
                self._top = max(self._top, bound + 1)
                yield self._shot(lines)
            case BitObligation():
                yield self._met_bits(event, lines)
            case LemmaLearned(clause, level) if not self._names:  # on graphs the same lemma comes with its location
                yield self._learned(ShownLemma(0, frozenset(clause.split(" ∨ ")), printable(clause), level), lines)
            case Tried(_, literals, level, is_blocked, how):
                self._tries.append(tried(_clause(literals), level, is_blocked, how))
            case FixpointMet():
                yield self._shot(lines, None, ("fixpoint",))
            case Learned(place, literals, level):
                tries, self._tries = self._tries, []
                if lines:
                    lemma = ShownLemma(
                        self._row(place), frozenset(literals), _clause(literals), _FOREVER if level is None else level
                    )
                    yield self._learned(lemma, (*lines, *_some(tries)))
            case ObligationMet(place, literals, level, is_guess, number, parent, blocked):
                text = f"{self._name(place)} with {printable(infix(conj(with_equations(literals)), _NODES))}"
                if blocked in self._owed:
                    self._turn(self._owed[blocked].node, "blocked")
                above = self._owed.get(parent) if parent is not None else None
                told = f"{'a guess: ' if is_guess else ''}{text}"
                if blocked is None and (above is not None or not is_guess):
                    lines = (*lines, found_by(level, above is None))
                now = self._owe(told, level, None if above is None else above.node, "met")
                self._owed[number] = OwedCube(now, place, frozenset(literals), level)
                self._top = max(self._top, level)
                yield self._shot(lines, now, () if is_guess else ("cti",))

    def _met_bits(self, met: BitObligation, lines: tuple[ReportLine, ...]) -> Shot:
        """One that comes back on a higher level was blocked, and is a new node."""
        old, above = self._owed.get(met.number), self._owed.get(met.parent) if met.parent is not None else None
        if old is None or old.level != met.level:
            if old is not None:
                self._turn(old.node, "blocked")
            elif met.literals:
                found = bad_by(met.level) if met.parent is None else found_by(met.level, is_last=False)
                lines = (*lines, found)
            now = self._owe(cube_text(met.literals), met.level, None if above is None else above.node, "met")
            old = self._owed[met.number] = OwedCube(now, "", frozenset(map(_negated, met.literals)), met.level)
        self._top = max(self._top, met.level)
        if met.is_initial:
            self._reach(old.node)
        return self._shot(lines, old.node, ("counterexample",) if met.is_initial else ("cti",))

    def _learned(self, new: ShownLemma, lines: tuple[ReportLine, ...]) -> Shot:
        is_push = any(old.text == new.text and old.place == new.place and old.level < new.level for old in self._shown)
        self._shown = [old for old in self._shown if not _subsumes(new, old)]
        self._shown.append(new)
        for owed in self._owed.values():
            if (
                self._rows.get(owed.place, 0 if not self._names else None) == new.place
                and owed.level <= new.level
                and new.literals <= owed.literals
            ):
                self._turn(owed.node, "blocked")
        self._top = max(self._top, 1 if new.level == _FOREVER else new.level)
        return self._shot((*lines, let_in_by(new.level)), None, ("push",) if is_push else ("blocked",))

    def _row(self, place: str) -> int:
        if place not in self._rows:
            self._rows[place] = len(self._rows)
            self.places = tuple(map(self._name, self._rows))
        return self._rows[place]

    def _name(self, place: str) -> str:
        return printable(self._names.get(place, place))

    def _shot(self, lines: tuple[ReportLine, ...], now: int | None = None, marks: tuple[str, ...] = ()) -> Shot:
        return Shot(lines, tuple(map(self._column, range(1, self._top + 1))), tuple(self._nodes), now, marks)

    def _column(self, level: int) -> Column:
        rows = range(max(len(self._rows), 1))
        return tuple([tuple([held.text for held in self._shown if held.place == row and held.level >= level]) for row in rows])


def _clause(literals: tuple[Term, ...]) -> str:
    return printable(infix(disj([negate(x) for x in with_equations(literals)]), _NODES))


def _some(tries: list[ReportLine]) -> list[ReportLine]:
    """The tries of one generalization, under a heading; the first ones if there are many."""
    if not tries:
        return []
    more = [ReportLine(f"  … and {len(tries) - _SHOWN_QUERIES} more", "faint")] if len(tries) > _SHOWN_QUERIES else []
    return [ReportLine("  Generalized: what more can the lemma c say?", "faint"), *tries[:_SHOWN_QUERIES], *more]


def _negated(literal: str) -> str:
    return literal[1:] if literal.startswith("¬") else f"¬{literal}"


def _subsumes(new: ShownLemma, old: ShownLemma) -> bool:
    return new.place == old.place and new.level >= old.level and new.literals <= old.literals
