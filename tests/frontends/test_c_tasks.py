"""Task definitions of SV-COMP: which program, which property, which data model, and what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

import lemmata
from lemmata.bench.suites import load_suite
from lemmata.config import COptions
from lemmata.errors import InputError
from lemmata.frontends import load

PROGRAM = (
    "extern void reach_error(void);\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
    "int main(void) {\n  long x = sizeof(long);\n  int y = __VERIFIER_nondet_int();\n  assert(y != 3);\n"
    "  if (x != 4)\n    reach_error();\n  y = y + 1;\n  return 0;\n}\n"
)
TASK = (
    "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: ../properties/termination.prp\n"
    "    expected_verdict: true\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: {expected}\n"
    "options:\n  language: C\n  data_model: {model}\n"
)


def task(folder: Path, model: str = "LP64", expected: str = "false", text: str = TASK) -> Path:
    (folder / "p.c").write_text(PROGRAM)
    file = folder / f"p-{model}.yml"
    file.write_text(text.format(model=model, expected=expected))
    return file


@pytest.mark.parametrize("model, verdict", [("LP64", "unsafe"), ("ILP32", "safe")])
def test_a_task_says_property_and_data_model(tmp_path: Path, model: str, verdict: str) -> None:
    result = lemmata.check(task(tmp_path, model), workers=1)
    assert (result.verdict, [p.name for p in result.properties]) == (verdict, ["reach_error at line 9"])
    assert "execution" in " ".join(result.properties[0].read_by)


def test_a_property_file_of_the_call_goes_first(tmp_path: Path) -> None:
    rules = tmp_path / "mine.prp"
    rules.write_text("CHECK( init(main()), LTL(G ! overflow) )\n")
    graph = load(task(tmp_path), c=COptions(property_file=str(rules)))
    assert [p.name for p in graph.properties()] == ["overflow at line 10"]


@pytest.mark.parametrize(
    "text, cause",
    [
        ("- 7", "this is no task of SV-COMP"),
        ("input_files: [a.c, b.c]", "only tasks with one input file"),
        ("input_files: p.c\noptions: {{data_model: LLP64}}", "there is no data model LLP64"),
        ("input_files: p.c\noptions: {{language: Java}}", "tasks in Java are not supported"),
        ("input_files: p.c\nproperties: [{{property_file: valid-memsafety.prp}}]", "no property of this task is supported"),
        ("input_files: q.c\nproperties: [{{property_file: unreach-call.prp}}]", "there is no such file"),
    ],
)
def test_what_is_no_task_is_refused(tmp_path: Path, text: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        load(task(tmp_path, text=text))


def test_tasks_are_a_suite_with_expectations(tmp_path: Path) -> None:
    task(tmp_path, "LP64", "false")
    task(tmp_path, "ILP32", "true")
    (tmp_path / "other.yml").write_text("steps: []\n")
    cases = load_suite([tmp_path])
    assert [(case.file, case.expected) for case in cases] == [("p-ILP32.yml", "safe"), ("p-LP64.yml", "unsafe")]
    assert [(c.file, c.expected) for c in load_suite([tmp_path / "p-LP64.yml"])] == [("p-LP64.yml", "unsafe")]


def test_programs_without_tasks_are_a_suite(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM)
    assert [(case.file, case.expected) for case in load_suite([tmp_path])] == [("p.c", "unknown")]
