"""Reports for machines: JSON keeps its schema, continuous integration gets documents that its readers take."""

from __future__ import annotations

import json
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from lemmata.errors import Place
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.report.formats.github import workflow_commands
from lemmata.report.formats.junit import junit
from lemmata.report.formats.sarif import sarif
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe
from tests.support.paths import ROOT
from tests.support.program import run_program
from tests.support.schema import complaints

SCHEMAS = {
    name: json.loads((files("lemmata.report") / "schema" / f"{name}.schema.json").read_text()) for name in ("result", "event")
}
NASTY = "a<b>&\"'\x1b\x00]]>:,%\u2028"
TRACE = Unsafe(Trace(0, (0,), ((1,), (0,)), ("l",), (NASTY,), (b"\0", b"\1")))
PROPS = (
    PropertyResult(NASTY, TRACE, "bmc", 0, True, 0.5, by="simulation", place=Place(f"{NASTY}.sv", 7, 3)),
    PropertyResult("fine", Safe(Invariant(((2,),))), "pdr", 3, True, 0.1, by="cadical153"),
    PropertyResult("open", Unknown("timeout"), "pdr", 3, False, 0.1),
    PropertyResult("never", Safe(Invariant(())), "pdr", 3, True, 0.1, is_cover=True),
)
RESULT = Result(f"dir/{NASTY}.sv", "0.1.0", PROPS, 1.0, 10)


@pytest.mark.parametrize(
    "file",
    ["thesis-2.3.1.aag", "elevator.aag", "btor2/counter.btor2", "lia/up-down.vmt", "lia/mccarthy.smt2", "boogie/parity.bpl"],
)
def test_results_and_events_keep_their_schemas(file):
    _, out, _ = run_program("check", ROOT / "examples" / file, "--format", "jsonl", "--timeout", "200")
    *events, result = map(json.loads, out.splitlines())
    assert list(complaints(result, SCHEMAS["result"])) == []
    assert [list(complaints(event, SCHEMAS["event"])) for event in events] == [[] for _ in events]
    assert result["cpu_s"] >= 0 and result["options"]["engine"] == "auto"
    assert result["seed"] == 0 and "python" in result["versions"]
    assert all(prop["engines"] for prop in result["properties"])


def test_next_values_without_a_declaration_are_told_in_text_and_json(tmp_path):
    file = tmp_path / "slip.vmt"
    file.write_text("""(declare-fun x () Int) (declare-fun xn () Int)
(define-fun s () Int (! x :next xm)) (define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= xn (+ x 1)) :trans true)) (define-fun p () Bool (! (>= x 0) :invar-property 0))
""")
    note = f"warning: {file}:2:33: xm is not declared: x may have any value after a step"
    code, out, _ = run_program("check", file, "--timeout", "200")
    assert code == 10 and note in out.splitlines()
    _, out, _ = run_program("check", file, "--format", "json", "--timeout", "200")
    assert json.loads(out)["notes"] == [note]
    assert list(complaints(json.loads(out), SCHEMAS["result"])) == []


def test_the_schema_notices_what_is_wrong():
    good = json.loads(json.dumps(RESULT.to_json()))
    assert list(complaints(good, SCHEMAS["result"])) == []
    assert list(complaints(good | {"verdict": "perhaps"}, SCHEMAS["result"])) == ["$.verdict is 'perhaps'"]
    assert list(complaints({k: v for k, v in good.items() if k != "seed"}, SCHEMAS["result"])) == ["$ lacks seed"]
    assert any(complaints({"event": "progress", "time_s": 1, "engine": "pdr", "property": None}, SCHEMAS["event"]))


def test_junit_is_xml_with_a_case_per_property():
    root = ElementTree.fromstring(junit([RESULT]))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "2", "1")
    cases = root.findall(".//testcase")
    assert [case.get("name") for case in cases][1:] == ["fine", "open", "never"]
    assert [len(case.findall("failure")) for case in cases] == [1, 0, 0, 1]
    assert cases[0].get("line") == "7"
    assert "step" in (cases[0].findtext("failure") or "")
    assert "another engine" in (cases[2].findtext("error") or "")


def test_sarif_has_a_result_per_property_that_is_not_as_hoped():
    document = json.loads(sarif([RESULT]))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert [(found["ruleId"], found["level"]) for found in run["results"]] == [
        ("unsafe", "error"),
        ("unknown", "warning"),
        ("unreachable", "error"),
    ]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 7}
    assert {found["ruleId"] for found in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_annotations_are_one_tame_line_each():
    lines = workflow_commands([RESULT]).split("\n")
    assert [line.split(" ")[0] for line in lines] == ["::error", "::notice", "::warning", "::error"]
    assert all(line.isprintable() for line in lines)
    head, _, text = lines[0][2:].partition("::")
    assert head.count(",") == 2 and ",line=7," in head and "%0A" in text


def test_names_cannot_add_commands_to_a_log():
    evil = Result(
        "x\n::error::y", "0", (PropertyResult("p\n::stop-commands::t", Unknown("timeout"), "pdr", 0, False, 0.1),), 1, 1
    )
    assert len(workflow_commands([evil]).split("\n")) == 1


@pytest.mark.parametrize("form", ["junit", "sarif", "github"])
def test_several_files_are_one_document(form, tmp_path):
    for name in ("a.aag", "b.aag"):
        (tmp_path / name).write_text("aag 1 0 1 0 0 1\n2 1\n2\n")
    code, out, _ = run_program("check", tmp_path, "--format", form)
    assert code == 10 and out.count("a.aag") >= 1 and out.count("b.aag") >= 1
