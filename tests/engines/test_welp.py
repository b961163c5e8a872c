"""The instances of Welp and Kuehlmann's table 2: what the generator writes, safe by an invariant and by enumeration."""

from __future__ import annotations

import csv
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from lemmata.certify.graph.check import certify_graph
from lemmata.config import WordOptions
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.engines.words.bmc import WordBmc
from lemmata.frontends import load
from lemmata.logic.build import conj, equal, negate
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, Value
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.models.system import System, primed, system_of
from lemmata.solvers.smt import Sat, Unsat, open_solver
from lemmata.verdict import Safe
from tests.support.clock import in_time
from tests.support.paths import ROOT

WELP = ROOT / "examples" / "welp"
TABLE_2 = ("simple", "lin", "max", "diameter", "gen_di", "split", "sim_inv", "bound", "rajam", "parity")
WIDTHS = {"lin": 6, "max": 6, "rajam": 7}  # to enumerate within a second; the others have 8 bits
QUICK = ("simple", "lin", "max", "diameter", "gen_di", "split", "sim_inv", "parity")  # seconds together


def generate(folder: Path, *options: str) -> None:
    subprocess.run([sys.executable, WELP / "generate.py", folder, *options], check=True)


def graph_at(path: Path) -> Graph:
    graph = load(path)
    assert isinstance(graph, Graph)
    return graph


def system_at(path: Path) -> System:
    system = system_of(graph_at(path))
    assert system is not None
    return system


@pytest.fixture(scope="module")
def strengthened(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Folders by width; their files have a second property "outside", which is bad where the invariant does not hold."""
    folders = {width: tmp_path_factory.mktemp(f"width{width}") for width in (6, 7, 8, 32)}
    for width, folder in folders.items():
        generate(folder, "--invariant", "--width", str(width))
    return folders


def test_the_files_are_what_the_generator_writes(tmp_path: Path) -> None:
    generate(tmp_path)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert set(written) == {"index.csv", *(f"{name}.btor2" for name in TABLE_2)}
    assert written == {name: (WELP / name).read_text() for name in written}
    assert {path.name for path in WELP.glob("*.btor2")} < set(written)


def test_the_index_expects_ten_safe_files() -> None:
    with (WELP / "index.csv").open(newline="") as stream:
        assert {row["file"]: row["expected"] for row in csv.DictReader(stream)} == {f"{name}.btor2": "safe" for name in TABLE_2}


@pytest.mark.parametrize("name", TABLE_2)
def test_a_file_tells_program_invariant_and_origin(name: str) -> None:
    comments = [line for line in (WELP / f"{name}.btor2").read_text().splitlines() if line.startswith(";")]
    assert any("assert(" in line for line in comments)
    assert any(line.startswith("; invariant: ") for line in comments)
    assert "; expected: safe" in comments
    assert comments[-1].startswith(f"; from: Welp, Kuehlmann 2013, table 2, {name}; ")
    is_reconstructed = name in ("max", "diameter", "gen_di", "sim_inv", "parity")
    assert ("reconstruction" in comments[-1]) == is_reconstructed


@pytest.mark.parametrize("name", TABLE_2)
def test_words_have_32_bits(name: str) -> None:
    widths = [variable.width for variable in system_at(WELP / f"{name}.btor2").variables]
    assert set(widths) <= {1, 32} and 32 in widths


@pytest.mark.parametrize("name", TABLE_2)
@pytest.mark.parametrize("backend", ["bitwuzla", "z3"])
def test_solvers_agree_that_the_invariant_proves_it(name: str, backend: str, strengthened: dict[int, Path]) -> None:
    system = system_at(strengthened[32] / f"{name}.btor2")
    bad, outside = system.bads
    inside = negate(outside)
    step = [equal(primed(v), system.nexts[v]) for v in system.variables]
    (outside_later,) = substitute([outside], {v: primed(v) for v in system.variables})

    def ask(*formulas: Term) -> Sat | Unsat:
        solver = open_solver(backend)
        solver.add(conj(formulas))
        return solver.check(until=in_time())

    assert isinstance(ask(system.init, outside), Unsat), "initiation"
    assert isinstance(ask(inside, system.constraint, *step, outside_later), Unsat), "consecution"
    assert isinstance(ask(inside, system.constraint, bad), Unsat), "safety"
    assert isinstance(ask(system.constraint, bad), Sat), "there are bad states to exclude"


@pytest.mark.parametrize("name", TABLE_2)
def test_no_short_run_is_bad(name: str) -> None:
    bmc = WordBmc(system_at(WELP / f"{name}.btor2"))
    for bound in range(8):
        assert bmc.deepen(0, in_time()) is None
        assert bmc.bound == bound or bmc.is_exhausted(0)


def values_of(variable: Term) -> range | tuple[bool, ...]:
    return range(1 << variable.sort.width) if isinstance(variable.sort, BitVec) else (False, True)


def reachable(system: System) -> set[tuple[Value, ...]]:
    """All states that runs reach which keep the constraint, the last state included; none of them may be bad."""
    program = Program([system.constraint, *system.bads, *(system.nexts[v] for v in system.variables)])
    inputs = [dict(zip(system.inputs, chosen, strict=True)) for chosen in product(*map(values_of, system.inputs))]
    free = [v for v in system.variables if system.starts[v] is None]
    starts = [v if (start := system.starts[v]) is None else start for v in system.variables]
    open_ = [tuple(evaluate(starts, dict(zip(free, chosen, strict=True)))) for chosen in product(*map(values_of, free))]
    seen = set(open_)
    reached = set()
    while open_:
        state = open_.pop()
        here = dict(zip(system.variables, state, strict=True))
        for chosen in inputs:
            allowed, *found = program.run(here | chosen)
            if not allowed:
                continue
            reached.add(state)
            assert not any(found[: len(system.bads)]), here
            following = tuple(found[len(system.bads) :])
            if following not in seen:
                seen.add(following)
                open_.append(following)
    return reached


@pytest.mark.parametrize("name", TABLE_2)
def test_enumeration_of_small_words_finds_no_bad_state(name: str, strengthened: dict[int, Path]) -> None:
    states = reachable(system_at(strengthened[WIDTHS.get(name, 8)] / f"{name}.btor2"))
    assert len(states) >= {"simple": 2, "diameter": 21}.get(name, 100)


def test_enumeration_finds_the_bad_state_of_lin_without_its_guard(strengthened: dict[int, Path], tmp_path: Path) -> None:
    text = (strengthened[6] / "lin.btor2").read_text()
    assert "sgt 1 7 12\n" in text
    (tmp_path / "unguarded.btor2").write_text(text.replace("sgt 1 7 12\n", "eq 1 7 7\n"))  # y > INT_MIN becomes true
    with pytest.raises(AssertionError):
        reachable(system_at(tmp_path / "unguarded.btor2"))


@pytest.mark.parametrize("name", QUICK)
def test_the_word_engine_proves_it(name: str) -> None:
    graph = graph_at(WELP / f"{name}.btor2")
    system = system_of(graph)
    assert system is not None
    verdict = WordPdr(system, options=WordOptions()).check(0, in_time())
    assert isinstance(verdict, Safe)
    certify_graph(graph, 0, verdict)
