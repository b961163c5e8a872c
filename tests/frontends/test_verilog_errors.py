"""Bad designs: one line with the place and the cause."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from lemmata.config import DesignOptions
from lemmata.errors import InputError, UsageError
from lemmata.frontends import load
from lemmata.frontends.verilog import language, parse_design, yosys
from lemmata.run.options.selection import select
from tests.support.designs import read_text

BAD = {
    "syntax": ("module m(input a);\n  wire b = ;\nendmodule\n", "2:12: expected expression"),
    "module": (
        "module m(input a);\n  wire b;\n  other u(a, b);\n  always @* assert (b);\nendmodule\n",
        "3:3: unknown module 'other' (give its source, too)",
    ),
    "blackbox": (
        "(* blackbox *) module box(input a, output b); endmodule\n"
        "module m(input a);\n  wire b;\n  box u(a, b);\n  always @* assert (b);\nendmodule\n",
        "4:3: the module box has no body: blackboxes are not supported",
    ),
    "loop": (
        "module m(input a);\n  wire b, c;\n  assign b = ~c & a;\n  assign c = b | a;\n  always @* assert (b);\nendmodule\n",
        "a combinational loop through b, c",
    ),
    "drivers": (
        "module m(input clk, input a);\n  reg b;\n  always @(posedge clk) b <= a;\n  always @(posedge clk) b <= ~a;\n"
        "  always @(posedge clk) assert (b);\nendmodule\n",
        "2:7: b has several drivers",
    ),
    "sva": ("module m(input clk, input a);\n  assert property (@(posedge clk) a ##[1:3] a |-> a);\nendmodule\n", ":2:"),
    "a property among other names": (
        "module m(input clk, input a, input b);\n  property q; @(posedge clk) a; endproperty\n  generate if (1) begin : g\n"
        "    wire a = b;\n    l: assert property (q);\n  end endgenerate\nendmodule\n",
        "5:5: a is another signal in this block than where the property or the default is declared",
    ),
    "a default among other names": (
        "module m(input clk, input r, input a);\n  default clocking @(posedge clk); endclocking\n  default disable iff (r);\n"
        "  generate if (1) begin : g\n    wire r = a;\n    l: assert property (a |=> a);\n  end endgenerate\nendmodule\n",
        "6:5: r is another signal in this block than where the property or the default is declared",
    ),
    "checker": ("checker c(input logic a);\nendchecker\nmodule m(input a);\n  c u(a);\nendmodule\n", "1:1: syntax error"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_designs_are_told_with_their_place(tmp_path: Path, name: str) -> None:
    text, told = BAD[name]
    with pytest.raises(InputError) as raised:
        read_text(tmp_path, text, "bad.sv")
    assert told in str(raised.value) and "bad.sv:" in str(raised.value) and "\n" not in str(raised.value)


def test_several_drivers_of_what_nothing_depends_on_are_no_error(tmp_path: Path) -> None:
    text = """module m(input clk, input [3:0] d);
      integer k; reg [3:0] x = 0, y = 0;
      always @(posedge clk) for (k = 0; k < 4; k = k + 1) x[k] <= d[k];
      always @(posedge clk) for (k = 0; k < 4; k = k + 1) y[k] <= d[3 - k];
      always @(posedge clk) assert (x == {y[0], y[1], y[2], y[3]});
    endmodule"""
    graph = read_text(tmp_path, text)
    assert graph.design is not None and "k" not in {signal.name for signal in graph.design.signals}


def test_calls_that_cannot_be_meant_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.v").write_text("module one(input a); endmodule")
    with pytest.raises(InputError, match="there is no such file"):
        load(tmp_path / "none.v")
    with pytest.raises(UsageError, match="a parameter is NAME=VALUE"):
        parse_design([str(tmp_path / "one.v")], DesignOptions(parameters=("WIDTH",)))
    with pytest.raises(UsageError, match="a macro cannot be"):
        parse_design([str(tmp_path / "one.v")], DesignOptions(defines=("A; shell rm",)))
    with pytest.raises(UsageError, match="is no Verilog"):
        load(tmp_path / "model.aag", design=DesignOptions(top="one"))
    with pytest.raises(InputError, match="gzip"):
        (tmp_path / "packed.v").write_bytes(b"\x1f\x8b00")
        load(tmp_path / "packed.v")


def test_without_yosys_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.v").write_text("module one(input a); endmodule")
    monkeypatch.setattr(
        yosys, "_run", lambda commands, folder: CompletedProcess([], yosys.child.MISSING, "No module named 'pyosys'")
    )
    with pytest.raises(UsageError, match=r"pip install 'lemmata\[verilog\]'"):
        load(tmp_path / "one.v")


def test_without_slang_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.v").write_text("module one(input a); endmodule")
    monkeypatch.setattr(language.subprocess, "run", lambda *_, **__: CompletedProcess([], language.child.SLANG_MISSING, "", ""))
    with pytest.raises(UsageError, match=r"pip install 'lemmata\[verilog\]'"):
        load(tmp_path / "one.v")


def test_an_error_of_yosys_itself_is_told_as_one() -> None:
    error = yosys.reading_error("ERROR: Assert `width > 0' failed in frontends/ast/genrtlil.cc:12.\n", ["m.sv"])
    assert str(error).startswith("m.sv: Yosys failed on this design, with an error of its own: Assert `width > 0' failed")


def test_a_design_without_a_question_is_told_to_assert(tmp_path: Path) -> None:
    graph = read_text(tmp_path, "module m(input clk, input a, output reg q);\n  always @(posedge clk) q <= a;\nendmodule\n")
    with pytest.raises(InputError, match=r"no property to check \(it needs an assert or a cover\)"):
        select(graph, "all")
