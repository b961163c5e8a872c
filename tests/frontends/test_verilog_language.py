"""Small designs, one for each way in which a reader of Verilog can go wrong; what they mean is in IEEE 1800-2017.

``verilog_language.txt`` has bodies of a module with a clock, two words and two bits as inputs: assertions that hold, that fail,
and designs that are refused at a place for a cause. Those that hold or fail are modules of one design, which is simulated.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from lemmata.config import DesignOptions
from lemmata.errors import InputError, UsageError
from lemmata.frontends.verilog.language import Elaboration, compare_widths, elaborate
from lemmata.frontends.verilog.netlist import Net
from tests.soak.verilog import differences, points_for
from tests.support.designs import fired, needs_icarus, read_text
from tests.support.random_designs import random_design

PORTS = "(input clk, input [3:0] a, input [3:0] b, input x, input y);\n"
_CASE = re.compile(r"^== (?P<kind>\w+) (?P<name>\w+)(?: (?P<told>.*))?\n(?P<body>(?:(?!==).*\n)*)", re.MULTILINE)
CASES = {found["name"]: found for found in _CASE.finditer((Path(__file__).parent / "verilog_language.txt").read_text())}
KINDS = {kind: [name for name, case in CASES.items() if case["kind"] == kind] for kind in ("holds", "fails", "refused")}
ALONE = [
    name for name in KINDS["holds"] + KINDS["fails"] if re.search(r"\b(?:assume|restrict)\b|negedge clk", CASES[name]["body"])
]


def test_assertions_hold_and_fail_as_the_language_says(tmp_path: Path) -> None:
    together = [name for name in KINDS["holds"] + KINDS["fails"] if name not in ALONE]
    modules = [f"module t_{name}{PORTS}{_renamed(CASES[name]['body'], name)}endmodule\n" for name in together]
    instances = "".join(f"  t_{name} t_{name}(clk, a, b, x, y);\n" for name in together)
    graph = read_text(tmp_path, f"{''.join(modules)}module m{PORTS}{instances}endmodule\n", top="m")
    assert {_case(name) for name in fired(graph)} == set(KINDS["fails"]) - set(ALONE)
    assert {_case(question.name) for question in graph.questions} >= set(together)  # and what Yosys asserts of tri-states


def _case(name: str) -> str:
    """Which case a property belongs to, by its path, or by ``… in path``."""
    return name.rpartition(" in ")[2].split(".")[0].partition("#")[0].removeprefix("t_")


def _renamed(body: str, name: str) -> str:
    return re.sub(r"\b(sub|ifc|dummy)\b", rf"\1_{name}", body)


@pytest.mark.parametrize("name", ALONE)
def test_with_assumptions_or_a_clock_of_its_own(tmp_path: Path, name: str) -> None:
    graph = read_text(tmp_path, f"module m{PORTS}{CASES[name]['body']}endmodule\n", top="m")
    assert bool(fired(graph)) == (CASES[name]["kind"] == "fails")


@pytest.mark.parametrize("name", KINDS["refused"])
def test_what_yosys_would_misread_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    file = tmp_path / "bad.sv"
    file.write_text(f"module m{PORTS}{CASES[name]['body']}endmodule\n")
    with pytest.raises(InputError) as raised:
        elaborate([str(file)], DesignOptions(top="m"), [], tmp_path)
    place, _, cause = (CASES[name]["told"] or "").partition(" ")
    assert f"bad.sv:{place}: {cause}" in str(raised.value) and "\n" not in str(raised.value)


TWO = """module a(input x);
endmodule
module b #(parameter signed [7:0] N = 1, localparam K = 2)(input clk);
  p: assert property (N == 1);
endmodule
"""


def test_of_several_top_modules_one_has_to_be_chosen(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"several top modules: a, b \(choose one with --top\)"):
        read_text(tmp_path, TWO)
    assert not fired(read_text(tmp_path, TWO, top="b"))


def test_parameters_are_set_or_refused(tmp_path: Path) -> None:
    one = TWO.partition("endmodule\n")[2]
    assert fired(read_text(tmp_path, one, parameters=("N=-2",))) == {"p"}  # without --top, too
    for name in ("M", "K"):
        with pytest.raises((InputError, UsageError), match=name):
            read_text(tmp_path, one, parameters=(f"{name}=2",))


def test_a_signal_whose_width_the_readers_see_differently_is_an_error(tmp_path: Path) -> None:
    elaboration = Elaboration("m", {}, {"u.w": (4, False)}, ())
    net = Net("u.w", ("u", "w"), [2, 3, 4], True, False, 0, False, "", None)
    with pytest.raises(InputError, match=r"the readers disagree about u\.w: 3 bits for Yosys, 4 for slang"):
        compare_widths(elaboration, [net], "m.sv")


@needs_icarus
def test_random_designs_have_the_values_of_icarus(tmp_path: Path) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        design = random_design(rng)
        assert not differences(tmp_path, design, points_for(design, rng))


def test_places_are_those_of_the_source_where_the_path_has_blanks_and_the_text_was_edited(tmp_path: Path) -> None:
    folder = tmp_path / "two words"
    folder.mkdir()
    graph = read_text(
        folder, "module m(input clk);\n  bit small;\n  assert property (@(posedge clk) !small);\nendmodule\n", "my design.sv"
    )
    (question,) = graph.questions
    assert question.place is not None
    assert (question.place.file, question.place.line) == (str(folder / "my design.sv"), 3) and not fired(graph)


def test_what_would_have_to_be_edited_in_an_included_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "declared.vh").write_text("// nothing\nbit r;\n")
    with pytest.raises(InputError, match=r"declared\.vh:2:1: in an included file this is not supported"):
        read_text(tmp_path, 'module m(input clk);\n`include "declared.vh"\n  assert property (@(posedge clk) !r);\nendmodule\n')


@pytest.mark.parametrize(
    ("outside", "inside"),
    [
        ("localparam A = 1;", "localparam A = 2;"),
        ("function automatic [3:0] A(input [3:0] x); A = x; endfunction", "wire A;"),
        ("typedef enum logic [1:0] {A, B} e_t;", "if (1) begin : g wire A; end"),
    ],
)
def test_a_name_outside_of_modules_that_a_module_declares_again_is_refused(tmp_path: Path, outside: str, inside: str) -> None:
    with pytest.raises(InputError, match=r":3:\d+: A is also declared outside of modules"):
        read_text(tmp_path, f"{outside}\nmodule m(input clk);\n{inside}\n  p: assert property (@(posedge clk) 1);\nendmodule\n")
    other = inside.replace("A", "C")
    read_text(tmp_path, f"{outside}\nmodule m(input clk);\n{other}\n  p: assert property (@(posedge clk) 1);\nendmodule\n")
