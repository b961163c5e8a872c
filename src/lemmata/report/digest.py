"""What the strong engine learns, as it learns it: a line per bound and per lemma, from the events that every engine tells."""

from __future__ import annotations

from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, LemmaLearned, Reduced
from lemmata.report.lines import Line, Tell, count


class Digest:
    """Listens to events and tells lines; after ``most_steps`` lines it only counts."""

    def __init__(self, tell: Tell, most_steps: int) -> None:
        self._tell = tell
        self._most = most_steps
        self.steps = 0

    @property
    def hidden(self) -> int:
        """How many lines were counted but not told."""
        return max(0, self.steps - self._most)

    def __call__(self, event: Event) -> None:
        """Tell one event, if it is about the search."""
        line = _line(event)
        if line is not None:
            self.steps += 1
            if self.steps <= self._most:
                self._tell(line)


def _line(event: Event) -> Line | None:
    match event:
        case Reduced(transform, inputs, latches, gates):
            return Line(
                f"reduced by {transform}: {count(latches, 'latch', 'latches')}, {inputs} inputs, {gates} gates", "faint"
            )
        case BoundReached(_, bound):
            return Line(f"No bad state is reachable within {count(bound, 'step', 'steps')}.", "title")
        case LemmaLearned(clause, level):
            return Line(f"  lemma, good for {count(level, 'step', 'steps')}: {printable(clause)}", "frame")
        case _:
            return None
