"""Evidence as lines of text: what a run did, what an invariant says. Each kind of evidence has its way of being told.

Runs of circuits and systems are tables of variables × steps, or a line per step with what is new (``models.timeline``). Runs
through several places have a line per fact, with what is new; derivations that are trees tell every fact in full. Evidence that
has ``lines`` of its own tells them, for a width, all of them or what matters; the others describe themselves.
"""

from __future__ import annotations

from lemmata.models.timeline import PAGE_WIDTH
from lemmata.verdict import Evidence


def evidence_lines(evidence: Evidence, width: int = PAGE_WIDTH, verbose: bool = False) -> list[str]:
    """The lines; ``verbose``: also what does not change and what does not matter."""
    lines = getattr(evidence, "lines", None)
    return evidence.describe().split("\n") if lines is None else lines(width, verbose)
