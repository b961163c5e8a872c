"""Word-level PDR on systems whose answers are known: what the paper says about each unit, and what every engine has to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import WordOptions
from lemmata.engines.pdr.obligations import Obligation
from lemmata.engines.pdr.oracle import Cti, Cube
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.engines.pdr.word.expand import Expand
from lemmata.engines.pdr.word.lift import WordLifter
from lemmata.engines.pdr.word.reshape import Reshape
from lemmata.engines.pdr.word.units import Bound, WordState
from lemmata.errors import GaveUp
from lemmata.events import Event, LemmaLearned
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, bv, var
from lemmata.models.system import System
from lemmata.models.words import WordTrace
from lemmata.steps.words import Snapshot
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import now
from tests.support.btor2_terms import read
from tests.support.clock import in_time
from tests.support.paper_systems import (
    as_graph,
    balance,
    capped,
    chase,
    deep,
    downwards,
    lin,
    op,
    parity,
    simple,
    system,
    upwards,
    word,
)
from tests.support.random_loops import random_loop

UNITS = ("integer-cube", "polytope", "mixed")
SECONDS = 60.0
LOOPS = 5  # random ones, for what is checked state by state


class Run:
    """An engine, and what it learned."""

    def __init__(self, model: System, unit: str, **options: object) -> None:
        self.model = model
        self.step = Program([model.constraint, *model.bads, *model.nexts.values()])
        self.learned: list[tuple[str, int]] = []
        self.engine = WordPdr(model, self._hear, WordOptions(unit=unit, **options))  # type: ignore[arg-type]

    def _hear(self, event: Event) -> None:
        if isinstance(event, LemmaLearned):
            self.learned.append((event.clause, event.level))

    def check(self, prop: int = 0) -> Verdict:
        """A verdict that certify accepted, by other solvers than the engine's."""
        verdict = self.engine.check(prop, in_time())
        certify_graph(as_graph(self.model), prop, verdict, checkers({"blast"}))
        return verdict

    def within(self, queries: int) -> Verdict:
        """The same, but unknown once the engine has asked so many more questions."""
        most = self.engine.oracle.queries + queries

        def attended(obligation: Obligation) -> None:
            if self.engine.oracle.queries > most:
                raise GaveUp("timeout")

        self.engine.loop.attended = attended
        try:
            return self.check()
        except GaveUp as gave_up:
            return Unknown(gave_up.reason)


def depth(verdict: Verdict) -> int:
    assert isinstance(verdict, Unsafe)
    assert isinstance(verdict.trace, WordTrace)
    return verdict.trace.depth


# what the paper tells


def test_simple_is_proved_with_the_cubes_of_section_3_1_2() -> None:
    run = Run(simple(), "integer-cube")
    assert run.check().word == "safe"
    assert run.learned[:3] == [("x <ₛ 2", 1), ("x <ₛ 3", 2), ("n <ₛ 2", 3)]
    assert run.learned[3:] in ([("¬(n ≥ₛ 1 ∧ x ≥ₛ 1)", 3)], [("¬(x ≥ₛ 1 ∧ n ≥ₛ 1)", 3)])  # older terms come first


def test_lin_defeats_integer_cubes_and_not_polytopes() -> None:
    assert Run(lin(), "integer-cube").within(300).word == "unknown"
    for unit in ("polytope", "mixed"):
        run = Run(lin(), unit)
        assert run.within(300).word == "safe"
        assert len(run.learned) < 10
        assert run.learned[-1] == ("xₛ + 2·yₛ ≤ 5 in ℤ", 1)


def test_without_reshape_polytopes_are_integer_cubes() -> None:
    assert Run(lin(), "polytope", reshape=False).within(300).word == "unknown"


def test_parity_defeats_boundaries_and_not_bits() -> None:
    for unit in ("integer-cube", "polytope"):
        assert Run(parity(), unit).within(300).word == "unknown"
    run = Run(parity(), "mixed")
    assert run.within(300).word == "safe"
    assert run.learned == [("x[0] = 1", 1)]


@pytest.mark.parametrize("width", [4, 32])
def test_a_sum_that_wraps_needs_one_lemma_of_the_mixed_unit(width: int) -> None:
    run = Run(balance(width), "mixed")
    assert run.within(100).word == "safe"
    assert len(run.learned) == 1


def test_a_sum_that_wraps_defeats_polytopes() -> None:
    assert Run(balance(32), "polytope").within(500).word == "unknown"


def test_a_relation_to_a_free_limit_needs_a_slanted_boundary() -> None:
    assert Run(chase(), "integer-cube").within(300).word == "unknown"
    assert Run(chase(), "polytope").within(300).word == "safe"
    assert Run(chase(), "mixed").within(300).word == "safe"


@pytest.mark.parametrize("unit", UNITS)
def test_words_are_read_as_the_model_reads_them(unit: str) -> None:
    down, up = Run(downwards(), unit), Run(upwards(), unit)
    assert (down.within(400).word, up.within(400).word) == ("safe", "safe")
    assert down.learned[-1][0] == "x >ₛ -6"
    assert up.learned[-1][0] == "x < 0x80000006"


# what every engine has to do


@pytest.mark.parametrize("simulate", [True, False])
@pytest.mark.parametrize("unit", UNITS)
def test_a_bad_state_far_away_is_found(unit: str, simulate: bool) -> None:
    assert depth(Run(deep(25), unit, simulate=simulate).check()) == 25


def test_inputs_that_no_step_reads_have_values_of_their_sort() -> None:
    x, flag, unread = word("x", 3), var("flag", BOOL), var("unread", BOOL)
    model = system({x: 0}, {x: op("ite", flag, op("bvadd", x, 1), x)}, op("=", x, 2), inputs=(flag, unread))
    assert depth(Run(model, "mixed").check()) == 2


@pytest.mark.parametrize("unit", UNITS)
def test_one_engine_settles_several_properties_in_any_order(unit: str) -> None:
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2, 1, 0)):
        run = Run(capped(), unit)
        words = {prop: run.check(prop).word for prop in order}
        assert words == {0: "safe", 1: "unsafe", 2: "safe"}


def test_lemmas_of_one_property_serve_the_next() -> None:
    run = Run(capped(), "integer-cube")
    run.check(0)
    before = run.engine.oracle.queries
    run.check(2)
    assert run.engine.oracle.queries - before < 10


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("queries", [1, 7, 40])
def test_an_interrupted_run_goes_on_where_it_stopped(unit: str, queries: int) -> None:
    for model, expected in ((capped(), "safe"), (deep(8, 4), "unsafe")):
        run = Run(model, unit)
        reasons = []
        while isinstance(verdict := run.within(queries + len(reasons)), Unknown):
            reasons.append(verdict.reason)
        assert verdict.word == expected
        assert set(reasons) == {"timeout"}


def test_no_time_is_no_answer_and_no_harm() -> None:
    run = Run(simple(), "mixed")
    for _ in range(3):
        with pytest.raises(GaveUp, match="timeout"):
            run.engine.check(0, now() - 1)
    assert run.check().word == "safe"


def test_a_property_may_be_asked_while_another_one_is_interrupted() -> None:
    run = Run(capped(), "polytope")
    assert run.within(1).word == "unknown"
    run.engine.loop.attended = lambda obligation: None
    assert [run.check(prop).word for prop in (1, 0, 2)] == ["unsafe", "safe", "safe"]


def test_arrays_are_refused() -> None:
    memory, x = var("m", Array(BitVec(2), BitVec(2))), word("x", 2)
    model = System((memory, x), (), {memory: None, x: bv(0, 2)}, {memory: memory, x: x}, TRUE, (op("=", x, 1),))
    with pytest.raises(GaveUp, match="incomplete"):
        WordPdr(model)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("bad", "constraint", "expected"),
    [
        (TRUE, TRUE, "unsafe"),
        (FALSE, TRUE, "safe"),
        (TRUE, FALSE, "safe"),
        (op("=", word("i", 2), 3), TRUE, "unsafe"),
        (op("=", word("i", 2), 3), op("bvult", word("i", 2), 3), "safe"),
    ],
    ids=["always", "never", "no step", "an input", "an input that may not"],
)
def test_systems_without_state_are_settled(unit: str, bad: Term, constraint: Term, expected: str) -> None:
    assert Run(system({}, {}, bad, constraint=constraint, inputs=(word("i", 2),)), unit).check().word == expected


@pytest.mark.parametrize("unit", UNITS)
def test_a_start_that_the_constraint_forbids_is_no_start(unit: str) -> None:
    x = word("x", 4)
    model = system(
        {x: None}, {x: op("bvadd", x, 2)}, op("=", x, 3), constraint=op("=", op("extract", x, data=(0, 0)), bv(0, 1))
    )
    assert Run(model, unit).check().word == "safe"


def test_start_values_may_depend_on_free_words() -> None:
    x, y = word("x", 6), word("y", 6)
    starts = {x: None, y: op("bvadd", x, 1)}
    nexts = {x: op("bvadd", x, 5), y: op("bvadd", y, 5)}
    model = System((x, y), (), starts, nexts, TRUE, (op("=", x, y), op("=", op("bvsub", y, 2), x)))
    run = Run(model, "mixed")
    assert [run.check(0).word, run.check(1).word] == ["safe", "safe"]


def test_booleans_are_words_of_one_bit() -> None:
    flag, x = var("flag", BOOL), word("x", 4)
    nexts = {flag: op("bvult", x, 9), x: op("ite", flag, op("bvadd", x, 1), x)}
    model = System((flag, x), (), {flag: TRUE, x: bv(0, 4)}, nexts, TRUE, (op("=", x, 12), op("=", x, 10)))
    for unit in UNITS:
        run = Run(model, unit)
        assert [run.check(0).word, depth(run.check(1))] == ["safe", 10]


def test_every_step_can_be_recorded() -> None:
    model, heard = simple(4), list[Event]()
    WordPdr(model, heard.append, WordOptions(unit="integer-cube"), record=True).check(0)
    shots = [event for event in heard if isinstance(event, Snapshot)]
    assert {len(shot.frames) for shot in shots} == {2, 3, 4}
    assert any(shot.obligation is None for shot in shots)
    n, x = model.variables
    first = next(shot for shot in shots if shot.obligation is not None)
    assert first.level == 1
    assert first.obligation is not None
    assert evaluate([first.obligation], {n: 1, x: 3}) == [True]
    assert evaluate(first.frames[0], {n: 1, x: 0}) == [False]


# lifting


def test_the_predecessor_of_the_paper_is_found_by_interval_simulation() -> None:
    """From x = 2, n = 1 into x ≥ 3: at least 2 ≤ x < 3 ∧ 1 ≤ n."""
    run = Run(simple(8), "integer-cube")
    n, x = run.model.variables
    vocabulary, lifter = run.engine.vocabulary, run.engine.oracle._lifter
    target = (vocabulary.bound(vocabulary.unary(x), False, 3),)
    found = lifter.predecessor(target, {n: 1, x: 2}).cube
    assert all(vocabulary.contains(found, {n: value, x: 2}) for value in range(1, 128))
    for state in _states(run.model):
        if vocabulary.contains(found, state):
            holds, *after = evaluate([run.model.constraint, *(run.model.nexts[v] for v in (n, x))], state)
            assert holds and vocabulary.contains(target, dict(zip((n, x), after, strict=True)))


def test_where_the_state_does_not_matter_all_states_are_lifted() -> None:
    """Simulation does not see that x·(x + 1) is even; the solver does, and needs no end of x for it."""
    x, i = word("x", 4), word("i", 4)
    even = op("=", op("extract", op("bvmul", x, op("bvadd", x, 1)), data=(0, 0)), bv(0, 1))
    model = system({x: 0}, {x: x}, op("and", even, op("=", i, 3)), inputs=[i])
    lifter = WordPdr(model, options=WordOptions(unit="integer-cube"))._lifter
    assert lifter.bad(model.bads[0], {x: 7, i: 3}) == Cti((), ((i, 3),))


@pytest.mark.parametrize("simulate", [True, False])
@pytest.mark.parametrize("unit", UNITS)
def test_lifted_cubes_hold_nothing_else(unit: str, simulate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state of a lifted cube is bad, or steps into the cube that was asked about, with the same inputs."""
    lifted = 0

    def watched(real: Callable[..., Cti]) -> Callable[..., Cti]:
        def lift(self: WordLifter, target: Term | Cube, values: WordState) -> Cti:
            nonlocal lifted
            cti = real(self, target, values)
            lifted += 1
            _check_lifted(run, target, cti, values)
            return cti

        return lift

    monkeypatch.setattr(WordLifter, "bad", watched(WordLifter.bad))
    monkeypatch.setattr(WordLifter, "predecessor", watched(WordLifter.predecessor))
    for seed in range(LOOPS):
        run = Run(_loop(seed), unit, simulate=simulate)
        for prop in range(len(run.model.bads)):
            run.check(prop)
    assert lifted > 10


def _check_lifted(run: Run, target: Term | Cube, cti: Cti, values: WordState) -> None:
    model, vocabulary = run.model, run.engine.vocabulary
    assert vocabulary.contains(cti.cube, values)
    inputs = dict.fromkeys(model.inputs, 0) | dict(cti.inputs)
    for state in _states(model):
        if vocabulary.contains(cti.cube, state):
            holds, *others = run.step.run({**state, **inputs})
            assert holds
            if isinstance(target, Term):
                assert others[model.bads.index(target)]
            else:
                assert vocabulary.contains(target, dict(zip(model.nexts, others[len(model.bads) :], strict=True)))


# generalizing


def test_corners_of_pivot_and_guide_give_the_line_between_them() -> None:
    """Figure 4: two boxes with corners on x + 2y = 6 become the half-plane x + 2y ≥ 6, which contains the pivot."""
    run = Run(lin(6), "polytope")
    x, y, _ = run.model.variables
    vocabulary, engine = run.engine.vocabulary, run.engine

    def box(left: int, low: int) -> Cube:
        ends = ((x, left), (y, low))
        return tuple(sorted([vocabulary.bound(vocabulary.unary(v), False, limit) for v, limit in ends]))

    guide, pivot = box(0, 3), box(2, 2)
    engine.loop.frames.open()
    engine.oracle.open()
    engine.loop.learn(guide, 1)
    reshape = Reshape(engine.oracle, engine.frames, 3, [], diagonals=False)
    found = reshape.reshape(pivot, 0)
    assert found is not None
    (plane,) = [literal for number in found if not (literal := vocabulary.literals[number]).form.is_unary]  # type: ignore[union-attr]
    assert isinstance(plane, Bound)
    assert (plane.form.parts, plane.is_upper, plane.limit) == (((x, 1), (y, 2)), False, 6)
    for state in _states(run.model):
        if vocabulary.contains(pivot, state):
            assert vocabulary.contains(found, state)


@pytest.mark.parametrize("unit", UNITS)
def test_generalized_cubes_contain_what_was_blocked_and_no_start(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    generalized = 0
    real = Expand.generalize

    def generalize(self: Expand, cube: Cube, level: int, attempts: int) -> Cube:
        nonlocal generalized
        generalized += 1
        asked = run.engine.oracle.asked
        found = real(self, cube, level, attempts)
        vocabulary = run.engine.vocabulary
        for state in _states(run.model):
            is_inside = vocabulary.contains(found, state)
            assert is_inside or not vocabulary.contains(asked, state)
            assert not (is_inside and _may_start(run, state))
        return found

    monkeypatch.setattr(Expand, "generalize", generalize)
    for seed in range(LOOPS):
        run = Run(_loop(seed), unit)
        for prop in range(len(run.model.bads)):
            run.check(prop)
    assert generalized > 5


def _may_start(run: Run, state: WordState) -> bool:
    """Is this an initial state from which some inputs are allowed?"""
    model = run.model
    lines = product(*[range(1 << i.width) for i in model.inputs])
    return bool(evaluate([model.init], state)[0]) and any(
        run.step.run({**state, **dict(zip(model.inputs, line, strict=True))})[0] for line in lines
    )


def _loop(seed: int) -> System:
    """A random loop whose words have three bits or fewer."""
    rng = Random(seed)
    while True:
        _, model = read(random_loop(rng))
        if all(v.width <= 3 for v in model.variables):
            return model


def _states(model: System) -> Iterator[dict[Term, int]]:
    for values in product(*[range(1 << v.width) for v in model.variables]):
        yield dict(zip(model.variables, values, strict=True))
