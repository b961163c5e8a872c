"""The way in for circuits: evidence becomes a verdict only after its check. That for graphs is ``certify.graph.check``."""

from __future__ import annotations

from typing import assert_never

from lemmata.certify.circuit.certifaiger import check_certificate
from lemmata.certify.circuit.invariant import check_invariant
from lemmata.certify.circuit.kinduction import check_kinductive
from lemmata.certify.circuit.minimize import minimize
from lemmata.certify.circuit.replay import replay
from lemmata.certify.circuit.witness_circuit import witness_circuit
from lemmata.certify.formats.aiger_witness import format_witness, parse_witness
from lemmata.certify.journal import Journal
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.solvers.checker import Backend
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

__all__ = [
    "certify",
    "check_certificate",
    "check_invariant",
    "check_kinductive",
    "format_witness",
    "minimize",
    "parse_witness",
    "replay",
    "witness_circuit",
]


def certify(
    model: Aig,
    prop: int,
    verdict: Verdict,
    backend: Backend = "cadical153",
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Check the evidence of a verdict; who checked it ("cadical153", "simulation"), or ``CertificateError``.

    Past ``until`` (on the work clock) raise ``GaveUp("timeout")``. ``journal`` gets what a proof owes.
    """
    match verdict:
        case Safe(Invariant() as invariant):
            check_invariant(model, prop, invariant, backend, until, journal)
            return backend
        case Safe(KInductive() as evidence):
            check_kinductive(model, prop, evidence, backend, until, journal)
            return backend
        case Unsafe(Trace() as trace):
            if trace.prop != prop:
                raise CertificateError(f"the trace is about property {trace.prop}, not {prop}")
            replay(model, trace)
            return "simulation"
        case Unknown():
            raise CertificateError("an unknown verdict has no evidence")
        case Safe() | Unsafe():
            raise CertificateError(f"no check is known for the evidence of this {verdict.word} verdict")
        case _:
            assert_never(verdict)
