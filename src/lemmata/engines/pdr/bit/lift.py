"""Widen one predecessor state to a cube of predecessors: which latches does the step really need?

- ``CoreLift``: with the inputs and the state assumed, "the step misses its target" is unsatisfiable, and the core names the
  latches that matter (Chockler, Ivrii, Matsliah, Moran, Nevo 2011). Assumptions that come late are dropped more often, so
  inputs go first and latches that occur in many lemmas next.
- ``TernaryLift``: replace one latch after the other by X and simulate (Eén, Mishchenko, Brayton 2011).
- ``NoLift``: the state as it is.

A target is a list of literals, read as *and*, over the variables of the same step: next-state functions, or bad. The
constraint is part of every target: a predecessor whose step violates it is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from lemmata.engines.pdr.generalize import LiteralOrder
from lemmata.engines.pdr.oracle import Cube
from lemmata.solvers.cones import Cones
from lemmata.solvers.relation import Relation


class BitLifter(Protocol):
    """From a state to a cube."""

    def lift(self, state: Sequence[int], inputs: Sequence[int], target: Sequence[int]) -> Cube:
        """The latches of ``state`` that ``inputs`` need to reach ``target``."""
        ...


class NoLift:
    """Keep the whole state."""

    def lift(self, state: Sequence[int], inputs: Sequence[int], target: Sequence[int]) -> Cube:
        """The state as it is."""
        return tuple(sorted(state, key=abs))


class CoreLift:
    """Ask a solver that knows the transition relation only."""

    def __init__(self, relation: Relation, order: LiteralOrder, backend: str, renew: int) -> None:
        self._relation = relation
        self._order = order
        self._backend = backend
        self._renew = renew
        self._solver = Cones(relation, backend)

    def lift(self, state: Sequence[int], inputs: Sequence[int], target: Sequence[int]) -> Cube:
        """inputs ∧ state ∧ ¬target is unsatisfiable; the latches in its core."""
        if self._renew and self._solver.retired > self._renew:
            self._solver = Cones(self._relation, self._backend)
        solver = self._solver
        solver.load(map(abs, target))
        local = solver.local
        guard = solver.temporary([-x for x in target])
        ranked = self._order.descending(state)
        back = {local[x]: x for x in ranked}
        core = solver.sat.refute([guard, *[local[x] for x in inputs], *back])
        solver.retire(guard)
        assert core is not None, "a step computed by the solver misses its target"
        return tuple(sorted([back[x] for x in core if x in back], key=abs))


class TernaryLift:
    """Simulate the gates with 0, 1 and X."""

    def __init__(self, relation: Relation, order: LiteralOrder) -> None:
        self._model = relation.model
        self._true = relation.true
        self._order = order

    def lift(self, state: Sequence[int], inputs: Sequence[int], target: Sequence[int]) -> Cube:
        """Set latches to X, least active first, while the target stays determined."""
        values: dict[int, int | None] = {0: 0}
        values |= {abs(x): int(x > 0) for x in (*inputs, *state)}
        roots = {abs(x) for x in target} - {self._true}
        cone = self._cone(roots)
        for gate in cone:
            values[gate] = self._gate(gate, values)
        kept = set(state)
        readers = self._fanout(cone)
        for lit in self._order.ascending(state):
            if self._forget(abs(lit), values, readers, roots):
                kept.discard(lit)
        return tuple(sorted(kept, key=abs))

    def _forget(self, latch: int, values: dict[int, int | None], readers: dict[int, list[int]], roots: set[int]) -> bool:
        """Try X for one latch; undo if it reaches a root."""
        undo = {latch: values[latch]}
        values[latch] = None
        stack = [latch]
        while stack:
            v = stack.pop()
            if v in roots:
                values.update(undo)
                return False
            for gate in readers.get(v, ()):
                if values[gate] is not None and self._gate(gate, values) is None:
                    undo[gate] = values[gate]
                    values[gate] = None
                    stack.append(gate)
        return True

    def _gate(self, gate: int, values: dict[int, int | None]) -> int | None:
        model = self._model
        left, right = model.lefts[gate - model.first_gate], model.rights[gate - model.first_gate]
        a, b = values.get(left >> 1, 0), values.get(right >> 1, 0)  # a leaf without a value does not matter: any one will do
        a = a if a is None else a ^ (left & 1)
        b = b if b is None else b ^ (right & 1)
        if a == 0 or b == 0:
            return 0
        return 1 if a == 1 and b == 1 else None

    def _cone(self, roots: Iterable[int]) -> list[int]:
        model, first = self._model, self._model.first_gate
        seen: set[int] = set()
        stack = [v for v in roots if v >= first]
        while stack:
            v = stack.pop()
            if v not in seen:
                seen.add(v)
                fanins = (model.lefts[v - first] >> 1, model.rights[v - first] >> 1)
                stack += [u for u in fanins if u >= first]
        return sorted(seen)

    def _fanout(self, cone: list[int]) -> dict[int, list[int]]:
        model, first = self._model, self._model.first_gate
        readers: dict[int, list[int]] = {}
        for v in cone:
            for lit in (model.lefts[v - first], model.rights[v - first]):
                readers.setdefault(lit >> 1, []).append(v)
        return readers
