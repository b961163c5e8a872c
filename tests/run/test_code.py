"""Answers about C programs in C: invariants at lines, runs from line to line, notes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lemmata
from lemmata.config import COptions
from lemmata.result import Result

HEAD = "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n#include <assert.h>\n"


def checked(tmp_path: Path, text: str, **options: str) -> Result:
    file = tmp_path / "p.c"
    file.write_text(HEAD + text)
    return lemmata.check(file, workers=1, timeout=600, c=COptions(**options))  # type: ignore[arg-type]


def trace(result: Result) -> list[str]:
    text = result.properties[0].verdict.trace.describe()  # type: ignore[union-attr]
    return [re.sub(r"^.*p\.c:", "", line) for line in text.split("\n")]


def invariant(result: Result) -> dict[str, object]:
    found = result.to_json()["properties"][0]["invariant"]  # type: ignore[index]
    assert isinstance(found, dict)
    return found


def test_a_run_tells_lines_changes_and_calls(tmp_path: Path) -> None:
    result = checked(
        tmp_path, "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5)\n    x = 7;\n  assert(x != 7);\n}\n"
    )
    lines = trace(result)
    assert re.fullmatch(r"4, 5 main: x = (-?\d+), __VERIFIER_nondet_int\(\) = \1", lines[0])
    assert lines[-1].endswith("8 main: assert at line 8 is violated")
    steps = result.to_json()["properties"][0]["trace"]["steps"]  # type: ignore[index]
    assert [call["function"] for step in steps for call in step["calls"]] == ["__VERIFIER_nondet_int"]
    assert result.to_json()["properties"][0]["line"] == 8  # type: ignore[index]


def test_a_run_tells_variables_without_a_value(tmp_path: Path) -> None:
    lines = trace(checked(tmp_path, "int main(void) {\n  int x;\n  assert(x != 7);\n}\n"))
    assert lines[0] == "4, 5 main: x = 7 without a value"


@pytest.mark.parametrize("recursion", ["", "if (n < 0) f(n + 1); "])
def test_a_run_tells_calls_and_what_they_change(tmp_path: Path, recursion: str) -> None:
    program = f"int g;\nvoid f(int n) {{ {recursion}g = g + n; }}\nint main(void) {{\n  f(2);\n  f(3);\n  assert(g != 5);\n}}\n"
    lines = trace(checked(tmp_path, program))
    assert [line.split(": ", 1)[1] for line in lines] == [
        "calls f(n = 2)", "g = 2", "calls f(n = 3)", "g = 5", "assert at line 9 is violated"
    ]  # fmt: skip


def test_a_run_tells_cells_pointers_and_objects(tmp_path: Path) -> None:
    program = (
        "struct s { int a; int b; } t;\nint main(void) {\n  int v[3] = {1, 2, 3};\n  int *p = &t.b;\n"
        "  *p = 4;\n  v[1] = 9;\n  assert(v[1] + t.b != 13);\n}\n"
    )
    told = "\n".join(trace(checked(tmp_path, program)))
    for part in ("v[1] = 9", "p = &t.b", "t.b = 4"):
        assert part in told


def test_words_are_told_with_their_sign(tmp_path: Path) -> None:
    program = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x > 0 || (x ^ (x + 1)) != -1);\n}\n"
    assert "x = -1, __VERIFIER_nondet_int() = -1" in "\n".join(trace(checked(tmp_path, program)))


def test_an_invariant_is_an_expression_of_c_at_a_loop(tmp_path: Path) -> None:
    program = "int main(void) {\n  int i = 0;\n  while (i < 1000000)\n    i++;\n  assert(i == 1000000);\n}\n"
    result = checked(tmp_path, program)
    source = invariant(result)["source"]
    assert isinstance(source, list)
    loops = [claim for claim in source if claim["at"] == "loop"]
    assert [(claim["line"], claim["function"]) for claim in loops] == [(6, "main")]
    assert "i <= 1000000" in loops[0]["expressions"]
    assert "p.c:6 main, loop:" in result.properties[0].verdict.invariant.describe()  # type: ignore[union-attr]


def test_arithmetic_of_an_invariant_does_not_overflow(tmp_path: Path) -> None:
    program = (
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  int i = 0, j = n;\n  __VERIFIER_assume(n >= 0);\n"
        "  while (j > 0) { i++; j--; }\n  assert(i == n);\n}\n"
    )
    texts = [text for claim in invariant(checked(tmp_path, program))["source"] for text in claim["expressions"]]  # type: ignore[attr-defined]
    assert any("(long long)" in text for text in texts)


def test_undefined_functions_and_overflow_are_noted(tmp_path: Path) -> None:
    program = "int get(void);\nvoid put(int);\nint main(void) {\n  int x = get();\n  put(x + 1);\n  assert(x + 1 > x);\n}\n"
    result = checked(tmp_path, program)
    assert result.notes == (
        "warning: get, put have no definition: they return anything and change nothing else",
        "note: signed overflow, which C leaves undefined, wraps as with gcc -fwrapv",
    )
    assert result.to_json()["notes"] == list(result.notes)


def test_nothing_is_noted_without_need(tmp_path: Path) -> None:
    program = "int main(void) {\n  unsigned char x = __VERIFIER_nondet_int();\n  assert(x + 1 > 0);\n}\n"
    assert checked(tmp_path, program).notes == ()
    overflowing = "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  x++;\n  assert(x == x);\n}\n"
    assert checked(tmp_path, overflowing, arithmetic="unbounded").notes == ()
