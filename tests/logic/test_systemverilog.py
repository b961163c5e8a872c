"""Terms as SystemVerilog: read back by Yosys (and run by Icarus, where it is installed) they have their values again."""

from __future__ import annotations

import random
from pathlib import Path

from lemmata.logic.build import build
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.systemverilog import systemverilog
from lemmata.logic.terms import Term, bv, make, name_of, var
from tests.support.designs import needs_icarus, read_text, simulate

LEAVES = [var("a", BitVec(4)), var("b", BitVec(4)), var("c", BitVec(1)), var("w", BitVec(6)), var("v[5:2]", BitVec(4))]
BINARY = ["bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvshl", "bvlshr", "bvashr"]
PREDICATES = ["=", "bvult", "bvule", "bvslt", "bvsle"]


def _word(chance: random.Random, width: int, depth: int) -> Term:
    if depth == 0:
        fitting = [leaf for leaf in LEAVES if leaf.width == width]
        return chance.choice([*fitting, bv(chance.randrange(1 << width), width)])
    match chance.randrange(8):
        case 0:
            return build(chance.choice(["bvnot", "bvneg"]), (_word(chance, width, depth - 1),))
        case 1:
            return build("ite", (_formula(chance, depth - 1), _word(chance, width, depth - 1), _word(chance, width, depth - 1)))
        case 2 if width > 1:
            low = chance.randrange(1, width)
            return build("concat", (_word(chance, width - low, depth - 1), _word(chance, low, depth - 1)))
        case 3 if width > 1:
            less = chance.randrange(1, width)
            op = chance.choice(["zero_extend", "sign_extend"])
            return build(op, (_word(chance, width - less, depth - 1),), less)
        case 4:
            low, above = chance.randrange(3), chance.randrange(3)
            return build("extract", (_word(chance, width + low + above, depth - 1),), (width + low - 1, low))
    return build(chance.choice(BINARY), (_word(chance, width, depth - 1), _word(chance, width, depth - 1)))


def _formula(chance: random.Random, depth: int) -> Term:
    if depth == 0 or chance.random() < 0.6:
        width = chance.choice([1, 4, 6])
        return build(
            chance.choice(PREDICATES), (_word(chance, width, max(depth - 1, 0)), _word(chance, width, max(depth - 1, 0)))
        )
    if chance.random() < 0.3:
        return build("not", (_formula(chance, depth - 1),))
    return build(chance.choice(["and", "or", "xor", "=>", "="]), (_formula(chance, depth - 1), _formula(chance, depth - 1)))


def test_expressions_keep_their_values(tmp_path: Path) -> None:
    chance = random.Random(3)
    written = {formula: systemverilog(formula) for formula in (_formula(chance, 1 + k % 4) for k in range(300))}
    formulas = [formula for formula, text in written.items() if text]
    texts = [written[formula] for formula in formulas]
    assert len(texts) > 150
    wires = "\n".join(f"  wire f{number} = {text};" for number, text in enumerate(texts))
    text = (
        "module m(input [3:0] a, input [3:0] b, input c, input [5:0] w, input [5:0] v);\n"
        f"{wires}\n  always @* assert (a == a);\nendmodule\n"
    )
    graph = read_text(tmp_path, text)
    assert graph.design is not None
    signals = {signal.name: signal.term for signal in graph.design.signals}
    ours, theirs = Program(formulas), Program([signals[f"f{number}"] for number in range(len(formulas))])
    points, rows = [], []
    for _ in range(40):
        point = {name: chance.randrange(1 << width) for name, width in (("a", 4), ("b", 4), ("c", 1), ("w", 6), ("v", 6))}
        mine = ours.run({leaf: point["v"] >> 2 if "[" in name_of(leaf) else point[name_of(leaf)] for leaf in ours.leaves})
        assert list(map(int, mine)) == theirs.run({leaf: point[name_of(leaf)] for leaf in theirs.leaves})
        points.append(point)
        rows.append("".join(map(str, map(int, mine))))
    if not needs_icarus.args[0]:
        sets = " ".join(" ".join(f"{n} = {x};" for n, x in point.items()) + " #1 show;" for point in points)
        shown = ", ".join(f"dut.f{number}" for number in range(len(formulas)))
        bench = (
            "module bench; reg [3:0] a, b; reg c; reg [5:0] w, v; m dut(a, b, c, w, v);"
            f' task show; $display("%b", {{{shown}}}); endtask initial begin {sets} end endmodule'
        )
        for told, wanted in zip(simulate(tmp_path, "bench", bench, text).split(), rows, strict=True):
            assert all(mark in ("x", digit) for mark, digit in zip(told, wanted, strict=True))  # x: divisions in both branches


def test_what_has_no_expression_has_none() -> None:
    memory = var("mem", Array(BitVec(2), BitVec(4)))
    a = var("a", BitVec(4))
    read = make("select", (memory, var("i", BitVec(2))))
    assert systemverilog(make("=", (read, a))) == "mem[i] == a"
    written = make("select", (make("store", (memory, bv(1, 2), a)), bv(2, 2)))
    assert systemverilog(make("=", (written, a))) is None
    assert systemverilog(make("=", (var("n.stored", BitVec(4)), a))) is None
    assert systemverilog(var("$past$3", BOOL)) is None
    assert systemverilog(var("u.lemmata_sva0_0", BOOL)) is None  # a register of a rewritten assertion
