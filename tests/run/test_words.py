"""The flow on models with words, from file to certified verdict: engines, arrays, several properties, limits, lies."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace

import pytest

import lemmata
from lemmata import run
from lemmata import work as clock
from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import Config, WordOptions
from lemmata.engines import Engine
from lemmata.engines.registry import ENGINES, team
from lemmata.errors import GaveUp, UsageError
from lemmata.logic.sorts import INT, BitVec
from lemmata.logic.terms import Term, bv, make, var
from lemmata.models.graph import Edge, Graph, Location
from lemmata.models.invariant import KInductive
from lemmata.models.system import system_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.bundle import write_bundle
from lemmata.run.flow import Flow
from lemmata.run.ledger import Bug
from lemmata.run.options import make_config
from lemmata.run.processes.messages import Abandoned, Listed, Message, Settled, Uncertified
from lemmata.run.processes.worker import work
from lemmata.run.task import Task, Wanted
from lemmata.run.worlds import world_of
from lemmata.run.worlds.fingerprint import fingerprint
from lemmata.verdict import Safe, Unsafe, Verdict
from tests.support.clock import HANGS, within_work
from tests.support.small_graphs import BYSTANDER, CAPPED, EVEN, MEMORY, PAIR, graph

LARGE, SMALL = MEMORY.format(bits=32), MEMORY.format(bits=2)


def messages(text: str, engine: str, seconds: float = HANGS, seats: int = 1, seat: int = 0, **config) -> list[Message]:
    """What one worker says, without a process of its own."""
    heard: list[Message] = []
    told = Config(engine=engine, timeout=seconds, **config)
    with within_work(seconds):
        work(Task(graph(text), told, seat=seat, seats=seats), heard.append, set)
    return heard


def words(text: str, engine: str, seconds: float = HANGS, **config) -> list[str]:
    """Each property's verdict or reason, in file order; every verdict is certified a second time, with other solvers."""
    found = {}
    for message in messages(text, engine, seconds, **config):
        match message:
            case Settled(prop, verdict):
                certify_graph(graph(text), prop, verdict, ("z3",))
                found[prop] = verdict.word
            case Abandoned(prop, reason):
                found[prop] = reason
    return [found[prop] for prop in sorted(found)]


@pytest.mark.parametrize("engine", ["pdr", "kinduction", "word", "auto"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [(EVEN, ["safe", "unsafe"]), (CAPPED, ["safe", "unsafe"]), (PAIR, ["safe"])],
    ids=["even", "capped", "pair"],
)
def test_engines_that_prove_settle_every_property(text, expected, engine):
    assert words(text, engine) == expected


def test_bmc_refutes_and_leaves_the_rest_open():
    assert words(EVEN, "bmc", 0.3) == ["timeout", "unsafe"]


@pytest.mark.parametrize("engine", ["pdr", "word", "auto"])
def test_small_arrays_are_spelled_out(engine):
    assert words(SMALL, engine) == ["safe", "unsafe"]


@pytest.mark.parametrize(
    ("engine", "expected"), [("pdr", ["incomplete"] * 2), ("word", ["incomplete"] * 2), ("bmc", ["timeout", "unsafe"])]
)
def test_large_arrays_are_abstracted_for_proofs_and_kept_for_bugs(engine, expected):
    assert words(LARGE, engine, 2.0) == expected


def test_what_one_engine_refuses_another_settles():
    assert words(LARGE, "auto", 2.0) == ["timeout", "unsafe"]


@pytest.mark.parametrize("engine", ["pdr", "word", "kinduction", "auto"])
def test_a_large_array_that_does_not_matter_is_no_hindrance(engine):
    assert words(BYSTANDER, engine) == ["safe"]


@pytest.mark.parametrize("engine", ["pdr", "kinduction", "bmc"])
def test_preprocessing_is_a_choice(engine):
    assert words(EVEN, engine, 0.3, preprocess=False)[1] == "unsafe"


def test_one_property_of_several_keeps_its_index():
    (settled,) = [m for m in messages(CAPPED, "pdr", property="high-at-once") if isinstance(m, Settled)]
    assert (settled.prop, settled.verdict.word) == (1, "unsafe")
    assert isinstance(settled.verdict, Unsafe)
    assert isinstance(settled.verdict.trace, WordTrace)
    assert settled.verdict.trace.prop == 1


def test_the_textbook_works_on_bits():
    assert words(CAPPED, "pdr", preset="textbook")[1] == "unsafe"


# the low half goes 0 → 1 → 2 and stays, 6 stays or goes to 7, which is bad; the high half counts on, and nobody asks for it
HALVES = """1 sort bitvec 5
2 sort bitvec 3
3 sort bitvec 2
4 sort bitvec 1
5 input 4 go
6 zero 1
7 state 1 x
8 init 1 7 6
9 slice 2 7 2 0
10 slice 3 7 4 3
11 inc 3 10
12 constd 2 6
13 constd 2 7
14 constd 2 2
15 ult 4 9 14
16 inc 2 9
17 eq 4 9 12
18 ite 2 5 13 12
19 ite 2 17 18 9
20 ite 2 15 16 19
21 concat 1 11 20
22 next 1 7 21
23 eq 4 9 13
24 bad 23 seven
"""


def test_a_proof_that_needs_different_states_means_states_of_words():
    """The high half is in no cone of bits, but certify takes whole words for the state: so must the engine."""
    (settled,) = [m for m in messages(HALVES, "kinduction") if isinstance(m, Settled | Uncertified)]
    assert isinstance(settled.verdict, Safe)
    assert isinstance(proof := settled.verdict.invariant, KInductive)
    assert proof.simple
    assert isinstance(settled, Settled)


def test_the_sides_of_auto_have_their_own_names():
    labels = [
        message.label
        for seats in (1, 2, 3)
        for seat in range(seats)
        for message in messages(EVEN, "auto", 1.0, seats=seats, seat=seat)
        if isinstance(message, Listed)
    ]
    assert labels == ["auto", "bits", "words", "bits", "words", "bmc"]
    alone = team("words", 0, 1)[1]
    assert sum(alone.values()) == pytest.approx(1.0)
    assert set(team("words", 0, 2)[1]) | set(team("words", 1, 2)[1]) == set(alone)


@pytest.mark.parametrize("workers", [1, 2])
def test_auto_with_processes_settles_everything(workers, tmp_path):
    (tmp_path / "even.btor2").write_text(EVEN)
    outcome = run.supervise(str(tmp_path / "even.btor2"), Config(workers=workers, timeout=HANGS))
    assert [p.verdict.word for p in outcome.result.properties] == ["safe", "unsafe"]
    assert all(p.certified for p in outcome.result.properties)
    assert not outcome.bugs


def test_the_python_interface_takes_files_and_models(tmp_path):
    (tmp_path / "even.btor2").write_text(EVEN)
    by_path = lemmata.check(tmp_path / "even.btor2", engine="pdr", timeout=HANGS)
    model = lemmata.load(tmp_path / "even.btor2")
    by_model = lemmata.check(model, engine="word", unit="integer-cube", property="six", timeout=HANGS)
    assert (by_path.verdict, by_model.verdict) == ("unsafe", "unsafe")
    assert by_path.properties[0].to_json()["invariant"]["kind"] == "formulas"


def test_models_travel_to_processes_that_are_not_forked():
    outcome = run.supervise(graph(EVEN), Config(engine="pdr", timeout=HANGS), is_fork=False)
    assert [p.verdict.word for p in outcome.result.properties] == ["safe", "unsafe"]
    assert pickle.loads(pickle.dumps(graph(EVEN))) == graph(EVEN)


def test_thousands_of_properties_cost_no_more_than_their_number():
    """A graph is looked at as a system for each property: never an edge for every pair of them, and not again and again."""
    count = 5000
    many = graph(EVEN + "".join(f"{15 + i} bad {(10, 13)[i % 2]}\n" for i in range(count)))
    system = system_of(many)
    assert system is not None and len(system.bads) == count + 2
    x = system.variables[0]
    even = WordInvariant((make("=", (make("extract", (x,), (0, 0)), bv(0, 1))),))
    began = time.process_time()
    for prop in range(0, count, 50):
        certify_graph(many, prop, Safe(even))
    assert time.process_time() - began < 10  # a second; with an edge for every pair minutes


def test_a_proof_is_checked_by_all_that_did_not_find_it_whatever_others_use(monkeypatch):
    asked: list[tuple[str, ...]] = []

    def certify(model, prop, verdict, solvers, until, journal):
        asked.append(tuple(solvers))
        return certify_graph(model, prop, verdict, solvers, until, journal)

    monkeypatch.setattr("lemmata.run.worlds.words.certify_graph", certify)
    mixed = WordOptions(solver="z3")
    settled = [m for m in messages(PAIR, "auto", word=mixed) if isinstance(m, Settled)]
    assert [type(m.verdict) for m in settled] == [Safe]
    by_engine = {"pdr": {"pysat"}, "kinduction": {"pysat"}, "word": {"z3"}}
    assert asked == [checkers(by_engine[settled[0].engine])]
    messages(PAIR, "word", word=mixed)
    assert asked[1:] == [checkers({"z3"})]


def test_a_fingerprint_is_that_of_the_model():
    def told(text: str) -> int:
        return world_of(graph(text), Task("", Config()), [0], lambda event: None).fingerprint

    assert told(EVEN) == told(EVEN)
    assert told(EVEN) != told(EVEN.replace("constd 1 2", "constd 1 3"))
    assert told(EVEN) != told(EVEN.replace("add", "sub"))


def test_a_fingerprint_does_not_tell_in_which_order_terms_were_made():
    a, b = var("a", INT), var("b", INT)

    def told(op: str, *args: Term) -> int:
        guard = make("<", (make(op, args), a))
        return fingerprint(Graph((Location("p"),), (Edge((), 0, (a, b), guard, ()),), ()))

    assert told("+", a, b) == told("+", b, a)  # a worker that replaces another one knows terms that the first one did not
    assert told("-", a, b) != told("-", b, a)
    assert told("+", a, b) != told("+", a, a)


class Fake(Engine):
    """Answers as it is told, about EVEN's circuit or system."""

    name, bound = "fake", -1

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

    def check(self, prop: int, until: float | None = None) -> Verdict:
        return self._verdict


X = var("x", BitVec(8))


@pytest.mark.parametrize(
    "verdict",
    [
        Safe(WordInvariant(())),
        Safe(WordInvariant((make("bvult", (X, bv(6, 8))),))),
        Safe(KInductive(3)),
        Unsafe(WordTrace(0, ((X, 0),), ((), (), ()))),
        Unsafe(WordTrace(0, ((X, 1),), ((), (), ()))),
    ],
)
def test_lies_about_words_are_bugs_and_never_verdicts(monkeypatch, tmp_path, verdict):
    monkeypatch.setitem(ENGINES, "word", replace(ENGINES["word"], builds={"words": lambda *_: Fake(verdict)}))
    monkeypatch.setattr("lemmata.run.processes.process.can_fork", lambda: True)
    (tmp_path / "even.btor2").write_text(EVEN)
    outcome = run.supervise(
        str(tmp_path / "even.btor2"), Config(engine="word", property="0", timeout=HANGS), bundles=tmp_path / "bugs"
    )
    assert outcome.is_broken
    ((bug, bundle),) = outcome.bugs
    assert bug.kind == "uncertified"
    assert (bundle / "even.btor2").read_text() == EVEN
    assert (bundle / "evidence.json").exists()


def test_a_proof_that_no_solver_checks_in_time_is_unknown_and_no_bug(monkeypatch, tmp_path):
    class Endless:
        def add(self, formula) -> None: ...

        def check(self, assumptions, wanted, until):
            clock.tally[clock.OTHER] += 10**9
            time.sleep(0.01)
            raise GaveUp("timeout")

    monkeypatch.setattr("lemmata.certify.query.open_solver", lambda name: Endless())
    heard = messages(EVEN, "pdr", 1.0, property="0")
    assert [type(m) for m in heard if isinstance(m, Settled | Uncertified | Abandoned)] == [Abandoned]


def test_the_solver_that_found_a_proof_does_not_check_it():
    asked: list[str] = []

    def spy(name: str):
        asked.append(name)
        return open_solver(name)

    from lemmata.solvers.smt import open_solver

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lemmata.certify.query.open_solver", spy)
        messages(CAPPED, "word", word=WordOptions(solver="bitwuzla"))
    assert asked
    assert "bitwuzla" not in asked


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"engine": "bmc", "unit": "polytope"}, "techniques are PDR's"),
        ({"engine": "pdr", "unit": "polytope"}, "unit is a technique of engine word"),
        ({"engine": "word", "technique": {"lift": "core"}}, "lift is a technique of engine pdr"),
        ({"engine": "word", "unit": "octagon"}, "integer-cube, polytope, mixed"),
        ({"engine": "word", "technique": {"solver": "minisat"}}, "blast, bitwuzla"),
        ({"preset": "textbook", "unit": "polytope"}, "without techniques"),
    ],
)
def test_options_that_make_no_sense_together_are_usage_errors(options, hint):
    with pytest.raises(UsageError, match=hint):
        make_config(**options)


def test_units_and_techniques_of_words_are_set_by_name():
    config = make_config(unit="polytope", technique={"arity": "2", "simulate": "off", "lift": "none"})
    assert config.word == WordOptions(unit="polytope", arity=2, simulate=False)
    assert config.pdr.lift == "none"
    assert make_config().word is None


@pytest.mark.parametrize(
    ("file", "config", "certificate", "hint"),
    [
        ("bits.aag", {"engine": "word"}, "", "circuit of bits"),
        ("bits.aag", {"unit": "mixed"}, "", "circuit of bits"),
        ("bits.aag", {}, ".smt2", "not .smt2"),
        ("words.btor2", {}, ".aag", "has words"),
    ],
)
def test_circuits_refuse_what_is_for_words_and_words_what_is_for_circuits(tmp_path, file, config, certificate, hint):
    (tmp_path / "bits.aag").write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    (tmp_path / "words.btor2").write_text(EVEN)
    chosen = make_config(**config)
    with pytest.raises(UsageError, match=hint):
        Flow(Task(str(tmp_path / file), chosen, wanted=Wanted(certificate=certificate)), lambda event: None)


def test_a_bundle_holds_evidence_with_numbers_that_python_does_not_write(tmp_path):
    x = var("x", BitVec(20000))
    trace = WordTrace(0, ((x, (1 << 20000) - 1),), ((),))
    bug = Bug("uncertified", "word", "b0", "no run", evidence=Unsafe(trace))
    folder = write_bundle(bug, graph(EVEN), Config(), (), tmp_path)
    assert "f" * 5000 in (folder / "evidence.json").read_text()
