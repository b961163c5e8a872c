"""Every seeded bug is noticed by who is named for it, nothing wrong is accepted, and the table in the docs tells all of them.

Where verdicts are at stake the suite goes through all cases of a bug, elsewhere it stops at the first complaint.
``python -m tests.whole.test_seeded_table`` writes the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.seeded import (
    certify_bits,
    certify_graphs,
    engines_graphs,
    engines_lifted,
    frontends_aiger,
    frontends_boogie,
    frontends_btor2,
    frontends_c,
    frontends_smtlib,
    frontends_verilog,
    transforms_graphs,
    transforms_words,
)
from tests.seeded.bug import Catcher, SeededBug, edit, place_of
from tests.support import seeded_bugs, seeded_word_bugs
from tests.support.paths import ROOT

WORLDS: dict[str, tuple[SeededBug, ...]] = {
    "AIGER": frontends_aiger.BUGS,
    "BTOR2": frontends_btor2.BUGS,
    "SMT-LIB, Horn clauses, VMT-LIB": frontends_smtlib.BUGS,
    "Boogie": frontends_boogie.BUGS,
    "C": frontends_c.BUGS,
    "Verilog": frontends_verilog.BUGS,
    "transforms of circuits and words": transforms_words.BUGS,
    "transforms of graphs": transforms_graphs.BUGS,
    "lifted PDR": engines_lifted.BUGS,
    "other engines on graphs": engines_graphs.BUGS,
    "certify on circuits and words": certify_bits.BUGS,
    "certify on graphs": certify_graphs.BUGS,
}
BUGS = {f"{world}: {bug.name}": bug for world, bugs in WORLDS.items() for bug in bugs}
CATCHERS = {bug.caught_by.name: bug.caught_by for bug in BUGS.values()}
PATIENCE = 1.0  # seconds of CPU that an engine has for a property: a bug may make it run in circles,
LONGER = 10.0  # and a busy machine may make it slow
LONG = 300.0
_READY: set[str] = set()  # catchers that know the truth
TABLE = ROOT / "docs" / "seeded-bugs.md"


@pytest.mark.parametrize("name", CATCHERS)
def test_nobody_complains_without_a_bug(name: str) -> None:
    assert list(CATCHERS[name].look(LONG)) == []
    _READY.add(name)


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_noticed(name: str) -> None:
    bug = BUGS[name]
    _prepare(bug.caught_by)
    with bug.patch():
        assert _said(bug.caught_by, PATIENCE) or _said(bug.caught_by, LONGER), f"{bug.caught_by.name} says nothing about it"


def _said(catcher: Catcher, seconds: float) -> list[str]:
    complaints = catcher.look(seconds)
    return list(complaints) if catcher.is_whole else list(islice(complaints, 1))


def test_a_bug_is_gone_when_its_context_ends() -> None:
    for bug in BUGS.values():
        with bug.patch():
            pass
    for name in ("AIGER interpreter", "z3's parser: terms", "bogus derivations"):
        assert list(CATCHERS[name].look(LONG)) == []


def test_there_are_enough_bugs_and_each_is_told_once() -> None:
    assert len(BUGS) >= 150
    assert all(len(bugs) >= 10 for bugs in WORLDS.values())
    assert max(Counter((bug.name, world) for world, bugs in WORLDS.items() for bug in bugs).values()) == 1


def test_a_bug_that_does_not_apply_is_an_error() -> None:
    bug = edit("x", "certify.graph.claims:error_of", "no such text", "", next(iter(CATCHERS.values())))
    with pytest.raises(AssertionError, match="does not apply"), bug.patch():
        pass


def test_the_docs_have_the_table() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "python -m tests.whole.test_seeded_table"


def _prepare(catcher: Catcher) -> None:
    """What the truth is must be known before there is a bug."""
    if catcher.name not in _READY:
        next(iter(catcher.look(LONG)), None)
        _READY.add(catcher.name)


def table() -> str:
    """The table of the docs."""
    return "\n".join([*_head(), *_worlds(), *_catchers()]) + "\n"


def _head() -> Iterator[str]:
    engines = len(seeded_bugs.BUGS) + len(seeded_word_bugs.BUGS)
    yield "# Seeded bugs"
    yield ""
    yield f"A checker is worth what it catches. These {len(BUGS)} mistakes are made on purpose, one at a time, in the real code"
    yield "(`tests/seeded/`), and the suite demands that the one who is named notices: with the mistake in place it complains"
    yield "at least once, without it never, and no wrong verdict is accepted meanwhile. A mistake of a front end is one that"
    yield "certification cannot see: its catcher reads the file a second time, or knows the answer. A mistake of `certify` is"
    yield "caught by evidence, true and bogus, that it judges wrongly."
    yield ""
    yield f"{engines} more are in the engines for bits and words (`tests/support/seeded_bugs.py`,"
    yield "`tests/support/seeded_word_bugs.py`): certify rejects their evidence, or there is no answer."
    yield ""
    yield "The suite writes this page: `python -m tests.whole.test_seeded_table`."
    yield ""


def _worlds() -> Iterator[str]:
    for world, bugs in WORLDS.items():
        yield f"## {world[0].upper()}{world[1:]}: {len(bugs)}"
        yield ""
        yield "| mistake | where | caught by |"
        yield "|---|---|---|"
        for bug in bugs:
            yield f"| {bug.name.replace('|', chr(92) + '|')} | `{bug.where}` | {bug.caught_by.name} |"
        yield ""


def _catchers() -> Iterator[str]:
    yield "## Who catches them"
    yield ""
    yield "| name | what it does | mistakes |"
    yield "|---|---|---|"
    counts = Counter(bug.caught_by.name for bug in BUGS.values())
    for name, catcher in CATCHERS.items():
        yield f"| {name} | {catcher.what} | {counts[name]} |"


def test_places_exist() -> None:
    for bug in BUGS.values():
        assert place_of(bug.where) is not None


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
