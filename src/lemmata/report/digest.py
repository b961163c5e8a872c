"""What an engine learns, as it learns it: lines from the events of a run.

``Digest`` tells bounds and lemmas, which every engine has. ``GraphDigest`` tells what PDR on graphs does: levels, the
obligations that it meets and the lemmas that it learns, each with its location.
"""

from __future__ import annotations

from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, LemmaLearned, Reduced
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.text import infix
from lemmata.report.explanation import DOUBTED, Explanation
from lemmata.report.lines import ReportLine, count
from lemmata.steps.graph import Doubted, Learned, Met

_NODES = 200  # of a formula that is written out


class Digest(Explanation):
    """Bounds and lemmas."""

    def __call__(self, event: Event) -> None:
        """Tell one event, if it is about the search."""
        line = self._line(event)
        if line is not None:
            self.steps += 1
            if self.steps <= self._most:
                self._tell(line)

    def _line(self, event: Event) -> ReportLine | None:
        match event:
            case Reduced(transform, inputs, latches, gates):
                size = f"{count(latches, 'latch', 'latches')}, {inputs} inputs, {gates} gates"
                return ReportLine(f"reduced by {transform}: {size}", "faint")
            case BoundReached(_, bound):
                return ReportLine(f"No bad state is reachable within {count(bound, 'step', 'steps')}.", "title")
            case LemmaLearned(clause, level):
                return ReportLine(f"  lemma, good for {count(level, 'step', 'steps')}: {printable(clause)}", "frame")
            case _:
                return None


class GraphDigest(Digest):
    """Levels, obligations and lemmas with their locations."""

    def _line(self, event: Event) -> ReportLine | None:
        match event:
            case BoundReached(_, bound):
                return ReportLine(f"Level {bound}: no derivation of the error is so deep.", "title")
            case Met(place, literals, level, is_guess):
                kind = "a guess" if is_guess else "obligation"
                state = f"{printable(place)} with {printable(infix(conj(literals), _NODES))}"
                return ReportLine(f"  {kind} at level {level}: {state}", "query")
            case Learned(place, literals, level):
                how = "for ever" if level is None else f"up to level {level}"
                clause = printable(infix(disj([negate(x) for x in literals]), _NODES))
                return ReportLine(f"  lemma, {how}, at {printable(place)}: {clause}", "frame")
            case Doubted():
                return DOUBTED
            case _:
                return None
