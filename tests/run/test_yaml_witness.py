"""Witnesses of SV-COMP: what is written passes the schema, and comes back through ``lemmata certify``."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from lemmata import run
from lemmata.config import Config, COptions
from lemmata.errors import InputError
from lemmata.run.svcomp.validate import Validation, validate
from lemmata.run.task import YAML, Wanted
from tests.support.paths import ROOT
from tests.support.program import run_program
from tests.support.witness_schema import complaints

FOLDER = ROOT / "examples" / "c"
HEAD = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
LOOP = (
    HEAD + "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  int i = 0, j = 0;\n"
    "  if (n < 0 || n > 1000)\n    return 0;\n  while (i < n) {\n    i++;\n    j += 2;\n  }\n"
    "  assert(j == 2 * n);\n  return 0;\n}\n"
)


def entries(*values: str, line: int = 8, kind: str = "loop_invariant") -> str:
    content = [
        {"invariant": {"type": kind, "location": {"file_name": "p.c", "line": line}, "value": v, "format": "c_expression"}}
        for v in values
    ]
    return yaml.safe_dump([{"entry_type": "invariant_set", "content": content}])


def validated(tmp_path: Path, program: str, text: str) -> Validation:
    file, witness = tmp_path / "p.c", tmp_path / "w.yml"
    file.write_text(program)
    witness.write_text(text)
    return validate(file, witness, Config())


def words(found: Validation) -> list[str]:
    return [entry.word for entry in found.entries]


def proof(file: Path, options: COptions | None = None) -> bytes:
    outcome = run.supervise(str(file), Config(workers=1, c=options or COptions()), wanted=Wanted(certificate=YAML))
    assert outcome.result.verdict == "safe"
    (found,) = [files.certificate for files in outcome.files.values()]
    assert found is not None
    return found


def test_a_proof_passes_the_schema_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(LOOP)
    text = proof(tmp_path / "p.c").decode()
    document = yaml.safe_load(text)
    assert complaints(document) == []
    assert {item["invariant"]["location"]["line"] for item in document[0]["content"]} == {8}
    found = validated(tmp_path, LOOP, text)
    assert (found.verdict, set(words(found)), found.is_wrong) == ("safe", {"holds"}, False)


def test_a_proof_about_a_preprocessed_file_has_its_lines(tmp_path: Path) -> None:
    text = '# 1 "q.c"\n# 77 "q.c"\nvoid reach_error() { }\nint main() {\n  int i = 0;\n  while (i < 90000)\n    i++;\n'
    (tmp_path / "p.i").write_text(text + "  if (i != 90000) reach_error();\n}\n")
    document = yaml.safe_load(proof(tmp_path / "p.i"))
    assert {item["invariant"]["location"]["line"] for item in document[0]["content"]} == {6}


def test_a_violation_passes_the_schema(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(HEAD + "int main(void) {\n  int x;\n  int y = __VERIFIER_nondet_int();\n  assert(x != 4 || y != 5);\n}\n")
    outcome = run.supervise(str(file), Config(workers=1), wanted=Wanted(sequence=True))
    (text,) = [files.sequence for files in outcome.files.values()]
    assert text is not None
    document = yaml.safe_load(text)
    assert complaints(document) == []
    found = [segment["segment"][0]["waypoint"] for segment in document[0]["content"]]
    assert [w["type"] for w in found] == ["assumption", "function_return", "target"]
    assert [w.get("constraint", {}).get("value") for w in found] == ["x == 4", "\\result == 5", None]
    assert [(w["location"]["line"], w["location"]["column"]) for w in found][1:] == [(5, 33), (6, 3)]


def test_the_schema_finds_mistakes() -> None:
    (document,) = yaml.safe_load(entries("1"))
    assert complaints([document]) != []
    assert complaints({}) != [] and complaints([]) != []


def test_a_set_that_is_not_inductive_is_completed(tmp_path: Path) -> None:
    found = validated(tmp_path, LOOP, entries("j == 2 * i"))
    assert (found.verdict, words(found), found.is_wrong) == ("safe", ["holds"], False)


def test_entries_that_do_not_help_are_not_needed(tmp_path: Path) -> None:
    found = validated(tmp_path, LOOP, entries("j == 2 * i && i <= n", "n != 5000"))
    assert found.entries[1].is_needed is False
    assert str(found.entries[1]) == "line 8: n != 5000: holds, not needed"


def test_wrong_entries_are_told_from_right_ones(tmp_path: Path) -> None:
    found = validated(tmp_path, LOOP, entries("i < n", "j == 2 * i", "k > 0", "i++", "i >"))
    assert words(found) == ["violated", "holds", "refused", "refused", "refused"]
    assert found.verdict == "safe" and found.is_wrong
    assert "not declared" in found.entries[2].detail and "side effects" in found.entries[3].detail
    assert words(validated(tmp_path, LOOP, entries("1", line=3))) == ["nowhere"]


def test_entries_at_statements_and_types_of_the_program_are_read(tmp_path: Path) -> None:
    program = LOOP.replace("int main", "typedef unsigned long word;\nint main")
    found = validated(tmp_path, program, entries("(word)i < 1000", line=10, kind="location_invariant"))
    assert (words(found), found.verdict) == (["holds"], "safe")


def test_a_witness_of_an_unsafe_program_is_rejected(tmp_path: Path) -> None:
    program = LOOP.replace("j == 2 * n", "j != 10")
    found = validated(tmp_path, program, entries("j == 2 * i"))
    assert found.verdict == "unsafe" and found.is_wrong


def test_the_command_tells_entry_by_entry(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(LOOP)
    (tmp_path / "w.yml").write_text(entries("j == 2 * i", "i < n"))
    done = run_program("certify", str(tmp_path / "p.c"), str(tmp_path / "w.yml"))
    assert done.code == 1 and done.out.startswith("line 8: j == 2 * i: holds")
    assert done.out.splitlines() == [
        done.out.splitlines()[0],
        "line 8: i < n: violated",
        "rejected: not all entries hold (assert at line 12: safe)",
    ]


@pytest.mark.parametrize(
    "text, cause",
    [
        ("a: [", "this is no YAML"),
        ("7", "this is no witness"),
        ("- entry_type: violation_sequence", "this is a violation sequence"),
        ("- entry_type: other", "this is no invariant set"),
        ("- entry_type: invariant_set\n  content: [3]", "has an invariant with a location"),
        ("- entry_type: invariant_set\n  content: [{invariant: {type: x, location: {}}}]", "are not supported"),
        (entries("1").replace("line: 8", "line: a"), "has a line and a value"),
    ],
)
def test_files_that_are_none_are_refused(tmp_path: Path, text: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause):
        validated(tmp_path, LOOP, text)
