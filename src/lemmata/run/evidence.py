"""Evidence on its way to the user: in the file's own names, minimised, and as the files that were asked for."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from lemmata.certify import format_witness, minimize, witness_circuit
from lemmata.errors import UsageError
from lemmata.frontends.aiger import format_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.run.task import NO_FILES, Files, Wanted
from lemmata.verdict import Safe, Unsafe

_LEGIBLE = re.compile(r"(?!(?:true|false)\b)[^\s¬!~#](?:(?! ∨ | \|).)*(?<!\s)")
_SHARE = 0.1  # of the time that a proof took may go into making it smaller,
_LEAST = 0.5  # but at least this many seconds


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


def minimized(model: Aig, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
    """A proof without redundant lemmas, as far as a small share of the time ``spent`` on it allows."""
    match verdict:
        case Safe(Invariant() as invariant):
            return Safe(minimize(model, prop, invariant, minimizing_time(spent)))
        case _:
            return verdict


def minimizing_time(spent: float) -> float:
    """How many seconds may go into making a proof smaller that took so many."""
    return max(_SHARE * spent, _LEAST)


def files(model: Aig, prop: int, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
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
