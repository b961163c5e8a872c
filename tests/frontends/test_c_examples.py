"""The examples in C are what their index says, certified; and executed by a second reader."""

from __future__ import annotations

import csv

import pytest

import lemmata
from lemmata.config import COptions
from tests.support.paths import ROOT

FOLDER = ROOT / "examples" / "c"
SLOW = {"bubble-sort.c", "list.c", "ring-buffer.c"}  # the demo checks them
EXPECTED = {row["file"]: row["expected"] for row in csv.DictReader((FOLDER / "index.csv").open())}


def test_the_index_has_all_examples() -> None:
    assert sorted(EXPECTED) == sorted(path.name for path in FOLDER.glob("*.c"))


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - SLOW))
def test_examples_keep_their_word(name: str) -> None:
    result = lemmata.check(FOLDER / name, workers=1, timeout=600)
    assert result.verdict == EXPECTED[name]
    assert all(p.certified for p in result.properties)


def test_no_overflow_of_the_midpoint(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "no-overflow.prp"
    file.write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    options = COptions(property_file=str(file))
    assert lemmata.check(FOLDER / "midpoint.c", workers=1, c=options).verdict == "unsafe"
    assert lemmata.check(FOLDER / "midpoint-fixed.c", workers=1, c=options).verdict == "safe"


def test_a_replayed_error_was_executed() -> None:
    result = lemmata.check(FOLDER / "off-by-one.c", workers=1)
    assert "execution" in result.properties[0].read_by
