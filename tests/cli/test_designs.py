"""The command line on designs: names, exit codes, options, evidence as files and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.designs import read_text  # noqa: F401 (skips where there is no Yosys)
from tests.support.paths import ROOT
from tests.support.program import run_program

VERILOG = ROOT / "examples" / "verilog"
COVERS = """module covers(input clk, input a);
  reg [1:0] n = 0;
  always @(posedge clk) n <= n == 2 ? 0 : n + a;
  always @(posedge clk) begin two: cover (n == 2); three: cover (n == 3); `ifdef CHECK bound: assert (n < 3); `endif end
endmodule
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "covers.sv").write_text(COVERS)
    return tmp_path


def test_covers_have_words_and_codes_of_their_own(folder: Path) -> None:
    done = run_program("check", "covers.sv", "-f", "json", "--workers", "1")
    result = json.loads(done.out)
    assert (done.code, result["verdict"]) == (11, "unreachable")
    told = [(p["name"], p["kind"], p["verdict"], p["file"], p["line"]) for p in result["properties"]]
    assert told == [("two", "cover", "covered", "covers.sv", 4), ("three", "cover", "unreachable", "covers.sv", 4)]
    done = run_program("check", "covers.sv", "-p", "two")
    assert done.code == 0 and done.out.startswith("covered\n")
    done = run_program("check", "covers.sv", "-D", "CHECK", "--workers", "1")
    assert done.code == 11 and done.out.startswith("safe\n")  # the assertion holds, a cover is unreachable


def test_an_invariant_can_be_bound_into_the_design(folder: Path) -> None:
    design = VERILOG / "arbiter.sv"
    done = run_program("check", design, "-p", "exclusive", "-e", "pdr", "--certificate", "proof.sv")
    assert done.code == 0 and "grant" in done.out.partition("invariant")[2]
    done = run_program("check", design, "proof.sv", "--top", "arbiter", "-f", "json", "--workers", "1")
    properties = json.loads(done.out)["properties"]
    assert done.code == 0 and {"lemmata_invariant_i.lemma0", "exclusive"} <= {p["name"] for p in properties}
    assert all(p["read_by"][1:] for p in properties)


def test_calls_about_designs_are_checked(folder: Path) -> None:
    (folder / "model.aag").write_text("aag 0 0 0 0 0\n")
    for arguments, told in (
        (["covers.sv", "--clock", "tick"], "tick is no clock of covers.sv: it has clk"),
        (["covers.sv", "--clock", "clk", "--multiclock"], "--multiclock says that there are several"),
        (["covers.sv", "-I", "nowhere"], "nowhere is no folder"),
        (["model.aag", "--testbench", "tb.v"], "--testbench is for designs"),
        (["model.aag", "--certificate", "p.sv"], "is for designs"),
        (["covers.sv", "--top", "other"], "other"),
    ):
        done = run_program("check", *arguments)
        assert done.code == 2 and told in done.err and done.err.count("\n") == 1, arguments


def test_yosys_log_is_kept_where_it_is_wanted(folder: Path) -> None:
    done = run_program("check", "covers.sv", "--yosys-log", "read.log", "-p", "two", "--witness", "bug.vcd")
    assert done.code == 0 and "Executing ASYNC2SYNC" in (folder / "read.log").read_text()
    assert "$scope module covers $end" in (folder / "bug.vcd").read_text()
    done = run_program("info", "covers.sv")
    assert done.code == 0 and "Verilog design" in done.out
