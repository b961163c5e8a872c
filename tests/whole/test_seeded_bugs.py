"""Every seeded bug is caught by certify, and nothing that certify accepts is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.config import PdrOptions
from lemmata.errors import CertificateError, GaveUp
from lemmata.models.aig import Aig
from lemmata.verdict import Verdict
from tests.support.clock import HANGS
from tests.support.evidence import settle
from tests.support.seeded_bugs import BUGS, corpus

PATIENCE = 0.1  # seconds of CPU per property: a bug may make the engine run in circles
CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def verdicts(model: Aig, options: PdrOptions, seconds: float) -> Iterator[tuple[int, Verdict]]:
    """What the flow says before it certifies; an engine that gives up or fails says nothing more."""
    try:
        yield from settle(model, options, seconds)
    except (GaveUp, *CRASHES):
        return


def outcomes(options: PdrOptions, seconds: float) -> Counter[str]:
    """How often certify accepts and rejects on the corpus; what it accepts must be true."""
    counts: Counter[str] = Counter()
    for case in corpus():
        for prop, verdict in verdicts(case.model, options, seconds):
            try:
                certify(case.model, prop, verdict)
            except CertificateError:
                counts["rejected"] += 1
            else:
                counts["accepted"] += 1
                assert verdict.word == case.words[prop], (case.model.file, prop)
    return counts


def test_without_a_bug_nothing_is_rejected() -> None:
    counts = outcomes(PdrOptions(), seconds=HANGS)
    assert counts["rejected"] == 0
    assert counts["accepted"] == sum(len(case.words) for case in corpus())


@pytest.mark.parametrize("name", BUGS)
def test_certify_catches(name: str) -> None:
    bug = BUGS[name]
    corpus()
    with bug.patch():
        counts = outcomes(bug.options, PATIENCE)
    assert counts["rejected"] > 0


def test_a_bug_is_gone_when_its_context_ends() -> None:
    for name, bug in BUGS.items():
        with bug.patch():
            pass
        model = corpus()[0].model
        for prop, verdict in settle(model):
            certify(model, prop, verdict)
            assert verdict.word == corpus()[0].words[prop], name


def test_there_are_enough_bugs() -> None:
    assert len(BUGS) >= 12
