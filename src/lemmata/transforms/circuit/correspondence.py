"""Latches that are always equal (or opposite, or constant), by simulation and induction.

Random simulation from the reset state puts latches that behaved alike into one class. Then induction (van Eijk 2000): assume
that the members of each class are equal now, show that they are equal next; what fails splits its class, and the whole is
tried again with the finer classes, until a round passes. The assumption costs nothing: the members are *replaced* by their
representative and structural hashing does the rest; only next-state functions that still look different go to the solver.

Only latches that reset to 0 or 1 take part. A round that does not finish within ``CORRESPONDENCE_S`` proves nothing, and
nothing is merged then. Constraints hold in the assumed step. Left out: equivalences of inner gates, whose facts are no clauses
over latches.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

from lemmata.budgets import CORRESPONDENCE_GATES, CORRESPONDENCE_S
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import LatchCube
from lemmata.models.simulation import simulate
from lemmata.solvers.cones import Cones
from lemmata.solvers.relation import Relation, dimacs
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitReduction
from lemmata.transforms.circuit.rebuild import AigBuilder, rebuild
from lemmata.work import is_over, now

SIMULATED_RUNS = 256  # runs simulated at once
SIMULATED_STEPS = 24  # of each

Class = list[Lit]  # equal literals; the first one represents the others; 0 is the constant


def merge_equivalent_latches(model: Aig) -> CircuitReduction:
    """Replace each latch by the representative of its class."""
    classes = equivalent_latches(model, now() + CORRESPONDENCE_S)
    if not classes:
        return CircuitReduction(model, Chain())
    first = model.first_latch
    replacement: dict[int, Lit] = {}
    facts: list[LatchCube] = []
    for representative, *others in classes:
        for lit in others:
            replacement[(lit >> 1) - first] = representative ^ (lit & 1)
            facts += [(lit,)] if representative == 0 else _both(representative, lit)
    return rebuild(model, replacement=replacement, facts=facts)


def _both(a: Lit, b: Lit) -> list[LatchCube]:
    return [tuple(sorted((a, b ^ 1))), tuple(sorted((a ^ 1, b)))]


def equivalent_latches(model: Aig, deadline: float) -> list[Class]:
    """Classes of equal literals, inductive together; none if time runs out."""
    if model.gates > CORRESPONDENCE_GATES:
        return []
    classes = _candidates(model)
    while classes:
        refined = _round(model, classes, deadline)
        if refined is None:
            return []
        if refined == classes:
            return classes
        classes = refined
    return []


def _candidates(model: Aig) -> list[Class]:
    """Classes of latches that behave alike in random runs."""
    chance = random.Random(0)
    everywhere = (1 << SIMULATED_RUNS) - 1
    first = model.first_latch
    state = [everywhere * reset if reset <= 1 else chance.getrandbits(SIMULATED_RUNS) for reset in model.resets]
    eligible = [i for i, reset in enumerate(model.resets) if reset <= 1]
    flip = {i: model.resets[i] for i in eligible}
    seen: dict[int, list[int]] = {i: [] for i in eligible}
    alive = everywhere
    for _ in range(SIMULATED_STEPS):
        for i in eligible:
            seen[i].append((state[i] ^ (everywhere if flip[i] else 0)) & alive)
        inputs = [chance.getrandbits(SIMULATED_RUNS) for _ in range(model.inputs)]
        values = simulate(model, inputs, state, everywhere)
        for lit in model.constraints:
            alive &= values[lit >> 1] ^ (everywhere if lit & 1 else 0)
        state = [values[lit >> 1] ^ (everywhere if lit & 1 else 0) for lit in model.nexts]
    groups: defaultdict[tuple[int, ...], Class] = defaultdict(list)
    groups[(0,) * SIMULATED_STEPS].append(0)
    for i in eligible:
        groups[tuple(seen[i])].append(2 * (first + i) | flip[i])
    return [group for group in groups.values() if len(group) > 1]


def _round(model: Aig, classes: list[Class], deadline: float) -> list[Class] | None:
    """One induction step for all classes: the same classes if it passes, finer ones if not, ``None`` out of time."""
    merged, nexts = _merge(model, classes)
    solver = Cones(Relation(merged, eliminate=False), "minisat22")
    for lit in merged.constraints:
        if lit == 0:
            return classes  # no step satisfies the constraints
        solver.add([dimacs(lit)])
    current = classes
    pending = [(c[0], lit) for c in classes for lit in c[1:]]
    for representative, lit in pending:
        if is_over(deadline):
            return None
        if not _together(current, representative, lit):
            continue
        a, b = _next(nexts, model, representative), _next(nexts, model, lit)
        if a == b:
            continue
        witness = _difference(solver, a, b)
        if witness is not None:
            current = _split(model, merged, nexts, current, witness)
    return current


def _merge(model: Aig, classes: list[Class]) -> tuple[Aig, dict[int, Lit]]:
    """The circuit with each latch read as its representative, and the next literal of each old latch variable."""
    builder = AigBuilder(model.first_gate)
    new = [2 * v for v in range(model.first_gate)]
    for representative, *others in classes:
        for lit in others:
            new[lit >> 1] = representative ^ (lit & 1)
    for left, right in zip(model.lefts, model.rights, strict=True):
        new.append(builder.conjoin(new[left >> 1] ^ left & 1, new[right >> 1] ^ right & 1))
    nexts = {model.first_latch + i: new[lit >> 1] ^ lit & 1 for i, lit in enumerate(model.nexts)}
    valid = builder.conjoin_all(new[lit >> 1] ^ lit & 1 for lit in model.constraints)
    merged = Aig(
        model.inputs,
        tuple(nexts.values()),
        model.resets,
        tuple(builder.lefts),
        tuple(builder.rights),
        constraints=() if valid == 1 else (valid,),
    )
    return merged, nexts


def _next(nexts: dict[int, Lit], model: Aig, lit: Lit) -> Lit:
    return nexts[lit >> 1] ^ (lit & 1) if lit >> 1 >= model.first_latch else lit


def _together(classes: list[Class], a: Lit, b: Lit) -> bool:
    return any(c[0] == a and b in c for c in classes)


def _difference(solver: Cones, a: Lit, b: Lit) -> dict[int, bool] | None:
    """Values of inputs and latches that make a and b differ."""
    solver.load({lit >> 1 for lit in (a, b) if lit > 1})
    for x, y in ((a, b ^ 1), (a ^ 1, b)):
        if 0 in (x, y):
            continue
        model = solver.sat.find([solver.local[dimacs(lit)] for lit in (x, y) if lit != 1])
        if model is not None:
            return {v: model[n - 1] > 0 for v, n in enumerate(solver.local[: len(solver.local) // 2 + 1]) if n > 0}
    return None


def _split(model: Aig, merged: Aig, nexts: dict[int, Lit], classes: list[Class], witness: dict[int, bool]) -> list[Class]:
    """Split all classes by the next states of the witness and of its neighbours (runs that differ in a few bits)."""
    chance = random.Random(len(classes))
    everywhere = (1 << SIMULATED_RUNS) - 1
    leaves = []
    for v in range(1, model.first_gate):
        noise = chance.getrandbits(SIMULATED_RUNS) & chance.getrandbits(SIMULATED_RUNS) & chance.getrandbits(SIMULATED_RUNS)
        known = witness.get(v)
        leaves.append(((everywhere if known else 0) ^ noise) & ~1 | (1 if known else 0))
    values = simulate(merged, leaves[: model.inputs], leaves[model.inputs :], everywhere)
    alive = everywhere
    for lit in merged.constraints:
        alive &= values[lit >> 1] ^ (everywhere if lit & 1 else 0)

    def signature(lit: Lit) -> int:
        step = _next(nexts, model, lit)
        return (values[step >> 1] ^ (everywhere if step & 1 else 0)) & alive

    return [part for c in classes for part in _parts(c, map(signature, c)) if len(part) > 1]


def _parts(members: Class, signatures: Iterable[int]) -> Iterable[Class]:
    parts: defaultdict[int, Class] = defaultdict(list)
    for lit, key in zip(members, signatures, strict=True):
        parts[key].append(lit)
    return parts.values()
