"""What a check loads, and what a start costs: each kind of file needs its own part of Lemmata, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lemmata.solvers.native import native_core
from tests.support.paths import with_tests

AIGER = "aag 3 1 1 0 1 1\n2\n4 6\n4\n6 4 2\n"
BTOR2 = """1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 one 1
7 add 1 4 6
8 next 1 4 7
9 constd 1 3
10 eq 2 4 9
11 bad 10
"""
VMT = """(declare-fun x () Int)
(declare-fun x1 () Int)
(define-fun sx () Int (! x :next x1))
(define-fun init () Bool (! (= x 0) :init true))
(define-fun trans () Bool (! (= x1 (ite (< x 10) (+ x 1) 0)) :trans true))
(define-fun prop () Bool (! (<= x 10) :invar-property 0))
"""
HORN = """(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (not (= x y))) false)))
(check-sat)
"""
BOOGIE = """procedure main(n: int)
  requires n >= 0;
{
  var i, s: int;
  i := 0;
  s := 0;
  while (i < n)
  {
    i := i + 1;
    s := s + 2;
  }
  assert s == 2 * i;
}
"""
FILES = {"t.aag": AIGER, "t.btor2": BTOR2, "t.vmt": VMT, "t.smt2": HORN, "t.bpl": BOOGIE}
NEVER = {"z3", "rich", "matplotlib", "subprocess", "secrets", "hashlib", "multiprocessing", "unittest", "yices_api", "yices"}
NUMBERS = {"bitwuzla", "pysolvers", "html"}
WORLDS = {  # modules of ours at most, and what is not loaded
    "t.aag": (115, NEVER | {"cvc5", "bitwuzla", "fractions", "lemmata.logic", "lemmata.models.graph", "html", "json"}),
    "t.btor2": (175, NEVER | {"cvc5", "lemmata.solvers.z3_library", "lemmata.frontends.aiger", "html"}),
    "t.vmt": (205, NEVER | NUMBERS | {"lemmata.frontends.horn", "lemmata.frontends.btor2", "lemmata.frontends.boogie"}),
    "t.smt2": (
        203,
        NEVER
        | NUMBERS
        | {
            "lemmata.frontends.vmt",
            "lemmata.certify.words",
            "lemmata.frontends.btor2",
            "lemmata.frontends.boogie",
            "lemmata.certify.circuit",
        },
    ),
    "t.bpl": (241, NEVER | NUMBERS | {"lemmata.frontends.horn", "lemmata.frontends.vmt", "lemmata.certify.circuit"}),
}

_CHECK = """
import sys
from lemmata import __main__, cli
from lemmata.cli import check, show
from lemmata.report import text
from lemmata.run.options import make_config
from lemmata.run.task import Task
from lemmata.run.processes.worker import work
said = []
work(Task(sys.argv[1], make_config(), seat=0, seats=2), said.append, set)
names = list(sys.modules)
import json
print(json.dumps([type(said[-1]).__name__, names]))
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def modules(*call: str) -> list[str]:
    ended = subprocess.run([sys.executable, "-S", "-c", *call], capture_output=True, text=True, env=environment(), check=True)
    verdict, names = json.loads(ended.stdout)
    assert verdict == "Settled", ended.stdout
    return names


def environment() -> dict[str, str]:
    """That of the tests, with the packages of this environment, but nothing that starts with it."""
    return with_tests() | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


@pytest.mark.parametrize("name", WORLDS)
def test_a_check_loads_what_its_kind_of_file_needs(files, name):
    most, absent = WORLDS[name]
    if name == "t.aag" and native_core() is None:
        most += 3  # the oracle on PySAT
    loaded = modules(_CHECK, str(files / name))
    assert sorted(absent & set(loaded)) == []
    ours = [module for module in loaded if module.startswith("lemmata")]
    assert len(ours) <= most, f"{len(ours)} modules"


_TWICE = """
import os, sys
fork = os.fork
def at_fork():
    os.before = set(sys.modules)
    return fork()
os.fork = at_fork
from lemmata import run
from lemmata.run.options import make_config
outcome = run.supervise(sys.argv[1], make_config(workers=1))
import json
print(json.dumps([outcome.result.verdict, sorted(set(sys.modules) - os.before)]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forks on Linux")
@pytest.mark.parametrize("name", ["t.aag", "t.vmt", "t.smt2", "t.bpl"])
def test_what_reads_evidence_is_loaded_once_for_both_processes(files, name):
    call = [sys.executable, "-S", "-c", _TWICE, str(files / name)]
    out = subprocess.run(call, capture_output=True, text=True, env=environment(), check=True).stdout
    verdict, later = json.loads(out)
    assert verdict in ("safe", "unsafe")
    assert [module for module in later if module.startswith(("lemmata.logic", "lemmata.models", "fractions"))] == []


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"]], ids=" ".join)
def test_help_loads_no_part_that_works(arguments):
    code = f"import sys; sys.argv[1:] = {arguments}; from lemmata.cli import command_line\n"
    code += "try: command_line()\nfinally: print('!', *sys.modules)"
    out = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment(), check=True
    ).stdout
    loaded = set(out[out.rindex("!") :].split())
    absent = {"lemmata.run", "lemmata.logic", "lemmata.models", "lemmata.frontends", "lemmata.solvers", "lemmata.certify"}
    assert sorted((NEVER | absent) & loaded) == []


def cpu_s(folder: Path, *call: str) -> float:
    """The least CPU time of some calls, all processes together, with bytecode that is there."""
    env = with_tests() | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(4):
        before = os.times()
        subprocess.run([sys.executable, *call], capture_output=True, env=env, check=False)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(times)


@pytest.mark.parametrize(
    ("arguments", "most"),
    [(["--version"], 12), (["check", "t.aag"], 30), (["check", "t.smt2"], 60), (["check", "t.bpl"], 80)],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_start_costs_so_many_starts_of_python(files, tmp_path_factory, monkeypatch, arguments, most):
    """Measured: 4, 8, 17 and 23. Ratios of CPU times, since machines differ."""
    monkeypatch.chdir(files)
    folder = tmp_path_factory.getbasetemp()
    bare = cpu_s(folder, "-c", "pass")
    assert cpu_s(folder, "-m", "lemmata", *arguments) <= most * max(bare, 0.01)
