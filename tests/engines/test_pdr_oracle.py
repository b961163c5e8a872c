"""The SAT oracle's answers, one by one, against their formulas evaluated on every state and input.

Lemmas are thrown in at random, true or not: an answer is about the frames as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.native import NativeOracle
from lemmata.engines.pdr.oracle import INFINITY, Cti, Cube, Inductive
from lemmata.models.aig import Aig
from lemmata.solvers.native import NATIVE, PURE, native_core
from tests.support.enumerate import State, evaluate, initial_moves
from tests.support.evidence import DEMANDING, holds, words
from tests.support.random_circuits import random_circuit

DEPTH = 3
OPTIONS = {
    "default": PdrOptions(backend=PURE),
    "ternary": PdrOptions(lift="ternary", backend=PURE),
    "unlifted": PdrOptions(lift="none", eliminate=False, backend=PURE),
    "not relative": PdrOptions(relative=False, renew=1, backend=PURE),
    "native": PdrOptions(backend=NATIVE),
    "native, ternary": PdrOptions(lift="ternary", backend=NATIVE),
    "native, unlifted": PdrOptions(lift="none", eliminate=False, backend=NATIVE),
    "native, not relative": PdrOptions(relative=False, backend=NATIVE),
}
BACKENDS = (PURE, NATIVE)


class Bench:
    """An engine's oracle with random frames, and the same frames as sets of states."""

    def __init__(self, seed: int, options: PdrOptions) -> None:
        self.random = Random(seed)
        self.model = random_circuit(seed)
        self.engine = Pdr(self.model, options=options)
        self.oracle = self.engine.oracle
        self.initial = initial_moves(self.model)
        self.states = words(self.model.latches)
        for _ in range(DEPTH):
            self.engine.frames.open()
            self.oracle.open()

    def learn(self) -> None:
        """One more lemma somewhere."""
        cube, level = self.cube(), self.random.randint(1, DEPTH)
        if cube and not self.meets_initial(cube):
            self.engine.loop.learn(cube, level)

    def cube(self) -> Cube:
        """A random cube, often short."""
        first, random = self.model.first_latch, self.random
        chosen = [first + i for i in range(self.model.latches) if random.random() < 0.6]
        return tuple(v * random.choice((1, -1)) for v in chosen)

    def within(self, state: State, cube: Iterable[int]) -> bool:
        return all((state[abs(x) - self.model.first_latch] == 1) == (x > 0) for x in cube)

    def meets_initial(self, cube: Cube) -> bool:
        return any(self.within(state, cube) for state, _ in self.initial)

    def frame(self, level: int) -> list[tuple[State, State]]:
        """The moves of F_level ∧ C."""
        if level == 0:
            moves = self.initial
        else:
            lemmas = [lemma.cube for lemma in self.engine.frames.from_level(level)]
            states = [state for state in self.states if not any(self.within(state, cube) for cube in lemmas)]
            moves = list(product(states, words(self.model.inputs)))
        return [move for move in moves if self.valid(move)]

    def valid(self, move: tuple[State, State]) -> bool:
        value = evaluate(self.model, *move)
        return all(holds(value, lit) for lit in self.model.constraints)

    def step(self, move: tuple[State, State]) -> State:
        value = evaluate(self.model, *move)
        return tuple(holds(value, lit) for lit in self.model.nexts)

    def into(self, moves: list[tuple[State, State]], cube: Cube) -> list[tuple[State, State]]:
        """The moves whose step ends in the cube."""
        return [move for move in moves if self.within(self.step(move), cube)]

    def moves_of(self, cti: Cti) -> list[tuple[State, State]]:
        """Every state of the cube with every completion of the inputs."""
        lines = [line for line in words(self.model.inputs) if all((line[abs(x) - 1] == 1) == (x > 0) for x in cti.inputs)]
        return list(product([state for state in self.states if self.within(state, cti.cube)], lines))


def need(backend: str) -> None:
    """The native core may be missing."""
    if backend == NATIVE and native_core() is None:
        pytest.skip("the native core was not built")


def benches(name: str) -> Iterable[Bench]:
    need(OPTIONS[name].backend)
    for seed in DEMANDING[::5]:
        if random_circuit(seed).latches:
            yield Bench(seed, OPTIONS[name])


def is_exact(name: str) -> bool:
    """The native oracle may be stopped by a state that only lemmas outside its domain exclude."""
    return OPTIONS[name].backend != NATIVE


@pytest.mark.parametrize("name", OPTIONS)
def test_initiation(name: str) -> None:
    for bench in benches(name):
        for _ in range(6):
            cube = bench.cube()
            assert bench.oracle.initial(cube) == bench.meets_initial(cube)


@pytest.mark.parametrize("name", OPTIONS)
def test_bad_states(name: str) -> None:
    for bench in benches(name):
        for prop in bench.model.properties():
            bench.oracle.ask(prop.index)
            for level in range(DEPTH + 1):
                bench.learn()
                bad = [move for move in bench.frame(level) if holds(evaluate(bench.model, *move), prop.bad)]
                answer = bench.oracle.bad(level)
                assert not bad if answer is None else bad or not is_exact(name)
                if answer is not None:
                    moves = bench.moves_of(answer)
                    assert all(bench.valid(move) and holds(evaluate(bench.model, *move), prop.bad) for move in moves)
                    assert set(moves) & set(bad) or not is_exact(name)


@pytest.mark.parametrize("name", OPTIONS)
def test_consecution(name: str) -> None:
    seen = {Cti: 0, Inductive: 0}
    for bench in benches(name):
        for _ in range(10):
            bench.learn()
            cube, level = bench.cube(), bench.random.randint(0, DEPTH)
            if not cube or bench.meets_initial(cube):
                continue
            relative = OPTIONS[name].relative
            start = [move for move in bench.frame(level) if not (relative and bench.within(move[0], cube))]
            answer = bench.oracle.consecution(cube, level, whole=True)
            entering = bench.into(start, cube)
            assert not entering if isinstance(answer, Inductive) else entering or not is_exact(name)
            seen[type(answer)] += 1
            if isinstance(answer, Inductive):
                assert_core(bench, answer.core, cube, start)
            else:
                assert all(bench.valid(move) and bench.within(bench.step(move), cube) for move in bench.moves_of(answer))
                assert any(bench.within(state, answer.cube) for state, _ in entering) or not is_exact(name)
                assert any(bench.within(state, answer.state) for state, _ in entering) or not is_exact(name)
            core = bench.oracle.inductive(cube, level)
            if core is not None:
                assert_core(bench, core, cube, start)
            else:
                assert entering or not is_exact(name)
    assert min(seen.values()) > 25


@pytest.mark.parametrize("name", OPTIONS)
def test_pushing(name: str) -> None:
    stopped = 0
    for bench in benches(name):
        for _ in range(4):
            bench.learn()
        for lemma in bench.engine.frames.from_level(1):
            start = bench.frame(lemma.level)
            answer = bench.oracle.pushes(lemma.cube, lemma.level)
            if not isinstance(answer, tuple):
                found = bench.oracle.core.state() if isinstance(bench.oracle, NativeOracle) else answer
                assert any(bench.within(state, found) for state, _ in bench.into(start, lemma.cube))
                stopped += 1
            else:
                assert_core(bench, answer, lemma.cube, start)
    assert stopped > 12


def assert_core(bench: Bench, core: Cube, cube: Cube, start: list[tuple[State, State]]) -> None:
    """A part of the cube that meets no initial state and that no step enters."""
    assert set(core) <= set(cube)
    assert not bench.meets_initial(core)
    assert not bench.into(start, core)


@pytest.mark.parametrize("backend", BACKENDS)
def test_generalizers_answer_with_inductive_parts_of_the_cube(backend: str) -> None:
    need(backend)
    shortened = 0
    for how in ("none", "core", "drop", "ctg", "dynamic"):
        for seed in DEMANDING[::5]:
            bench = Bench(seed, replace(PdrOptions(backend=backend), generalize=how))
            for _ in range(6):
                cube, level = bench.cube(), bench.random.randint(0, DEPTH - 1)
                if not cube or bench.meets_initial(cube):
                    continue
                if (core := bench.oracle.inductive(cube, level)) is None:
                    continue
                attempts = bench.random.choice((0, 100))
                lemma = bench.engine.loop.generalizer.generalize(core, level, attempts)
                assert set(lemma) <= set(core)
                assert not bench.meets_initial(lemma)
                outside = [move for move in bench.frame(level) if not bench.within(move[0], lemma)]
                assert not bench.into(outside, lemma)
                bench.engine.loop.learn(lemma, level + 1)
                shortened += len(lemma) < len(core)
    assert shortened > 3


def test_what_holds_for_ever_is_known_at_every_level() -> None:
    model = Aig(0, (2, 4), (0, 0), (), (), bads=(2,))
    engine = Pdr(model)
    for _ in range(2):
        engine.frames.open()
        engine.oracle.open()
    engine.oracle.ask(0)
    assert [engine.oracle.bad(level) is None for level in (0, 1, 2, INFINITY)] == [True, False, False, False]
    engine.frames.add((1,), INFINITY)
    engine.oracle.block((1,), 1, INFINITY)
    assert [engine.oracle.bad(level) for level in (0, 1, 2, INFINITY)] == [None] * 4
