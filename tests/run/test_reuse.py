"""``--reuse``: old evidence answers where it still holds, helps where it nearly does, and is never believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from lemmata.config import Config
from lemmata.engines.names import REUSE
from lemmata.errors import UsageError
from lemmata.events import NOBODY
from lemmata.frontends.aiger import parse_aiger
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.btor2 import parse_btor2
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.vmt import parse_vmt
from lemmata.models.aig import Aig
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.reuse import Reuse
from lemmata.run.reuse.circuit import inductive_cubes
from lemmata.run.reuse.matching import match_variables
from lemmata.run.reuse.store import Key, ProofStore
from lemmata.run.task import Model, Task
from lemmata.transforms.circuit.strengthen import strengthen_circuit
from lemmata.verdict import Safe, Unsafe
from lemmata.work import FOREVER
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit


def settle(model: Model, folder: Path, **options: object) -> tuple[list[Settled], Flow]:
    """Every property of a model, with a store."""
    flow = Flow(Task(model, Config(reuse=str(folder), workers=1, **options)), NOBODY)  # type: ignore[arg-type]
    flow.prepare()
    outcomes = [flow.settle(position, FOREVER) for position in range(len(flow.chosen))]
    assert all(isinstance(outcome, Settled) for outcome in outcomes)
    return [outcome for outcome in outcomes if isinstance(outcome, Settled)], flow


COUNTER = """1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 one 1
5 state 1 {x}
6 init 1 5 3
7 input 2 go
8 add 1 5 4
9 constd 1 {limit}
10 ult 2 5 9
11 and 2 10 7
12 ite 1 11 8 5
13 next 1 5 12
14 constd 1 {bad}
15 eq 2 5 14
16 bad 15
"""
LOOP = """(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x {limit})) (inv (+ x 1) (+ y {step})))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x {limit}) (not (= y {goal}))) false)))
(check-sat)
"""
VMT = """(declare-fun x () Int)
(declare-fun x1 () Int)
(define-fun next () Int (! x :next x1))
(define-fun start () Bool (! (= x 0) :init true))
(define-fun step () Bool (! (= x1 (ite (< x {limit}) (+ x 1) x)) :trans true))
(define-fun good () Bool (! (not (= x {bad})) :invar-property 0))
"""
PROGRAM = """procedure main(n : int)
{{
  var i, j : int;
  {extra}
  i, j := 0, 0;
  while (i < n)
  {{
    i, j := i + 1, j + {step};
  }}
  assert j >= 0;
}}
"""


def counter(limit: int = 7, bad: int = 9, x: str = "x") -> Model:
    return parse_btor2(COUNTER.format(limit=limit, bad=bad, x=x).encode(), "counter.btor2")


def loop(limit: int = 50, step: int = 2, goal: int = 100) -> Model:
    return parse_horn(LOOP.format(limit=limit, step=step, goal=goal).encode(), "loop.smt2")


def saturating(limit: int = 7, bad: int = 9) -> Model:
    return parse_vmt(VMT.format(limit=limit, bad=bad).encode(), "saturating.vmt")


def program(step: int = 1, extra: str = "") -> Model:
    return parse_boogie(PROGRAM.format(step=step, extra=extra).encode(), "program.bpl")


@pytest.mark.parametrize(
    "model",
    [counter(), counter(bad=5), loop(), loop(goal=99), saturating(), saturating(bad=5), program(), program(step=-1)],
    ids=["words", "words-run", "clauses", "derivation", "vmt", "vmt-run", "program", "program-run"],
)
def test_an_unchanged_model_is_settled_by_its_evidence(model: Model, tmp_path: Path) -> None:
    ((first,), _), ((second,), _) = settle(model, tmp_path), settle(model, tmp_path)
    assert first.engine != REUSE
    assert (second.engine, second.verdict.word) == (REUSE, first.verdict.word)
    assert second.by


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (counter(), counter(limit=8), "safe"),
        (counter(), counter(bad=6), "unsafe"),
        (counter(bad=5), counter(bad=4), "unsafe"),
        (counter(), counter(x="renamed"), "safe"),
        (loop(), loop(limit=60, goal=120), "safe"),
        (loop(), loop(goal=101), "unsafe"),
        (saturating(), saturating(limit=8), "safe"),
        (program(), program(step=2), "safe"),
        (program(), program(step=-2), "unsafe"),
        (program(), program(extra="assume n > 3;\n"), "safe"),
    ],
)
def test_a_changed_model_gets_its_own_verdict(old: Model, new: Model, word: str, tmp_path: Path) -> None:
    settle(old, tmp_path)
    (outcome,), _ = settle(new, tmp_path)
    assert outcome.verdict.word == word


def test_a_renamed_state_is_found_by_what_it_does(tmp_path: Path) -> None:
    settle(counter(), tmp_path)
    (outcome,), _ = settle(counter(x="another"), tmp_path)
    assert (outcome.engine, outcome.verdict.word) == (REUSE, "safe")


def test_clauses_in_another_order_are_the_same_clauses(tmp_path: Path) -> None:
    """Their variables have other names then, and their edges other numbers."""
    for goal, word in ((100, "safe"), (99, "unsafe")):
        lines = LOOP.format(limit=50, step=2, goal=goal).splitlines()
        folder = tmp_path / word
        settle(parse_horn("\n".join(lines).encode(), "loop.smt2"), folder)
        lines[3] = lines[3].replace("(x Int) (y Int)", "(y Int) (x Int)").replace("x", "§").replace("y", "x").replace("§", "y")
        other = "\n".join([*lines[:2], lines[4], lines[3], lines[2], lines[5]])
        (outcome,), _ = settle(parse_horn(other.encode(), "loop.smt2"), folder)
        assert (outcome.engine, outcome.verdict.word) == (REUSE, word)


def test_another_file_name_is_no_matter(tmp_path: Path) -> None:
    model = counter()
    settle(model, tmp_path)
    (outcome,), _ = settle(replace(model, file="elsewhere.btor2"), tmp_path)  # type: ignore[arg-type]
    assert outcome.engine == REUSE


def test_old_runs_are_simulated_on_the_new_model(tmp_path: Path) -> None:
    settle(counter(bad=5), tmp_path)
    (outcome,), _ = settle(counter(bad=4, limit=9), tmp_path)
    assert (outcome.engine, outcome.verdict.word) == (REUSE, "unsafe")


@pytest.mark.parametrize("model", [counter(), loop(), program()], ids=["words", "clauses", "program"])
def test_evidence_of_another_verdict_is_not_believed(model: Model, tmp_path: Path) -> None:
    """A store that was written for a safe model under the keys of an unsafe one, and the other way round."""
    unsafe = {"counter.btor2": counter(bad=5), "loop.smt2": loop(goal=99), "program.bpl": program(step=-1)}[model.file]
    for mine, other in ((model, unsafe), (unsafe, model)):
        folder = tmp_path / f"{mine is model}"
        truth = settle(mine, tmp_path / "truth")[0][0].verdict.word
        settle(other, folder)
        (entry,) = folder.glob("*.json")
        flow = Flow(Task(mine, Config(reuse=str(folder), workers=1)), NOBODY)
        key = Key.of(mine.file, flow.chosen[0].name, flow.fingerprint)
        entry.rename(folder / key.file)
        (outcome,), _ = settle(mine, folder)
        assert outcome.verdict.word == truth


DAMAGES = [b"", b"{", b"[]", b'{"lemmata": 0}', b'{"lemmata": 1}', b'{"lemmata": 1, "locations": 3}', b"[" * 100_000]
DAMAGES += [b'{"lemmata": 1, "locations": [{"name": "main", "variables": [], "lemmas": ["(assert"]}]}', b"\xff\xfe", b'"x"']
DAMAGES += [b'{"lemmata": 1, "run": [[], []]}', b'{"lemmata": 1, "kinductive": "x", "simple": 1}', b'{"lemmata": 1, "run": 7}']


@pytest.mark.parametrize("data", DAMAGES)
def test_a_damaged_store_is_no_harm(data: bytes, tmp_path: Path) -> None:
    model = counter()
    settle(model, tmp_path)
    (path,) = tmp_path.glob("*.json")
    path.write_bytes(data)
    (outcome,), flow = settle(model, tmp_path)
    assert outcome.verdict.word == "safe"
    assert all("not used" in note and "\n" not in note for note in flow.listed.notes)


def test_what_is_damaged_is_told_in_one_line(tmp_path: Path) -> None:
    model = counter()
    settle(model, tmp_path)
    (path,) = tmp_path.glob("*.json")
    path.write_bytes(b"{")
    assert Reuse(str(tmp_path), model, model.properties(), 0).notes == [f"{path}: not used: it is damaged"]


@pytest.mark.parametrize("data", [{"latches": [["l0", 1]], "cubes": [[1, -1]]}, {"latches": [], "cubes": [[7]]}, {"cubes": []}])
def test_cubes_that_make_no_sense_are_no_harm(data: dict[str, object], tmp_path: Path) -> None:
    model = replace(ring(), file="ring.aag")
    settle(model, tmp_path)
    (path,) = tmp_path.glob("*.json")
    path.write_text(json.dumps({"lemmata": 1} | data))
    (outcome,), _ = settle(model, tmp_path)
    assert outcome.verdict.word == "safe"


def ring() -> Aig:
    """A token goes round three latches; it is never in two of them."""
    text = b"aag 10 0 3 0 7 1\n2 6 1\n4 2\n6 4\n20\n8 2 4\n10 4 6\n12 2 6\n14 9 11\n16 14 13\n18 16 1\n20 17 1\n"
    model = parse_aiger(text, "ring.aag")
    assert shortest_depths(model) == [None]
    return model


def test_a_latch_that_moved_is_found_by_what_it_does(tmp_path: Path) -> None:
    model = ring()
    settle(model, tmp_path)
    shifted = b"aag 11 0 4 0 7 1\n2 3\n4 8 1\n6 4\n8 6\n22\n10 4 6\n12 6 8\n14 4 8\n16 11 13\n18 16 15\n20 18 1\n22 19 1\n"
    (outcome,), _ = settle(parse_aiger(shifted, "ring.aag"), tmp_path)
    assert (outcome.engine, outcome.verdict.word) == (REUSE, "safe")


def changed(model: Aig, chance: Random) -> Aig:
    """A small change: a literal of a gate, of a next-state function or of a bad."""
    what = chance.choice(["lefts", "nexts", "bads", "resets"])
    lits = list(getattr(model, what))
    if not lits:
        return model
    k = chance.randrange(len(lits))
    if what == "resets":
        lits[k] = chance.choice([0, 1])
    else:
        below = 2 * (model.first_gate + k) if what == "lefts" else 2 * model.variables
        lits[k] = chance.choice([lits[k] ^ 1, chance.randrange(below)])
    return replace(model, **{what: tuple(lits)})


@pytest.mark.parametrize("seed", range(60))
def test_changed_circuits_get_the_right_verdicts(seed: int, tmp_path: Path) -> None:
    """Three versions of a circuit one after the other, all with one store, against enumeration."""
    chance, model = Random(seed), replace(random_circuit(seed), file="random.aag")
    for _ in range(4):
        truth = ["safe" if depth is None else "unsafe" for depth in shortest_depths(model)]
        flow = Flow(Task(model, Config(reuse=str(tmp_path), workers=1)), NOBODY)
        flow.prepare()
        for position, word in enumerate(truth):
            outcome = flow.settle(position, FOREVER)
            assert isinstance(outcome, Settled)
            assert outcome.verdict.word == word
        model = changed(model, chance)


@pytest.mark.parametrize("seed", range(40))
def test_the_inductive_part_is_inductive_and_the_largest(seed: int) -> None:
    """Whatever holds by enumeration and is inductive alone is kept; what is kept is missed by every reachable state."""
    model, chance = random_circuit(seed), Random(seed)
    lits = range(2 * model.first_latch, 2 * model.first_gate)
    cubes = [tuple(sorted({chance.choice(lits) for _ in range(chance.randint(1, 3))})) for _ in range(12)] if lits else []
    cubes = [cube for cube in cubes if len({lit >> 1 for lit in cube}) == len(cube)]
    kept = inductive_cubes(model, cubes)
    assert set(kept) <= set(cubes)
    assert inductive_cubes(model, kept) == kept
    for cube in cubes:
        assert cube in kept or cube not in inductive_cubes(model, [cube])
    stronger = strengthen_circuit(model, kept).model
    assert shortest_depths(stronger) == shortest_depths(model)


def test_the_latest_round_matches_first() -> None:
    assert match_variables(["a", "b"], [(1, 5), (1, 6)], ["c", "d"], [(1, 6), (1, 7)]) == {1: 0, 0: 1}


def test_a_store_is_bounded_and_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lemmata.run.reuse.store.REUSE_STORE_MB", 0)
    store = ProofStore(tmp_path)
    store.keep(Key("a", "b"), {"x": 1})
    assert not list(tmp_path.glob("*.json"))


def test_a_newer_version_takes_the_place_of_the_older(tmp_path: Path) -> None:
    settle(counter(), tmp_path)
    settle(counter(limit=8), tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_old_lemmas_become_constraints_for_the_engines(tmp_path: Path) -> None:
    """A change that the old invariant does not survive as a whole: its inductive part is in the new proof."""
    settle(loop(), tmp_path)
    (outcome,), flow = settle(loop(limit=60, goal=120), tmp_path)
    assert flow._strengthening is not None
    assert isinstance(outcome.verdict, Safe)


def test_engines_alone_may_reuse_too(tmp_path: Path) -> None:
    for engine in ("pdr", "kinduction", "bmc"):
        settle(counter(bad=5), tmp_path / engine, engine=engine)
        (outcome,), _ = settle(counter(bad=6), tmp_path / engine, engine=engine)
        assert isinstance(outcome.verdict, Unsafe)


def test_a_store_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(UsageError, match="is no folder"):
        ProofStore(path)


def test_what_cannot_be_kept_is_told_and_the_verdict_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lemmata.run.reuse.store.replace_whole", full)
    (outcome,), _ = settle(counter(), tmp_path)
    assert outcome.verdict.word == "safe"
    assert outcome.files.missing.startswith("nothing was kept for --reuse")
