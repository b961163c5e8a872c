"""What is known to hold in every reachable state becomes a constraint of the circuit.

The cubes are inductive on their own, relative to the constraints, so the new circuit has the same reachable states, and every
engine may use them without knowing where they came from. A proof on the new circuit is one relative to them: with them it is
one on the old circuit. Runs are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.trace import Trace
from lemmata.transforms.circuit import CircuitReduction
from lemmata.values import dataclass


def strengthen_circuit(model: Aig, cubes: Sequence[LatchCube]) -> CircuitReduction:
    """The circuit with a constraint for every cube: no state that meets it."""
    lefts, rights, constraints = list(model.lefts), list(model.rights), list(model.constraints)
    for cube in cubes:
        met = 1
        for lit in cube:
            lefts.append(met)
            rights.append(lit)
            met = 2 * (model.first_gate + len(lefts) - 1)
        constraints.append(met ^ 1)
    new = replace(model, lefts=tuple(lefts), rights=tuple(rights), constraints=tuple(constraints))
    return CircuitReduction(new, _Known(tuple(cubes)))


@dataclass(frozen=True, slots=True)
class _Known:
    """The way back: proofs need the cubes, runs need nothing."""

    cubes: tuple[LatchCube, ...]

    def invariant(self, invariant: Invariant) -> Invariant:
        """With the cubes."""
        return replace(invariant, cubes=tuple(dict.fromkeys((*invariant.cubes, *self.cubes))))

    def trace(self, trace: Trace) -> Trace:
        """As it is."""
        return trace
