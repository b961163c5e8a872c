"""Random circuits with latches planted that a reduction should find: copies, opposites and latches that never move.

Planting changes neither the verdict nor the depth of any property, and what was planted is known. A copy starts like its
original and has the same next-state function, sometimes over gates of its own that read the copy; any reader of the original
may read the copy instead. A stuck latch holds itself, or two of them swap their equal values; literals are and-ed with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lemmata.models.aig import Aig, Lit
from tests.support.random_circuits import random_circuit


@dataclass(frozen=True, slots=True)
class Planted:
    """A circuit and what is known about it."""

    bare: Aig  # before
    model: Aig  # after
    equal: tuple[tuple[Lit, Lit], ...]  # pairs of literals that are always equal, both with constant resets
    stuck: tuple[Lit, ...]  # literals that are always false


def planted_circuit(seed: int) -> Planted:
    """The circuit of ``seed``: ``random_circuit(seed)`` with up to three latches planted."""
    random = Random(f"plant {seed}")
    return _Garden(random_circuit(seed), random).planted()


class _Garden:
    """A circuit whose latches grow; gates are renumbered once, at the start."""

    def __init__(self, bare: Aig, random: Random) -> None:
        self._random = random
        self._bare = bare
        self._kinds = [random.choice(("copy", "copy", "opposite", "still", "swap")) for _ in range(random.randint(1, 3))]
        self._grown = len(self._kinds) + self._kinds.count("swap")
        self._lefts = [self._shift(lit) for lit in bare.lefts]
        self._rights = [self._shift(lit) for lit in bare.rights]
        self._nexts = [self._shift(lit) for lit in bare.nexts]
        self._resets = [self._shift(lit) for lit in bare.resets]
        self._first_gate = bare.first_gate + self._grown
        self._copies: dict[int, list[Lit]] = {}  # original variable to literals that equal it
        self._equal: list[tuple[Lit, Lit]] = []
        self._stuck: list[Lit] = []

    def _shift(self, lit: Lit) -> Lit:
        return lit if lit >> 1 < self._bare.first_gate else lit + 2 * self._grown

    def planted(self) -> Planted:
        bare = self._bare
        for kind in self._kinds:
            self._grow(kind)
        bads = [self._disguise(self._shift(prop.bad)) for prop in bare.properties()]
        constraints = [self._disguise(self._shift(lit)) for lit in bare.constraints]
        nexts = [self._disguise(lit) for lit in self._nexts]
        swapped = [self._swap(lit) for lit in (*self._lefts, *self._rights)]
        half = len(swapped) // 2
        model = Aig(
            bare.inputs,
            tuple(map(self._swap, nexts)),
            tuple(self._resets),
            tuple(swapped[:half]),
            tuple(swapped[half:]),
            bads=tuple(map(self._swap, bads)),
            constraints=tuple(map(self._swap, constraints)),
            file=bare.file.replace("random", "planted"),
        )
        return Planted(bare, model, tuple(self._equal), tuple(self._stuck))

    def _lit(self, position: int) -> Lit:
        return 2 * (self._bare.first_latch + position)

    def _gate(self, a: Lit, b: Lit) -> Lit:
        self._lefts.append(a)
        self._rights.append(b)
        return 2 * (self._first_gate + len(self._lefts) - 1)

    def _grow(self, kind: str) -> None:
        own, value = self._lit(len(self._nexts)), self._random.randrange(2)
        steady = [i for i, reset in enumerate(self._resets) if reset <= 1]
        if kind == "swap":
            self._nexts += [own + 2, own]
            self._resets += [value, value]
            self._stuck += [own ^ value, own + 2 ^ value]
        elif kind == "still" or not steady:
            other = self._random.randrange(2, 2 * self._first_gate)
            self._nexts.append(self._gate(own ^ value, other) ^ value)
            self._resets.append(value)
            self._stuck.append(own ^ value)
        else:
            self._copy(self._random.choice(steady), own ^ (kind == "opposite"))

    def _copy(self, position: int, copy: Lit) -> None:
        original, flip = self._lit(position), copy & 1
        self._nexts.append(self._clone(self._nexts[position], original, copy) ^ flip)
        self._resets.append(self._resets[position] ^ flip)
        self._equal.append((original, copy))
        self._copies.setdefault(original >> 1, []).append(copy)

    def _clone(self, lit: Lit, original: Lit, copy: Lit) -> Lit:
        """The literal itself, or the same function over new gates in which the copy takes the place of the original."""
        if lit >> 1 == original >> 1:
            return copy ^ (lit & 1)
        if lit >> 1 < self._first_gate or self._random.random() < 0.4:
            return lit
        gate = (lit >> 1) - self._first_gate
        left = self._clone(self._lefts[gate], original, copy)
        return self._gate(left, self._clone(self._rights[gate], original, copy)) ^ (lit & 1)

    def _disguise(self, lit: Lit) -> Lit:
        """The literal, or the literal and something that is always true."""
        if self._stuck and self._random.random() < 0.4:
            return self._gate(lit, self._random.choice(self._stuck) ^ 1)
        return lit

    def _swap(self, lit: Lit) -> Lit:
        """The literal, or one that equals it."""
        copies = self._copies.get(lit >> 1)
        if copies and self._random.random() < 0.5:
            return self._random.choice(copies) ^ (lit & 1)
        return lit
