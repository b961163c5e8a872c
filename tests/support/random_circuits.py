"""Tiny random circuits, each fixed by its seed: small enough to enumerate, odd enough to find bugs.

At most 4 latches and 2 inputs; resets 0, 1, free and functions; constraints, also constant ones; one to three properties, which
may be constants, inputs, equal to each other, or given as outputs. Gates drawn at random rarely give long runs, so some
circuits are counters and some properties are single states.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from random import Random

from lemmata.models.aig import Aig

Lit = int


def random_circuit(seed: int) -> Aig:
    """The circuit of ``seed``."""
    return _Draft(Random(seed)).circuit(f"<random {seed}>")


class _Draft:
    """A circuit under construction."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._inputs = random.randint(0, 2)
        self._latches = random.choice((0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4))
        self._leaves = 1 + self._inputs + self._latches
        self._gates: list[tuple[Lit, Lit]] = []

    def circuit(self, name: str) -> Aig:
        random = self._random
        for _ in range(random.randint(0, 8)):
            self._some_gates()
        nexts = self._counter() if random.random() < 0.4 else [self._literal() for _ in range(self._latches)]
        if nexts and random.random() < 0.3:
            nexts[random.randrange(len(nexts))] = self._literal()
        constraints = [self._constraint() for _ in range(random.choice((0, 0, 0, 1, 1, 2)))]
        bads = tuple(self._bad() for _ in range(random.randint(1, 3)))
        if random.random() < 0.15:
            bads += bads[:1]
        lefts, rights = tuple(left for left, _ in self._gates), tuple(right for _, right in self._gates)
        model = Aig(self._inputs, tuple(nexts), (0,) * self._latches, lefts, rights, constraints=tuple(constraints), file=name)
        model = self._with_resets(model)
        return replace(model, outputs=bads) if random.random() < 0.2 else replace(model, bads=bads)

    def _gate(self, a: Lit, b: Lit) -> Lit:
        self._gates.append((max(a, b), min(a, b)))
        return 2 * (self._leaves + len(self._gates) - 1)

    def _xor(self, a: Lit, b: Lit) -> Lit:
        return self._gate(self._gate(a, b) ^ 1, self._gate(a ^ 1, b ^ 1) ^ 1)

    def _some_gates(self) -> None:
        """One gate, or a group as synthesis makes them."""
        a, b, c = self._literal(), self._literal(), self._literal()
        shape = self._random.random()
        if shape < 0.5:
            self._gate(a, b)
        elif shape < 0.75:
            self._xor(a, b)
        elif shape < 0.9:
            self._gate(self._gate(a, b) ^ 1, self._gate(a ^ 1, c) ^ 1)
        else:
            self._gate(self._gate(a, b), c)

    def _literal(self) -> Lit:
        """Any literal, rarely a constant, more often a late gate."""
        random, variables = self._random, self._leaves + len(self._gates)
        if variables == 1 or random.random() < 0.03:
            return random.randrange(2)
        var = random.randrange(1, variables)
        return 2 * max(var, random.randrange(1, variables) if random.random() < 0.5 else 0) + random.randrange(2)

    def _latch(self, position: int) -> Lit:
        return 2 * (1 + self._inputs + position)

    def _counter(self) -> list[Lit]:
        """Count in binary, at each step or when some literal holds."""
        carry = 1 if self._random.random() < 0.5 else self._literal()
        nexts = []
        for latch in map(self._latch, range(self._latches)):
            nexts.append(self._xor(latch, carry))
            carry = self._gate(latch, carry)
        return nexts

    def _state(self) -> Lit:
        """One state, or one state of some latches."""
        random = self._random
        lits = [self._latch(i) ^ random.randrange(2) for i in range(self._latches) if random.random() < 0.85]
        return reduce(self._gate, lits) if lits else self._literal()

    def _constraint(self) -> Lit:
        kind = self._random.random()
        if kind < 0.4:
            return self._state() ^ 1
        return self._gate(self._literal(), self._literal()) ^ 1 if kind < 0.8 else self._literal()

    def _bad(self) -> Lit:
        random = self._random
        kind = random.random()
        if kind < 0.04:
            return random.randrange(2)
        if kind < 0.5:
            return self._literal()
        return self._state() if kind < 0.9 else self._gate(self._state(), self._literal())

    def _with_resets(self, model: Aig) -> Aig:
        random = self._random
        for position in range(model.latches):
            kind = random.random()
            own = model.latch_lit(position)
            reset = 0 if kind < 0.45 else 1 if kind < 0.65 else own if kind < 0.85 else self._literal()
            if reset == own or position not in _latches_below(model, reset):
                model = replace(model, resets=(*model.resets[:position], reset, *model.resets[position + 1 :]))
        return model


def _latches_below(model: Aig, lit: Lit) -> set[int]:
    """The positions of the latches that ``lit`` rests on at reset."""
    found: set[int] = set()
    stack = [lit >> 1]
    while stack:
        var = stack.pop()
        position = var - model.first_latch
        if var >= model.first_gate:
            stack += [model.lefts[var - model.first_gate] >> 1, model.rights[var - model.first_gate] >> 1]
        elif position >= 0 and position not in found:
            found.add(position)
            if model.resets[position] >> 1 != var:
                stack.append(model.resets[position] >> 1)
    return found
