"""What a literal of a circuit depends on.

``combinational_cone`` stays within one time step: the gates, latches and inputs below some literals. ``sequential_cone``
follows latches to their next-state functions until nothing new appears, which is the cone of influence: everything outside it
can be forgotten without changing what the literals do over time.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    return _sorted(model, _reach(model, roots, set()))


def sequential_cone(model: Aig, roots: Iterable[Lit], through_resets: bool = False) -> Cone:
    """Everything that ``roots`` depend on at any time; with ``through_resets`` also what the latches' resets read."""
    seen: set[int] = set()
    frontier = list(roots)
    while frontier:
        fresh = _reach(model, frontier, seen)
        positions = [var - model.first_latch for var in fresh if model.first_latch <= var < model.first_gate]
        frontier = [model.nexts[p] for p in positions]
        if through_resets:
            frontier += [model.resets[p] for p in positions]
    return _sorted(model, seen)


def _reach(model: Aig, roots: Iterable[Lit], seen: set[int]) -> set[int]:
    """The variables below ``roots`` that were not in ``seen``; they are added to it."""
    first, lefts, rights = model.first_gate, model.lefts, model.rights
    fresh: set[int] = set()
    stack = [lit >> 1 for lit in roots]
    while stack:
        var = stack.pop()
        if var in seen or var == 0:
            continue
        seen.add(var)
        fresh.add(var)
        if var >= first:
            stack.append(lefts[var - first] >> 1)
            stack.append(rights[var - first] >> 1)
    return fresh


def _sorted(model: Aig, variables: set[int]) -> Cone:
    gates, latches, inputs = [], [], []
    for var in sorted(variables):
        if var >= model.first_gate:
            gates.append(var)
        elif var >= model.first_latch:
            latches.append(var - model.first_latch)
        else:
            inputs.append(var - 1)
    return Cone(tuple(gates), tuple(latches), tuple(inputs))
