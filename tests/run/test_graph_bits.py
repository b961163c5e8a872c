"""Programs on bits: engine ``bitblast`` proves and refutes what is bounded, and gives up where others are better."""

from __future__ import annotations

from pathlib import Path

import pytest

import lemmata
from lemmata.result import PropertyResult
from lemmata.verdict import Safe, Unknown, Unsafe

HEAD = "extern int __VERIFIER_nondet_int(void);\n#include <assert.h>\n"
LOCK = """
int main(void) {
  int state = 3, seen = 0;
  while (1) {
    int a = __VERIFIER_nondet_int();
    if (state == 3) { if (a > 1000) state = 17; }
    else if (state == 17) { if (a == -7) { state = 90; seen = 1; } else state = 3; }
    else { assert(%s); state = 3; seen = 0; }
  }
}
"""
BYTES = """
procedure main() {
  var x, y, i: bv8;
  y := 0bv8; i := 1bv8;
  while (i != 0bv8) { if (and(x, i) != 0bv8) { y := add(y, i); } i := shl(i, 1bv8); }
  assert y == %s;
}
function {:bvbuiltin "bvand"} and(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvshl"} shl(a: bv8, b: bv8) returns (bv8);
"""
PARITY = """
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 50000000) return 0;
  int y = x;
  while (y < 100000000) y += 2;
  assert(x % 2 == y % 2);
}
"""


def asked(tmp_path: Path, name: str, text: str, engine: str = "bitblast") -> PropertyResult:
    file = tmp_path / name
    file.write_text(text)
    return lemmata.check(file, engine=engine, workers=1, timeout=600).properties[0]


@pytest.mark.parametrize("condition, answer", [("seen == 1", Safe), ("seen == 0", Unsafe), ("a != -2147483647 - 1", Unsafe)])
def test_a_state_machine_of_integers(tmp_path: Path, condition: str, answer: type) -> None:
    result = asked(tmp_path, "lock.c", HEAD + LOCK % condition)
    assert isinstance(result.verdict, answer) and result.certified and result.engine == "bitblast"


@pytest.mark.parametrize("value, answer", [("x", Safe), ("add(x, 1bv8)", Unsafe)])
def test_words_of_a_program(tmp_path: Path, value: str, answer: type) -> None:
    result = asked(tmp_path, "bytes.bpl", BYTES % value)
    assert isinstance(result.verdict, answer) and result.certified and result.engine == "bitblast"


def test_the_states_are_said_in_the_words_of_the_program(tmp_path: Path) -> None:
    proof = asked(tmp_path, "lock.c", HEAD + LOCK % "seen == 1").verdict.invariant.describe()  # type: ignore[union-attr]
    assert "seen" in proof and "state" in proof and "%" not in proof


@pytest.mark.parametrize(
    "name, text",
    [
        ("unbounded.bpl", "procedure main() { var x, y: int; assume x > y; while (*) { x := x + 1; } assert x > y; }"),
        ("array.bpl", "procedure main() { var m: [bv8]bv8; while (*) { m[1bv8] := 2bv8; } assert m[1bv8] != 3bv8; }"),
        ("parity.c", HEAD + PARITY),
    ],
)
def test_what_is_for_others_is_left_to_them(tmp_path: Path, name: str, text: str) -> None:
    result = asked(tmp_path, name, text)
    assert isinstance(result.verdict, Unknown) and result.verdict.reason == "incomplete"
