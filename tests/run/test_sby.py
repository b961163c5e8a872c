"""Tasks of SymbiYosys: what the files mean, and what a run leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.errors import InputError, Unsupported, UsageError
from lemmata.run.sby import Job, read_tasks
from tests.support.designs import read_text  # noqa: F401 (skips where there is no Yosys)

TASK = """# a counter with three questions
[tasks]
prove
short bounded
deep bounded
cov : default
pro* : default

[options]
prove: mode prove
bounded: mode bmc
cov:
mode cover
--
short: depth 5
deep: depth 12
deep: expect fail
~deep: timeout 600

[engines]
smtbmc boolector

[script]
read -verific
deep: read -define LIMIT=9
read -formal counter.sv
prep -top counter

[file counter.sv]
`ifndef LIMIT
`define LIMIT 20
`endif
module counter(input clk, input up);
  reg [4:0] n = 0;
  always @(posedge clk) if (up && n < 12) n <= n + 1;
  always @(posedge clk) begin low: assert (n < `LIMIT); reached: cover (n == 3); end
endmodule
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counter.sby"
    path.write_text(TASK)
    return path


def test_lines_belong_to_tasks_and_groups(file: Path) -> None:
    assert [task.name for task in read_tasks(file)] == ["prove", "cov"]  # the default ones
    prove, short, deep, cov = read_tasks(file, ("prove", "short", "deep", "cov"))
    assert [task.mode for task in (prove, short, deep, cov)] == ["prove", "bmc", "bmc", "cover"]
    assert [task.depth for task in (prove, short, deep, cov)] == [20, 5, 12, 20]
    assert [task.expect for task in (short, deep)] == [("PASS",), ("FAIL",)]
    assert [task.timeout for task in (short, deep)] == [600, None]
    assert "read -define LIMIT=9" in deep.script and len(short.script) == len(deep.script) - 1
    assert cov.contents["counter.sv"].startswith("`ifndef LIMIT\n")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[engines]", "[motors]", "the section [motors] is not supported"),
        ("smtbmc boolector", "magic", "21:1: 'magic' is no engine of sby"),
        ("short: depth 5", "short: depth five", "'five' is no number"),
        ("~deep: timeout 600", "warp 9", "the option 'warp' is not supported"),
        ("read -verific", "verific -vhdl counter.vhd", "VHDL is not supported"),
        ("[tasks]", "--pycode-begin--\n[tasks]", "2:1: a task file with Python code is not run"),
        ("# a counter", "mode bmc #", "'mode bmc' stands before the first section"),
    ],
)
def test_what_is_not_understood_is_refused(file: Path, old: str, new: str, told: str) -> None:
    file.write_text(TASK.replace(old, new))
    with pytest.raises((InputError, Unsupported), match=r"counter\.sby") as raised:
        read_tasks(file, ("short",))
    assert told in str(raised.value)
    with pytest.raises(UsageError, match="no task 'none'"):
        file.write_text(TASK)
        read_tasks(file, ("none",))


def _run(file: Path, name: str) -> tuple[int, Path, list[str]]:
    lines: list[str] = []
    (task,) = read_tasks(file, (name,))
    job = Job(file, task, file.with_name(f"counter_{name}"), lines.append)
    job.set_up(is_forced=True)
    return job.run(), job.folder, lines


def test_runs_end_as_sby_ends_them(file: Path) -> None:
    code, folder, lines = _run(file, "short")  # nothing within 5 steps
    assert code == 0 and (folder / "PASS").exists() and (folder / "status").read_text().startswith("PASS 0 ")
    assert lines[-1].endswith(f"[{folder}] DONE (PASS, rc=0)")
    code, folder, lines = _run(file, "deep")  # a failure that is expected
    assert code == 0 and (folder / "FAIL").exists() and (folder / "engine_0" / "trace.vcd").read_text().count("$var") > 3
    assert "lemmata_tb" in (folder / "engine_0" / "trace_tb.v").read_text()
    assert any("counterexample trace" in line for line in lines) and (folder / "logfile.txt").exists()
    assert "Executing Verilog" in (folder / "model" / "design.log").read_text()
    code, folder, _ = _run(file, "cov")
    assert code == 0 and (folder / "PASS").exists() and (folder / "engine_0" / "trace0.vcd").exists()
    with pytest.raises(UsageError, match="is there already"):
        Job(file, read_tasks(file, ("cov",))[0], folder, print).set_up(is_forced=False)


def test_a_result_that_was_not_expected_has_its_code(file: Path) -> None:
    file.write_text(TASK.replace("deep: expect fail", "").replace("prep -top counter", "prep -top counter2", 1))
    code, folder, lines = _run(file, "deep")
    assert code == 16 and (folder / "ERROR").exists() and any("ERROR: " in line and "counter2" in line for line in lines)
