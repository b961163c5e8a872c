"""Evidence that needs no engine: the reachable states, the strongest invariant and a shortest trace of a tiny circuit.

And the way of a verdict from the engine to the original circuit, as the flow goes it: reduce, check, way back.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from lemmata.certify.circuit.check import certify
from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.circuit import CircuitBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.verdict import Safe, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import HANGS
from tests.support.enumerate import State, evaluate, initial_moves

DEMANDING = (  # of the first 4000 random circuits those on which PDR asks most: 70 proofs, then 40 counterexamples
    11, 66, 114, 142, 235, 381, 388, 488, 508, 550, 673, 737, 765, 796, 842, 869, 878, 1119, 1124, 1145, 1153, 1177,
    1188, 1200, 1251, 1356, 1401, 1480, 1658, 1724, 1735, 1864, 1889, 1892, 2037, 2048, 2166, 2180, 2188, 2217, 2230,
    2397, 2439, 2495, 2501, 2600, 2608, 2672, 2719, 2796, 3009, 3025, 3062, 3079, 3089, 3201, 3249, 3252, 3326, 3535,
    3539, 3552, 3570, 3636, 3718, 3776, 3903, 3905, 3969, 3985,
    178, 186, 207, 427, 482, 510, 556, 569, 746, 864, 894, 962, 988, 1035, 1066, 1305, 1462, 1510, 1856, 1954, 2336,
    2410, 2669, 2744, 2914, 3020, 3097, 3187, 3284, 3332, 3534, 3598, 3665, 3735, 3740, 3753, 3808, 3867, 3962, 3975,
)  # fmt: skip


def holds(value: list[int], lit: Lit) -> int:
    """The value of a literal, given those of all variables."""
    return value[lit >> 1] ^ (lit & 1)


def latch_value(model: Aig, state: State, lit: Lit) -> int:
    """The value of a latch literal (or a constant) in a state."""
    return (state[(lit >> 1) - model.first_latch] if lit > 1 else 0) ^ (lit & 1)


def words(width: int) -> list[State]:
    """All tuples of so many bits."""
    return list(product((0, 1), repeat=width))


def reachable(model: Aig, constrained: bool = True) -> set[State]:
    """The states of all runs; each step but the last satisfies the constraints."""
    return set[State]().union(*layers(model, constrained))


def layers(model: Aig, constrained: bool = True) -> list[set[State]]:
    """The initial states, then those that some run visits first (or again, if it started there) after so many steps."""
    moves = initial_moves(model)
    found = [{state for state, _ in moves}]
    visited: set[State] = set()
    while moves:
        after = {state for move in moves if (state := _successor(model, move, constrained)) is not None}
        moves = list(product(sorted(after - visited), words(model.inputs)))
        found.append(after - visited)
        visited |= after
    return found


def _successor(model: Aig, move: tuple[State, State], constrained: bool) -> State | None:
    value = evaluate(model, *move)
    if constrained and not all(holds(value, lit) for lit in model.constraints):
        return None
    return tuple(holds(value, lit) for lit in model.nexts)


def strongest_invariant(model: Aig) -> Invariant:
    """One cube per state that no run visits."""
    states = reachable(model)
    cubes = [
        tuple(model.latch_lit(i) | (1 - bit) for i, bit in enumerate(state))
        for state in words(model.latches)
        if state not in states
    ]
    return Invariant(tuple(cubes), first_latch=model.first_latch)


def shortest_trace(model: Aig, prop: int) -> Trace | None:
    """A run of minimal length into the bad states, found breadth first."""
    bad = model.properties()[prop].bad
    runs = [(state, Trace(prop, state, (inputs,))) for state, inputs in initial_moves(model)]
    visited: set[State] = set()
    while runs:
        fresh: dict[State, Trace] = {}
        for state, run in runs:
            after = _successor(model, (state, run.inputs[-1]), constrained=True)
            if after is not None:
                if holds(evaluate(model, state, run.inputs[-1]), bad):
                    return run
                fresh.setdefault(after, run)
        runs = [
            (state, Trace(prop, run.initial, (*run.inputs, inputs)))
            for state, run in fresh.items()
            if state not in visited
            for inputs in words(model.inputs)
        ]
        visited |= fresh.keys()
    return None


def accepts(model: Aig, prop: int, verdict: Verdict) -> bool:
    """Does certify believe the verdict?"""
    try:
        certify(model, prop, verdict)
    except CertificateError:
        return False
    return True


def original(verdict: Verdict, back: CircuitBack) -> Verdict:
    """A verdict about the reduced circuit, as one about the circuit before."""
    match verdict:
        case Safe(Invariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(Trace() as trace):
            return Unsafe(back.trace(trace))
    return verdict


def settle(model: Aig, options: PdrOptions | None = None, seconds: float = HANGS) -> Iterator[tuple[int, Verdict]]:
    """Reduce, one engine for all properties, way back: each property with its verdict about ``model``."""
    properties = range(len(model.properties()))
    reduction = reduce(model, properties)
    engine = Pdr(reduction.model, options=options)
    for prop in properties:
        until = now() + seconds
        verdict = engine.check(prop, until)
        yield prop, original(verdict, reduction.back)
