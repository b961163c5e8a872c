"""The designs among the examples keep their word: verdicts, certificates, a second reading; runs are replayed by Icarus."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import lemmata
from lemmata.config import DesignOptions
from tests.support.designs import read_text  # noqa: F401 (skips where there is no Yosys)
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples" / "verilog"
QUICK = {"fifo_broken.sv", "lock.sv", "pipeline.sv", "uart_tx.sv", "wishbone_monitor.sv"}  # `make demo` checks all


def index() -> list[dict[str, str]]:
    with (EXAMPLES / "index.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_index_lists_exactly_the_files() -> None:
    assert sorted(row["file"] for row in index()) == sorted(path.name for path in EXAMPLES.glob("*.sv"))
    assert len(index()) > 10
    assert {row["file"] for row in index()} >= QUICK


@pytest.mark.parametrize("row", [row for row in index() if row["file"] in QUICK], ids=lambda row: row["file"])
def test_designs_keep_their_word(row: dict[str, str]) -> None:
    design = DesignOptions(multiclock=row["options"] == "multiclock")
    result = lemmata.check(EXAMPLES / row["file"], design=design, workers=1)
    assert result.verdict == row["expected"]
    assert all(prop.certified and prop.read_by[1:] for prop in result.properties)
    assert all(prop.place is not None and Path(prop.place.file).name == row["file"] for prop in result.properties)
