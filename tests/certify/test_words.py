"""Evidence over words is believed only after its check: right evidence passes, mutated evidence does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.certify.query import Panel
from lemmata.certify.words.invariant import check_word_invariant
from lemmata.certify.words.kinduction import check_word_kinductive
from lemmata.certify.words.minimize import minimize_words
from lemmata.certify.words.question import question, variables_of_interest
from lemmata.certify.words.replay import replay_words
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.sorts import Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, make, name_of, var
from lemmata.logic.values import ArrayValue
from lemmata.models.invariant import KInductive
from lemmata.models.system import system_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.solvers.smt import Sat, Unsat
from lemmata.verdict import Safe, Unknown, Unsafe
from lemmata.work import now
from tests.support.small_graphs import CAPPED, EVEN, MEMORY, PAIR, graph

X, Y = var("x", BitVec(8)), var("y", BitVec(8))
EVEN_X = make("=", (make("extract", (X,), (0, 0)), bv(0, 1)))
AHEAD = make("=", (Y, make("bvadd", (X, bv(1, 8)))))
CAP = make("bvule", (X, bv(10, 8)))


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_an_inductive_invariant_is_accepted_and_the_solver_named(solver):
    assert check_word_invariant(graph(EVEN), 0, WordInvariant((EVEN_X,)), (solver,)) == solver


def test_lemmas_that_are_inductive_only_together_are_accepted():
    check_word_invariant(graph(PAIR), 0, WordInvariant((AHEAD, CAP)))


@pytest.mark.parametrize(
    ("lemmas", "complaint"),
    [
        ((AHEAD,), "safety fails"),
        ((CAP,), "safety fails"),
        ((AHEAD, make("bvule", (X, bv(9, 8)))), "consecution fails.*x = 9.*x ≤ 9"),
        ((AHEAD, make("bvule", (X, bv(11, 8)))), "safety fails"),
        ((AHEAD, make("bvule", (bv(1, 8), X))), "initiation fails"),
        ((FALSE,), "initiation fails"),
        ((), "safety fails"),
        ((make("=", (X, bv(1, 8))), TRUE), "initiation fails"),
        ((make("bvult", (Y, bv(12, 8))),), "consecution fails"),
    ],
)
def test_a_mutated_invariant_is_rejected(lemmas, complaint):
    with pytest.raises(CertificateError, match=complaint):
        check_word_invariant(graph(PAIR), 0, WordInvariant(lemmas))


def test_an_invariant_must_be_formulas_over_the_variables():
    with pytest.raises(CertificateError, match="not a formula"):
        check_word_invariant(graph(EVEN), 0, WordInvariant((X,)))
    with pytest.raises(CertificateError, match="speaks of z"):
        check_word_invariant(graph(EVEN), 0, WordInvariant((make("=", (var("z", BitVec(8)), X)),)))
    with pytest.raises(CertificateError, match="speaks of x"):  # of another sort
        check_word_invariant(graph(EVEN), 0, WordInvariant((make("=", (var("x", BitVec(4)), bv(0, 4))),)))


def test_inputs_are_no_part_of_an_invariant():
    i = var("i", BitVec(4))
    with pytest.raises(CertificateError, match="speaks of i"):
        check_word_invariant(graph(CAPPED), 0, WordInvariant((make("bvule", (i, bv(3, 4))),)))


def test_constraints_count_in_every_query():
    y, ran = var("y", BitVec(4)), var("ran", BitVec(1))
    lemma = make("or", (make("=", (ran, bv(0, 1))), make("bvule", (y, bv(3, 4)))))
    check_word_invariant(graph(CAPPED), 0, WordInvariant((lemma,)))
    without = CAPPED.replace("8 constraint 7\n", "")
    with pytest.raises(CertificateError, match="consecution fails"):
        check_word_invariant(graph(without), 0, WordInvariant((lemma,)))
    with pytest.raises(CertificateError, match="safety fails"):
        check_word_invariant(graph(CAPPED), 1, WordInvariant((lemma,)))


def test_an_initial_state_that_breaks_the_constraints_starts_no_run():
    text = EVEN + "15 constd 1 4\n16 ugte 2 4 15\n17 constraint 16\n"
    check_word_invariant(graph(text), 1, WordInvariant((FALSE,)))


@pytest.mark.parametrize("prop", [-1, 2])
def test_a_property_must_exist(prop):
    with pytest.raises(CertificateError, match="no property"):
        check_word_invariant(graph(EVEN), prop, WordInvariant((EVEN_X,)))


def test_invariants_may_speak_about_arrays():
    model = graph(MEMORY.format(bits=3))
    mem = var("mem", Array(BitVec(3), BitVec(8)))
    cells = tuple(make("bvult", (make("select", (mem, bv(i, 3))), bv(100, 8))) for i in range(8))
    check_word_invariant(model, 0, WordInvariant(cells))
    with pytest.raises(CertificateError, match="safety fails"):
        check_word_invariant(model, 0, WordInvariant(cells[:-1]))
    with pytest.raises(CertificateError, match="consecution fails"):
        check_word_invariant(
            model, 0, WordInvariant((*cells[:-1], make("bvult", (make("select", (mem, bv(7, 3))), bv(99, 8)))))
        )


def test_what_no_solver_settles_in_time_is_given_up_and_neither_accepted_nor_rejected():
    with pytest.raises(GaveUp) as gave_up:
        check_word_invariant(graph(EVEN), 0, WordInvariant((EVEN_X,)), ("bitwuzla", "z3"), now() - 1)
    assert gave_up.value.reason == "timeout"


def test_the_next_solver_is_asked_where_one_gives_up(monkeypatch):
    class Stubborn:
        def add(self, formula: Term) -> None: ...

        def check(self, assumptions, wanted, until):
            asked.append("stubborn")
            raise GaveUp("incomplete")

    class Sure(Stubborn):
        def check(self, assumptions, wanted, until):
            return Unsat()

    asked: list[str] = []
    monkeypatch.setattr("lemmata.certify.query.open_solver", lambda name: Stubborn() if name == "a" else Sure())
    panel = Panel(["a", "b"])
    assert panel.ask([TRUE]) == Unsat()
    assert list(panel.answered) == ["b"]
    assert asked == ["stubborn"]
    with pytest.raises(GaveUp):
        Panel(["a"]).ask([TRUE])


def test_slices_of_time_go_round_until_one_solver_is_through(monkeypatch):
    class Slow:
        tries = 0

        def add(self, formula: Term) -> None: ...

        def check(self, assumptions, wanted, until):
            Slow.tries += 1
            if Slow.tries < 4:
                raise GaveUp("timeout")
            return Sat()

    monkeypatch.setattr("lemmata.certify.query.open_solver", lambda name: Slow())
    assert isinstance(Panel(["a", "b"]).ask([TRUE]), Sat)
    assert Slow.tries == 4


def test_the_checkers_of_a_proof_are_others_than_those_that_found_it():
    assert checkers({"pysat"})[0] == "bitwuzla"
    assert checkers({"blast"})[:2] == ("bitwuzla", "z3")
    assert "blast" not in checkers({"pysat", "bitwuzla"})
    assert checkers({"bitwuzla"})[0] == "z3"
    assert set(checkers({"bitwuzla", "z3"})).isdisjoint({"bitwuzla", "z3"})


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_a_k_inductive_property_is_accepted_and_the_solver_named(solver):
    assert check_word_kinductive(graph(CAPPED), 0, KInductive(1), (solver,)) == solver
    with pytest.raises(CertificateError, match="step fails"):
        check_word_kinductive(graph(CAPPED), 0, KInductive(0), (solver,))


# x goes 0 → 1 → 2 → 3 and stays; 6 goes to 6 or to 7, which is bad: good paths may be long, but only by staying in 6
LOOP = """1 sort bitvec 3
2 sort bitvec 1
3 input 2 go
4 zero 1
5 state 1 x
6 init 1 5 4
7 constd 1 6
8 constd 1 7
9 constd 1 3
10 eq 2 5 7
11 ult 2 5 9
12 inc 1 5
13 ite 1 3 8 7
14 ite 1 10 13 5
15 ite 1 11 12 14
16 next 1 5 15
17 eq 2 5 8
18 bad 17 seven
"""


def test_different_states_make_the_difference():
    model = graph(LOOP)
    with pytest.raises(CertificateError, match="step fails"):
        check_word_kinductive(model, 0, KInductive(3))
    with pytest.raises(CertificateError, match=r"step fails: 1 good steps from .x = 6. lead to a bad state on a path without"):
        check_word_kinductive(model, 0, KInductive(1, simple=True))
    check_word_kinductive(model, 0, KInductive(2, simple=True))


def test_the_base_is_checked_up_to_k():
    with pytest.raises(CertificateError, match="base fails: a bad state is reachable in 3 steps"):
        check_word_kinductive(graph(EVEN), 1, KInductive(4))
    with pytest.raises(CertificateError, match="step fails"):
        check_word_kinductive(graph(EVEN), 1, KInductive(3))
    with pytest.raises(CertificateError, match="k = -1"):
        check_word_kinductive(graph(EVEN), 1, KInductive(-1))


def test_a_state_is_what_the_property_and_the_constraints_depend_on():
    for model, prop, names in ((PAIR, 0, ["x", "y"]), (CAPPED, 1, ["y"])):
        system, bad = question(graph(model), prop)
        assert [name_of(v) for v in variables_of_interest(system, [bad])] == names


def trace_of(model, prop, initial, inputs) -> WordTrace:
    system = system_of(model)
    assert system is not None
    named = {name_of(v): v for v in (*system.variables, *system.inputs)}
    line = lambda values: tuple((named[name], value) for name, value in values.items())  # noqa: E731
    return WordTrace(prop, line(initial), tuple(line(step) for step in inputs))


def test_a_trace_that_runs_to_a_bad_state_is_accepted():
    replay_words(graph(EVEN), trace_of(graph(EVEN), 1, {"x": 0}, [{}] * 4))
    replay_words(graph(CAPPED), trace_of(graph(CAPPED), 1, {"y": 9, "ran": 0}, [{"i": 3}]))


@pytest.mark.parametrize(
    ("prop", "initial", "inputs", "complaint"),
    [
        (1, {"y": 3, "ran": 0}, [{"i": 3}], "does not reach high-at-once: not bad in its last step, 0"),
        (1, {"y": 9, "ran": 0}, [{"i": 3}, {"i": 1}], "it is in step 0"),
        (1, {"y": 9, "ran": 0}, [{"i": 4}], "constraints are violated in step 0"),
        (0, {"y": 9, "ran": 1}, [{"i": 3}], "ran is 1, it starts as 0"),
        (1, {"y": 9}, [{"i": 3}], "no value for ran"),
        (1, {"y": 9, "ran": 0}, [{}], "no value for i"),
        (1, {"y": 16, "ran": 0}, [{"i": 3}], "the value of y is not a"),
        (1, {"y": True, "ran": 0}, [{"i": 3}], "the value of y is not a"),
        (1, {"y": 9, "ran": 0}, [], "no step"),
        (1, {"y": 9, "ran": 0, "i": 3}, [{"i": 3}], "has a value for i"),
        (7, {"y": 9, "ran": 0}, [{"i": 3}], "no property 7"),
    ],
)
def test_a_changed_trace_is_rejected(prop, initial, inputs, complaint):
    with pytest.raises(CertificateError, match=complaint):
        replay_words(graph(CAPPED), trace_of(graph(CAPPED), prop, initial, inputs))


def test_two_values_for_one_name_are_rejected():
    good = trace_of(graph(EVEN), 1, {"x": 0}, [{}] * 4)
    with pytest.raises(CertificateError, match="two values"):
        replay_words(graph(EVEN), replace(good, initial=good.initial * 2))


def test_traces_have_arrays_with_all_their_cells():
    model = graph(MEMORY.format(bits=3))
    sort = Array(BitVec(3), BitVec(8))
    steps = [{"addr": 5, "data": 42}, {"addr": 5, "data": 0}]
    replay_words(model, trace_of(model, 1, {"mem": ArrayValue(sort, 0)}, steps))
    with pytest.raises(CertificateError, match="does not start in an initial state"):
        replay_words(model, trace_of(model, 1, {"mem": ArrayValue(sort, 0, {5: 42})}, steps[1:]))
    with pytest.raises(CertificateError, match="the value of mem is not a"):
        replay_words(model, trace_of(model, 1, {"mem": ArrayValue(Array(BitVec(4), BitVec(8)), 0)}, steps))


def test_certify_takes_every_kind_of_evidence_and_nothing_else():
    model = graph(EVEN)
    assert certify_graph(model, 0, Safe(WordInvariant((EVEN_X,)))) == "bitwuzla"
    trace = trace_of(model, 1, {"x": 0}, [{}] * 4)
    assert certify_graph(model, 1, Unsafe(trace)) == "evaluation"
    with pytest.raises(CertificateError, match="about property 1, not 0"):
        certify_graph(model, 0, Unsafe(trace))
    with pytest.raises(CertificateError, match="no evidence"):
        certify_graph(model, 0, Unknown("timeout"))
    with pytest.raises(CertificateError, match="no check is known"):
        certify_graph(model, 0, Safe(trace))


def test_redundant_lemmas_are_left_out():
    noise = tuple(make("bvule", (v, bv(bound, 8))) for v in (X, Y) for bound in (200, 100, 50))
    smaller = minimize_words(graph(PAIR), 0, WordInvariant((*noise, AHEAD, CAP, AHEAD)))
    check_word_invariant(graph(PAIR), 0, smaller)
    assert len(smaller.lemmas) == 2


def test_an_invariant_that_is_none_is_not_minimized_into_one():
    wrong = WordInvariant((AHEAD, make("bvule", (X, bv(200, 8)))))
    assert minimize_words(graph(PAIR), 0, wrong) == wrong


def test_minimization_without_time_changes_nothing():
    whole = WordInvariant((AHEAD, CAP, make("bvule", (X, bv(200, 8)))))
    assert minimize_words(graph(PAIR), 0, whole, seconds=-1.0) == whole
