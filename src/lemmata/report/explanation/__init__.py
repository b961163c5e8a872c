"""What every explanation of a run has in common: it listens to events, tells lines, and counts what it leaves out."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lemmata.events import Event
from lemmata.report.explanation.lines import ReportLine, TellLine

DOUBTED = ReportLine(
    "(that run uses steps which do more than the file says, and shows nothing; once more, without them)", "faint"
)


class Explanation(ABC):
    """Listens to a recorded run; after ``most_steps`` steps it only counts."""

    def __init__(self, tell: TellLine, most_steps: int) -> None:
        self._tell = tell
        self._most = most_steps
        self.steps = 0

    @property
    def hidden(self) -> int:
        """How many steps were counted but not told."""
        return max(0, self.steps - self._most)

    @abstractmethod
    def __call__(self, event: Event) -> None:
        """Tell one event, if it is a step of the run."""

    def why_unknown(self, reason: str) -> str:
        """What stopped the run, as far as this algorithm has more to say than the reason."""
        return ""
