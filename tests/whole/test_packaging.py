"""What others package Lemmata with: the tool-info module answers, the recipes name what there is."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from types import ModuleType, SimpleNamespace

import pytest

from tests.support.paths import ROOT
from tests.support.program import run_program

PACKAGING = ROOT / "packaging"


@pytest.fixture
def tool(monkeypatch):
    """The module, with a stand-in for BenchExec."""
    words = ("RESULT_TRUE_PROP", "RESULT_FALSE_PROP", "RESULT_UNKNOWN", "RESULT_ERROR")
    modules = {
        name: ModuleType(name) for name in ("benchexec", "benchexec.result", "benchexec.tools", "benchexec.tools.template")
    }
    for word in words:
        setattr(modules["benchexec.result"], word, word)
    modules["benchexec.tools.template"].BaseTool2 = object
    modules["benchexec"].result, modules["benchexec"].tools = modules["benchexec.result"], modules["benchexec.tools"]
    modules["benchexec.tools"].template = modules["benchexec.tools.template"]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("lemmata_tool_info", PACKAGING / "benchexec" / "lemmata.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Tool()


def task(*files: str, prop: str | None = None, options: object = None) -> SimpleNamespace:
    return SimpleNamespace(input_files_or_identifier=list(files), property_file=prop, options=options)


NO_LIMITS = SimpleNamespace(cputime_hard=None, walltime=None)


@pytest.mark.parametrize(
    ("text", "word"), [("aag 1 0 1 0 0 1\n2 1\n2\n", "RESULT_FALSE_PROP"), ("aag 1 0 1 0 0 1\n2 2\n2\n", "RESULT_TRUE_PROP")]
)
def test_the_tool_info_module_calls_and_reads(tool, tmp_path, text, word):
    (tmp_path / "t.aag").write_text(text)
    command = tool.cmdline("lemmata", ["--engine", "pdr"], task(str(tmp_path / "t.aag")), NO_LIMITS)
    done = run_program(*command[1:])
    assert tool.determine_result(SimpleNamespace(output=done.out, exit_code=SimpleNamespace(value=done.code))) == word
    assert tool.get_value_from_output(done.out.splitlines(), "cpu_s") >= 0


def test_limits_and_properties_become_options(tool):
    limits = SimpleNamespace(cputime_hard=900, walltime=None)
    command = tool.cmdline("lemmata", [], task("a.c", prop="unreach-call.prp", options={"data_model": "ILP32"}), limits)
    assert command[-1] == "a.c"
    joined = " ".join(command)
    assert "--property-file unreach-call.prp" in joined and "--data-model ILP32" in joined and "--timeout 900" in joined


def test_what_is_no_answer_is_an_error_or_unknown(tool):
    broken = SimpleNamespace(output="Traceback", exit_code=SimpleNamespace(value=1))
    assert tool.determine_result(broken) == "RESULT_ERROR"
    open_ = json.dumps({"verdict": "unknown", "properties": [{"reason": "timeout"}, {"reason": None}]})
    assert (
        tool.determine_result(SimpleNamespace(output=open_, exit_code=SimpleNamespace(value=5))) == "RESULT_UNKNOWN (timeout)"
    )


@pytest.mark.parametrize("recipe", ["Dockerfile", "lemmata.def"])
def test_recipes_name_what_there_is(recipe):
    text = (PACKAGING / recipe).read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (named,) = re.findall(r"/opt/lemmata\[(.*?)\]", text)
    assert set(named.split(",")) <= set(extras)
    for path in re.findall(r"/opt/lemmata/([\w./-]+)", text):
        assert (ROOT / path).exists(), path
    assert f"packaging/{recipe}" in text
