"""Tiny random circuits: the checks answer exactly as their definitions do when every state and input is tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lemmata.certify.circuit.check import (
    certify,
    check_certificate,
    check_invariant,
    check_kinductive,
    format_witness,
    minimize,
    parse_witness,
    replay,
    witness_circuit,
)
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive, LatchCube
from lemmata.models.trace import Trace
from lemmata.verdict import Safe
from tests.support.enumerate import evaluate, shortest_depths
from tests.support.random_circuits import random_circuit

Bits = tuple[int, ...]
Move = tuple[Bits, Bits]  # state, inputs
SEEDS = range(25)


class Facts:
    """Every move of a circuit, with what can be said of it."""

    def __init__(self, model: Aig, prop: int) -> None:
        self.model = model
        bad = model.properties()[prop].bad
        self.moves = list(product(_words(model.latches), _words(model.inputs)))
        value = {move: evaluate(model, *move) for move in self.moves}

        def where(holds: Callable[[list[int], Bits], bool]) -> set[Move]:
            return {move for move in self.moves if holds(value[move], move[0])}

        self.initial = where(lambda v, s: all(_at(v, r) == bit for r, bit in zip(model.resets, s, strict=True)))
        self.constrained = where(lambda v, _: all(_at(v, c) for c in model.constraints))
        self.bad = where(lambda v, _: bool(_at(v, bad)))
        self.after = {move: tuple(_at(value[move], n) for n in model.nexts) for move in self.moves}

    def meets(self, state: Bits, cube: LatchCube) -> bool:
        return all(state[(lit >> 1) - self.model.first_latch] ^ (lit & 1) for lit in cube)

    def is_proof(self, cubes: tuple[LatchCube, ...]) -> bool:
        """Initiation, consecution and safety by the book."""
        good = {state for state, _ in self.moves if not any(self.meets(state, cube) for cube in cubes)}
        return all(
            (move[0] in good or move not in self.initial)
            and (move[0] not in good or (self.after[move] in good and move not in self.bad))
            for move in self.constrained
        )

    def is_kinductive(self, k: int, depth: int | None) -> bool:
        """Base and step by the book."""
        ends = self.constrained & self.bad
        for _ in range(k):
            states = {state for state, _ in ends}
            ends = {move for move in self.constrained - self.bad if self.after[move] in states}
        return not ends and (depth is None or depth >= k)

    def unreachable(self) -> tuple[LatchCube, ...]:
        """One cube per state that no run visits."""
        found = {move[0] for move in self.constrained & self.initial}
        size = -1
        while size < len(found):
            size = len(found)
            found |= {self.after[move] for move in self.constrained if move[0] in found}
        first = self.model.first_latch
        states = [state for state in _words(self.model.latches) if state not in found]
        return tuple(tuple(2 * (first + p) + 1 - bit for p, bit in enumerate(state)) for state in states)


def _words(width: int) -> list[Bits]:
    return list(product((0, 1), repeat=width))


def _at(value: list[int], lit: int) -> int:
    return value[lit >> 1] ^ (lit & 1)


def _accepts(check: Callable[..., object], *args: object) -> bool:
    try:
        check(*args)
    except CertificateError:
        return False
    return True


def _variants(cubes: tuple[LatchCube, ...], random: Random) -> list[tuple[LatchCube, ...]]:
    """The cubes, and the cubes with something wrong in them."""
    variants = [cubes, (), ((),)]
    if cubes and cubes[0]:
        at, place = random.randrange(len(cubes)), random.randrange(len(cubes[0]))
        before, cube, after = cubes[:at], cubes[at], cubes[at + 1 :]
        shorter = cube[:place] + cube[place + 1 :]
        flipped = (*cube[:place], cube[place] ^ 1, *cube[place + 1 :])
        variants += [before + after, (*before, shorter, *after), (*before, flipped, *after)]
    return variants


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants_and_their_circuits(seed: int) -> None:
    model, random = random_circuit(seed), Random(seed)
    for prop, depth in enumerate(shortest_depths(model)):
        facts = Facts(model, prop)
        for cubes in _variants(facts.unreachable(), random):
            invariant = Invariant(cubes, (), model.first_latch)
            is_proof = facts.is_proof(cubes)
            assert _accepts(check_invariant, model, prop, invariant) == is_proof
            assert not is_proof or depth is None
            circuit_passes = _accepts(check_certificate, model, prop, witness_circuit(model, prop, invariant))
            assert circuit_passes or not is_proof
            assert not circuit_passes or depth is None
            if is_proof:
                small = minimize(model, prop, invariant)
                assert facts.is_proof(small.cubes)
                assert not any(facts.is_proof((*small.cubes[:i], *small.cubes[i + 1 :])) for i in range(len(small.cubes)))


@pytest.mark.parametrize("seed", SEEDS)
def test_k_induction_and_its_circuits(seed: int) -> None:
    model = random_circuit(seed)
    for prop, depth in enumerate(shortest_depths(model)):
        facts = Facts(model, prop)
        for k in range(4):
            is_kinductive = facts.is_kinductive(k, depth)
            assert _accepts(certify, model, prop, Safe(KInductive(k))) == is_kinductive
            circuit_passes = _accepts(check_certificate, model, prop, witness_circuit(model, prop, KInductive(k)))
            assert circuit_passes or not is_kinductive
            assert not circuit_passes or depth is None
        simple = KInductive(2**model.latches, simple=True)
        assert _accepts(check_kinductive, model, prop, simple) == (depth is None)


@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_circuits_never_prove_what_is_false(seed: int) -> None:
    model, random = random_circuit(seed), Random(seed)
    for prop, depth in enumerate(shortest_depths(model)):
        if depth is None:
            continue
        circuit = witness_circuit(model, prop, Invariant((), (), model.first_latch))
        lits = range(2 * circuit.variables)
        mutants = [
            replace(circuit, bads=(random.choice(lits),), constraints=(random.choice(lits),)),
            replace(circuit, bads=(0,)),
        ]
        if circuit.latches:
            at = random.randrange(circuit.latches)
            mutants.append(replace(circuit, bads=(0,), symbols={("l", at): f"= {circuit.latch_lit(at)}"}))
            nexts = (*circuit.nexts[:at], random.choice(lits), *circuit.nexts[at + 1 :])
            mutants.append(replace(circuit, nexts=nexts, resets=(1,) * circuit.latches))
        assert not any(_accepts(check_certificate, model, prop, mutant) for mutant in mutants)


@pytest.mark.parametrize("seed", SEEDS)
def test_replay_accepts_exactly_the_runs_that_end_in_a_bad_step(seed: int) -> None:
    model, random = random_circuit(seed), Random(seed)
    for prop in range(len(model.properties())):
        facts = Facts(model, prop)
        for _ in range(20):
            initial, first = random.choice(sorted(facts.initial) or facts.moves)
            lines = (first, *(random.choice(_words(model.inputs)) for _ in range(random.randrange(4))))
            if random.random() < 0.2:
                initial = tuple(random.randrange(2) for _ in initial)
            trace = Trace(prop, initial, lines)
            state, moves = initial, []
            for line in lines:
                moves.append((state, line))
                state = facts.after[state, line]
            is_run = moves[0] in facts.initial and facts.constrained.issuperset(moves) and moves[-1] in facts.bad
            assert _accepts(replay, model, trace) == is_run
            again = parse_witness(format_witness(model, trace), model)
            assert (again.prop, again.initial, again.inputs) == (prop, initial, lines)
