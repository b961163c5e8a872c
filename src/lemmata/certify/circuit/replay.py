"""Does this trace really reach a bad state?

The trace is run on the circuit as it was read, with concrete bits: the first state must agree with the resets (constants, reset
functions under the first inputs; free latches may be anything), the constraints must hold in every step, the last one included,
and in the last step the property's bad literal must be true. A trace that runs on after its bad state is refused: it says less
than it could.

The bits come from ``CircuitSimulator``: no solver and no encoding, only the gates below the literals that are asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from lemmata.certify.circuit.cone import combinational_cone, sequential_cone
from lemmata.certify.circuit.invariant import bad_literal
from lemmata.certify.circuit.resets import require_stratified
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit
from lemmata.models.trace import Trace

PAIR = ((0, 1), (1, 0))  # a bit and its complement


class CircuitSimulator:
    """Evaluates ``roots`` of ``model`` again and again."""

    def __init__(self, model: Aig, roots: Sequence[Lit]) -> None:
        cone = combinational_cone(model, roots)
        self._inputs, self._latches = cone.inputs, cone.latches
        leaves = [0, *(1 + p for p in cone.inputs), *(model.first_latch + p for p in cone.latches)]
        place = array("q", bytes(8 * model.variables))
        for at, var in enumerate(chain(leaves, cone.gates)):
            place[var] = 2 * at
        first = model.first_gate
        lefts, rights = model.lefts, model.rights
        self._lefts = array("q", (_moved(place, lefts[var - first]) for var in cone.gates))
        self._rights = array("q", (_moved(place, rights[var - first]) for var in cone.gates))
        self._roots = [place[lit >> 1] | lit & 1 for lit in roots]

    def evaluate(self, inputs: Sequence[int], latches: Sequence[int]) -> list[int]:
        """The roots' values (0 or 1) under all inputs and all latches of the model."""
        values = [0, 1]
        for position in self._inputs:
            values += PAIR[inputs[position]]
        for position in self._latches:
            values += PAIR[latches[position]]
        for left, right in zip(self._lefts, self._rights, strict=True):
            values += PAIR[values[left] & values[right]]
        return [values[root] for root in self._roots]


def _moved(place: Sequence[int], lit: Lit) -> Lit:
    return place[lit >> 1] | lit & 1


def replay(model: Aig, trace: Trace) -> None:
    """Raise ``CertificateError`` unless ``trace`` runs from an initial state of ``model`` to a bad one."""
    bad = bad_literal(model, trace.prop)
    require_stratified(model)
    _check_shape(model, trace)
    _check_resets(model, trace)
    latches = sequential_cone(model, (bad, *model.constraints)).latches
    simulator = CircuitSimulator(model, (bad, *model.constraints, *(model.nexts[p] for p in latches)))
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
    wanted = CircuitSimulator(model, model.resets).evaluate(trace.inputs[0], trace.initial)
    for position, (bit, reset) in enumerate(zip(trace.initial, wanted, strict=True)):
        if bit != reset:  # a free latch resets to itself
            name = model.latch_name(position)
            raise CertificateError(f"the trace does not start in an initial state: {name} is {bit}, its reset is {reset}")


def _check_constraints(model: Aig, step: int, values: Sequence[int]) -> None:
    for position, value in enumerate(values):
        if not value:
            name = model.symbols.get(("c", position), f"c{position}")
            raise CertificateError(f"constraint {name} is violated in step {step}")
