"""The textbook engine against the runs that Werner's thesis prints, and against enumeration."""

from __future__ import annotations

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.engines.pdr.textbook import bits_oracle as textbook_oracle
from lemmata.engines.pdr.textbook.bits import Textbook, Variant
from lemmata.errors import GaveUp
from lemmata.events import BoundReached, Event, LemmaLearned
from lemmata.frontends.aiger import parse_aiger, read_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.report.explanation.formula import Notation
from lemmata.steps.given import Given
from lemmata.steps.textbook import Blocking, NextTransition, Posed, Propagation, QuerySat, QueryUnsat, TextbookStep, ZeroCheck
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import HANGS
from tests.support.enumerate import shortest_depths
from tests.support.paths import ROOT
from tests.support.random_circuits import random_circuit

EXAMPLES = ROOT / "examples"
VARIANTS: tuple[Variant, ...] = ("slides", "figure", "relative")


def run(model: Aig, variant: Variant = "slides", prop: int = 0) -> tuple[Verdict, list[TextbookStep]]:
    heard: list[Event] = []
    verdict = Textbook(model, heard.append, record=True, variant=variant).check(prop)
    certify(model, prop, verdict)
    assert heard[0] == Given(model)
    return verdict, [event for event in heard if isinstance(event, TextbookStep)]


def frames(model: Aig, step: TextbookStep) -> list[str]:
    assert not isinstance(step, Posed)
    return [Notation(model).frame(frame) for frame in step.frames]


def assignment(model: Aig, answer: object) -> str:
    """As the thesis writes it, without the input that chooses the successor."""
    assert isinstance(answer, QuerySat)
    text = Notation(model)
    return f"({text.literals(answer.state)}, {text.literals(answer.successor, primed=True)})"


def kinds(steps: list[TextbookStep]) -> list[str]:
    return [type(step).__name__ for step in steps]


# Section 2.3.1. Slips of the text, which the tests read as they are meant: figure 2.2 (line 12) and step 5 write c′ for ¬c′;
# line 5 of the figure calls the bad successor the obligation, where the text and the examples take its predecessor; step 7
# writes "I = x1 ∧ ¬x2 ∧ ¬x3" for the initial state ¬x1 ∧ ¬x2 ∧ ¬x3; the system is said to be in figure 3.1, it is in 2.1.


@pytest.mark.parametrize("variant", VARIANTS)
def test_thesis_2_3_1_goes_through_the_seven_steps_of_the_text(variant: Variant) -> None:
    _, steps = run(read_aiger(EXAMPLES / "thesis-2.3.1.aag"), variant)
    assert kinds(steps) == [
        "Posed",
        "ZeroCheck",
        "NextTransition",
        "Propagation",
        "NextTransition",
        "Propagation",
        "NextTransition",
        "Blocking",  # (s, 2) and (q, 1) are both in the text's step 7
        "Blocking",
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_thesis_2_3_1_has_the_frames_of_the_text(variant: Variant) -> None:
    model = read_aiger(EXAMPLES / "thesis-2.3.1.aag")
    _, steps = run(model, variant)
    initial = "¬x1 ∧ ¬x2 ∧ ¬x3"
    assert frames(model, steps[1]) == [initial]
    assert frames(model, steps[3]) == [initial, "P ∧ ¬x2 ∧ ¬x3"]
    assert frames(model, steps[5]) == [initial, "P ∧ ¬x2 ∧ ¬x3", "P ∧ ¬x3"]
    assert frames(model, steps[8]) == frames(model, steps[5])


def test_thesis_2_3_1_has_the_property_of_the_text() -> None:
    model = read_aiger(EXAMPLES / "thesis-2.3.1.aag")
    posed = run(model)[1][0]
    assert isinstance(posed, Posed)
    assert Notation(model).clauses(posed.bad) == "¬x1 ∨ ¬x2 ∨ ¬x3"


def test_thesis_2_3_1_answers_with_the_assignments_of_the_text() -> None:
    model = read_aiger(EXAMPLES / "thesis-2.3.1.aag")
    _, steps = run(model)
    first, second = steps[3], steps[5]
    assert isinstance(first, Propagation)
    assert isinstance(second, Propagation)
    assert assignment(model, first.pushes[0].answer) == "(¬x1, ¬x2, ¬x3, x1′, ¬x2′, ¬x3′)"
    assert [isinstance(push.answer, QueryUnsat) for push in first.pushes] == [False, True, True]
    assert assignment(model, second.pushes[0].answer) == "(x1, ¬x2, ¬x3, x1′, x2′, ¬x3′)"
    assert [isinstance(push.answer, QueryUnsat) for push in second.pushes] == [False, True]
    third, block_s, block_q = steps[6], steps[7], steps[8]
    assert isinstance(third, NextTransition)
    assert isinstance(block_s, Blocking)
    assert isinstance(block_q, Blocking)
    assert assignment(model, third.answer) == "(x1, x2, ¬x3, x1′, x2′, x3′)"
    assert assignment(model, block_s.answer) == "(x1, ¬x2, ¬x3, x1′, x2′, ¬x3′)"
    assert assignment(model, block_q.answer) == "(¬x1, ¬x2, ¬x3, x1′, ¬x2′, ¬x3′)"
    assert [o.level for o in (block_s.obligation, block_q.obligation, block_q.predecessor) if o is not None] == [2, 1, 0]


def test_thesis_2_3_1_gives_the_reasons_of_the_text() -> None:
    """For example: unsatisfiable because of ¬x1 ∧ (x1 ∨ ¬x2′) ∧ x2′, a conjunct of T."""
    model = read_aiger(EXAMPLES / "thesis-2.3.1.aag")
    text = Notation(model)
    _, steps = run(model)
    reasons = []
    for step in steps:
        answers = [push.answer for push in step.pushes] if isinstance(step, Propagation) else [getattr(step, "answer", None)]
        for answer in answers:
            if isinstance(answer, QueryUnsat):
                assert answer.clauses is not None
                assert answer.goal is not None
                reasons.append((text.clauses(answer.clauses), text.cube(answer.goal, primed=not isinstance(step, ZeroCheck))))
    assert reasons == [
        ("¬x1", "x1"),  # I ∧ ¬P
        ("¬x1", "x2′"),  # first transition
        ("¬x1", "x2′"),  # c = ¬x2
        ("¬x2", "x3′"),  # c = ¬x3
        ("¬x2", "x3′"),  # second transition
        ("¬x2", "x3′"),  # c = ¬x3
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_thesis_2_3_1_has_the_counterexample_of_the_text(variant: Variant) -> None:
    verdict, steps = run(read_aiger(EXAMPLES / "thesis-2.3.1.aag"), variant)
    assert isinstance(verdict, Unsafe)
    assert isinstance(verdict.trace, Trace)
    assert verdict.trace.depth == 3
    last, third = steps[-1], steps[6]
    assert isinstance(last, Blocking)
    assert isinstance(third, NextTransition)
    assert last.predecessor is not None
    assert isinstance(third.answer, QuerySat)
    path = [last.predecessor.state, last.obligation.state, third.answer.state, third.answer.successor]
    assert [[1 - (lit & 1) for lit in state] for state in path] == [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
    ]  # I → q → s → ¬P


# Section 2.3.2. Slips of the text: step 2 writes ¬x1′ for x1′ in its reason, step 3 writes (x1 ∨ x2 ∨ x1′) ∧ ¬x1′ for
# (x1 ∨ x2 ∨ ¬x1′) ∧ x1′; and step 3 says F₁ ≢ F₀, although (¬x1 ∨ x2) ∧ ¬x1 ∧ ¬x2 is equivalent to ¬x1 ∧ ¬x2: they differ
# as sets of clauses only, which is how figure 2.2 compares and how this engine compares.


@pytest.mark.parametrize("variant", VARIANTS)
def test_thesis_2_3_2_has_the_frames_of_the_text(variant: Variant) -> None:
    model = read_aiger(EXAMPLES / "thesis-2.3.2.aag")
    _, steps = run(model, variant)
    assert kinds(steps) == ["Posed", "ZeroCheck", "NextTransition", "Propagation", "NextTransition", "Propagation"]
    assert frames(model, steps[3]) == ["¬x1 ∧ ¬x2", "P ∧ ¬x1 ∧ ¬x2"]
    assert frames(model, steps[5]) == ["¬x1 ∧ ¬x2", "P ∧ ¬x1 ∧ ¬x2", "P ∧ ¬x1 ∧ ¬x2"]
    last = steps[5]
    assert isinstance(last, Propagation)
    assert last.fixpoint == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_thesis_2_3_2_has_the_invariant_of_the_text(variant: Variant) -> None:
    verdict, _ = run(read_aiger(EXAMPLES / "thesis-2.3.2.aag"), variant)
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.invariant, Invariant)
    assert verdict.invariant.describe().split("\n") == ["¬x1 ∨ x2", "¬x1", "¬x2"]


def test_the_slides_example_is_safe() -> None:
    verdict, _ = run(read_aiger(EXAMPLES / "slides-two-variables.aag"))
    assert verdict.word == "safe"


# 000 ↔ 111 is reachable; 001 → 010 → 100 (bad) is not, and nothing leads to 001.
TWO_STEPS_TO_BAD = b"aag 8 0 3 0 5 1\n2 8\n4 10\n6 12\n16\n8 7 3\n10 5 3\n12 10 7\n14 5 2\n16 14 7\n"


def test_the_figure_taken_literally_runs_for_ever_where_the_slides_end() -> None:
    model = parse_aiger(TWO_STEPS_TO_BAD, "two-steps.aag")
    assert shortest_depths(model) == [None]
    assert run(model, "slides")[0].word == "safe"
    seen: list[Event] = []

    def listen(event: Event) -> None:
        seen.append(event)
        if len(seen) > 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Textbook(model, listen, record=True, variant="figure").check(0)
    ends = [step.frames[-2] for step in seen if isinstance(step, Propagation)]
    assert len(set(ends[4:])) == 1, "each round ends with the same last frame"


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_every_variant_agrees_with_enumeration_on_random_circuits(first: int) -> None:
    for seed in range(first, first + 50):
        model = random_circuit(seed)
        depths = shortest_depths(model)
        for variant in ("slides", "relative") if seed % 2 else VARIANTS:
            for prop, depth in enumerate(depths):
                _agree(model, variant, prop, depth)


def _agree(model: Aig, variant: Variant, prop: int, depth: int | None) -> None:
    engine = Textbook(model, variant=variant)
    try:
        until = now() + (0.3 if variant == "figure" else HANGS)
        verdict = engine.check(prop, until)
    except GaveUp as gave_up:
        assert depth is None, "only a proof may be out of reach"
        assert gave_up.reason == "incomplete" or variant == "figure", "the figure may run for ever"
        return
    certify(model, prop, verdict)
    if depth is None:
        assert verdict.word == "safe"
    else:
        assert isinstance(verdict, Unsafe)
        assert isinstance(verdict.trace, Trace)
        assert (verdict.trace.depth, engine.bound) == (depth, depth - 1), "shortest, and the bound is just below"


def test_a_state_that_is_initial_under_other_inputs_is_not_blocked_relative_to_itself() -> None:
    """A reset function that reads inputs: the state starts runs, but not with the inputs that lead on to bad."""
    model = random_circuit(2676)
    depths = shortest_depths(model)
    for prop, depth in enumerate(depths):
        _agree(model, "relative", prop, depth)


def test_a_proof_that_no_invariant_over_latches_can_carry_is_given_up() -> None:
    """l starts as the input i and is 0 afterwards; bad is l ∧ ¬i: never at step 0, but l = 1 is initial."""
    model = parse_aiger(b"aag 3 1 1 0 1 1\n2\n4 0 2\n6\n6 4 3\n", "reset.aag")
    assert shortest_depths(model) == [None]
    with pytest.raises(GaveUp, match="incomplete"):
        Textbook(model).check(0)


def test_a_reset_function_keeps_the_first_frame_from_being_a_fixpoint() -> None:
    """a starts as x ∧ y and stays, b follows a; as sets of clauses F_0 and F_1 agree, but only F_0 knows that a is 0."""
    model = parse_aiger(b"aag 5 0 4 0 1 1\n2 2 10\n4 2\n6 6\n8 8\n4\n10 8 6\n", "reset-gate.aag")
    assert shortest_depths(model) == [None]
    assert run(model)[0].word == "safe"


def test_a_property_over_inputs_becomes_one_over_states() -> None:
    """bad = x ∧ i and the constraint ¬(i ∧ y): a state is bad if x holds and y does not."""
    model = parse_aiger(b"aag 5 1 2 0 2 1 1\n2\n4 4 4\n6 6 6\n8\n11\n8 4 2\n10 6 2\n", "inputs.aag")
    verdict, steps = run(model)
    posed = steps[0]
    assert isinstance(posed, Posed)
    assert Notation(model).some_cube(posed.bad) == "l0 ∧ ¬l1"
    assert isinstance(verdict, Unsafe)
    assert isinstance(verdict.trace, Trace)
    assert (verdict.trace.initial, verdict.trace.inputs) == ((1, 0), ((1,),))


def test_a_property_with_too_many_bad_cubes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textbook_oracle, "MOST_BAD_CUBES", 15)
    assert run(_parity(4))[0].word == "safe"
    with pytest.raises(GaveUp, match="incomplete"):
        Textbook(_parity(5)).check(0)


def _parity(width: int) -> Aig:
    """The parity of latches that stay 0; it has 2^(width - 1) prime cubes."""
    gates, last, lits = [], 2, [2 * (i + 1) for i in range(width)]
    for lit in lits[1:]:
        base = 2 * (width + 1 + len(gates))
        gates += [(base, last, lit), (base + 2, last ^ 1, lit ^ 1), (base + 4, base + 1, base + 3)]
        last = base + 4
    rows = [f"aag {width + len(gates)} 0 {width} 0 {len(gates)} 1", *(f"{x} {x}" for x in lits), str(last)]
    rows += [f"{out} {max(a, b)} {min(a, b)}" for out, a, b in gates]
    return parse_aiger(("\n".join(rows) + "\n").encode(), "parity.aag")


def test_the_same_circuit_gives_the_same_run() -> None:
    model = read_aiger(EXAMPLES / "mutex-broken.aag")
    runs: list[list[Event]] = [[], []]
    for heard in runs:
        Textbook(model, heard.append, record=True).check(0)
    assert runs[0] == runs[1]


def test_past_its_time_the_engine_gives_up() -> None:
    model = read_aiger(EXAMPLES / "traffic-light.aag")
    with pytest.raises(GaveUp, match="timeout"):
        Textbook(model).check(0, until=now() - 1)


def test_the_general_events_tell_bounds_and_lemmas() -> None:
    events: list[Event] = []
    Textbook(read_aiger(EXAMPLES / "mutex-peterson.aag"), events.append).check(0)
    bounds = [event.bound for event in events if isinstance(event, BoundReached)]
    assert bounds == list(range(len(bounds)))
    assert any(isinstance(event, LemmaLearned) and "flag0" in event.clause for event in events)


def test_a_circuit_without_latches_is_settled() -> None:
    safe = parse_aiger(b"aag 1 1 0 0 0 1\n2\n0\n", "safe.aag")
    unsafe = parse_aiger(b"aag 1 1 0 0 0 1\n2\n3\n", "unsafe.aag")
    assert run(safe)[0].word == "safe"
    assert run(unsafe)[0].word == "unsafe"


def test_a_bad_state_needs_no_successor_and_a_constraint_may_kill_it() -> None:
    model = read_aiger(EXAMPLES / "dead-end.aag")
    assert [run(model, prop=prop)[0].word for prop in range(3)] == ["unsafe", "safe", "safe"]


def test_no_run_at_all_is_safe() -> None:
    """All initial states violate the constraints."""
    model = parse_aiger(b"aag 1 0 1 0 0 1 1\n2 2\n3\n2\n", "norun.aag")
    assert shortest_depths(model) == [None]
    assert run(model)[0].word == "safe"
