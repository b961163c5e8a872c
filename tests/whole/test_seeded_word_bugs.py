"""Every seeded bug of the word-level engine is caught by certify or costs the answer, and nothing that is accepted is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import WordOptions
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.verdict import Verdict
from lemmata.work import now
from tests.support.clock import HANGS
from tests.support.seeded_word_bugs import BUGS, Case, corpus

PATIENCE = 0.1  # seconds of CPU per property: a bug may make the engine run in circles,
LONGER = 2.0  # and a busy machine may make it slow
CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def verdicts(case: Case, options: WordOptions, seconds: float) -> Iterator[tuple[int, Verdict]]:
    """What one engine says before anybody certifies; after it gave up or failed it says nothing more."""
    try:
        engine = WordPdr(case.system, NOBODY, options)
        for prop in range(len(case.words)):
            until = now() + seconds
            verdict = engine.check(prop, until)
            yield prop, verdict
    except (GaveUp, *CRASHES):
        return


def outcomes(options: WordOptions, seconds: float) -> Counter[str]:
    """How often certify accepts and rejects on the corpus, and how often there was nothing to certify."""
    counts: Counter[str] = Counter()
    for case in corpus():
        answered = 0
        for prop, verdict in verdicts(case, options, seconds):
            answered += 1
            try:
                certify_graph(case.graph, prop, verdict, checkers({options.solver}))
            except CertificateError:
                counts["rejected"] += 1
            else:
                counts["accepted"] += 1
                assert verdict.word == case.words[prop], (case.name, prop)
        counts["silent"] += len(case.words) - answered
    return counts


@pytest.mark.parametrize("unit", ["integer-cube", "polytope", "mixed"])
def test_without_a_bug_everything_is_accepted(unit: str) -> None:
    counts = outcomes(WordOptions(unit=unit), seconds=HANGS)
    assert counts == {"accepted": sum(len(case.words) for case in corpus()), "silent": 0}


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if not (bug.is_harmless or bug.is_rare)])
def test_certify_catches(name: str) -> None:
    corpus()
    with BUGS[name].patch():
        rejected = outcomes(BUGS[name].options, PATIENCE)["rejected"]
        assert rejected or outcomes(BUGS[name].options, LONGER)["rejected"]


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if bug.is_harmless])
def test_at_worst_there_is_no_answer(name: str) -> None:
    corpus()
    with BUGS[name].patch():
        counts = outcomes(BUGS[name].options, PATIENCE)
    assert counts["rejected"] == 0


def test_a_bug_is_gone_when_its_context_ends() -> None:
    for bug in BUGS.values():
        with bug.patch():
            pass
    case = corpus()[0]
    for prop, verdict in verdicts(case, WordOptions(), HANGS):
        certify_graph(case.graph, prop, verdict)
        assert verdict.word == case.words[prop]


def test_there_are_enough_bugs() -> None:
    assert len(BUGS) >= 15


@pytest.mark.parametrize("name", [name for name, bug in BUGS.items() if bug.is_rare])
def test_nothing_wrong_is_accepted(name: str) -> None:
    corpus()
    with BUGS[name].patch():
        assert outcomes(BUGS[name].options, PATIENCE)["accepted"]  # and each of them is right
