"""Yosys' own BTOR2 as a second reading of designs: it agrees with what is right, and contradicts what is misread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.errors import CertificateError
from lemmata.frontends.verilog import reader
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.verdict import Safe
from tests.support.designs import read_text
from tests.support.second_readings import certified, opinion

# Three properties: one that is safe by an invariant over words and a memory, one that is not safe, a cover.
TEXT = """module m(input clk, input rst, input [3:0] d, input we);
  reg [3:0] n = 0, top = 0; reg [7:0] mem [0:3]; reg [3:0] free;
  initial mem[2] = 9;
  integer k;
  always @(posedge clk or posedge rst)
    if (rst) n <= 0; else if (n < 9) n <= n + 1; else n <= 3;
  always @(posedge clk) begin
    if (n > top) top <= n;
    if (we) mem[d[1:0]] <= {free, n}; else free <= free >> 1;
  end
  always @(posedge clk) begin
    bounded: assert (n <= 9 && top <= 9);
    small: assert (mem[2] != 8'h57 || top < 5);
    seen: cover (n == 7 && mem[1] == 8'h21);
  end
endmodule
"""


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return read_text(tmp_path_factory.mktemp("design"), TEXT)


def test_evidence_of_every_kind_is_read_again(design: Graph) -> None:
    told = [opinion("", design, certified(design, engine, prop), prop) for prop, engine in enumerate(("pdr", "bmc", "bmc"))]
    assert told == ["Yosys' BTOR2 (bitwuzla)", "Yosys' BTOR2 (simulation)", "Yosys' BTOR2 (simulation)"]
    induction = certified(design, "kinduction", 0)
    assert isinstance(induction, Safe) and isinstance(induction.invariant, KInductive)
    assert opinion("", design, induction) == "Yosys' BTOR2 (bitwuzla)"


MISREADINGS = {
    "less is at most": ("$lt", "$le", 0),
    "not equal is equal": ("$ne", "$eq", 1),
    "plus is minus": ("$add", "$sub", 1),
    "equal is not equal": ("$eq", "$ne", 2),
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_cell_that_is_misread_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    cell, other, prop = MISREADINGS[name]
    monkeypatch.setitem(reader.FUNCTIONS, cell, reader.FUNCTIONS[other])
    misread = read_text(tmp_path, TEXT)
    with pytest.raises(CertificateError, match=r"a second reading .* disagrees"):
        opinion("", misread, certified(misread, "auto", prop), prop)


def test_without_a_second_reading_there_is_no_opinion(design: Graph) -> None:
    assert design.design is not None
    alone = replace(design, design=replace(design.design, btor2=b"", covers=b""))
    assert opinion("", alone, certified(alone, "pdr", 0)) is None


ROTATED = """module m(input clk, input we, input [2:0] a, input [7:0] d);
  reg [7:0] mem [5:2], s = 0;
  integer i;
  initial for (i = 2; i < 6; i = i + 1) mem[i] = 0;
  always @(posedge clk) begin
    if (we) mem[a] <= d;
    if (we && a == 3) s <= d;
  end
  always @* same: assert (mem[3] == s);
endmodule
"""


def test_a_memory_whose_words_the_file_has_in_another_order_is_not_read_again(tmp_path: Path) -> None:
    """Index 0 of the model is address 2; in the file it is address 4, and its initial values are written without that."""
    rotated = read_text(tmp_path, ROTATED)
    assert opinion("", rotated, certified(rotated, "pdr", 0)) is None
    even = read_text(tmp_path, ROTATED.replace("[5:2]", "[7:4]").replace("i = 2; i < 6", "i = 4; i < 8").replace("3", "5"))
    assert opinion("", even, certified(even, "pdr", 0)) == "Yosys' BTOR2 (bitwuzla)"
