"""Evidence as lines of text: what a run did, what an invariant says. Each kind of evidence has its way of being told.

Runs of circuits and systems are tables of variables × steps, or a line per step with what is new (``models.timeline``). Runs
through several places have a line per fact, with what is new; derivations that are trees tell every fact in full. Invariants
tell themselves.
"""

from __future__ import annotations

from lemmata.models.derivation import Derivation
from lemmata.models.trace import Trace
from lemmata.models.words import WordTrace
from lemmata.verdict import Evidence

WIDTH = 100  # characters of a line where nobody says how many there are


def evidence_lines(evidence: Evidence, width: int = WIDTH, verbose: bool = False) -> list[str]:
    """The lines; ``verbose``: also what does not change and what does not matter."""
    match evidence:
        case Trace() | WordTrace():
            return evidence.timeline().lines(width, verbose)
        case Derivation():
            if (timeline := evidence.timeline()) is not None:
                return timeline.lines(width, verbose)
            return evidence.changes() if evidence.is_run and not verbose else evidence.told()
    return evidence.describe().split("\n")
