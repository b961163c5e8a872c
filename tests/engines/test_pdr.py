"""PDR as a whole: traps that other tools fell into, several properties, limits, and lemmas that mean what they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, permutations

import pytest

from lemmata import work
from lemmata.certify.circuit.check import certify
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import BoundReached, Event, Progress
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.circuit.rebuild import AigBuilder
from lemmata.verdict import Safe, Unsafe, Verdict
from tests.support.clock import ticking
from tests.support.enumerate import State, shortest_depths
from tests.support.evidence import latch_value, layers, settle
from tests.support.paths import ROOT
from tests.support.random_circuits import random_circuit

EXAMPLES = ROOT / "examples"
SEEDS = range(120)


def example(name: str) -> Aig:
    return load(EXAMPLES / name)


def assert_right(model: Aig, prop: int, verdict: Verdict, depth: int | None) -> None:
    """The verdict is the one of the enumeration, and certify believes it."""
    certify(model, prop, verdict)
    assert verdict.word == ("safe" if depth is None else "unsafe"), (model.file, prop)
    if depth is not None:
        assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, Trace)
        assert verdict.trace.depth >= depth


# traps


def toggler(**changes: object) -> Aig:
    """One latch that changes at each step; bad when it is 1."""
    return replace(Aig(0, (3,), (0,), (), (), bads=(2,)), **changes)  # type: ignore[arg-type]


TRAPS = {
    "the bad state has no successor (pono#377)": (Aig(0, (1, 2), (0, 0), (), (), bads=(2,), constraints=(5,)), [1]),
    "the constraint kills the only way (pono#377)": (Aig(0, (1, 2), (0, 0), (), (), bads=(4,), constraints=(3,)), [None]),
    "a bad step must satisfy the constraint": (Aig(1, (1,), (0,), (2,), (4,), bads=(6,), constraints=(3,)), [None]),
    "two identical properties (boolector#164)": (toggler(bads=(2, 2)), [1, 1]),
    "a property and its negation": (toggler(bads=(2, 3)), [1, 0]),
    "the second property is not the first (boolector#89)": (Aig(0, (2, 3), (0, 0), (), (), bads=(2, 4)), [None, 1]),
    "an uninitialised latch is free (abc#278)": (Aig(0, (2,), (2,), (), (), bads=(2, 3)), [0, 0]),
    "an uninitialised latch is free later too": (Aig(0, (2, 2), (2, 0), (), (), bads=(4,)), [1]),
    "no initial state satisfies the constraints (certifaiger#5)": (
        toggler(constraints=(2,), resets=(0,), bads=(2, 3)),
        [None] * 2,
    ),
    "no latches (certifaiger#7)": (Aig(2, (), (), (2,), (4,), bads=(6, 0)), [0, None]),
    "no latches, constrained (certifaiger#7)": (Aig(2, (), (), (2,), (4,), bads=(6,), constraints=(3,)), [None]),
    "no inputs, no latches, no gates": (Aig(0, (), (), (), (), bads=(0, 1)), [None, 0]),
    "a constraint that is false": (toggler(constraints=(0,), bads=(2, 3, 1)), [None] * 3),
    "a constraint that is true": (toggler(constraints=(1,)), [1]),
    "reset 1": (toggler(resets=(1,)), [0]),
    "a reset function of a free latch": (Aig(0, (2, 4), (2, 3), (2, 3), (4, 5), bads=(6, 8)), [None, None]),
    "a reset function of an input": (Aig(1, (4,), (2,), (), (), bads=(4,)), [0]),
    "next-state functions that are constants": (Aig(0, (1, 0), (0, 1), (2,), (4,), bads=(6, 5)), [None, 1]),
    "gates with constant, equal and opposite fan-ins": (Aig(1, (8,), (0,), (2, 2, 6), (3, 1, 6), bads=(4, 6)), [1, None]),
}


@pytest.mark.parametrize("name", TRAPS)
@pytest.mark.parametrize("reduced", [False, True])
def test_traps_of_other_tools(name: str, reduced: bool) -> None:
    model, depths = TRAPS[name]
    assert shortest_depths(model) == depths
    engine = Pdr(model)
    verdicts = settle(model) if reduced else ((prop, engine.check(prop)) for prop in range(len(depths)))
    for prop, verdict in verdicts:
        assert_right(model, prop, verdict, depths[prop])


def test_the_invariant_implies_the_property_by_itself() -> None:
    """abc#40: conjoined with nothing else, the printed clauses exclude every bad step."""
    model = example("mutex-peterson.aag")
    verdict = Pdr(model).check(0)
    assert isinstance(verdict, Safe) and isinstance(verdict.invariant, Invariant)
    certify(model, 0, verdict)
    with pytest.raises(CertificateError, match="safety"):
        certify(model, 0, Safe(Invariant((), first_latch=model.first_latch)))


def test_a_trace_is_about_the_property_that_was_asked() -> None:
    model = example("elevator.aag")
    engine = Pdr(model)
    for prop in range(len(model.properties())):
        verdict = engine.check(prop)
        certify(model, prop, verdict)
        if isinstance(verdict, Unsafe):
            assert isinstance(verdict.trace, Trace) and verdict.trace.prop == prop


def test_a_reset_that_reads_inputs_never_gives_a_wrong_verdict() -> None:
    unsettled = 0
    for seed in (2060, 2065, 2275, 2676, 2800):  # where the first step's inputs are tied to the state
        model = random_circuit(seed)
        depths = shortest_depths(model)
        for prop, depth in enumerate(depths):
            try:
                assert_right(model, prop, Pdr(model).check(prop), depth)
            except GaveUp as gave_up:
                assert gave_up.reason == "incomplete"
                unsettled += 1
    assert unsettled < 8


# several properties, one engine


def test_properties_in_any_order_with_one_engine() -> None:
    for seed in SEEDS:
        model = random_circuit(seed)
        depths = shortest_depths(model)
        for order in list(permutations(range(len(depths))))[:6]:
            engine = Pdr(model)
            for prop in order:
                assert_right(model, prop, engine.check(prop), depths[prop])


def test_asking_again_gives_the_same_verdict_for_less() -> None:
    for name in ("fifo.aag", "refresh-in-time.aag", "cache-msi.aag"):
        model = example(name)
        engine = Pdr(model)
        first = engine.check(0)
        spent = engine.oracle.queries
        again = engine.check(0)
        assert first.word == again.word == "safe"
        assert engine.oracle.queries - spent < spent / 2
        certify(model, 0, again)


def test_lemmas_serve_the_next_property() -> None:
    model = with_a_related_property(example("fifo.aag"))
    alone, both = Pdr(model), Pdr(model)
    assert alone.check(1).word == "safe"
    assert both.check(0).word == "safe"
    before = both.oracle.queries
    verdict = both.check(1)
    certify(model, 1, verdict)
    assert both.oracle.queries - before < alone.oracle.queries / 2


def with_a_related_property(model: Aig) -> Aig:
    """Property 0 and, as property 1, the same under an input."""
    builder = AigBuilder(model.variables)
    stricter = builder.conjoin(model.bads[0], model.input_lit(0))
    lefts, rights = (*model.lefts, *builder.lefts), (*model.rights, *builder.rights)
    return replace(model, lefts=lefts, rights=rights, bads=(model.bads[0], stricter))


def test_a_counterexample_leaves_an_engine_that_can_still_prove() -> None:
    model = example("fifo-off-by-one.aag")
    engine = Pdr(model)
    for prop in (0, 1, 0, 1):
        verdict = engine.check(prop)
        certify(model, prop, verdict)
        assert verdict.word == ("unsafe", "safe")[prop]


# determinism


@pytest.mark.parametrize("name", ["arbiter-round-robin.aag", "fifo.aag", "refresh-too-late.aag", "ring-reset-function.aag"])
def test_the_same_run_twice_asks_the_same_and_learns_the_same(name: str) -> None:
    runs = [run(example(name)) for _ in range(2)]
    assert runs[0] == runs[1]


def run(model: Aig) -> tuple[int, list[tuple[tuple[int, ...], int]], list[Verdict], list[BoundReached]]:
    """Everything that a run leaves behind, but for the time."""
    heard: list[Event] = []
    engine = Pdr(model, heard.append)
    verdicts = [engine.check(prop.index) for prop in model.properties()]
    lemmas = [(lemma.cube, lemma.level) for lemma in engine.frames.from_level(1)]
    return engine.oracle.queries, lemmas, verdicts, [event for event in heard if isinstance(event, BoundReached)]


# what lemmas and bounds mean


def test_every_lemma_holds_as_long_as_its_level_says() -> None:
    lemmas = 0
    for seed in SEEDS:
        model = random_circuit(seed)
        engine = Pdr(model)
        within = layers(model)
        for prop in range(len(model.properties())):
            engine.check(prop)
            for lemma in engine.frames.from_level(1):
                steps = len(within) if lemma.level == INFINITY else lemma.level
                for state in set[State]().union(*within[: steps + 1]):
                    assert not all(latch_value(model, state, 2 * abs(x) | (x < 0)) for x in lemma.cube), seed
                lemmas += 1
    assert lemmas > 200


def test_the_bound_is_never_more_than_what_is_true() -> None:
    for seed in SEEDS:
        model = random_circuit(seed)
        heard: list[Event] = []
        engine = Pdr(model, heard.append)
        for prop, depth in enumerate(shortest_depths(model)):
            heard.clear()
            engine.check(prop)
            bounds = [event.bound for event in heard if isinstance(event, BoundReached)]
            assert bounds == sorted(bounds) and engine.bound == max(bounds, default=-1)
            assert depth is None or engine.bound < depth, seed


# limits


def test_a_time_out_is_no_verdict() -> None:
    """kind2#684."""
    with pytest.raises(GaveUp, match="timeout"):
        Pdr(example("fifo-data.aag")).check(0, work.now())


@pytest.mark.parametrize("name", ["fifo.aag", "fifo-off-by-one.aag", "refresh-too-late.aag", "traffic-light.aag"])
def test_an_engine_that_was_stopped_anywhere_goes_on_soundly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, clock = example(name), ticking()
    monkeypatch.setattr(work, "now", clock.__next__)
    engine = Pdr(model)
    verdicts: dict[int, Verdict] = {}
    stops, ticks = 0, 5.0
    while len(verdicts) < len(model.properties()):
        for prop in set(range(len(model.properties()))) - verdicts.keys():
            try:
                verdicts[prop] = engine.check(prop, work.now() + ticks)
            except GaveUp as gave_up:
                assert gave_up.reason == "timeout"
                stops += 1
        ticks *= 1.2
    assert stops > 3
    for prop, verdict in verdicts.items():
        certify(model, prop, verdict)


def test_stops_on_random_circuits_change_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ticking()
    monkeypatch.setattr(work, "now", clock.__next__)
    stops = 0
    for seed in range(60):
        model = random_circuit(seed)
        engine = Pdr(model)
        for prop, depth in enumerate(shortest_depths(model)):
            for ticks in count(1):
                try:
                    verdict = engine.check(prop, work.now() + ticks)
                except GaveUp:
                    stops += 1
                    continue
                assert_right(model, prop, verdict, depth)
                break
    assert stops > 30


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ticking()
    monkeypatch.setattr(work, "now", clock.__next__)
    heard: list[Event] = []
    Pdr(example("traffic-light.aag"), heard.append).check(0)
    assert any(isinstance(event, Progress) for event in heard)
