"""Does this trace really reach a bad state?

The trace is run on the circuit as it was read, with concrete bits: the first state must agree with the resets (constants,
reset functions under the first inputs; free latches may be anything), the constraints must hold in every step, the last one
included, and in the last step the property's bad literal must be true. A trace that runs on after its bad state is refused:
it says less than it could.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.cone import influence
from lemmata.certify.invariant import bad_literal
from lemmata.certify.resets import require_stratified
from lemmata.certify.simulate import Simulator
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig
from lemmata.models.trace import Trace


def replay(model: Aig, trace: Trace) -> None:
    """Raise ``CertificateError`` unless ``trace`` runs from an initial state of ``model`` to a bad one."""
    bad = bad_literal(model, trace.prop)
    require_stratified(model)
    _check_shape(model, trace)
    _check_resets(model, trace)
    latches = influence(model, (bad, *model.constraints)).latches
    simulator = Simulator(model, (bad, *model.constraints, *(model.nexts[p] for p in latches)))
    state = list(trace.initial)
    first_bad = None
    for step, inputs in enumerate(trace.inputs):
        reached, *rest = simulator.evaluate(inputs, state)
        _check_constraints(model, step, rest[: len(model.constraints)])
        if reached and first_bad is None:
            first_bad = step
        for position, bit in zip(latches, rest[len(model.constraints) :], strict=True):
            state[position] = bit
    if not reached:
        name = model.properties()[trace.prop].name
        hint = "" if first_bad is None else f" (it is in step {first_bad}: the trace should end there)"
        raise CertificateError(f"the trace does not reach {name}: not bad in its last step, {trace.depth}{hint}")


def _check_shape(model: Aig, trace: Trace) -> None:
    if not trace.inputs:
        raise CertificateError("the trace has no step")
    _check_bits("the initial state", trace.initial, model.latches, "latches")
    for step, line in enumerate(trace.inputs):
        _check_bits(f"step {step}", line, model.inputs, "inputs")


def _check_bits(what: str, bits: Sequence[int], expected: int, noun: str) -> None:
    if len(bits) != expected:
        raise CertificateError(f"the trace does not fit: {what} has {len(bits)} bits, the model has {expected} {noun}")
    if any(bit not in (0, 1) for bit in bits):
        raise CertificateError(f"the trace does not fit: {what} has a value that is neither 0 nor 1")


def _check_resets(model: Aig, trace: Trace) -> None:
    wanted = Simulator(model, model.resets).evaluate(trace.inputs[0], trace.initial)
    for position, (bit, reset) in enumerate(zip(trace.initial, wanted, strict=True)):
        if bit != reset:  # a free latch resets to itself
            name = model.latch_name(position)
            raise CertificateError(f"the trace does not start in an initial state: {name} is {bit}, its reset is {reset}")


def _check_constraints(model: Aig, step: int, values: Sequence[int]) -> None:
    for position, value in enumerate(values):
        if not value:
            name = model.symbols.get(("c", position), f"c{position}")
            raise CertificateError(f"constraint {name} is violated in step {step}")
