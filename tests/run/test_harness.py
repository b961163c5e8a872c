"""Runs of C programs as C files: compiled and started, each violates the property, too."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from lemmata import run
from lemmata.config import Config, COptions
from lemmata.run.task import Wanted
from tests.support.paths import ROOT

FOLDER = ROOT / "examples" / "c"
UNSAFE = [row["file"] for row in csv.DictReader((FOLDER / "index.csv").open()) if row["expected"] == "unsafe"]
NEEDS_CC = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
HEAD = "extern int __VERIFIER_nondet_int(void);\n"
PROGRAMS = {
    "values in order": "void __VERIFIER_assume(int);\n"
    "int main(void) {\nint a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n"
    "__VERIFIER_assume(a == 3); if (b == 5) __VERIFIER_error(); return 0; }\n",
    "no value": "#include <assert.h>\nint main(void) { int i, n;\n"
    "for (i = 0; i < 2; i++) { unsigned char c; n = c; }\nassert(n != 77); }\n",
    "array": "#include <assert.h>\nint main(void) { int a[5]; assert(a[3] != 8 || a[0] != 1); }\n",
    "object": "#include <assert.h>\nvoid f(int *p) { assert(*p != 9); }\nint main(void) { int x; f(&x); }\n",
    "label": "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 4) goto ERROR; return 0; ERROR: return 1; }\n",
    "macro": "#define CHECK(c) if (!(c)) goto ERROR;\n#define GET(n) int n = __VERIFIER_nondet_int()\n"
    "int main(void) { GET(x); CHECK(x != 4) return x ? 1 : 0; ERROR: return 1; }\n",
    "harmless error": "void reach_error(void) {}\n"
    "int main(void) { if (__VERIFIER_nondet_int() == 4) reach_error(); return 0; }\n",
    "undeclared": "int main(void) { int x = unknown(); __VERIFIER_assert(x != 12); return 0; }\n",
    "name": "int main(void) { int x = __BLAST_NONDET; if (x == 3) { ERROR: goto ERROR; } return 0; }\n",
    "argument": "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 1234); return 0; }\n",
    "extern": "#include <assert.h>\nextern unsigned limit;\nint main(void) { assert(limit != 3000000000u); return 0; }\n",
    "words": "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
    "assert((x ^ y) != -5); return 0; }\n",
    "unused": "#include <assert.h>\nint main(void) { __VERIFIER_nondet_int();\n"
    "int x = __VERIFIER_nondet_int(); assert(x != 6); }\n",
    "stub": "#include <assert.h>\n#include <stdio.h>\nvoid put(int); int get(char *); int main(void) { char c; put(1);\n"
    'printf("%d", 1); assert(get(&c) != 41); }\n',
    "seahorn": '#include "seahorn/seahorn.h"\nint main(void) { int x = nd(); sassert(x != 2); return 0; }\n',
    "recursion": "#include <assert.h>\nint f(int n) { if (n <= 0) return __VERIFIER_nondet_int(); return f(n - 1) + 1; }\n"
    "int main(void) { int a = f(2), b = f(1); assert(a != 10 || b != 20); }\n",
}  # fmt: skip


def harnesses(file: Path, options: COptions | None = None, entry: str | None = None) -> list[bytes]:
    config = Config(c=options or COptions(), entry=entry, timeout=600.0, workers=1)
    outcome = run.supervise(str(file), config, wanted=Wanted(harness=True))
    assert outcome.result.verdict == "unsafe"
    found = [files.harness for files in outcome.files.values() if files.harness is not None]
    assert found, [files.missing for files in outcome.files.values()]
    return found


def ends_with(text: bytes, folder: Path, *flags: str) -> int:
    (folder / "harness.c").write_bytes(text)
    compiled = ["cc", "-w", "-fwrapv", *flags, str(folder / "harness.c"), "-o", str(folder / "harness")]
    subprocess.run(compiled, check=True)
    return subprocess.run([str(folder / "harness")], capture_output=True, timeout=600).returncode


@NEEDS_CC
@pytest.mark.parametrize("name", UNSAFE)
def test_examples_fail_when_they_run(name: str, tmp_path: Path) -> None:
    assert [ends_with(text, tmp_path) for text in harnesses(FOLDER / name)] == [1]


@NEEDS_CC
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_harness_fails_when_it_runs(name: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text((HEAD if "__VERIFIER_nondet_int" in PROGRAMS[name] else "") + PROGRAMS[name])
    assert ends_with(harnesses(file)[0], tmp_path) == 1


@NEEDS_CC
def test_a_preprocessed_file_has_a_harness(tmp_path: Path) -> None:
    file = tmp_path / "p.i"
    file.write_text(
        '# 1 "q.c"\n# 200 "q.c"\nvoid reach_error() { }\nint main() {\n  int x;\n  if (x == 8) { reach_error(); }\n}\n'
    )
    assert ends_with(harnesses(file)[0], tmp_path) == 1


@NEEDS_CC
def test_another_entry_is_called_with_its_arguments(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "#include <assert.h>\nvoid f(long a, short b) { assert(a != 123456789012 || b != -7); }\nint main(void) { return 0; }\n"
    )
    assert ends_with(harnesses(file, entry="f")[0], tmp_path) == 1


@NEEDS_CC
def test_an_overflow_is_found_by_a_sanitizer(tmp_path: Path) -> None:
    rules = tmp_path / "no-overflow.prp"
    rules.write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    text = harnesses(FOLDER / "midpoint.c", COptions(property_file=str(rules)))[0]
    assert b"-fsanitize=signed-integer-overflow" in text
    flags = ("-fno-wrapv", "-fsanitize=signed-integer-overflow", "-fno-sanitize-recover")
    assert ends_with(text, tmp_path, *flags) == 1


def test_lines_stay_and_values_are_written(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(HEAD + PROGRAMS["values in order"])
    text = harnesses(file)[0].decode()
    assert '#line 1 "p.c"' in text and "{3ULL, 1ULL}" in text and "{5ULL, 1ULL}" in text
    assert PROGRAMS["values in order"] in text


def test_what_has_no_harness_says_so(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("#include <assert.h>\nint main(void) { int a[2][2]; assert(a[1][0] != 8); }\n")
    outcome = run.supervise(str(file), Config(workers=1), wanted=Wanted(harness=True))
    assert [files.missing for files in outcome.files.values()] == [
        f"no harness was written: {file}:2:22: 'a' has several dimensions and no value"
    ]
    file.write_text(
        "#define CHECK(c) if (!(c)) { ERROR: goto ERROR; }\n"
        "int main(void) { int x = unknown(); CHECK(x != 3) return x ? x : 1; }\n"
    )
    outcome = run.supervise(str(file), Config(workers=1), wanted=Wanted(harness=True))
    assert [files.missing for files in outcome.files.values()] == [
        f"no harness was written: {file}:2:37: 'ERROR' is not found in the text of the program"
    ]
    circuit = ROOT / "examples" / "counter-broken.aag"
    if circuit.exists():
        outcome = run.supervise(str(circuit), Config(workers=1), wanted=Wanted(harness=True))
        assert all("only a run of a C program" in files.missing for files in outcome.files.values())
