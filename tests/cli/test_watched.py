"""Printing work in a process of its own."""

import subprocess
import sys
import time

import pytest

from tests.support.clock import HANGS, LATE

HARD = """
import sys
from lemmata.cli.guard import guarded
from lemmata.cli.watched import watched
from pysat.solvers import Solver
from click.exceptions import Exit

def pigeons():
    print("started", flush=True)
    holes = 11
    solver = Solver("minisat22")
    for p in range(holes + 1):
        solver.add_clause([p * holes + h + 1 for h in range(holes)])
    for h in range(holes):
        for p in range(holes + 1):
            for q in range(p):
                solver.add_clause([-(p * holes + h + 1), -(q * holes + h + 1)])
    solver.solve()
    return 0

@guarded
def command():
    raise Exit(watched(pigeons if sys.argv[1] == "hard" else lambda: int(sys.argv[1]), float(sys.argv[2])))

try:
    command()
except Exit as leave:
    sys.exit(leave.exit_code)
"""


def run(*arguments):
    return subprocess.run([sys.executable, "-c", HARD, *arguments], capture_output=True, text=True, timeout=HANGS)


@pytest.mark.parametrize("code", [0, 10])
def test_the_exit_code_is_that_of_the_work(code):
    assert run(str(code), "300").returncode == code


def test_the_limit_holds_inside_a_solver_call():
    started = time.monotonic()
    done = run("hard", "0.5")
    assert done.returncode == 5
    assert done.stdout == "started\n"
    assert done.stderr.strip().endswith("unknown: timeout")
    assert time.monotonic() - started < LATE


def test_ctrl_c_holds_inside_a_solver_call():
    child = subprocess.Popen([sys.executable, "-c", HARD, "hard", "600"], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "started\n"
    child.send_signal(2)
    assert child.wait(timeout=HANGS) == 130
