"""Proofs as circuits: what Certifaiger and the hardware model checking competition take as a certificate of safety.

A witness circuit simulates the model, and its own bad literal is ruled out by plain induction. Ours keep the inputs and
latches of the model in place, as the first ones, which is Certifaiger's default mapping; so no symbols are written (a symbol
that happens to start with "=" would be read as a mapping). Constraints and resets are kept.

- From an invariant: the model itself, with bad ``¬(Inv ∧ P)``.
- From k-induction (Yu, Biere, Heljanko 2021): the model with a memory of its last k − 1 steps. Copy j holds the latches and
  inputs of j steps ago, and a bit that says whether there was such a step. The new property says that the current step is
  good, that the remembered ones are good, satisfy the constraints and follow each other, and that a memory which is not full
  yet goes back to an initial state. A full memory and the current step are k good steps in a row, so the step of
  k-induction applies; otherwise the base does. Only what bad, constraints and resets depend on is remembered.

Simple-path k-induction has no such circuit of reasonable size: repeated states would have to be cut out of the memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from lemmata.certify.circuit.builder import WitnessBuilder
from lemmata.certify.circuit.cone import Cone, sequential_cone
from lemmata.certify.circuit.invariant import bad_literal, require_latch_cubes
from lemmata.errors import UsageError
from lemmata.escapes import printable
from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig, Lit
from lemmata.models.invariant import Invariant, KInductive
from lemmata.values import dataclass


def witness_circuit(model: Aig, prop: int, evidence: Invariant | KInductive) -> Aig:
    """The Certifaiger circuit that ``evidence`` makes for property ``prop``."""
    bad = bad_literal(model, prop)
    name = printable(Path(model.file).name)  # a comment is one line
    comments = (f"WITNESS {'b' if model.bads else 'o'}{prop} {name}",)
    match evidence:
        case Invariant():
            require_latch_cubes(model, evidence)
            return _from_invariant(model, bad, evidence, comments)
        case KInductive(simple=True):
            remedy = "use the pdr engine"
            raise UsageError(f"a proof by k-induction on simple paths cannot be written as a witness circuit: {remedy}")
        case KInductive():
            return _from_kinduction(model, bad, evidence.k, comments)
        case _:
            assert_never(evidence)


def _from_invariant(model: Aig, bad: Lit, invariant: Invariant, comments: tuple[str, ...]) -> Aig:
    builder = WitnessBuilder(model)
    lemmas = [builder.every(cube) ^ 1 for cube in invariant.cubes]
    good = builder.both(bad ^ 1, builder.every(lemmas))
    return builder.build(good ^ 1, (), (), comments)


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where the remembered steps live: per copy one latch per remembered variable, and a bit whether it is in use."""

    builder: WitnessBuilder
    variables: tuple[int, ...]  # of the model: inputs and latches in the cone
    depth: int  # how many steps are remembered

    @property
    def width(self) -> int:
        return len(self.variables) + 1

    def valid(self, copy: int) -> Lit:
        """Whether the step ``copy`` steps ago existed; 0 is the current one."""
        return TRUE_LIT if copy == 0 else self.builder.extra_lit(self.width * copy - 1)

    def leaves(self, copy: int) -> dict[int, Lit]:
        """Model variable → its value ``copy`` steps ago."""
        if copy == 0:
            return {var: 2 * var for var in self.variables}
        base = self.width * (copy - 1)
        return {var: self.builder.extra_lit(base + at) for at, var in enumerate(self.variables)}

    def nexts(self) -> list[Lit]:
        """Every copy takes over the one before it."""
        return [lit for copy in range(self.depth) for lit in (*self.leaves(copy).values(), self.valid(copy))]

    def resets(self) -> list[Lit]:
        """Nothing is remembered at first; what the latches of an unused copy hold does not matter."""
        return [lit for copy in range(1, self.depth + 1) for lit in (*self.leaves(copy).values(), FALSE_LIT)]


def _from_kinduction(model: Aig, bad: Lit, k: int, comments: tuple[str, ...]) -> Aig:
    cone = sequential_cone(model, (bad, *model.constraints), through_resets=True)
    variables = (*(1 + p for p in cone.inputs), *(model.first_latch + p for p in cone.latches))
    depth = max(k - 1, 0)
    builder = WitnessBuilder(model, extra=depth * (len(variables) + 1))
    memory = _Memory(builder, variables, depth)
    parts = [builder.old(bad) ^ 1]
    for copy in range(depth):
        parts.append(builder.implies(memory.valid(copy + 1), _good_step(memory, bad, cone, copy + 1)))
        parts.append(builder.implies(memory.valid(copy + 1), memory.valid(copy)))
        oldest = builder.both(memory.valid(copy), memory.valid(copy + 1) ^ 1)
        parts.append(builder.implies(oldest, _is_reset(memory, cone, copy)))
    return builder.build(builder.every(parts) ^ 1, memory.nexts(), memory.resets(), comments)


def _good_step(memory: _Memory, bad: Lit, cone: Cone, copy: int) -> Lit:
    """``copy`` steps ago the step was good, satisfied the constraints, and led to the step after it."""
    builder, model = memory.builder, memory.builder.model
    nexts = [model.nexts[p] for p in cone.latches]
    was_bad, *rest = builder.copy((bad, *model.constraints, *nexts), memory.leaves(copy))
    held, became = rest[: len(model.constraints)], rest[len(model.constraints) :]
    after = memory.leaves(copy - 1)
    follows = [builder.equal(after[model.first_latch + p], lit) for p, lit in zip(cone.latches, became, strict=True)]
    return builder.every([was_bad ^ 1, *held, *follows])


def _is_reset(memory: _Memory, cone: Cone, copy: int) -> Lit:
    """The step ``copy`` steps ago was an initial one."""
    builder, model = memory.builder, memory.builder.model
    leaves = memory.leaves(copy)
    resets = builder.copy([model.resets[p] for p in cone.latches], leaves)
    return builder.every(builder.equal(leaves[model.first_latch + p], lit) for p, lit in zip(cone.latches, resets, strict=True))
