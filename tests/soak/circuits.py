"""Every engine against enumeration on tiny random circuits: same verdict, shortest trace, and evidence that survives its check.

The suite takes a few hundred circuits; ``python -m tests.soak.circuits 10000 [ENGINE …]`` takes as many as one likes.
An engine is added by one line in ``ENGINES``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from lemmata.certify.circuit.check import certify
from lemmata.engines import Engine
from lemmata.engines.circuit.bmc import Bmc
from lemmata.engines.circuit.kinduction import KInduction
from lemmata.engines.registry import ENGINES as REGISTRY
from lemmata.engines.registry import Order
from lemmata.errors import CertificateError, GaveUp
from lemmata.frontends.aiger import format_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.circuit import CircuitBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit

DEEP = 20  # more steps than any of the circuits has states


@dataclass(frozen=True, slots=True)
class Candidate:
    """An engine under test and what may be expected of it."""

    build: Callable[[Aig], Engine]
    proves: bool = True
    shortest: bool = True
    reduces: bool = True  # k-inductiveness does not survive a reduction
    is_about_states: bool = False  # and gives up where the first step depends on more than the initial state


ENGINES = {
    "bmc": Candidate(lambda model: Bmc(model, max_bound=DEEP), proves=False),
    "kinduction": Candidate(KInduction, reduces=False),
    "pdr": Candidate(lambda model: REGISTRY["pdr"].builds["circuit"](model, Order()), shortest=False, is_about_states=True),
}


def disagreement(seed: int, candidate: Candidate) -> str | None:
    """What the engine got wrong on the circuit of ``seed``, as given and as reduced; a crash gets a note of the seed."""
    try:
        return _disagreement(seed, random_circuit(seed), candidate)
    except Exception as error:
        error.add_note(f"seed {seed}")
        raise


def _disagreement(seed: int, model: Aig, candidate: Candidate) -> str | None:
    depths = shortest_depths(model)
    for reduced in (False, True)[: 1 + candidate.reduces]:
        verdicts = _reduced_verdicts(model, candidate) if reduced else _verdicts(model, candidate.build(model))
        for prop, (verdict, depth) in enumerate(zip(verdicts, depths, strict=True)):
            complaint = _complaint(model, prop, verdict, depth, candidate)
            if complaint:
                how = "reduced" if reduced else "as given"
                text = format_aiger(model, binary=False).decode()
                return f"seed {seed}, property {prop}, {how}: {complaint}\n{text}"
    return None


def _verdicts(model: Aig, engine: Engine) -> list[Verdict]:
    return [_settle(engine, prop.index) for prop in model.properties()]


def _settle(engine: Engine, prop: int) -> Verdict:
    try:
        return engine.check(prop)
    except GaveUp as error:
        return Unknown(error.reason)


def _reduced_verdicts(model: Aig, candidate: Candidate) -> list[Verdict]:
    reduction = reduce(model, range(len(model.properties())))
    return [_back(verdict, reduction.back) for verdict in _verdicts(reduction.model, candidate.build(reduction.model))]


def _back(verdict: Verdict, back: CircuitBack) -> Verdict:
    match verdict:
        case Safe(Invariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(Trace() as trace):
            return Unsafe(back.trace(trace))
    return verdict


def _complaint(model: Aig, prop: int, verdict: Verdict, depth: int | None, candidate: Candidate) -> str | None:
    match verdict:
        case Unknown(reason):
            if candidate.is_about_states and _ties_inputs(model):  # as ``bit/initiation.py`` says
                return None
            return None if depth is None and not candidate.proves else f"unknown ({reason}), depth is {depth}"
        case Safe():
            if depth is not None or not candidate.proves:
                return f"safe, depth is {depth}"
        case Unsafe(Trace() as trace):
            if depth is None or trace.depth < depth or (candidate.shortest and trace.depth != depth):
                return f"unsafe in {trace.depth} steps, depth is {depth}"
    try:
        certify(model, prop, verdict)
    except CertificateError as error:
        return f"{verdict.word}, but {error}"
    return None


def _ties_inputs(model: Aig) -> bool:
    """Does a reset function read an input? Then initial states alone do not say which first steps there are."""
    todo, seen = [reset >> 1 for reset in model.resets], set[int]()
    while todo:
        v = todo.pop()
        if v not in seen:
            seen.add(v)
            gate = v - model.first_gate
            todo += [model.lefts[gate] >> 1, model.rights[gate] >> 1] if gate >= 0 else []
    return any(1 <= v <= model.inputs for v in seen)


def soak(count: int, names: list[str]) -> int:
    """Run the engines on ``count`` circuits; the number of disagreements."""
    wrong = 0
    for seed in range(count):
        for name in names:
            complaint = disagreement(seed, ENGINES[name])
            if complaint:
                wrong += 1
                print(f"{name}: {complaint}", flush=True)
        if (seed + 1) % 1000 == 0:
            print(f"{seed + 1} circuits, {wrong} disagreements", flush=True)
    return wrong


if __name__ == "__main__":
    circuits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sys.exit(1 if soak(circuits, sys.argv[2:] or list(ENGINES)) else 0)
