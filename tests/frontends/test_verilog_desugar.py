"""Imports and returns, written out before the files are judged: what they mean, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lemmata.errors import InputError
from tests.support.designs import fired, read_text

PACKAGES = """package pk; localparam int W = 4; typedef logic [W-1:0] n_t; typedef enum logic [1:0] {RA, RB, RC} e_t;
typedef struct packed {n_t a; e_t e;} s_t; function automatic n_t inc(input n_t a); return a + W; endfunction endpackage
package other; localparam int W = 5; localparam int V = 6; endpackage
"""
CLK = "(input clk);"
F = "function automatic f(input a);"
DESIGNS = {
    "in the head": "module m import pk::*; (input clk, input n_t x);\n ok: assert property (@(posedge clk) $bits(x) == W);",
    "in the body": "module m(input clk, input [3:0] x); import pk::*; s_t y; assign y = {x, RC};\n"
    " ok: assert property (@(posedge clk) y.a == x && y.e == RC && y.e == 2);",
    "by name": "module m import pk::inc; (input clk, input [3:0] x);\n"
    " ok: assert property (@(posedge clk) inc(x) == 4'(x + 4));",
    "for all files": "import pk::*;\nmodule m(input clk, input n_t x);\n"
    " ok: assert property (@(posedge clk) inc(x) == 4'(x + W));",
    "a name before a star": "module m import pk::*; import other::W; (input clk, input n_t x);\n"
    " ok: assert property (@(posedge clk) W == 5 && $bits(x) == 4);",
    "its own before a star": "module m import pk::*; #(parameter W = 9) (input clk, input n_t x);\n"
    " ok: assert property (@(posedge clk) W == 9);",
    "two stars": "module m import pk::*, other::*; (input clk, input n_t x);\n ok: assert property (@(posedge clk) V == 6);",
    "names of others": "module m import pk::*; (input clk, input n_t x); wire [3:0] y; sub #(.W(W)) u(.inc(x), .y(y));\n"
    " ok: assert property (@(posedge clk) y == 4'(x + 4));\nendmodule\n"
    "module sub #(parameter W = 1) (input [3:0] inc, output [3:0] y); assign y = inc + W;",
    "in a macro's brackets": "`define TWICE(v) ((v) + (v))\nmodule m import pk::*; (input clk, input n_t x);\n"
    " ok: assert property (@(posedge clk) `TWICE(W) == 8);",
    "in a case": "module m import pk::*; (input clk, input n_t x); e_t s = RA; always @(posedge clk) case (s)\n"
    " RA: if (x[0]) s <= RB; RB: s <= RC; default: s <= RA; endcase\n"
    " ok: assert property (@(posedge clk) s inside {RA, RB, RC});",
}


@pytest.mark.parametrize("name", DESIGNS)
def test_imported_names_mean_what_the_package_says(tmp_path: Path, name: str) -> None:
    body = DESIGNS[name]
    wrong = " bad: assert property (@(posedge clk) x == pk::W);" if " x)" in body else ""
    first, _, rest = body.partition("\nendmodule")
    graph = read_text(tmp_path, f"{PACKAGES}{first}\n{wrong}\nendmodule{rest}\n{'endmodule' if rest else ''}\n", top="m")
    assert fired(graph) == ({"bad"} if wrong else set())


@pytest.mark.parametrize(
    ("module", "place"),
    [
        (f"module m import pk::*; {CLK}\nif (1) begin localparam W = 7; wire [3:0] y = W; end", "4:10: an import is not supp"),
        (f"`define W4 W\nmodule m import pk::*; {CLK}\n wire [3:0] y = `W4;", "5:10: an import is not supported"),
        (f"import pk::*;\nmodule m{CLK} if (1) begin localparam W = 7; wire [3:0] y = W; end", "4:1: an import is"),
        (f"module m import pk::*; {CLK} wire [3:0] y = RB + bad;", "4:57: use of undeclared identifier 'bad'"),
        (f"module m{CLK} function automatic f(input a); if (a) return 1; return\n b; endfunction", "5:2: use of undecl"),
        (f"module m{CLK} {F}\n for (int i = 0; i < 2; i++) if (a) return 1;\n endfunction\n wire y = f(clk);", "5:2: "),
        (f"module m{CLK} {F}\n if (a) begin if (clk) return 0; end f = 1;\n endfunction\n wire y = f(clk);", "5:2: "),
    ],
)
def test_what_is_not_clear_stays_and_is_refused_at_its_place(tmp_path: Path, module: str, place: str) -> None:
    with pytest.raises(InputError) as raised:
        read_text(tmp_path, f"{PACKAGES}{module}\n  p: assert property (@(posedge clk) 1);\nendmodule\n", top="m")
    assert f".sv:{place}" in str(raised.value) and "\n" not in str(raised.value)
