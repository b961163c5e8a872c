"""Pages: one file, whatever names say; what they hold is what JSON says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from lemmata.cli.pages import _spoken
from lemmata.logic.sorts import INT
from lemmata.logic.terms import var
from lemmata.models.derivation import Claim, GraphInvariant, GraphKInductive
from lemmata.models.graph import Location
from lemmata.models.invariant import Invariant
from lemmata.models.words import WordInvariant
from lemmata.report.page import report_page
from lemmata.verdict import Safe, Unknown
from tests.support.fake_engines import UNSAFE
from tests.support.hostile_names import EVIL, MARKUP, tame
from tests.support.paper_systems import op
from tests.support.program import run_program

HOSTILE = f"{MARKUP}]]>--></script><!--{EVIL}\u2028" + "x" * 10_000


class Elements(HTMLParser):
    """The elements of a page with their attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data):
        self.texts.setdefault(self._open, []).append(data)


def document(name: str) -> dict[str, object]:
    trace = {"property": 0, "depth": 0, "initial": "0", "inputs": ["1"], "latch_names": [name], "input_names": [name]}
    trace |= {"states": ["0"], "relevant_inputs": ["1"]}
    prop = {"name": name, "verdict": "unsafe", "reason": None, "engine": name, "bound": -1, "depth": 0, "by": name}
    prop |= {"read_by": [name], "time_s": 0.1, "trace": trace, "invariant": None, "line": 1, "file": name, "engines": {}}
    head = {"tool": "lemmata", "version": name, "file": name, "verdict": "unsafe", "time_s": 0.1, "cpu_s": 0.1, "memory_mb": 1}
    return head | {"seed": 0, "properties": [prop]}


def data_of(page: str) -> dict[str, object]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def scripts() -> list[Path]:
    return sorted(Path(str(files("lemmata.report.page"))).glob("*.js"))


def test_hostile_names_are_data():
    page = report_page(document(HOSTILE), source=HOSTILE, command=HOSTILE, digest=HOSTILE, text=HOSTILE)
    found = Elements(page)
    assert [tag for tag, _ in found.found].count("script") == 2
    assert not any(name.startswith("on") for _, attributes in found.found for name in attributes)
    assert data_of(page)["result"] == document(HOSTILE)
    body = page.partition("<body>")[2]
    assert "<!--" not in body and "]]>" not in body.partition("<script>")[0]
    assert tame(page)


def test_nothing_is_loaded_and_only_our_script_and_style_may_run():
    page = report_page(document("p"))
    found = Elements(page)
    assert not any({"src", "href", "action"} & attributes.keys() for _, attributes in found.found)
    (policy,) = [a["content"] for tag, a in found.found if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and policy.startswith("default-src 'none'") and "unsafe" not in policy
    for tag, text in (("style", found.texts["style"][0]), ("script", found.texts["script"][-1])):
        assert b64encode(sha256(text.encode()).digest()).decode() in policy, tag


def test_the_script_never_makes_markup():
    script = "".join(path.read_text() for path in scripts())
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc", script)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: nobody parses the script here")
def test_the_script_is_a_script():
    for path in scripts():
        subprocess.run(["node", "--check", str(path)], check=True)


def test_a_check_writes_its_page_and_json_is_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "unsafe.aag").write_text(UNSAFE)
    code, out, _ = run_program("check", "unsafe.aag", "--report", "out.html", "--engine", "bmc")
    assert code == 10 and "wrote out.html" in out
    data = data_of((tmp_path / "out.html").read_text())
    assert data["result"]["verdict"] == "unsafe" and data["digest"] == sha256(UNSAFE.encode()).hexdigest()
    _, page, _ = run_program("check", "unsafe.aag", "--format", "html", "--engine", "bmc")
    (ours,), (theirs,) = data["result"]["properties"], data_of(page)["result"]["properties"]
    assert ours["trace"] == theirs["trace"]


def test_a_saved_result_is_viewed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.bpl").write_text("procedure main()\n{\n  var x : int;\n  x := 1;\n  assert x == 2;\n}\n")
    _, out, _ = run_program("check", "program.bpl", "--format", "json")
    (tmp_path / "result.json").write_text(out)
    code, said, _ = run_program("view", "result.json", "--out", "page.html", "--no-open")
    assert (code, said) == (0, "wrote page.html\n")
    data = data_of((tmp_path / "page.html").read_text())
    assert data["result"] == json.loads(out) and "x := 1;" in data["source"]


BRANCHES = "procedure main()\n{\n  var x : int;\n  if (x > 0) { x := 1; } else { x := 2; }\n  assert x > 0;\n}\n"


def test_a_saved_result_has_its_graph_where_the_file_is_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.bpl").write_text(BRANCHES)
    _, out, _ = run_program("check", "program.bpl", "--format", "json", "--report", "checked.html")
    (tmp_path / "result.json").write_text(out)
    assert json.loads(out)["sha256"] == sha256(BRANCHES.encode()).hexdigest()
    run_program("view", "result.json", "--out", "page.html", "--no-open")
    viewed, checked = (data_of((tmp_path / name).read_text()) for name in ("page.html", "checked.html"))
    assert viewed["graph"] == checked["graph"] and viewed["graph"] and not viewed["remark"]


@pytest.mark.parametrize("change", ["changed", "gone", "old"])
def test_a_saved_result_says_why_it_has_no_graph(tmp_path, monkeypatch, change):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.bpl").write_text(BRANCHES)
    _, out, _ = run_program("check", "program.bpl", "--format", "json")
    document = json.loads(out)
    if change == "changed":
        (tmp_path / "program.bpl").write_text(BRANCHES + "// more\n")
    elif change == "gone":
        (tmp_path / "program.bpl").unlink()
    else:
        del document["sha256"]
    (tmp_path / "result.json").write_text(json.dumps(document))
    assert run_program("view", "result.json", "--out", "page.html", "--no-open").code == 0
    data = data_of((tmp_path / "page.html").read_text())
    reasons = {"changed": "has changed", "gone": "is not there", "old": "has no digest"}
    assert data["graph"] is None and not data["source"] and reasons[change] in data["remark"]


@pytest.mark.parametrize("text", ["{", "[]", '{"tool": "other"}', '{"tool": "lemmata", "properties": [{}]}'])
def test_what_is_no_result_is_refused(tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    code, out, err = run_program("view", tmp_path / "result.json", "--no-open")
    assert (code, out) == (2, "") and "result.json" in err


def test_a_page_of_several_files_is_refused(tmp_path):
    for name in ("a.aag", "b.aag"):
        (tmp_path / name).write_text(UNSAFE)
    assert run_program("check", tmp_path, "--report", tmp_path / "out.html").code == 2


def test_a_page_knows_what_the_formulas_of_a_proof_speak_of():
    x, y, z = (var(name, INT) for name in "xyz")
    lemmas = (op("<=", x, y), op("<=", z, x))
    claims = GraphInvariant((Claim(0, Location("main", (x, y, z)), lemmas), Claim(1, Location("end"), ())))
    assert _spoken(Safe(WordInvariant(lemmas))) == [["x", "y"], ["x", "z"]]
    assert _spoken(Safe(claims)) == {"main": [["x", "y"], ["x", "z"]]} == _spoken(Safe(GraphKInductive(2, claims)))
    assert _spoken(Unknown("timeout")) is None and _spoken(Safe(Invariant(()))) is None
