"""Misreadings of designs behind Yosys: cells, registers, memories, checks. The values that a design has, step by step, tell.

Yosys reads the design once; its netlist is read again for each bug, and compared with the same design written in Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest import mock

from lemmata.config import DesignOptions
from lemmata.errors import LemmataError
from lemmata.frontends.verilog import reader
from lemmata.frontends.verilog.yosys import Synthesized, synthesize
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import name_of
from lemmata.models.design import Design
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from tests.seeded.bug import Catcher, SeededBug, edit, entry

TEXT = """module m(input clk, input [3:0] a, input [3:0] b, input s);
  wire signed [3:0] sa = a, sb = b;
  wire less = a < b, reaches = a >= b, sless = sa < sb, both = a && b, none = !a, odd = ^a, even = ~^a, all = &a, some = |a;
  wire [7:0] sum = a + b, ssum = sa + sb, prod = a * b, up = a << b[1:0];
  wire [3:0] diff = a - b, down = a >> b[1:0], sdown = sa >>> b[1:0], flip = ~a, mixed = s ? a : b;
  wire [3:0] quotient = a / (b | 1), rest = a % (b | 1), srest = sa % (sb | 4'sd1);
  wire pick = a[b[1:0]];
  reg [3:0] chosen;
  always @* case (b[1:0]) 0: chosen = a; 1: chosen = b; 2: chosen = a ^ b; 3: chosen = 9; endcase

  reg [3:0] n = 4'b0010;
  always @(posedge clk) if (s) n <= n + a;
  reg [7:0] mem [4:1];
  initial begin mem[1] = 1; mem[2] = 2; mem[3] = 1; mem[4] = 9; end
  wire [2:0] at = b[1:0] + 3'd1;
  wire [7:0] word = mem[at];
  always @(posedge clk) begin
    if (s) mem[at][3:0] <= a;
    if (a[0]) mem[2] <= {b, ~a};
  end
  always @* begin
    first: assume (s || a != 7);
    second: assume (!s || a != 4);
    bound: assert (n != 3);
    seen: cover (n == 5);
  end
endmodule
"""
RUNS, STEPS = 6, 12
Values = dict[str, int]


def _signed(word: int) -> int:
    return word - 16 if word >> 3 else word


def _values(a: int, b: int, s: int, n: int, mem: list[int]) -> Values:
    """All signals in one step."""
    sa, sb, c, d = _signed(a), _signed(b), b & 3, _signed(b | 1)
    return {
        "less": a < b, "reaches": a >= b, "sless": sa < sb, "both": bool(a and b), "none": not a, "odd": a.bit_count() & 1,
        "even": ~a.bit_count() & 1, "all": a == 15, "some": a != 0, "sum": a + b, "ssum": sa + sb & 255, "prod": a * b,
        "up": a << c, "diff": a - b & 15, "down": a >> c, "sdown": sa >> c & 15, "flip": 15 - a,
        "mixed": a if s else b, "quotient": a // (b | 1), "rest": a % (b | 1),
        "srest": (abs(sa) % abs(d)) * (-1 if sa < 0 else 1) & 15, "pick": a >> c & 1, "chosen": (a, b, a ^ b, 9)[c],
        "n": n, "word": mem[c],
    }  # fmt: skip


def _step(a: int, b: int, s: int, n: int, mem: list[int]) -> tuple[int, list[int]]:
    mem = list(mem)
    if s:
        mem[b & 3] = mem[b & 3] & 240 | a
    if a & 1:
        mem[1] = b << 4 | 15 - a
    return (n + a & 15 if s else n), mem


@cache
def _netlist() -> Synthesized:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.sv"
        file.write_text(TEXT)
        return synthesize([str(file)], DesignOptions())


def _read() -> tuple[Graph, System, Design]:
    netlist = _netlist()
    with mock.patch.object(reader, "synthesize", lambda files, options: netlist):
        graph = reader.parse_design("m.sv", DesignOptions())
    system = system_of(graph)
    assert system is not None and graph.design is not None
    return graph, system, graph.design


def _look(_: float) -> Iterator[str]:
    _netlist()
    try:
        yield from _complaints(*_read())
    except (LemmataError, AssertionError, LookupError, ValueError, TypeError) as error:
        yield type(error).__name__


def _complaints(graph: Graph, system: System, design: Design) -> Iterator[str]:
    known = [signal for signal in design.signals if signal.name in _values(0, 0, 0, 2, [1, 2, 1, 9])]
    names = [signal.name for signal in known]
    now = Program([*(signal.term for signal in known), system.constraint, *system.bads])
    after = Program([system.nexts[v] for v in system.variables])
    starts = Program([start for start in system.starts.values() if start is not None])
    checks = [question.name for question in graph.questions]
    rng = Random(1)
    for _ in range(RUNS):
        state = dict(zip(system.variables, starts.run({}), strict=True))
        n, mem = 2, [1, 2, 1, 9]
        for step in range(STEPS):
            given = {"a": rng.randrange(16), "b": rng.randrange(16), "s": rng.randrange(2)}
            everything = state | {v: given.get(name_of(v), 0) for v in system.inputs}
            found = now.run(everything)
            a, b, s = given.values()
            expected = {**_values(a, b, s, n, mem), "bound": n == 3, "seen": n == 5}
            expected["constraint"] = bool((s or a != 7) and (not s or a != 4))
            told = dict(zip([*names, "constraint", *checks], found, strict=True))
            yield from (f"{name} in step {step}" for name, value in expected.items() if int(told[name]) != int(value))
            state = dict(zip(system.variables, after.run(everything), strict=True))
            n, mem = _step(a, b, s, n, mem)


VALUES = Catcher("values of a design", "signals and checks of a netlist, step by step, against the design in Python", _look)
CELLS, MEMORIES, READER = "frontends.verilog.cells", "frontends.verilog.memories", "frontends.verilog.reader"
FUNCTIONS = f"{CELLS}:FUNCTIONS"

BUGS: tuple[SeededBug, ...] = (
    entry("< is at most", FUNCTIONS, "$lt", "$le", VALUES),
    entry("a logical not is that of each bit", FUNCTIONS, "$logic_not", "$not", VALUES),
    entry(">>> is logical", FUNCTIONS, "$sshr", "$shr", VALUES),
    entry("<< goes to the right", FUNCTIONS, "$shl", "$shr", VALUES),
    entry("a reduction by xnor is one by xor", FUNCTIONS, "$reduce_xnor", "$reduce_xor", VALUES),
    entry("a reduction by and is one by or", FUNCTIONS, "$reduce_and", "$reduce_or", VALUES),
    entry("&& is true if one side is", FUNCTIONS, "$logic_and", "$logic_or", VALUES),
    entry("% has the sign of the divisor", FUNCTIONS, "$mod", "$modfloor", VALUES),
    edit(
        "signed operands are extended by zeros",
        f"{CELLS}:resized",
        '"sign_extend" if is_signed else "zero_extend"',
        '"zero_extend"',
        VALUES,
    ),
    entry(">= is strict", FUNCTIONS, "$ge", "$gt", VALUES),
    edit(
        "a case loses its last branch",
        f"{CELLS}:_pmux",
        'range(parameters["S_WIDTH"])',
        'range(1, parameters["S_WIDTH"])',
        VALUES,
    ),
    edit("the first index of a memory is added", f"{MEMORIES}:MemoryWords._index", '"bvsub"', '"bvadd"', VALUES),
    edit(
        "the earlier write of a step wins",
        f"{MEMORIES}:MemoryWords._changed",
        'range(self.cell.number("WR_PORTS"))',
        'reversed(range(self.cell.number("WR_PORTS")))',
        VALUES,
    ),
    edit(
        "bits that are not written are lost",
        f"{MEMORIES}:MemoryWords._written",
        'build("bvand", (old, build("bvnot", (enable,))))',
        'build("bvand", (old, enable))',
        VALUES,
    ),
    edit("all words start with the usual value", f"{MEMORIES}:MemoryWords._start", "if value != usual", "if False", VALUES),
    edit(
        "initial values are read backwards",
        f"{READER}:_Reader._register",
        '"".join(reversed(digits))',
        '"".join(digits)',
        VALUES,
    ),
    edit(
        "an assertion is read as a cover", f"{READER}:_Reader._enabled", "negate(holds) if is_false else holds", "holds", VALUES
    ),
    edit(
        "the last assumption is dropped",
        f"{READER}:_Reader._system",
        'self._of("$assume")]',
        'self._of("$assume")[:-1]]',
        VALUES,
    ),
    edit(
        "a register keeps its value",
        f"{READER}:_Reader._register",
        'after.append(cell.ports["D"][position])',
        "after.append(one)",
        VALUES,
    ),
)
