"""The corpus of the fuzzer: every file still gets its recorded verdicts, or the error message that refuses it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import peers
from tests.fuzz.corpus import FOLDER, expected
from tests.fuzz.deadline import Hang, deadline
from tests.fuzz.loop import Fuzzer, judge
from tests.fuzz.mutate import mutate
from tests.fuzz.proofs_world import Bundle
from tests.fuzz.shrink import shrink
from tests.fuzz.world import Case, Disagreement, Outcome, World, judged
from tests.fuzz.worlds import WORLDS, world_of


@pytest.mark.parametrize("name", WORLDS)
def test_every_file_of_the_corpus_gets_what_is_recorded(name: str) -> None:
    world, words = world_of(name), expected(name)
    assert {file.name for file in (FOLDER / name).iterdir()} == {*words, "expected.json"}
    wrong = []
    for file, word in words.items():
        outcome = judge(world, Case((FOLDER / name / file).read_bytes()))
        if outcome.kind or outcome.word != word:
            wrong.append(f"{file}: {outcome.kind or outcome.word}, recorded is {word}")
    assert wrong == []


@pytest.mark.parametrize("name", WORLDS)
def test_what_the_generators_write_is_read_and_read_rightly(name: str) -> None:
    world = world_of(name)
    for number in range(25 if name not in ("boogie", "proofs") else 8):
        case = world.generate(Random(f"suite:{number}"))
        outcome = judge(world, case)
        assert outcome.kind == "", (outcome, case.data.decode("utf-8", "replace"))


class Toy:
    """A world of words in which the reader makes the mistakes that ``fault`` names."""

    name, suffix, covers = "toy", ".toy", ("errors.py",)
    words = re.compile(rb"\\S+|\\s+")

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def generate(self, rng: Random) -> Case:
        return Case("\n".join(" ".join(rng.choices(("a", "b", "(c (d e))", "f"), k=4)) for _ in range(6)).encode(), True)

    def read(self, data: bytes) -> object:
        if self.fault == "crash" and b"d" in data:
            raise KeyError("d")
        return data

    def judge(self, data: bytes) -> Outcome:
        return judged(self, data, self._compare)

    def _compare(self, model: object, rng: Random) -> str:
        assert isinstance(model, bytes)
        if self.fault == "misreading" and b"b" in model and b"d" in model:
            raise Disagreement("reading")
        if self.fault == "hang":
            while True:
                zlib.crc32(model)
        return "fine"

    def accepts(self, data: bytes) -> bool:
        return True


@pytest.mark.parametrize(("fault", "kind", "small"), [("crash", "oracle: KeyError", b"d"), ("misreading", "reading", None)])
def test_a_fault_is_found_and_shrunk(fault: str, kind: str, small: bytes | None, tmp_path: Path) -> None:
    summary = Fuzzer(Toy(fault), 0, tmp_path).run(0.5)
    finding = next(finding for finding in summary.findings if finding.kind.startswith(kind))
    found = (tmp_path / finding.file).read_bytes()
    assert found == small if small else sorted(found.split()) == [b"b", b"d"] or len(found) <= 3
    assert summary.executions > 0 and (tmp_path / "toy-0-0.json").exists()


def test_without_a_fault_nothing_is_found(tmp_path: Path) -> None:
    assert Fuzzer(Toy(), 0, tmp_path).run(0.3).findings == []


def test_a_hang_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.loop.DEADLINE_S", 0.1)
    assert judge(Toy("hang"), Case(b"a")).kind == "hang"
    with pytest.raises(Hang), deadline(0.05):
        while True:
            pass


def test_a_legal_file_that_is_refused_is_a_finding() -> None:
    world = world_of("vmt")
    assert judge(world, Case(b"(exit")).kind == ""
    assert judge(world, Case(b"(exit", is_legal=True)).kind.startswith("by the generator legal")  # z3 refuses it, too
    text = b"(declare-fun x () Bool)(define-fun p () Bool (! x :invar-property 0))"  # z3 reads it
    assert judge(world_of("smtlib"), Case(text, is_legal=True)).kind.startswith("legal, but refused")


def test_shrinking_keeps_what_is_needed_and_drops_the_rest() -> None:
    text = b"\n".join(b"line %d (f (g x) y)" % n for n in range(40))
    assert len(shrink(text, lambda data: b"7" in data and b"g" in data, 20)) <= 3
    assert shrink(b"(a (b (c d)) e)", lambda data: b"(c d)" in data, 5) == b"(c d)"


def test_mutations_come_from_their_seed() -> None:
    world = world_of("chc")
    data = world.generate(Random(1)).data
    changed = [mutate(Random(n), data, data, world.words) for n in range(20)]
    assert changed == [mutate(Random(n), data, data, world.words) for n in range(20)] and len(set(changed)) > 10


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".aag", b"aag 1 0 1 1 0\n2 3\n2\n"),
        (".btor2", b"1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 -3\n6 bad 3\n"),
    ],
)
def test_a_peer_that_knows_better_is_heard(suffix: str, data: bytes) -> None:
    if peers.peer(suffix) is None:
        pytest.skip("not installed")
    peers.compare(data, suffix, is_unsafe=True)
    with pytest.raises(Disagreement):
        peers.compare(data, suffix, is_unsafe=False)


MISREADINGS: list[tuple[str, Callable[[World, bytes], object]]] = [
    ("smtlib", lambda world, data: world.read(data.replace(b"bvsmod", b"bvsrem"))),
    ("smtlib", lambda world, data: world.read(data.replace(b"distinct", b"="))),
    ("vmt", lambda world, data: world.read(data.replace(b"ite", b"ite ").replace(b"(and", b"(or"))),
    ("chc", lambda world, data: world.read(data.replace(b"(distinct", b"(="))),
    ("chc", lambda world, data: world.read(data.replace(b"bvnot", b"bvneg"))),
    ("btor2", lambda world, data: world.read(data.replace(b" inc ", b" dec "))),
    ("aiger", lambda world, data: replace(world.read(data), constraints=())),  # type: ignore[type-var]
    ("aiger", lambda world, data: (model := world.read(data)) and replace(model, resets=(0,) * model.latches)),  # type: ignore
    ("boogie", lambda world, data: world.read(data.replace(b" mod 2", b" div 2").replace(b"<==>", b"==>"))),
]


@pytest.mark.parametrize(("name", "misread"), MISREADINGS)
def test_a_misreading_is_found(name: str, misread: Callable[[World, bytes], object]) -> None:
    world = world_of(name)
    wrong = copy(world)
    wrong.read = lambda data: misread(world, data)  # type: ignore[method-assign]
    found = (judge(wrong, world.generate(Random(f"misread:{number}"))).kind for number in range(400))
    assert any(kind in ("value", "reading", "facts", "states") for kind in found)


@pytest.mark.parametrize("kind", ["proof", "witness"])
def test_evidence_that_is_accepted_wrongly_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.proofs_world.check_proof", lambda *_: None)
    monkeypatch.setattr("tests.fuzz.proofs_world.replay_all", lambda *_: [0])
    model = b"aag 1 0 1 1 0\n2 3\n2\n" if kind == "proof" else b"aag 1 0 1 1 0\n2 2\n2\n"
    wrong = Bundle("aiger", kind, ".txt", 0, model, b"")
    assert judge(world_of("proofs"), Case(wrong.data())).kind == f"a wrong {kind} is accepted (aiger)"
