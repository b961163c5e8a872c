"""What ``SECURITY.md`` promises about files that nobody vouches for."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import lemmata
from tests.support.clock import HANGS
from tests.support.paths import ROOT

SOURCES = Path(lemmata.__file__).parent
EXAMPLES = ROOT / "examples"

AUDITED = """
import os, sys
log = os.open({log!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def hook(event, args):
    if event == "open":
        path, mode, flags = args
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND):
            os.write(log, f"write {{path}}\\n".encode(errors="replace"))
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate"):
        os.write(log, f"{{event}} {{args[0]}}\\n".encode(errors="replace"))
    elif event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "pickle.find_class")):
        os.write(log, f"{{event}} {{args[:2]}}\\n".encode(errors="replace"))
sys.addaudithook(hook)
sys.argv[1:] = {arguments!r}
from lemmata.__main__ import main
main()
"""
OPTIONS = (
    '(set-option :regular-output-channel "{0}")(set-option :diagnostic-output-channel "{0}")(set-option :trace true)'
    "(set-info :source |$(touch {0})`touch {0}`|)"
)
CLAUSES = (
    "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (P x))))"
    "(assert (forall ((x Int)) (=> (and (P x) (= x 1)) false)))(check-sat)"
)


def audited(folder: Path, *arguments: str | Path) -> tuple[int, list[str]]:
    """The exit code, and everything that the call and its children did to the outside."""
    log = folder.parent / "audit.log"
    log.unlink(missing_ok=True)
    code = AUDITED.format(log=str(log), arguments=[*map(str, arguments)])
    done = subprocess.run([sys.executable, "-B", "-c", code], cwd=folder, capture_output=True, timeout=HANGS)
    return done.returncode, log.read_text().splitlines()


def unexpected(events: list[str], *named: Path) -> list[str]:
    """What is neither a device, nor an import, nor about a file that was named or its part beside it."""
    folders = {path.parent for path in named}

    def is_fine(event: str) -> bool:
        kind, _, path = event.partition(" ")
        if kind == "pickle.find_class":
            return path.startswith("('lemmata.") or path.startswith(("('pathlib'", "('fractions'", "('builtins'"))
        if event.startswith("subprocess.Popen ('/sbin/ldconfig', ['/sbin/ldconfig', '-p'])"):
            return True  # how Python finds a solver's library
        if path == os.devnull or Path(path) in named:
            return True
        return Path(path).parent in folders and path.endswith(".part")

    return [event for event in events if not is_fine(event)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a call happens."""
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


def test_no_command_writes_but_what_it_is_told_to(folder: Path) -> None:
    proof, witness, target, graph = (folder / name for name in ("proof.aag", "bug.wit", "out.aig", "graph.dot"))
    good, bad, program = EXAMPLES / "mutex-peterson.aag", EXAMPLES / "mutex-broken.aag", EXAMPLES / "boogie" / "countdown.bpl"
    calls: list[tuple[list[str | Path], list[Path]]] = [
        (["check", good], []),
        (["check", good, "--certificate", proof], [proof]),
        (["check", bad, "--witness", witness, "--format", "html"], [witness]),
        (["check", program, "--format", "jsonl"], []),
        (["info", good], []),
        (["info", program, "--graph", graph], [graph]),
        (["convert", good, target], [target]),
        (["certify", good, proof], []),
        (["replay", bad, witness], []),
        (["explain", EXAMPLES / "thesis-2.3.1.aag"], []),
    ]
    for call, named in calls:
        code, events = audited(folder, *call)
        assert code in (0, 10) and unexpected(events, *named) == [], call
    assert sorted(path.name for path in folder.iterdir()) == ["bug.wit", "graph.dot", "out.aig", "proof.aag"]


def test_the_audit_would_notice(folder: Path) -> None:
    _, events = audited(folder, "convert", EXAMPLES / "mutex-peterson.aag", folder / "out.aig")
    assert any(event.startswith("os.rename") for event in events) and unexpected(events) != []


@pytest.mark.parametrize("command", ["check", "info", "explain"])
@pytest.mark.parametrize("kind", ["smt2", "vmt", "bpl", "btor2", "aag"])
def test_commands_in_a_file_are_not_obeyed(command: str, kind: str, folder: Path) -> None:
    trap = folder / "trap"
    texts = {
        "smt2": OPTIONS.format(trap) + CLAUSES,
        "vmt": OPTIONS.format(trap) + f'(echo "x")(include "{trap}")(get-info :name)',
        "bpl": f'procedure {{:print "{trap}"}} {{:file "{trap}"}} main() {{ assert true; }}',
        "btor2": f"1 sort bitvec 1\n2 zero 1 $(touch\t{trap})\n3 bad 2 `touch${{IFS}}{trap}`\n",
        "aag": f"aag 0 0 0 0 0 1\n0\nb0 $(touch {trap});{trap}|../../{trap}\n",
    }
    model = folder / f"$(touch trap);`touch trap`|x&&y.{kind}"
    model.write_text(texts[kind])
    code, events = audited(folder, command, model)
    assert code in (0, 2, 5, 10) and unexpected(events) == []
    assert [path.name for path in folder.iterdir()] == [model.name]


@pytest.mark.parametrize("command", ["certify", "replay"])
def test_evidence_is_not_obeyed(command: str, folder: Path) -> None:
    model, trap = folder / "model.smt2", folder / "trap"
    model.write_text(CLAUSES)
    evidence = folder / "evidence.smt2"
    for text in (
        OPTIONS.format(trap) + "(define-fun P ((x Int)) Bool true)",
        "cos\nsystem\n(S'touch trap'\ntR.",
        f"!!python/object {trap}",
    ):
        evidence.write_text(text)
        code, events = audited(folder, command, model, evidence)
        assert code in (1, 2) and unexpected(events) == []
    assert sorted(path.name for path in folder.iterdir()) == ["evidence.smt2", "model.smt2"]


# the sources


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Every call in the sources: the file, the call, and what is called."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield str(path.relative_to(SOURCES)), node, ast.unparse(node.func)


def test_nothing_is_evaluated() -> None:
    forbidden = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "input", "breakpoint"}
    found = [(file, name) for file, _, name in calls() if name in forbidden]
    assert found == [("values.py", "exec")]  # methods of classes, from the names of their fields
    imports = [file for file, _, name in calls() if name == "import_module"]
    assert imports == [
        "__init__.py",
        "cli/__init__.py",
        "run/processes/preload.py",
        "solvers/native.py",
        "solvers/smt.py",
    ]  # of tables


def test_pickles_come_from_our_own_pipes_only() -> None:
    users = [(file, name) for file, _, name in calls() if name.split(".")[0] in ("pickle", "marshal", "shelve", "yaml")]
    harmless = ("frontends/c/tasks.py", "yaml.safe_load")  # makes nothing but lists, tables and texts
    assert users == [harmless, ("run/processes/messages.py", "pickle.dumps"), ("run/processes/messages.py", "pickle.loads")]
    inboxes = {file for file, _, name in calls() if name == "Inbox"}
    assert inboxes == {
        "run/processes/process.py",
        "run/processes/limited.py",
        "run/cluster/fork_server.py",
    }  # they give it the end of a pipe that they made


def test_no_shell_is_asked() -> None:
    for file, call, name in calls():
        if name.startswith("subprocess.") or name == "Popen":
            assert not any(word.arg == "shell" for word in call.keywords), file
            first = call.args[0]
            assert isinstance(first, ast.List | ast.Name), (file, ast.unparse(call))  # words, never one string


def test_every_promise_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    names = {word.strip("`,()") for word in text.split() if word.strip("`,()").startswith("tests/")}
    assert len(names) >= 6
    for name in names:
        assert list(ROOT.glob(name)), name
