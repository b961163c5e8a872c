"""Make a lemma say more: drop literals of a blocked cube while it stays inductive relative to its frame.

- ``Keep``: no generalization at all.
- ``Core``: only what the solver's core already dropped (Eén, Mishchenko, Brayton 2011).
- ``Drop``: try each literal once (Bradley 2011, the *mic* procedure without joins).
- ``Ctg``: when a try fails because of one state, block that state first if it is easy, else give the literals up that the
  state contradicts (Hassan, Bradley, Somenzi 2013).
- ``Dynamic``: ``Drop`` for obligations that are new, ``Ctg`` for those that keep coming back (Su, Yang, Ci 2025).

Literals that occur in few lemmas are tried first: they are the least likely to matter (heuristic). ``Activity`` keeps the
score, bumped for each literal of a new lemma and decayed over time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from lemmata.engines.pdr.oracle import Cube, Inductive, Oracle


class LiteralOrder(Protocol):
    """Which literals are tried first."""

    def bump(self, cube: Cube) -> None:
        """The literals of a new lemma matter."""
        ...

    def ascending(self, literals: Iterable[int]) -> list[int]:
        """Least important first."""
        ...

    def descending(self, literals: Iterable[int]) -> list[int]:
        """Most important first."""
        ...


class Index:
    """By position in the file."""

    def bump(self, cube: Cube) -> None:
        """Nothing to remember."""

    def ascending(self, literals: Iterable[int]) -> list[int]:
        """Later latches first."""
        return sorted(literals, key=abs, reverse=True)

    def descending(self, literals: Iterable[int]) -> list[int]:
        """Earlier latches first."""
        return sorted(literals, key=abs)


class Activity:
    """By how often a variable occurred in recent lemmas; ``score[lit]`` works for both signs (negative indices)."""

    def __init__(self, variables: int, decay: float = 0.99) -> None:
        self.score = [0.0] * (2 * variables)
        self._step = 1.0
        self._growth = 1.0 / decay

    def bump(self, cube: Cube) -> None:
        """The literals of a new lemma matter."""
        score, step = self.score, self._step
        for lit in cube:
            score[lit] += step
            score[-lit] = score[lit]
        self._step *= self._growth
        if self._step > 1e100:
            score[:] = [value * 1e-100 for value in score]
            self._step *= 1e-100

    def ascending(self, literals: Iterable[int]) -> list[int]:
        """Least active first."""
        return sorted(literals, key=self.score.__getitem__)

    def descending(self, literals: Iterable[int]) -> list[int]:
        """Most active first."""
        return sorted(literals, key=self.score.__getitem__, reverse=True)


class Generalizer(Protocol):
    """From an inductive core to a lemma."""

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """A subset of ``cube``, inductive relative to F_level; ``attempts`` = how often this obligation came back."""
        ...

    def reward(self, cube: Cube) -> None:
        """The cube became a lemma."""
        ...


class Keep:
    """No generalization: the cube as it is; ``Core`` is the same with an oracle that answers with cores."""

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """The cube itself."""
        return cube

    def reward(self, cube: Cube) -> None:
        """Nothing to remember."""


class Drop:
    """Try to drop each literal once."""

    def __init__(self, oracle: Oracle, order: LiteralOrder) -> None:
        self.oracle = oracle
        self.order = order

    def reward(self, cube: Cube) -> None:
        """Remember which variables matter."""
        self.order.bump(cube)

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """Drop what can be dropped."""
        for lit in self.order.ascending(cube):
            if lit in cube and len(cube) > 1:
                smaller = tuple(x for x in cube if x != lit)
                if not self.oracle.initial(smaller):
                    cube = self.oracle.inductive(smaller, level) or cube
        return cube


class Ctg(Drop):
    """Drop literals; block the states in the way when that is easy."""

    def __init__(
        self, oracle: Oracle, order: LiteralOrder, carry: Callable[[Cube, int], object], depth: int = 1, most: int = 3
    ) -> None:
        super().__init__(oracle, order)
        self.carry = carry
        self.depth = depth
        self.most = most

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """Drop what can be dropped, going around counterexamples to generalization."""
        return self._reduce(cube, level, self.depth)

    def _reduce(self, cube: Cube, level: int, depth: int) -> Cube:
        needed: set[int] = set()
        for lit in self.order.ascending(cube):
            if lit in cube and len(cube) > 1:
                smaller = self._down(tuple(x for x in cube if x != lit), level, depth, needed)
                if smaller is None:
                    needed.add(lit)
                else:
                    cube = smaller
        return cube

    def _down(self, cube: Cube, level: int, depth: int, needed: set[int]) -> Cube | None:
        """An inductive subset of the cube, or ``None``."""
        oracle, tries = self.oracle, 0
        if depth == 0:
            return None if oracle.initial(cube) else oracle.inductive(cube, level)
        while not oracle.initial(cube):
            answer = oracle.consecution(cube, level, whole=True)
            if isinstance(answer, Inductive):
                return answer.core
            if tries < self.most and level > 0 and self._block(answer.cube, level, depth):
                tries += 1
                continue
            tries = 0
            joined = tuple(lit for lit in cube if lit in answer.state)
            if len(joined) == len(cube) or not joined or not needed.isdisjoint(set(cube) - set(joined)):
                return None
            cube = joined
        return None

    def _block(self, cube: Cube, level: int, depth: int) -> bool:
        """Block the counterexample to generalization, if it is inductive relative to the frame before."""
        if self.oracle.initial(cube):
            return False
        core = self.oracle.inductive(cube, level - 1)
        if core is None:
            return False
        self.carry(self._reduce(core, level - 1, depth - 1), level)
        return True


class Dynamic:
    """Little effort for new obligations, more for those that keep coming back."""

    def __init__(self, quick: Drop, thorough: Ctg, patience: int = 10) -> None:
        self.quick = quick
        self.thorough = thorough
        self.patience = patience

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """Choose by how often the obligation came back."""
        chosen = self.thorough if attempts >= self.patience else self.quick
        return chosen.generalize(cube, level, attempts)

    def reward(self, cube: Cube) -> None:
        """Remember which variables matter."""
        self.quick.reward(cube)
