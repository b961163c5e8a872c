"""Concurrent assertions, rewritten: at every step of random runs they fire where the standard says, here and in Icarus."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lemmata.config import DesignOptions
from lemmata.frontends.verilog.assertions import rewrite_assertions
from lemmata.frontends.verilog.language import elaborate
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import name_of
from lemmata.models.system import system_of
from tests.support.designs import needs_icarus, read_text, simulate

TEXT = """module m(input clk, input r, input a, input b, input c, input d, input [3:0] n);
  default clocking @(posedge clk); endclocking
  default disable iff (r);
  chain: assert property (a ##1 b |=> c ##2 d) else $error("no");
  now: assert property (@(posedge clk) disable iff (r || d)
      a |-> b);
  next: assert property (a |=> b);
  late: assert property (@(posedge clk) a ##[2:$] b |-> c);  // the default disables this one, too
  held: assert property (a |-> !{b, c} [*] ##1 d);
  far: assert property (a |-> ##3 b);
  plain: assert property (!(a && b && c));
  both: assert property (((a ##1 b)));
  property named; a && b |=> c; endproperty
  used: assert property (named);
  let few = (n inside {1, [4:6]});
  let odd = n[0] ^ n[1];
  conditions: assert property (few |-> odd);
endmodule
"""
Run = dict[str, list[int]]


def quiet(run: Run, start: int, end: int, disable: str = "r") -> bool:
    return start >= 0 and not any(run[name][k] for name in disable for k in range(start, end + 1))


# Whether some part fails in the last step of a run that ends at t, from the definitions of sequences and properties.
MEANING: dict[str, Callable[[Run, int], bool]] = {
    "chain": lambda x, t: (
        (quiet(x, t - 2, t) and bool(x["a"][t - 2] and x["b"][t - 1] and not x["c"][t]))
        or (quiet(x, t - 4, t) and bool(x["a"][t - 4] and x["b"][t - 3] and x["c"][t - 2] and not x["d"][t]))
    ),
    "now": lambda x, t: quiet(x, t, t, "rd") and bool(x["a"][t] and not x["b"][t]),
    "next": lambda x, t: quiet(x, t - 1, t) and bool(x["a"][t - 1] and not x["b"][t]),
    "late": lambda x, t: (
        any(quiet(x, s, t) and x["a"][s] for s in range(t - 1)) and bool(x["b"][t] and not x["c"][t])
    ),
    "held": lambda x, t: (
        any(quiet(x, s, t) and x["a"][s] and not any(x["d"][s:t]) for s in range(t + 1))
        and not x["d"][t] and bool(x["b"][t] or x["c"][t])
    ),
    "far": lambda x, t: quiet(x, t - 3, t) and bool(x["a"][t - 3] and not x["b"][t]),
    "plain": lambda x, t: quiet(x, t, t) and bool(x["a"][t] and x["b"][t] and x["c"][t]),
    "both": lambda x, t: (
        (quiet(x, t, t) and not x["a"][t]) or (quiet(x, t - 1, t) and bool(x["a"][t - 1] and not x["b"][t]))
    ),
    "used": lambda x, t: quiet(x, t - 1, t) and bool(x["a"][t - 1] and x["b"][t - 1] and not x["c"][t]),
    "conditions": lambda x, t: quiet(x, t, t) and x["n"][t] in (1, 4, 5, 6) and (x["n"][t] & 1) == (x["n"][t] >> 1 & 1),
}  # fmt: skip


def _runs(steps: int) -> Run:
    chance = random.Random(7)
    run = {
        name: [int(chance.random() < share) for _ in range(steps)] for name, share in (("r", 0.1), *((x, 0.5) for x in "abcd"))
    }
    return run | {"n": [chance.randrange(16) for _ in range(steps)]}


def test_assertions_fire_where_the_standard_says(tmp_path: Path) -> None:
    graph = read_text(tmp_path, TEXT)
    assert {q.name for q in graph.questions} == set(MEANING)
    assert {q.place.line for q in graph.questions if q.name == "next"} == {7}  # lines keep their numbers
    system, run = system_of(graph), _runs(300)
    assert system is not None
    program = Program([*system.bads, *(system.nexts[v] for v in system.variables)])
    state = {v: start.data[0] for v, start in system.starts.items()}
    for t in range(300):
        values = state | {v: run[name_of(v)][t] for v in system.inputs}
        found = program.run(values)
        fired = {q.name for q, bad in zip(graph.questions, found, strict=False) if bad}
        assert fired == {name for name, meaning in MEANING.items() if meaning(run, t)}, t
        state = dict(zip(system.variables, found[len(system.bads) :], strict=True))


@needs_icarus
def test_icarus_agrees(tmp_path: Path) -> None:
    steps = 120
    run = _runs(steps)
    file = tmp_path / "design.sv"
    file.write_text(TEXT)
    text = rewrite_assertions(elaborate([str(file)], DesignOptions(), [], tmp_path).texts)[0]
    labels = re.findall(r"(\w+): assert", text)
    text = re.sub(r"(\w+): assert \(", r"assert (", text)
    inside = r"[^()]*"
    for _ in range(8):
        inside = rf"(?:[^()]|\({inside}\))*"
    text = re.sub(
        rf"assert \(({inside})\);",
        lambda found: f'assert ({found[1]}) else $display("fired %0d {labels.pop(0)}", $time);',
        text,
    )
    sets = "\n".join(
        " ".join(f"{name} = {values[t]};" for name, values in run.items()) + " #5 clk = 1; #5 clk = 0;" for t in range(steps)
    )
    dut = "reg clk = 0, r, a, b, c, d; reg [3:0] n; m dut(clk, r, a, b, c, d, n);"
    bench = f"module bench; {dut} initial begin {sets} end endmodule"
    told = re.findall(r"fired (\d+) (\w+)", simulate(tmp_path, "bench", bench, text))
    wanted = {(10 * t + 5, name) for t in range(steps) for name, meaning in MEANING.items() if meaning(run, t)}
    assert {(int(time), name) for time, name in told} == wanted


@pytest.mark.parametrize(
    "line",
    [
        "assert property (@(posedge clk) a ##[1:3] b |-> c);",
        "assert property (@(posedge clk) a |-> s_eventually b);",
        "assert property (@(posedge clk) not (a ##1 b));",
        "assert property (@(posedge clk or posedge r) a |-> b);",
        "cover property (@(posedge clk) a |-> b);",
        "assert property (@(posedge clk) a throughout b);",
        "let wide = n + 1;",
        "// assert property (@(posedge clk) a |-> b);",
        'initial $display("assert property (@(posedge clk) a |-> b);");',
    ],
)
def test_what_is_not_understood_stays_as_it_is(line: str) -> None:
    text = f"module m;\n  {line}\nendmodule\n"
    assert rewrite_assertions([text]) == [text]


def test_a_bound_instance_is_put_into_its_module() -> None:
    design, checks = (
        "module m(input a);\nendmodule\n",
        "module p(input a);\nendmodule\nbind m p #(.N(2)) p_i (\n  .*);\n// bind m p q (.*);\n",
    )
    new_design, new_checks = rewrite_assertions([design, checks])
    assert new_design == "module m(input a);\np #(.N(2)) p_i ( .*); endmodule\n"
    assert new_checks == "module p(input a);\nendmodule\n\n\n// bind m p q (.*);\n"


def test_covers_of_sequences_are_reached_where_they_end(tmp_path: Path) -> None:
    text = """module m(input clk, input r, input a, input b, input c);
      seen: cover property (@(posedge clk) disable iff (r) a ##[+] b ##2 c);
    endmodule"""
    graph = read_text(tmp_path, text)
    system, run = system_of(graph), _runs(200)
    assert system is not None and graph.questions[0].is_cover
    program = Program([*system.bads, *(system.nexts[v] for v in system.variables)])
    state = {v: start.data[0] for v, start in system.starts.items()}
    for t in range(200):
        reached, *after = program.run(state | {v: run[name_of(v)][t] for v in system.inputs})
        starts = [s for s in range(t - 2) if run["a"][s] and quiet(run, s, t)]
        assert reached == bool(starts and run["b"][t - 2] and run["c"][t])
        state = dict(zip(system.variables, after, strict=True))


@pytest.mark.parametrize(
    "line",
    [
        "if (1) begin default disable iff (a); end",
        "default clocking @(posedge a); endclocking default clocking @(b); endclocking",
    ],
)
def test_defaults_of_blocks_and_second_ones_are_not_those_of_the_module(line: str) -> None:
    text = f"module m;\n  {line}\n  p: assert property (@(posedge clk) a |-> b);\nendmodule\n"
    assert "default" in rewrite_assertions([text])[0]  # which Yosys refuses
