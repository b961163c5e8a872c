"""Runs as waveforms and testbenches: a reader of its own gets the values of the trace back, Icarus fires the assertion."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from lemmata.frontends import load
from lemmata.logic.terms import name_of
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.models.words import WordTrace
from lemmata.report.formats.waveform import STEP, Waveform, WaveRow, format_vcd, joined_bits
from lemmata.run.evidence.testbench import format_testbench
from lemmata.run.evidence.waveforms import vcd, words
from lemmata.verdict import Unsafe
from tests.support.designs import needs_icarus, read_text, simulate
from tests.support.paths import ROOT
from tests.support.second_readings import settled

EXAMPLES = ROOT / "examples"


def read_vcd(text: str) -> dict[str, dict[int, int]]:
    """Signals with the values that they have from some time on; written from the standard, for these tests."""
    scopes, codes, found = [], {}, {}
    head, _, body = text.partition("$enddefinitions $end")
    for line in head.splitlines():
        match line.split():
            case ["$scope", "module", name, "$end"]:
                scopes.append(name)
            case ["$upscope", "$end"]:
                scopes.pop()
            case ["$var", "wire", _, code, name, *_]:
                codes.setdefault(code, []).append(".".join([*scopes, name]))
    assert not scopes
    now = 0
    for word in re.findall(r"#\d+|b[01]+ \S+|[01]\S+", body):
        if word[0] == "#":
            now = int(word[1:])
            continue
        value, code = word[1:].split(" ") if word[0] == "b" else (word[0], word[1:])
        for name in codes[code]:
            found.setdefault(name, {})[now] = int(value, 2)
    return found


def at(changes: dict[int, int], time: int) -> int:
    return changes[max(moment for moment in changes if moment <= time)]


def unsafe(path: Path) -> tuple[object, object]:
    model = load(path)
    verdicts = (settled(model, "auto", prop).verdict for prop in range(len(model.properties())))  # type: ignore[arg-type]
    return model, next(verdict.trace for verdict in verdicts if isinstance(verdict, Unsafe))


def test_the_waveform_of_a_design_has_the_values_of_the_trace(tmp_path: Path) -> None:
    model, trace = unsafe(EXAMPLES / "verilog" / "fifo_broken.sv")
    assert isinstance(model, Graph) and isinstance(trace, WordTrace)
    found = read_vcd(vcd(model, trace).decode())
    steps = words(system_of(model), trace)
    for number, values in enumerate(steps):
        for name in ("push", "pop", "count", "head", "tail", "data_in"):
            value = next(value for v, value in values.items() if name_of(v) == name)
            assert at(found[f"fifo_broken.{name}"], STEP * number) == value
    assert at(found["fifo_broken.count"], STEP * trace.depth) == 5
    assert {f"fifo_broken.mem[{k}]" for k in range(4)} <= found.keys()
    clock = found["fifo_broken.clk"]
    rising = [moment for moment, value in clock.items() if value == 1]
    assert rising == [STEP * (k + 1) for k in range(len(steps))]


@pytest.mark.parametrize("name", ["combination-lock.aag", "btor2/memory-twins.btor2"])
def test_circuits_and_words_have_waveforms_too(name: str) -> None:
    model, trace = unsafe(EXAMPLES / name)
    found = read_vcd(vcd(model, trace).decode())
    assert "model.clock" in found and len(found) > 1
    assert all(0 in changes for changes in found.values())


def test_bits_of_a_vector_are_one_row() -> None:
    rows = [WaveRow(("u", f"x[{k}]"), 1, [k & 1, 1]) for k in (0, 2, 1)] + [
        WaveRow(("y[0]",), 1, [0, 0]),
        WaveRow(("y[2]",), 1, [0, 0]),
    ]
    joined = {row.path: (row.width, list(row.values)) for row in joined_bits(rows)}
    assert joined == {("u", "x"): (3, [2, 7]), ("y[0]",): (1, [0, 0]), ("y[2]",): (1, [0, 0])}


def test_odd_names_stay_readable() -> None:
    rows = (WaveRow(("a b", "c\nd"), 2, [3]), WaveRow(("$end",), 1, [1]))
    found = read_vcd(format_vcd(Waveform("top level", 1, rows)).decode())
    assert found["top_level.a_b.c\\nd"] == {0: 3} and found["top_level.$end"] == {0: 1}


def test_a_large_waveform_is_written_quickly() -> None:
    rows = tuple(WaveRow((f"u{k % 7}", f"x{k}"), 16, [k * step & 0xFFFF for step in range(1000)]) for k in range(1000))
    started = time.process_time()
    data = format_vcd(Waveform("top", 1000, rows))
    assert time.process_time() - started < 2
    assert data.count(b"\n") > 900_000


@needs_icarus
@pytest.mark.parametrize("name", ["fifo_broken", "wishbone_monitor"])
def test_icarus_replays_the_run_and_the_assertion_fires(tmp_path: Path, name: str) -> None:
    path = EXAMPLES / "verilog" / f"{name}.sv"
    model, trace = unsafe(path)
    told = simulate(tmp_path, "lemmata_tb", format_testbench(model, trace).decode(), path.read_text())
    (line,) = re.findall(r"ERROR: .*:(\d+):", told)
    assert isinstance(model, Graph) and int(line) == model.questions[trace.prop].place.line  # type: ignore[attr-defined]


@needs_icarus
def test_free_starts_and_asynchronous_resets_are_replayed(tmp_path: Path) -> None:
    text = """module m(input clk, input rst, input [3:0] d);
      reg [3:0] x, y; reg [7:0] mem [0:3];
      always @(posedge clk or posedge rst) if (rst) x <= 2; else x <= x + d;
      always @(posedge clk) begin y <= x; mem[d[1:0]] <= y; end
      always @(posedge clk) assert (!(x == 9 && y == 2 && mem[3] == 77 && d == 1 && !rst));
    endmodule"""
    model = read_text(tmp_path, text)
    trace = settled(model, "bmc").verdict.trace
    assert trace.depth == 0
    told = simulate(tmp_path, "lemmata_tb", format_testbench(model, trace).decode(), text)
    assert "ERROR" in told


ESCAPED = """module m(input clk, input \\x[0] , input d);
  reg q;
  always @* q = d;
  always @* same: assert (q == \\x[0] );
endmodule
"""


@needs_icarus
def test_escaped_ports_are_escaped_and_combinational_assertions_fire_in_the_first_step(tmp_path: Path) -> None:
    model = read_text(tmp_path, ESCAPED)
    trace = settled(model, "bmc").verdict.trace
    told = simulate(tmp_path, "lemmata_tb", format_testbench(model, trace).decode(), ESCAPED.replace("same:", ""))
    assert "ERROR" in told
