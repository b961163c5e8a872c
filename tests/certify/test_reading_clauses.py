"""The second reader of Horn clauses: it agrees where the file was read rightly, and objects where it was misread."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import lemmata
from lemmata import run
from lemmata.certify.reading import clauses as clauses_module
from lemmata.certify.reading import peer as peer_module
from lemmata.certify.reading import read_again
from lemmata.certify.reading.clauses import _assertion_lines
from lemmata.certify.reading.commands import meaningful
from lemmata.certify.reading.peer import Peer
from lemmata.cli.commands import _certify, _replay
from lemmata.config import Config
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import FALSE, TRUE
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.report.text import report
from lemmata.result import PropertyResult, Result
from lemmata.run.flow import Flow
from lemmata.run.options import make_config
from lemmata.run.processes.messages import Uncertified
from lemmata.run.second_reader import SecondReader
from lemmata.run.task import Task, Wanted
from lemmata.verdict import Safe, Unknown, Unsafe
from lemmata.work import now
from tests.support.clock import in_time
from tests.support.horn_text import asked
from tests.support.paths import ROOT
from tests.support.second_readings import certified, load_graph, opinion, settled, written

HEAD = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(declare-fun Q (Int Int) Bool)\n"
COUNT = "(assert (P 0))\n(assert (forall ((x Int)) (=> (and (P x) (< x 5)) (P (+ x 1)))))\n"
PAIR = "(assert (Q 1 2))\n"


BOTH = "(x Int) (y Int)"


def query(body: str, names: str = "(x Int)") -> str:
    return f"(assert (forall ({names}) (=> {body} false)))\n"


# what the file says, what it is taken for: the verdicts differ
MISREADINGS = [
    ("a constant", COUNT + query("(and (P x) (> x 4))"), COUNT + query("(and (P x) (> x 5))")),
    ("a constant of a fact", "(assert (P 3))" + query("(and (P x) (= x 3))"), "(assert (P 4))" + query("(and (P x) (= x 3))")),
    ("a comparison", COUNT + query("(and (P x) (>= x 5))"), COUNT + query("(and (P x) (> x 5))")),
    ("a sign", COUNT + query("(and (P x) (= x 1))"), COUNT + query("(and (P x) (= x (- 1)))")),
    ("an update", COUNT + query("(P 4)"), COUNT.replace("(+ x 1)", "(+ x 3)") + query("(P 4)")),
    ("a guard that is lost", COUNT + query("(and (P x) (> x 5))"), COUNT.replace("(< x 5)", "true") + query("(P 9)")),
    ("a clause that is lost", COUNT + query("(P 3)"), "(assert (P 0))\n" + query("(P 3)")),
    ("a query that is lost", COUNT + query("(P 9)") + query("(P 3)"), COUNT + query("(P 9)")),
    ("a clause too many", "(assert (P 0))" + query("(P 3)"), COUNT + query("(P 3)")),
    ("a comment that hides a query", "(assert (P 0))\n; note\r" + query("(P 0)"), "(assert (P 0))\n; note " + query("(P 0)")),
    ("arguments swapped", PAIR + query("(and (Q x y) (< x y))", BOTH), PAIR + query("(and (Q x y) (< y x))", BOTH)),
    (
        "let in turn instead of at once",
        PAIR + query("(and (Q x y) (let ((x y) (y x)) (> x y)))", BOTH),
        PAIR + query("(and (Q x y) (let ((x y)) (let ((y x)) (> x y))))", BOTH),
    ),
    (
        "a bound name that captures",
        PAIR + query("(and (Q x y) (exists ((z Int)) (= z (+ y 1))))", BOTH),
        PAIR + query("(and (Q x y) (exists ((z Int)) (= z (+ z 1))))", BOTH),
    ),
    (
        "a quoted name that is taken for a number",
        "(assert (forall ((|5| Int)) (=> (distinct |5| 5) (P |5|))))" + query("(P 7)"),
        "(assert (forall ((|5| Int)) (=> (distinct |5| |5|) (P |5|))))" + query("(P 7)"),
    ),
    ("minus from the right", "(assert (P (- 9 3 2)))" + query("(P 4)"), "(assert (P (- 9 (- 3 2))))" + query("(P 4)")),
    (
        "an implication from the left",
        COUNT + query("(and (P x) (=> (> x 9) (> x 9) false))"),
        COUNT + query("(and (P x) (=> (=> (> x 9) (> x 9)) false))"),
    ),
    ("a chain of comparisons", COUNT + query("(and (P x) (< 1 x 3))"), COUNT + query("(and (P x) (< 1 x) (< x 2))")),
    (
        "pairwise distinct",
        PAIR + query("(and (Q x y) (distinct x y 1))", BOTH),
        PAIR + query("(and (Q x y) (distinct x y))", BOTH),
    ),
    (
        "division that rounds to zero",
        "(assert (P (div (- 7) 2)))" + query("(P (- 4))"),
        "(assert (P (- (div 7 2))))" + query("(P (- 4))"),
    ),
    ("a remainder with a sign", "(assert (P (mod (- 7) 2)))" + query("(P 1)"), "(assert (P (- (mod 7 2))))" + query("(P 1)")),
    ("and for or", COUNT + query("(and (P x) (or (= x 2) (> x 9)))"), COUNT + query("(and (P x) (and (= x 2) (> x 9)))")),
    (
        "a predicate for another",
        "(declare-fun R (Int) Bool)(assert (P 0))" + query("(P x)"),
        "(declare-fun R (Int) Bool)(assert (R 0))" + query("(P x)"),
    ),
    (
        "exists for forall",
        "(assert (forall ((x Int)) (P x)))" + query("(P 8)"),
        "(assert (forall ((x Int)) (=> (= x 0) (P x))))" + query("(P 8)"),
    ),
]
NAMES = [name for name, _, _ in MISREADINGS]
FRONT_END = {"a comment that hides a query", "a quoted name that is taken for a number"}  # whose tests are elsewhere


@pytest.mark.parametrize(("name", "text", "taken_for"), MISREADINGS, ids=NAMES)
def test_what_is_certified_for_a_misread_file_is_rejected(name: str, text: str, taken_for: str, tmp_path: Path) -> None:
    wrong = load_graph(written(tmp_path, "taken.smt2", asked(HEAD + taken_for)))
    verdict = certified(wrong)
    file = written(tmp_path, "file.smt2", asked(HEAD + text))
    with pytest.raises(CertificateError, match=r"a second reading of .* disagrees"):
        opinion(file, wrong, verdict)
    if name not in FRONT_END:
        assert (right := settled(file)).verdict.word != verdict.word
        assert right.read_by == ("lemmata", "z3")


SHAPES = [
    "(assert (=> (exists ((x Int)) (and (P x) (> x 4))) false)) (assert (P 5))",
    "(assert (forall ((x Int)) (or (not (P x)) (> x 6) (P (+ x 1)))))"
    "(assert (P 5)) (assert (forall ((x Int)) (=> (P x) (< x 7))))",
    "(assert (and (P 0) (forall ((x Int)) (=> (P x) (= x 1)))))",
    "(assert (P 0)) (assert (forall ((x Int)) (=> (xor (P x) (= x 1)) false)))",
    "(assert (forall ((x Int)) (= (P x) (> x 3)))) (assert (forall ((x Int)) (=> (and (P x) (< x 5)) false)))",
    "(declare-fun b () Bool) (assert (forall ((c Bool) (d Bool)) (=> (and (not c) d) b))) (assert (not b))",
    "(declare-fun b () Bool) (declare-fun c () Bool) (assert (=> b c)) (assert (=> c false))",
    "(assert (P 1)) (assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y))))) (assert (not (P 5)))",
    "(declare-fun A ((Array Int Int)) Bool) (assert (A ((as const (Array Int Int)) 0)))"
    "(assert (forall ((a (Array Int Int)) (i Int)) (=> (A a) (A (store a i (+ (select a i) 1))))))"
    "(assert (forall ((a (Array Int Int))) (=> (A a) (< (select a 7) 2))))",
    "(declare-fun V ((_ BitVec 4) Bool) Bool) (assert (V #xE true))"
    "(assert (forall ((x (_ BitVec 4)) (b Bool)) (=> (V x b) (V (bvadd x #x1) (not b)))))"
    "(assert (forall ((x (_ BitVec 4)) (b Bool)) (=> (V x b) (distinct x #x3))))",
    "(declare-fun R (Real) Bool) (assert (R (/ 1 3))) (assert (forall ((x Real)) (=> (R x) (R (+ x 0.5)))))"
    "(assert (forall ((x Real)) (=> (R x) (> x 0.0))))",
    "(declare-fun |a b| (Int) Bool) (assert (|a b| 0)) (assert (not (|a b| 0)))",
    "(assert (P 0)) (assert (not (P 0)))".replace("\n", "\r\n"),
]


@pytest.mark.parametrize("text", SHAPES)
def test_it_agrees_on_clauses_of_all_shapes(text: str, tmp_path: Path) -> None:
    assert settled(written(tmp_path, "file.smt2", asked(HEAD + text))).read_by == ("lemmata", "z3")


def test_a_byte_order_mark_is_no_command(tmp_path: Path) -> None:
    path = written(tmp_path, "file.smt2", asked("\ufeff" + HEAD + COUNT + query("(P 9)")))
    assert settled(path).read_by == ("lemmata", "z3")


def test_lines_of_many_assertions_are_counted_once() -> None:
    size = 50_000
    text = b"(assert (P 0)) ; 0123456789012345678901234567890123456789012345678901234567890123456789\n" * size
    started = process_time()
    assert _assertion_lines(text) == list(range(1, size + 1))
    assert process_time() - started < 5


def test_it_agrees_on_the_examples() -> None:
    for path in sorted(Path("examples/lia").glob("*.smt2"))[::3]:
        graph = load_graph(str(path))
        assert opinion(str(path), graph, certified(graph)) == "z3", path


def test_a_model_that_is_none_is_rejected_claim_by_claim(tmp_path: Path) -> None:
    file = written(tmp_path, "file.smt2", asked(HEAD + COUNT + query("(and (P x) (> x 5))")))
    graph = load_graph(file)
    verdict = certified(graph)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    for lemma in (TRUE, FALSE):
        claims = tuple(replace(c, lemmas=(lemma,)) if c.place.name == "P" else c for c in verdict.invariant.claims)
        with pytest.raises(CertificateError, match="the invariant violates assertion"):
            opinion(file, graph, Safe(GraphInvariant(claims)))


def test_a_derivation_that_is_none_is_rejected_fact_by_fact(tmp_path: Path) -> None:
    file = written(tmp_path, "file.smt2", asked(HEAD + COUNT + query("(P 3)")))
    graph = load_graph(file)
    verdict = certified(graph)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    derivation, facts = verdict.trace, verdict.trace.facts
    for number in range(len(facts) - 1):
        changed = [replace(f, values=(17,)) if n == number else f for n, f in enumerate(facts)]
        with pytest.raises(CertificateError, match=f"fact {number}, P.x = 17., follows from no assertion"):
            opinion(file, graph, Unsafe(replace(derivation, facts=tuple(changed))))
    with pytest.raises(CertificateError, match="does not end in false"):
        opinion(file, graph, Unsafe(replace(derivation, facts=facts[:-1])))
    circular = [replace(facts[0], premises=(0,)), *facts[1:]]
    with pytest.raises(CertificateError, match="fact 0: 0 is no earlier fact"):
        opinion(file, graph, Unsafe(replace(derivation, facts=tuple(circular))))
    loose = [*facts[:-1], replace(facts[-1], premises=(0,))]
    with pytest.raises(CertificateError, match="follows from no assertion"):
        opinion(file, graph, Unsafe(replace(derivation, facts=tuple(loose))))


def test_long_runs_are_gone_through_together(tmp_path: Path) -> None:
    text = HEAD + COUNT.replace("5", "150") + query("(P 150)")
    file = written(tmp_path, "file.smt2", asked(text))
    graph = load_graph(file)
    verdict = certified(graph, "bmc")
    assert isinstance(verdict, Unsafe) and opinion(file, graph, verdict) == "z3"
    other = written(tmp_path, "other.smt2", asked(text.replace("(+ x 1)", "(+ x (ite (= x 120) 2 1))")))
    with pytest.raises(CertificateError, match=r"fact 121, P.x = 121., follows from no assertion"):
        opinion(other, graph, verdict)


def test_stretches_are_told_round_by_round_or_left_alone(tmp_path: Path) -> None:
    for count, reader in ((900, "z3"), (1_000_000, None)):
        file = written(tmp_path, "file.smt2", asked(HEAD + COUNT.replace("5", str(count)) + query(f"(P {count})")))
        graph = load_graph(file)
        verdict = certified(graph, "accelerate")
        assert isinstance(verdict, Unsafe) and opinion(file, graph, verdict) == reader


def test_where_nobody_can_tell_there_is_no_second_opinion(tmp_path: Path) -> None:
    text = HEAD + COUNT + query("(and (P x) (> x 5))")
    file = written(tmp_path, "file.smt2", asked(text))
    graph = load_graph(file)
    verdict = certified(graph)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    assert read_again(file, graph, 0, verdict, now() - 1) is None
    assert opinion(str(tmp_path / "gone.smt2"), graph, verdict) is None
    assert opinion(written(tmp_path, "odd.smt2", text + "(declare-fun"), graph, verdict) is None
    assert opinion(file, graph, Safe(GraphKInductive(2, verdict.invariant))) is None
    named = "(set-option :produce-unsat-cores true)" + text.replace("(assert (P 0))", "(assert (! (P 0) :named a))")
    assert opinion(written(tmp_path, "named.smt2", named), graph, verdict) == "z3"


def test_the_flow_calls_a_contradicted_verdict_uncertified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, "file.smt2", asked(HEAD + COUNT + query("(P 5)")))
    wrong = load_graph(written(tmp_path, "taken.smt2", asked(HEAD + COUNT + query("(P 6)"))))
    monkeypatch.setattr("lemmata.run.flow.load", lambda path, *options, **more: wrong)
    for is_on in (True, False):
        config = make_config(workers=1, second_reader=is_on)
        flow = Flow(Task(file, config, in_time()), lambda event: None)
        flow.prepare()
        found = flow.settle(0, in_time())
        assert isinstance(found, Uncertified) == is_on
        assert not is_on or "disagrees: the invariant violates assertion 2" in getattr(found, "cause", "")


def test_results_say_who_checked_and_who_read(tmp_path: Path) -> None:
    file = written(tmp_path, "file.smt2", asked(HEAD + COUNT + query("(P 5)")))
    for is_on, readers in ((True, ["lemmata", "z3"]), (False, ["lemmata"])):
        (prop,) = lemmata.check(file, second_reader=is_on).properties
        told = prop.to_json()
        assert (told["certified"], told["by"], told["read_by"]) == (True, "evaluation", readers)
    (prop,) = lemmata.check(load_graph(file)).properties
    assert prop.read_by == ("lemmata",)


def test_verbose_text_says_who_checked_and_who_read() -> None:
    prop = PropertyResult("p", Safe(GraphInvariant(())), "lifted", -1, True, 0.1, by="cvc5", read_by=("lemmata", "z3"))
    alone = replace(prop, name="q", read_by=("lemmata",))
    open_one = PropertyResult("r", Unknown("timeout"), "lifted", -1, False, 0.1)
    result = Result("f", "0", (prop, alone, open_one), 1.0, 1.0)
    told = report(result, verbose=True).splitlines()
    assert "p: checked by cvc5; the file was read by lemmata, and by z3 again" in told
    assert "q: checked by cvc5; the file was read by lemmata only" in told
    assert not any(line.startswith("r: checked") for line in told)
    assert "checked by" not in report(result)


def test_options_do_not_reach_z3(tmp_path: Path) -> None:
    written_by_z3 = tmp_path / "written.txt"
    names = ("regular-output-channel", "diagnostic-output-channel", "solver.smtlib2_log", "trace_file_name")
    options = "".join(f'(set-option :{name} "{written_by_z3}")' for name in names)
    file = written(
        tmp_path, "file.smt2", asked(options + HEAD + COUNT + query("(P 5)") + f'(echo "{written_by_z3}")(get-model)')
    )
    (prop,) = lemmata.check(file).properties
    assert prop.read_by == ("lemmata", "z3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.smt2"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"(set-option :a b)(assert p)", b"(assert p)"),
        (b'(echo "(assert q)")(assert p)(set-info :s |(assert q)|) ; (assert q)\n(assert r)', b"(assert p)\n(assert r)"),
        (b"(assert p)(exit)(assert q)", b"(assert p)"),
        (b"(assert ; (\n p)", b"(assert ; (\n p)"),
    ],
)
def test_only_what_means_something_is_kept(text: bytes, kept: bytes) -> None:
    assert meaningful(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        b"(push 1)(assert p)",
        b"assert",
        b"(assert p))",
        b"(|assert| p)",
        b"((assert p))",
        b"(assert p",
        b"(assert (|!| p))",
        b"(assert (P -5))",
    ],
)
def test_what_is_no_plain_script_gets_no_second_opinion(text: bytes) -> None:
    with pytest.raises(GaveUp):
        meaningful(text)


def test_certify_and_replay_read_the_file_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    file = Path(written(tmp_path, "file.smt2", asked(HEAD + COUNT + query("(P 5)"))))
    other = Path(written(tmp_path, "other.smt2", asked(HEAD + COUNT + query("(P (- 6))"))))
    proof, bug = tmp_path / "proof.smt2", tmp_path / "bug.txt"
    proof.write_text("(define-fun P ((x Int)) Bool (>= x 0))")
    assert _certify(other, proof, "all", Config()) == 0
    outcome = run.supervise(str(file), make_config(workers=1), wanted=Wanted(witness=True))
    bug.write_bytes(outcome.files[0].witness or b"")
    assert _replay(file, bug, False, Config()) == 0
    swapped = {str(file): load_graph(str(other)), str(other): load_graph(str(file))}
    monkeypatch.setattr("lemmata.frontends.load", lambda path, *options, **more: swapped[str(path)])
    assert _certify(file, proof, "all", Config()) == 1
    assert _replay(other, bug, False, Config()) == 1
    told = capsys.readouterr().out
    assert told.count("rejected: a second reading of") == 2


def test_a_file_that_takes_too_long_to_read_is_read_once(tmp_path: Path) -> None:
    text = HEAD + COUNT + query("(and (P x) (> x 5))")
    graph = load_graph(written(tmp_path, "file.smt2", asked(text)))
    large = written(tmp_path, "large.smt2", text + "; " + "x" * 3_000_000)
    verdict = certified(graph)
    assert isinstance(verdict, Safe | Unsafe)
    assert SecondReader(large, graph, Config()).read_by(0, verdict, spent=0.1) == ("lemmata",)
    assert SecondReader(large, graph, Config()).read_by(0, verdict, spent=9.0) == ("lemmata", "z3")


def test_what_one_file_declares_or_sets_means_nothing_for_the_next() -> None:
    """Readers share a context, and the options of Z3 are the process's."""
    declared = "(declare-fun x () Int)(declare-sort S 0)(define-fun f ((y Int)) Int (+ y 1))(assert (= (f x) 1))"
    Peer(None).read(f"(set-option :timeout 1)(set-option :rlimit 1){declared}")
    other = Peer(None)
    for text in ("(assert (> x 0))", "(assert (= (f 1) 2))", "(declare-fun s () S)(assert (= s s))"):
        with pytest.raises(GaveUp):
            other.read(text)
    (x,) = other.read("(declare-fun x () Bool)(assert x)")
    assert other.model(x, other.no(x)) is None
    pigeons = [[f"(sits p{pigeon} {hole})" for hole in range(6)] for pigeon in range(7)]
    alone = [f"(not (and {one} {two}))" for hole in zip(*pigeons, strict=True) for one, two in combinations(hole, 2)]
    names = "".join(f"(declare-fun p{pigeon} () Int)" for pigeon in range(7)) + "(declare-fun sits (Int Int) Bool)"
    asserted = [*(f"(or {' '.join(row)})" for row in pigeons), *alone]
    apart = f"(assert (distinct {' '.join(f'p{pigeon}' for pigeon in range(7))}))"
    assert other.model(*other.read(names + apart + "".join(f"(assert {formula})" for formula in asserted))) is None


@pytest.mark.parametrize("name", ["READING_TOGETHER_BYTES", "READING_CORE_S"])
def test_assertions_that_are_not_refuted_together_or_soon_are_asked_alone_and_longer(name, monkeypatch):
    for module in (clauses_module, peer_module):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, 0)
    (prop,) = run.supervise(str(ROOT / "examples" / "lia" / "mccarthy.smt2"), Config(workers=1)).result.properties
    assert prop.read_by == ("lemmata", "z3")
