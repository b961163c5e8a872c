"""Designs as systems: names, words, memories, initial values, clocks, and what cells compute."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lemmata.certify.reading.btor2_lines import btor2_lines
from lemmata.certify.reading.btor2_run import RunStep
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import name_of, value_of
from tests.support.designs import as_system, needs_icarus, read_text, simulate

COUNTER = """
module counter(input clk, input rst, output reg [7:0] n);
  initial n = 0;
  always @(posedge clk or posedge rst) if (rst) n <= 0; else n <= n + 1;
endmodule
module top(input clk, input rst, input [3:0] a, input [7:0] d, output [7:0] o);
  reg [7:0] mem [4:9];
  reg [3:0] p = 0;
  reg [7:0] half;
  initial half[3:0] = 5;
  initial mem[4] = 7;
  wire [7:0] open;
  counter c(.clk(clk), .rst(rst), .n(o));
  always @(posedge clk) begin
    p <= p + 1; mem[a] <= d; half[7:4] <= d[3:0]; half[3:0] <= half[7:4];
    small: assert (o < 200);
    assert (p != 9); assert (p != 10);
    cover (o == 3);
    if (p == 3) assume (!rst);
  end
  initial assume (rst);
  wire [3:0] k = $anyconst;
  always @(posedge clk) assert ($past(k) == k || open == mem[a] || half == 3);
endmodule
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory):
    return read_text(tmp_path_factory.mktemp("counter"), COUNTER, top="top")


def test_registers_are_words_with_the_names_of_the_source(counter) -> None:
    system = as_system(counter)
    sorts = {name_of(v): v.sort for v in system.variables}
    assert sorts["p"] is BitVec(4) and sorts["k"] is BitVec(4)
    assert sorts["mem"] is Array(BitVec(3), BitVec(8))
    assert sorts["c.n.stored"] is BitVec(8)  # what the register holds before the asynchronous reset
    assert {"rst", "a", "d", "open"} <= {name_of(v) for v in system.inputs}  # what nobody drives is an input
    assert "clk" not in {name_of(v) for v in system.inputs}


def test_initial_values_that_are_not_given_are_free(counter) -> None:
    starts = {name_of(v): start for v, start in as_system(counter).starts.items()}
    assert value_of(starts["p"]) == 0
    assert value_of(starts["half[3:0]"]) == 5 and starts["half[7:4]"] is None
    assert starts["k"] is None and starts["mem.start"] is None and starts["mem"] is not None


def test_properties_have_labels_or_places(counter) -> None:
    names = [q.name for q in counter.questions]
    assert names == ["small", "design.sv:17:5", "design.sv:17:22", "design.sv:18", "design.sv:23"]
    assert [q.is_cover for q in counter.questions] == [False, False, False, True, False]
    assert [q.place.line for q in counter.questions] == [16, 17, 17, 18, 23]


def test_signals_are_all_wires_of_all_instances(counter) -> None:
    design = counter.design
    assert {"o", "c.n", "c.rst", "p", "half", "open", "k"} <= {signal.name for signal in design.signals}
    assert not any("_EN" in signal.name for signal in design.signals)
    assert design.clock is not None and design.clock.name == "clk" and design.clock.is_rising
    assert [(memory.path, memory.size, memory.first) for memory in design.memories] == [(("mem",), 6, 4)]


OPERATORS = """
a + b; a - b; a * b; a / (b | 1); a % (b | 1); s / (t | 1); s % (t | 1); -a; ~a; +s; a & b; a | s; a ^ b; a ~^ b; s ~^ t;
a << b[1:0]; a >> b; s >>> b[2:0]; s << b[2:0]; s >> b[1:0]; a >>> 1; &a; |a; ^a; ~&a; ~|b; ~^b; !a; a && b; a || b; a < b;
a <= b; a > b; a >= b; s < t; s <= t; s > t; s >= t; a == b; a != b; a === b; a !== b; s == t; a < s; c ? a : b; c ? s : t;
a[b[1:0]]; a[b[0] +: 2]; w[a[1:0] +: 4]; w[a[2:0] -: 2]; {a, b[1:0]}; {3{a[0]}}; s + b; s * t; w[3:1]; $signed(a) >>> 1;
$unsigned(s) >> 1; one(a); two(b); s - 8'sd3; a + 1'b1 + b; (a + b) >> 1
""".replace("\n", " ").split(";")
WIDTHS = (1, 3, 6, 9)
MODULE = """module operators(input [3:0] a, input [3:0] b, input signed [3:0] s, input signed [4:0] t, input c, input [7:0] w);
  function [5:0] one(input [3:0] x);
    case (x) 0: one = 1; 1, 2: one = 7; default: one = x ^ 5; endcase
  endfunction
  function [5:0] two(input [3:0] x);
    casez (x) 4'b1??0: two = 1; 4'b01??: two = 2; default: two = 3; endcase
  endfunction
"""


def _operators() -> str:
    wires = [
        f"  wire [{width - 1}:0] y{number}_{width} = {operator};\n  wire signed [{width - 1}:0] z{number}_{width} = {operator};"
        for number, operator in enumerate(OPERATORS)
        for width in WIDTHS
    ]
    return "\n".join([MODULE, *wires, "  always @* assert (a == a);", "endmodule\n"])


def test_cells_compute_what_yosys_itself_and_icarus_make_of_them(tmp_path: Path) -> None:
    graph = read_text(tmp_path, _operators(), "operators.sv")
    design, chance = graph.design, random.Random(1)
    assert design is not None
    shown = [signal for signal in design.signals if signal.name[0] in "yz"]
    assert len(shown) == 2 * len(OPERATORS) * len(WIDTHS)
    program = Program([signal.term for signal in shown])
    lines = btor2_lines(design.btor2, "operators")
    nodes = {lines.nodes[node].symbol: node for node in lines.nodes}
    step = RunStep(lines, sorted(lines.nodes))
    widths = {"a": 4, "b": 4, "s": 4, "t": 5, "c": 1, "w": 8}
    points = [{name: chance.randrange(1 << width) for name, width in widths.items()} for _ in range(60)]
    wanted = []
    for point in points:
        ours = program.run({leaf: point[name_of(leaf)] for leaf in program.leaves})
        theirs = step.run(dict.fromkeys(lines.states, 0) | {nodes[name]: value for name, value in point.items()})
        assert {s.name: value for s, value in zip(shown, ours, strict=True)} == {s.name: theirs[nodes[s.name]] for s in shown}
        wanted.append(ours)
    _compare_with_icarus(tmp_path, [signal.name for signal in shown], points, wanted)


def _compare_with_icarus(folder: Path, names: list[str], points: list[dict[str, int]], wanted: list[list[int]]) -> None:
    if needs_icarus.args[0]:
        return
    sets = "\n".join(" ".join(f"{name} = {value};" for name, value in point.items()) + " #1 show;" for point in points)
    bench = f"""module bench;
      reg [3:0] a, b; reg signed [3:0] s; reg signed [4:0] t; reg c; reg [7:0] w;
      operators dut(a, b, s, t, c, w);
      task show; $display("{" ".join(["%b"] * len(names))}", {", ".join(f"dut.{name}" for name in names)}); endtask
      initial begin {sets} end
    endmodule"""
    rows = [line.split() for line in simulate(folder, "bench", bench, _operators()).splitlines()]
    for point, row, values in zip(points, rows, wanted, strict=True):
        for name, text, value in zip(names, row, values, strict=True):
            if set(text) <= {"0", "1"}:  # x: outside of a word
                assert int(text, 2) == value, (name, OPERATORS[int(name[1:].partition("_")[0])], point)


def test_several_clocks_need_to_be_asked_for(tmp_path: Path) -> None:
    text = """module two(input a, input b, input d);
      reg x = 0, y = 0;
      always @(posedge a) x <= d;
      always @(negedge b) y <= x;
      always @* assert (x >= y || d);
    endmodule"""
    with pytest.raises(Exception, match=r"two.sv:\d:\d+: the design has several clocks: negedge b, posedge a \(.*--multiclock"):
        read_text(tmp_path, text, "two.sv")
    graph = read_text(tmp_path, text, "two.sv", multiclock=True)
    assert {"a", "b"} <= {name_of(v) for v in as_system(graph).inputs}
    assert graph.design is not None and graph.design.clock is None


def test_a_register_whose_clock_never_ticks_keeps_its_value(tmp_path: Path) -> None:
    text = """module still(input clk, input [3:0] d);
      reg [3:0] q = 3, r = 0;
      always @(posedge 1'b0) q <= d;
      always @(posedge clk) r <= d;
      always @(posedge clk) assert (q == 3 || r == 1);
    endmodule"""
    system = as_system(read_text(tmp_path, text))
    (q,) = [v for v in system.variables if name_of(v) == "q"]
    assert system.nexts[q] is q


def test_options_reach_yosys(tmp_path: Path) -> None:
    (tmp_path / "include files").mkdir()
    (tmp_path / "include files" / "limit.vh").write_text("`define LIMIT 5\n")
    text = """`include "limit.vh"
    module one #(parameter WIDTH = 4) (input clk); reg [WIDTH-1:0] n = 0;
      always @(posedge clk) begin n <= n + `STEP; assert (n != `LIMIT); end endmodule
    module other(input clk); always @(posedge clk) assert (1); endmodule"""
    graph = read_text(
        tmp_path,
        text,
        "my design.sv",
        top="one",
        defines=("STEP=2",),
        includes=(str(tmp_path / "include files"),),
        parameters=("WIDTH=7",),
    )
    assert [(name_of(v), v.width) for v in as_system(graph).variables] == [("n", 7)]
    assert graph.questions[0].name == "my design.sv:3"
