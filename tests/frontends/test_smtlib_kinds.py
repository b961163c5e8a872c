"""Words of SMT-LIB have a kind: symbols, literals, keywords, comments and reserved words never stand for each other."""

from __future__ import annotations

import itertools
import re

import pytest

import lemmata
from lemmata.certify.formats.derivation import parse_derivations
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.errors import InputError
from lemmata.frontends import load
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.horn.models import parse_model, write_model
from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.smtlib.formula_reader import read_formulas
from lemmata.logic.smtlib.sexprs import SexprAtom, spelled
from lemmata.logic.smtlib.writer import symbol
from lemmata.logic.sorts import INT
from lemmata.logic.terms import name_of, var
from lemmata.logic.walk import substitute
from tests.support.horn_text import asked
from tests.support.program import run_program

HORN = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n"
ODD = [
    "5",
    "0",
    "#x5",
    "#b0",
    "1.5",
    "; note",
    ":next",
    ":named",
    "let",
    "_",
    "!",
    "as",
    "forall",
    "exists",
    "par",
    "",
    "(",
    ")",
]
ODD += ["a b", '"s"', "(assert", "-5", "x'", "é", "NUMERAL", "assert", "tab\there", "two\nlines", "..", "lambda", "match"]
COUNTER = """(declare-fun x () Int)
(declare-fun y () Int)
(define-fun s () Int (! x :next y))
(define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= y (+ x 1)) :trans true))
(define-fun p () Bool (! (< x 5) :invar-property 0))
"""


def verdict(tmp_path, text: str, name: str = "f.smt2") -> str:
    path = tmp_path / name
    path.write_text(text)
    result = lemmata.check(path, workers=1)
    assert all(p.certified for p in result.properties)
    return result.verdict


def test_a_word_has_one_spelling_and_its_spelling_tells_its_kind():
    assert [spelled(word) for word in ("x", "|x|", "|true|", "|a.b!|", "|+|")] == ["x", "x", "true", "a.b!", "+"]
    assert [spelled(word) for word in ("x'", "|x'|", "é")] == ["|x'|", "|x'|", "|é|"]
    kept = ["|5|", "|#x5|", "|:next|", "|; note|", "|let|", "|_|", "|!|", "||", "|a b|", "|-|".strip("|")]
    assert [spelled(word) for word in kept] == kept
    assert [SexprAtom(word, 0).is_symbol for word in ("5", "#x5", ":next", '"s"', "let", "_")] == [False] * 6
    assert all(SexprAtom(spelled(f"|{name}|"), 0).is_symbol for name in ODD)
    assert [SexprAtom(spelled(f"|{name}|"), 0).name for name in ODD] == ODD


@pytest.mark.parametrize("name", ODD)
def test_a_symbol_in_bars_captures_nothing(name, tmp_path):
    text = f"{HORN}(assert (forall ((|{name}| Int)) (=> (distinct |{name}| 5) (P |{name}|))))\n; note\n"
    text += "(assert (forall ((y Int)) (=> (and (P y) (= y 0)) false)))"
    graph = parse_horn(asked(text).encode(), "f.smt2")
    plain = parse_horn(asked(text).replace(f"|{name}|", "x").encode(), "f.smt2")
    first, second = graph.edges[0], plain.edges[0]
    assert [name_of(v) for v in first.inputs] == [name]
    assert substitute([first.guard], {first.inputs[0]: second.inputs[0]})[0] is second.guard
    assert second.guard.op != "const"


def test_the_numeral_is_not_the_symbol(tmp_path):
    clauses = "(assert (forall ((|5| Int)) (=> (distinct |5| 5) (P |5|))))(assert (forall ((x Int)) (=> (P x) false)))"
    assert verdict(tmp_path, asked(HORN + clauses)) == "unsafe"
    assert verdict(tmp_path, asked(HORN + clauses.replace("distinct |5| 5", "distinct |5| |5|"))) == "safe"


@pytest.mark.parametrize(("one", "two"), list(itertools.pairwise(ODD)))
def test_predicates_with_odd_names_are_different_and_models_find_them(one, two):
    text = f"""(set-logic HORN)(declare-fun |{one}| (Int) Bool)(declare-fun |{two}| (Int) Bool)
    (assert (forall ((x Int)) (=> (= x 1) (|{one}| x))))
    (assert (forall ((x Int)) (=> (= x 2) (|{two}| x))))
    (assert (forall ((x Int)) (=> (and (|{one}| x) (|{two}| x)) false)))"""
    graph = parse_horn(asked(text).encode(), "f.smt2")
    assert [place.name for place in graph.locations] == [one, two, "false"]
    model = f"((define-fun |{one}| ((|{two}| Int)) Bool (= |{two}| 1)) (define-fun |{two}| ((x Int)) Bool (= x 2)))"
    invariant = parse_model(model, "m.smt2", graph)
    assert parse_model(write_model(graph, invariant), "m.smt2", graph) == invariant
    assert all(len(claim.lemmas) == 1 for claim in invariant.claims)


@pytest.mark.parametrize("name", ODD)
def test_what_is_written_is_read_as_the_same_symbol(name):
    assert SexprAtom(spelled(symbol(name)), 0).is_symbol
    written = re.sub(r"\bx\b", lambda _: symbol(name), COUNTER)
    assert len(parse_vmt(written.encode(), "a.vmt").origin.states) == 1


def test_evidence_about_odd_names_is_certified_from_files(tmp_path):
    text = "1 sort bitvec 4\n2 zero 1\n3 state 1 #x0\n4 state 1 |let|\n5 init 1 3 2\n6 init 1 4 2\n7 one 1\n8 next 1 3 4\n"
    text += "9 next 1 4 3\n10 sort bitvec 1\n11 ugt 10 4 7\n12 bad 11\n"
    assert verdict(tmp_path, text, "f.btor2") == "safe"
    for engine in ("word", "lifted"):
        path, proof = tmp_path / "f.btor2", tmp_path / f"{engine}.smt2"
        assert run_program("check", str(path), "--engine", engine, "--certificate", str(proof)).code == 0
        assert run_program("certify", str(path), str(proof)).code == 0


def test_bound_names_hide_functions_with_the_same_name():
    with pytest.raises(InputError, match="'P' takes no arguments"):
        parse_horn((HORN + "(assert (forall ((P Int)) (=> (> P 0) (P P))))").encode(), "f.smt2")
    parse_horn(asked(HORN + "(assert (forall ((x Int)) (=> (let ((P x)) (> P 0)) (P x))))").encode(), "f.smt2")
    parse_horn(asked(HORN + "(assert (forall ((|+| Int)) (=> (= + 3) (P +))))").encode(), "f.smt2")


# Names of formulas.


NAMED = """(assert (! (forall ((x Int)) (=> (= x 1) (P x))) :named a1))
(assert (forall ((x Int)) (=> (and (P x) (= x 1)) false)))"""


def test_a_quantified_formula_may_have_a_name_that_nobody_uses(tmp_path):
    assert verdict(tmp_path, asked(HORN + NAMED)) == "unsafe"


@pytest.mark.parametrize(
    "use",
    [
        "(assert a1)",
        "(assert (forall ((x Int)) (=> (and a1 (= x 2)) (P x))))",
        "(assert (forall ((y Int)) (=> (= y 2) (and a1 (P y)))))",
    ],
)
def test_the_name_of_a_quantified_formula_cannot_be_used(use):
    with pytest.raises(InputError, match=r"f.smt2:5:\d+: 'a1' names a formula that is quantified"):
        parse_horn(f"{HORN}{NAMED}\n{use}".encode(), "f.smt2")


@pytest.mark.parametrize("again", ["(declare-fun a1 () Bool)", "(define-fun a1 () Bool true)", NAMED])
def test_the_name_of_a_quantified_formula_is_taken(again):
    with pytest.raises(InputError, match="there is a a1 already"):
        parse_horn(f"{HORN}{NAMED}\n{again}".encode(), "f.smt2")


def test_the_name_of_an_open_formula_cannot_be_used():
    inner = "(assert (forall ((x Int)) (=> (! (> x 7) :named big) (P x))))\n"
    parse_horn(asked(HORN + inner).encode(), "f.smt2")
    with pytest.raises(InputError, match=r"f.smt2:4:36: 'big' names a formula"):
        parse_horn(f"{HORN}{inner}(assert (forall ((x Int)) (=> (and big (= x 1)) (P x))))".encode(), "f.smt2")
    with pytest.raises(InputError, match="'small' names a formula"):
        macro = "(define-fun f ((x Int)) Bool (! (< x 7) :named small))(assert (=> small (P 1)))"
        parse_horn((HORN + macro).encode(), "f.smt2")


def test_the_name_of_a_closed_formula_means_it(tmp_path):
    text = f"{HORN}(assert (=> (! (> 2 1) :named sure) (P 1)))(assert (forall ((x Int)) (=> (and (P x) sure) false)))"
    assert verdict(tmp_path, asked(text)) == "unsafe"
    with pytest.raises(InputError, match="a name is wanted after ':named'"):
        parse_horn((HORN + "(assert (! (P 1) :named (a)))").encode(), "f.smt2")


# The kind of a file.


@pytest.mark.parametrize(
    "comment", ["; HORN", "; (set-logic HORN)", '(set-info :source "(set-logic HORN)")', "(set-info :x |HORN|)"]
)
@pytest.mark.parametrize("name", ["f.smt2", "f.vmt", "f.txt"])
def test_what_a_comment_says_decides_nothing(comment, name, tmp_path):
    path = tmp_path / name
    path.write_text(f"{comment}\n{COUNTER}")
    graph = load(path)
    assert graph.origin.kind == "vmt"
    assert verdict(tmp_path, f"{comment}\n{COUNTER}", name) == "unsafe"


@pytest.mark.parametrize(
    "comment", ["; :init :trans", "; (! x :init true)", '(set-info :source ":init :trans")', "(set-info :init true)"]
)
def test_clauses_stay_clauses_whatever_comments_say(comment, tmp_path):
    path = tmp_path / "f.smt2"
    path.write_text(asked(f"{comment}\n{HORN}(assert (P 1))(assert (=> (P 1) false))"))
    assert load(path).origin.kind == "horn"


def test_annotated_terms_and_the_logic_of_clauses_contradict_each_other(tmp_path):
    path = tmp_path / "f.smt2"
    path.write_text(f"(set-logic HORN)\n{COUNTER}")
    with pytest.raises(InputError, match=r"f.smt2:1:1: HORN is the logic of Horn clauses"):
        load(path)


def test_clauses_in_a_file_that_is_called_vmt_are_told_that_its_suffix_says_so(tmp_path):
    path = tmp_path / "f.vmt"
    path.write_text(asked(f"{HORN}(assert (P 1)) ; (! P :init true)"))
    with pytest.raises(
        InputError, match=r"f.vmt:1:1: HORN is .* but the suffix .vmt stands for VMT-LIB \(call the file .smt2\)"
    ):
        load(path)
    path.write_text(f"(set-logic HORN)\n{COUNTER}")
    with pytest.raises(InputError, match=r"f.vmt:1:1: HORN is .* but the terms of this file are annotated as in VMT-LIB"):
        load(path)


@pytest.mark.parametrize("text", ["", "HORN", "(hello HORN)", "; (set-logic HORN)", '"(set-logic HORN)"', "|(set-logic HORN)|"])
def test_a_file_without_a_command_is_no_script(text, tmp_path):
    path = tmp_path / "f.txt"
    path.write_text(text)
    with pytest.raises(InputError, match="the kind of this file is unknown"):
        load(path)


def test_annotations_that_mean_nothing_here_are_refused():
    with pytest.raises(InputError, match=r"f.smt2:3:\d+: the annotation ':init' has no meaning in Horn clauses"):
        parse_horn((HORN + "(assert (! (P 1) :init true))").encode(), "f.smt2")
    with pytest.raises(InputError, match=r"a.vmt:7:\d+: the annotation ':invar' has no meaning here"):
        parse_vmt((COUNTER + "(define-fun q () Bool (! (< x 4) :invar 1))").encode(), "a.vmt")
    parse_horn(
        asked(HORN + "(assert (forall ((x Int)) (! (=> (= x 1) (P x)) :pattern ((P x)) :qid |a b| :weight 2)))").encode(), "f"
    )


def test_nothing_counts_after_exit():
    with pytest.raises(InputError, match="nothing is asked"):
        parse_vmt(COUNTER.replace("(define-fun p", "(exit)(define-fun p").encode(), "a.vmt")


@pytest.mark.parametrize(
    "line", ["; a comment\r(assert (P 1))\n", "(assert\x0b(P 1))", "(assert\x0c(P 1))", "(assert\xa0(P 1))"]
)
def test_where_words_and_lines_end_is_beyond_doubt(line):
    with pytest.raises(InputError):
        parse_horn(asked(f"{HORN}{line}(assert (=> (P 1) false))").encode(), "f.smt2")


@pytest.mark.parametrize(
    "text",
    [
        "(assert (forall ((x Int)) (=> (let ((a x) (a 1)) (> a 0)) (P x))))",
        "(assert (forall ((x Int) (|x| Int)) (=> (> x 0) (P x))))",
        "(define-fun f ((x Int) (x Int)) Bool (> x 0))",
    ],
)
def test_names_that_are_bound_together_are_different(text):
    with pytest.raises(InputError, match="is bound twice here"):
        parse_horn((HORN + text).encode(), "f.smt2")


@pytest.mark.parametrize("term", ["(+ x 0)", "(ite true x 5)", "(let ((a x)) a)"])
def test_only_symbols_have_next_values(term):
    with pytest.raises(InputError, match="':next' is for declared variables"):
        parse_vmt(COUNTER.replace("(! x :next", f"(! {term} :next").encode(), "a.vmt")


def test_nothing_counts_after_exit_in_a_proof():
    x = var("x", INT)
    assert len(read_formulas("(assert (> x 0))", "p.smt2", [x])) == 1
    assert read_formulas("(exit)(assert (> x 0))", "p.smt2", [x]) == []


DERIVATION = "(property 0)(fact P (edge 0) (from) (inputs (x 1)) (values 1))(fact false (edge 1) (from 0) (inputs) (values))"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fact P", "fact false"),
        ("fact P", "fact R"),
        ("fact false", "fact P"),
        ("values 1", "values 1.0"),
        ("values 1", "values |1|"),
        ("edge 1", "edge |1|"),
        ("(x 1)", "(x (/ 1 1))"),
        ("(x 1)", "(x |1|)"),
        ("from 0", "from |0|"),
        ("property 0", "property |0|"),
    ],
)
def test_a_derivation_says_what_it_means(old, new):
    clauses = "(assert (forall ((x Int)) (=> (> x 0) (P x))))(assert (forall ((x Int)) (=> (P x) false)))"
    graph = parse_horn(asked(HORN + clauses).encode(), "f.smt2")
    (derivation,) = parse_derivations(DERIVATION, graph, "w.txt")
    assert replay_derivation(graph, derivation) == "evaluation"
    with pytest.raises(InputError):
        list(parse_derivations(DERIVATION.replace(old, new), graph, "w.txt"))
