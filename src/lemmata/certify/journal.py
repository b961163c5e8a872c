"""``Journal``: a check of a proof writes down which obligations were discharged, if somebody wants to know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from lemmata.proof_obligations import Discharged, ProofObligation


class Journal:
    """The obligations in the order in which they were discharged."""

    def __init__(self) -> None:
        self.discharged: list[Discharged] = []

    def note(self, obligation: ProofObligation, by: str, time_s: float) -> None:
        """One more."""
        self.discharged.append(Discharged(obligation, by, time_s))


@contextmanager
def discharging(journal: Journal | None, obligation: ProofObligation, by: str) -> Iterator[None]:
    """What is done meanwhile discharges the obligation, unless it raises an error."""
    began = monotonic()
    yield
    if journal is not None:
        journal.note(obligation, by, monotonic() - began)
