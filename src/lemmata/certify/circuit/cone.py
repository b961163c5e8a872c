"""What a literal of a circuit depends on.

``combinational_cone`` stays within one time step: the gates, latches and inputs below some literals. ``sequential_cone``
follows latches to their next-state functions until nothing new appears, which is the cone of influence: everything outside it
can be forgotten without changing what the literals do over time.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from lemmata.models.aig import Aig, Lit
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Cone:
    """Gate variables in topological order, latch and input positions in file order."""

    gates: tuple[int, ...]
    latches: tuple[int, ...]
    inputs: tuple[int, ...]


def combinational_cone(model: Aig, roots: Iterable[Lit]) -> Cone:
    """Everything below ``roots`` in one time step."""
    seen = bytearray(model.variables)
    _reach(model, roots, seen)
    return _sorted(model, seen)


def sequential_cone(model: Aig, roots: Iterable[Lit], through_resets: bool = False) -> Cone:
    """Everything that ``roots`` depend on at any time; with ``through_resets`` also what the latches' resets read."""
    seen = bytearray(model.variables)
    frontier = list(roots)
    while frontier:
        fresh = _reach(model, frontier, seen)
        positions = [var - model.first_latch for var in fresh if var >= model.first_latch]
        frontier = [model.nexts[p] for p in positions]
        if through_resets:
            frontier += [model.resets[p] for p in positions]
    return _sorted(model, seen)


def _reach(model: Aig, roots: Iterable[Lit], seen: bytearray) -> list[int]:
    """Mark the variables below ``roots``; inputs and latches among them that were not marked before."""
    first, lefts, rights = model.first_gate, model.lefts, model.rights
    fresh: list[int] = []
    stack = [lit >> 1 for lit in roots]
    while stack:
        var = stack.pop()
        if seen[var] or var == 0:
            continue
        seen[var] = 1
        if var >= first:
            stack.append(lefts[var - first] >> 1)
            stack.append(rights[var - first] >> 1)
        else:
            fresh.append(var)
    return fresh


def _sorted(model: Aig, seen: bytearray) -> Cone:
    gates = tuple(compress(range(model.first_gate, model.variables), seen[model.first_gate :]))
    latches = tuple(compress(range(model.latches), seen[model.first_latch : model.first_gate]))
    return Cone(gates, latches, tuple(compress(range(model.inputs), seen[1 : model.first_latch])))
