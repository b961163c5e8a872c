"""The second reader of VMT-LIB: it agrees where the file was read rightly, and objects where it was misread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.certify.reading import read_again
from lemmata.certify.reading.vmt_text import scan_vmt
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import FALSE, TRUE
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now
from tests.support.second_readings import certified, load_graph, opinion, settled, written

STATES = """(declare-fun x () Int)
(declare-fun xn () Int)
(define-fun .x () Int (! x :next xn))
(declare-fun y () Int)
(declare-fun yn () Int)
(define-fun .y () Int (! y :next yn))
(declare-fun in () Int)
"""


def system(initial: str, step: str, *properties: str) -> str:
    told = [f"(define-fun .p{n} () Bool (! {text} :invar-property {n}))\n" for n, text in enumerate(properties)]
    return (
        STATES
        + f"(define-fun .init () Bool (! {initial} :init true))\n(define-fun .trans () Bool (! {step} :trans true))\n"
        + "".join(told)
    )


START, STEP, GOOD = "(and (= x 0) (= y 0))", "(and (< x 5) (= xn (+ x 1)) (= yn (+ y 2)))", "(<= y 10)"
PLAIN = system(START, STEP, GOOD)
BAD = system(START, STEP, "(< y 10)")

# what the file says, what it is taken for: the verdicts differ
SWAP = "(and (= xn y) (= yn x))"
LATER = "(define-fun .q () Bool (! (< y 4) :invar-property 7))\n"
LESS = "(define-fun less ((y Int) (x Int)) Bool (<= x y))"
MISREADINGS = {
    "a constant": (BAD, PLAIN),
    "a constant of the start": (system("(and (= x 0) (= y 1))", STEP, GOOD), PLAIN),
    "a comparison": (system(START, STEP, "(< y 10)"), system(START, STEP, "(distinct y 11)")),
    "an update": (system(START, STEP.replace("(+ y 2)", "(+ y 3)"), GOOD), PLAIN),
    "a guard that is lost": (PLAIN, system(START, STEP.replace("(< x 5)", "true"), GOOD)),
    "a guard too many": (system(START, STEP.replace("(< x 5)", "true"), GOOD), PLAIN),
    "a start that is lost": (PLAIN, system("true", STEP, GOOD)),
    "a part of the start that is lost": (PLAIN, system("(= x 0)", STEP, GOOD)),
    "no step": (BAD, system(START, "false", "(< y 10)")),
    "a guard that is too strong": (system(START, STEP.replace("(< x 5)", "(<= x 5)"), GOOD), PLAIN),
    "now and next swapped": (
        system(START, "(and (= x (+ xn 1)) (= yn y))", "(>= x 0)"),
        system(START, "(and (= xn (+ x 1)) (= yn y))", "(>= x 0)"),
    ),
    "next values exchanged": (
        PLAIN.replace("(! x :next xn)", "(! x :next yn)").replace("(! y :next yn)", "(! y :next xn)"),
        PLAIN,
    ),
    "one state for another": (system(START, STEP, "(<= y 5)"), system(START, STEP, "(<= x 5)")),
    "the order of properties": (system(START, STEP, "(< y 10)", GOOD), system(START, STEP, GOOD, "(< y 10)")),
    "a state that is an input": (
        PLAIN,
        PLAIN.replace("(define-fun .y () Int (! y :next yn))\n", "").replace("(= x 0) (= y 0)", "(= x 0)"),
    ),
    "an input that is a state": (
        system(START, "(and (= xn in) (= yn y))", "(<= x 3)"),
        system(START, "(and (= xn y) (= yn y))", "(<= x 3)"),
    ),
    "let in turn instead of at once": (
        system("(and (= x 1) (= y 2))", "(let ((x y) (y x)) (and (= xn x) (= yn y)))", "(= (+ x y) 3)"),
        system("(and (= x 1) (= y 2))", "(let ((x y)) (let ((y x)) (and (= xn x) (= yn y))))", "(= (+ x y) 3)"),
    ),
    "a definition": (
        "(define-fun most () Int 9)" + system(START, STEP, "(<= y most)"),
        "(define-fun most () Int 11)" + system(START, STEP, "(<= y most)"),
    ),
    "a parameter that captures": (
        LESS + system(START, STEP, "(less x y)"),
        LESS.replace("(<= x y)", "(<= y x)") + system(START, STEP, "(less x y)"),
    ),
    "the last part of xor": (
        system(START, SWAP, "(xor (= x 0) (= y 0) (= x 0))"),
        system(START, SWAP, "(xor (= x 0) (= y 0))"),
    ),
    "division that rounds to zero": (
        system(START, STEP.replace("(+ y 2)", "(div (- xn) 2)"), "(distinct y (- 1))"),
        system(START, STEP.replace("(+ y 2)", "(- (div xn 4))"), "(distinct y (- 2))"),
    ),
    "what a comment hides": (PLAIN + "; note\r" + LATER, PLAIN),
    "what stands after exit": (PLAIN + "(exit)\n" + LATER, system(START, STEP, GOOD, "(< y 4)")),
}


@pytest.mark.parametrize(("text", "taken_for"), MISREADINGS.values(), ids=MISREADINGS)
def test_what_is_certified_for_a_misread_file_is_rejected(text: str, taken_for: str, tmp_path: Path) -> None:
    wrong = load_graph(written(tmp_path, "taken.vmt", taken_for))
    verdict = certified(wrong)
    with pytest.raises(CertificateError, match=r"a second reading of .* disagrees"):
        opinion(written(tmp_path, "file.vmt", text), wrong, verdict)


SHAPES = [
    PLAIN,
    BAD,
    PLAIN.replace("\n", "\r\n"),
    '; HORN "|\n(set-logic QF_LIA)\n(set-option :produce-models true)\n' + PLAIN + "(assert true)\n(check-sat)\n",
    PLAIN.replace("xn", "|x'|").replace("(! x :next", '(! x :predicate (a "b" :init) :next'),
    PLAIN.replace("(! (<= y 10)", "(let ((most 10)) (! (<= y most)").replace(":invar-property 0)", ":invar-property 0))"),
    system(START, "(and (= xn in) (= yn y))", "(<= x 3)"),
    system(START, STEP, "(or (<= y 10) (= in 3))"),
    system(START, STEP, "(=> (> in y) (distinct in 4))"),
    PLAIN.replace("Int", "Real"),
    "\ufeff" + PLAIN,
    PLAIN + "(define-fun .again () Bool (! .init :init true))\n",
    PLAIN + f"(define-fun .again () Bool (! (and {STEP} true) :trans true))\n",
    PLAIN.replace(f"(define-fun .init () Bool (! {START} :init true))", f"(assert (=> (! {START} :init true) true))"),
    system(f"(! {START} :named start)", STEP, GOOD),
    system("(and (= x (! 0 :named zero)) (= y zero))", STEP, "(>= y zero)"),
    "(declare-fun b () (_ BitVec 4))(declare-fun bn () (_ BitVec 4))(define-fun s () (_ BitVec 4) (! b :next bn))"
    "(define-fun i () Bool (! (= b #x0) :init true))(define-fun t () Bool (! (= bn (bvadd b #x2)) :trans true))"
    "(define-fun p () Bool (! (distinct b #x7) :invar-property 3))",
    "(declare-fun m () (Array Int Bool))(declare-fun mn () (Array Int Bool))(define-fun s () (Array Int Bool) (! m :next mn))"
    "(declare-const k Int)(define-fun i () Bool (! (= m ((as const (Array Int Bool)) false)) :init true))"
    "(define-fun t () Bool (! (= mn (store m k true)) :trans true))"
    "(define-fun p () Bool (! (not (select m 2)) :invar-property 3))",
]


@pytest.mark.parametrize("text", SHAPES)
def test_it_agrees_on_files_of_all_shapes(text: str, tmp_path: Path) -> None:
    assert settled(written(tmp_path, "file.vmt", text)).read_by == ("lemmata", "z3")


def test_formulas_with_one_annotation_must_mean_the_same(tmp_path: Path) -> None:
    graph = load_graph(written(tmp_path, "plain.vmt", PLAIN))
    verdict = certified(graph)
    for odd in ("(= x 0) :init true", "(= x xn) :trans true", "(<= y 9) :invar-property 0"):
        path = written(tmp_path, "file.vmt", PLAIN + f"(define-fun .odd () Bool (! {odd}))")
        with pytest.raises(CertificateError, match="two formulas with the same annotation differ"):
            opinion(path, graph, verdict)


def test_it_agrees_on_the_examples() -> None:
    for path in sorted(Path("examples/lia").glob("*.vmt")):
        graph = load_graph(str(path))
        for question in graph.questions:
            assert opinion(str(path), graph, certified(graph, prop=question.index), question.index) == "z3", path


def test_k_induction_is_checked_anew(tmp_path: Path) -> None:
    file = written(tmp_path, "file.vmt", system(START, "(and (= xn y) (= yn x))", "(<= x 3)"))
    graph = load_graph(file)
    nothing = _claims(certified(graph), TRUE)
    known = {k: Safe(GraphKInductive(k, nothing)) for k in (1, 2, 3, 4)}
    for k in (1, 2):
        with pytest.raises(CertificateError, match=f"{k} states in a row"):
            opinion(file, graph, known[k])
    assert opinion(file, graph, known[3]) == opinion(file, graph, known[4]) == "z3"
    other = written(tmp_path, "other.vmt", system(START, "(and (= xn y) (= yn 9))", "(<= x 3)"))
    with pytest.raises(CertificateError, match="a short run violates"):
        opinion(other, graph, known[4])
    other = written(tmp_path, "other.vmt", system(START, "(and (= xn y) (= yn x))", "(or (<= x 3) (> in 5))"))
    assert opinion(other, graph, known[3]) is None


def test_wrong_invariants_and_wrong_runs_are_rejected(tmp_path: Path) -> None:
    file, bad = written(tmp_path, "file.vmt", PLAIN), written(tmp_path, "bad.vmt", BAD)
    graph = load_graph(file)
    verdict = certified(graph)
    with pytest.raises(CertificateError, match="allows a violation"):
        opinion(file, graph, Safe(_claims(verdict, TRUE)))
    with pytest.raises(CertificateError, match="an initial state violates"):
        opinion(file, graph, Safe(_claims(verdict, FALSE)))
    graph = load_graph(bad)
    verdict = certified(graph)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Derivation)
    run = verdict.trace
    for number in range(len(run.facts) - 1):
        facts = [replace(f, values=(1, 7)) if n == number else f for n, f in enumerate(run.facts)]
        with pytest.raises(CertificateError, match="is not possible"):
            opinion(bad, graph, Unsafe(replace(run, facts=tuple(facts))))
    with pytest.raises(CertificateError, match="does not end in a violation"):
        opinion(bad, graph, Unsafe(replace(run, facts=run.facts[:-1])))


@pytest.mark.parametrize("odd", ["(push 1)", "(declare-fun f (Int) Int)", ")", "(", "|", "(declare-const |a\\b| Int)", "é"])
def test_what_is_no_vmt_has_no_second_opinion(odd: str, tmp_path: Path) -> None:
    graph = load_graph(written(tmp_path, "file.vmt", PLAIN))
    verdict = certified(graph)
    assert opinion(written(tmp_path, "odd.vmt", PLAIN + odd), graph, verdict) is None
    assert read_again(str(tmp_path / "file.vmt"), graph, 0, verdict, now() - 1) is None


def test_tokens_have_kinds() -> None:
    first = "(declare-const |a b| Int) ; (declare-const c Int)\r(declare-const |;| Int)\n"
    text = scan_vmt(first + '(set-info :x ") (exit) ""|")(declare-const c Int)')
    assert list(text.constants) == ["a b", ";", "c"]
    for odd in ("5x", ":d", "5", '"a"'):
        with pytest.raises(GaveUp):
            scan_vmt(f"(declare-const {odd} Int)")


def test_a_next_value_that_is_not_declared_has_the_sort_of_its_state(tmp_path: Path) -> None:
    text = PLAIN.replace("(declare-fun yn () Int)\n", "")
    assert settled(written(tmp_path, "file.vmt", text)).read_by == ("lemmata", "z3")
    late = text.replace("(define-fun .y () Int (! y :next yn))\n", "") + "(define-fun .y () Int (! y :next yn))\n"
    graph = load_graph(written(tmp_path, "file.vmt", PLAIN))
    assert opinion(written(tmp_path, "late.vmt", late), graph, certified(graph)) is None


def _claims(verdict: Safe | Unsafe, lemma: object) -> GraphInvariant:
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant)
    return GraphInvariant(tuple(replace(claim, lemmas=(lemma,)) for claim in verdict.invariant.claims))
