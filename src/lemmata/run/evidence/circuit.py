"""Evidence about circuits: AIGER witnesses, Certifaiger circuits, readable clauses."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from lemmata.certify.circuit.check import format_witness, witness_circuit
from lemmata.errors import UsageError
from lemmata.frontends.aiger import format_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.run.task import NO_FILES, Files, Wanted
from lemmata.verdict import Safe, Unsafe

_LEGIBLE = re.compile(r"(?!(?:true|false)\b)[^\s¬!~#](?:(?! ∨ | \|).)*(?<!\s)")


def named(model: Aig, verdict: Safe | Unsafe) -> Safe | Unsafe:
    """The same verdict with the names of the file."""
    latches = tuple(map(model.latch_name, range(model.latches)))
    match verdict:
        case Safe(Invariant() as invariant):
            return Safe(replace(invariant, names=latches, first_latch=model.first_latch))
        case Unsafe(Trace() as trace):
            inputs = tuple(map(model.input_name, range(model.inputs)))
            return Unsafe(replace(trace, latch_names=latches, input_names=inputs))
        case _:
            return verdict


def circuit_files(model: Aig, prop: int, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """AIGER witnesses, Certifaiger circuits, readable clauses."""
    match verdict:
        case Unsafe(Trace() as trace) if wanted.witness:
            return Files(witness=format_witness(model, trace).encode())
        case Safe((Invariant() | KInductive()) as proof) if wanted.certificate in (".aag", ".aig", "any"):
            try:
                circuit = witness_circuit(model, prop, proof)
            except UsageError as error:
                return Files(missing=f"no certificate was written: {error}")
            return Files(certificate=format_aiger(circuit, binary=wanted.certificate != ".aag"))
        case Safe(Invariant() as invariant) if wanted.certificate:
            text = replace(invariant, names=_legible(model)).describe()
            return Files(certificate=f"{text}\n".encode(errors="surrogateescape"))
        case Safe(proof) if wanted.certificate:
            return Files(certificate=f"{proof.describe()}\n".encode())
        case _:
            return NO_FILES


def _legible(model: Aig) -> tuple[str, ...]:
    """Names for a file of clauses that is read again: a latch whose name could be mistaken is called by its position."""
    names = tuple(map(model.latch_name, range(model.latches)))
    count = Counter(names)
    return tuple(
        name if count[name] == 1 and name.isprintable() and _LEGIBLE.fullmatch(name) else word
        for name, word in zip(names, model.latch_words(), strict=True)
    )
