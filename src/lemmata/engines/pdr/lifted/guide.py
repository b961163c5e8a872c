"""Guidance by all lemmas of a location together."""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.engines.pdr.lifted.frames import Lemma
from lemmata.engines.pdr.lifted.obligations import Obligation


class NoGuide:
    """No guesses."""

    def guesses(self, lemma: Lemma, obligation: Obligation) -> Iterable[Obligation]:
        """None."""
        return ()
