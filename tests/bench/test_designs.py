"""Designs in a suite: columns of the index, what Lemmata is told, and Yosys' BTOR2 for peers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lemmata.bench.campaign import Campaign, plan_runs
from lemmata.bench.contestants import Lemmata
from lemmata.bench.designs import arguments_of, netlist_of
from lemmata.bench.peers import PeerCommand
from lemmata.bench.runners import Finished, RunLimits
from lemmata.bench.suites import Case, has_question, load_suite
from lemmata.errors import InputError
from tests.support.designs import read_text  # noqa: F401 (skips where there is no Yosys)

TOP = "module top(input clk, input a); sub u(clk, a); endmodule\nmodule other(input x); endmodule\n"
SUB = """module sub(input clk, input a);
  reg [3:0] n = 0;
  always @(posedge clk) if (a && n < `MAX) n <= n + 1;
  always @* bound: assert (n < 5);
endmodule
"""
ROWS = """file,files,top,defines,expected
top.v,top.v;sub.v,top,MAX=4,safe
"""


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    (tmp_path / "suite").mkdir()
    for name, text in (("top.v", TOP), ("sub.v", SUB), ("index.csv", ROWS)):
        (tmp_path / "suite" / name).write_text(text)
    return load_suite([tmp_path / "suite"])


def test_the_index_says_how_a_design_is_read(cases: list[Case]) -> None:
    (case,) = cases
    assert case.design is not None and has_question(case)
    assert arguments_of(case.design) == [str(case.path.with_name("sub.v")), "--top", "top", "-D", "MAX=4"]
    index = case.path.with_name("index.csv")
    index.write_text(ROWS.replace("MAX=4", "MAX=4 A;B"))
    (again,) = load_suite([index])
    assert again.design is not None and again.design.defines == ("MAX=4", "A", "B")


@pytest.mark.parametrize(
    ("verdict", "code", "told"),
    [("safe", 11, "safe"), ("covered", 0, "unsafe"), ("unreachable", 11, "safe"), ("unsafe", 11, None)],
)
def test_an_unreachable_cover_has_an_exit_code_of_its_own(verdict: str, code: int, told: str | None) -> None:
    output = json.dumps({"verdict": verdict, "properties": [{"verdict": verdict, "certified": True}]})
    answer = Lemmata().read(Finished(code, "", 1.0, 1.0, 1.0, output, ""))
    assert (answer.is_error, answer.verdict) == (told is None, told or "unknown")


def test_what_a_verdict_is_about_is_in_the_digest(cases: list[Case]) -> None:
    (case,) = cases
    before = case.digest()
    index = case.path.with_name("index.csv")
    index.write_text(ROWS.replace("MAX=4", "MAX=3"))
    assert load_suite([index])[0].digest() != before
    case.path.with_name("sub.v").write_text(SUB.replace("n + 1", "n + 2"))
    assert case.digest() != before


def test_a_file_that_the_index_names_has_to_be_there(cases: list[Case]) -> None:
    cases[0].path.with_name("sub.v").unlink()
    with pytest.raises(InputError, match=r"sub\.v: no such file"):
        load_suite([cases[0].path.parent])


def test_peers_get_the_btor2_of_yosys_made_once(cases: list[Case], tmp_path: Path) -> None:
    (case,) = cases
    assert case.design is not None
    path = netlist_of(case, case.design, tmp_path / "designs")
    assert b"; end of yosys output" in path.read_bytes() and path.read_bytes().count(b" bad ") == 1
    path.write_bytes(b"safe")
    assert netlist_of(case, case.design, tmp_path / "designs").read_bytes() == b"safe"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="bench measures through /proc")
def test_lemmata_and_a_peer_in_one_campaign(cases: list[Case], tmp_path: Path) -> None:
    peer = PeerCommand("peer", "grep -c end.of.yosys {file}")
    records = list(Campaign(RunLimits(60, 2000), tmp_path / "out").perform(plan_runs([Lemmata(), peer], cases)))
    assert [(one.contestant, one.verdict, one.outcome) for one in records[:1]] == [("lemmata", "safe", "solved")]
    assert records[1].reason.endswith(": 1")  # no word for a verdict, but it had the file
