"""Is this witness circuit a proof? The checks of Certifaiger, done by ourselves.

For a model with resets R, constraints C, next-state functions F and property P, and a witness circuit with R′, C′, F′, P′ that
shares the inputs and latches K with it (Yu, Froleyks, Biere, Heljanko 2022, 2023; Froleyks et al. 2025), five formulas must be
valid:

- reset       ``R{K} ∧ C → R′{K} ∧ C′``
- transition  ``F{K} ∧ C₀ ∧ C₁ ∧ C₀′ → F′{K} ∧ C₁′``
- safety      ``C ∧ C′ ∧ P′ → P``
- base        ``R′ ∧ C′ → P′``
- inductive   ``P₀′ ∧ F′ ∧ C₀′ ∧ C₁′ → P₁′``

``R{K}`` are the resets of shared latches only; what is not shared is universally quantified. The first two say that every run
of the model is, step by step, the shared part of a run of the witness: that is why the conclusion must contain C′, or a witness
that forbids everything would prove everything. The resets of the witness must be stratified, so that values for its other
latches exist.

K is read from the witness' symbols: an input or latch named ``= 2`` stands for literal 2 of the model. Without any such name
the first inputs stand for the first inputs and the first latches for the first latches, as many as both have. Certifaiger's
mapping of gates (a ``MAPPING`` comment) and its quantified checks are not supported. A witness of a model without latches, or
without latches itself, is nothing special.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lemmata.certify.circuit.cone import combinational_cone
from lemmata.certify.circuit.encode import Cnf, EncodedStep, successor
from lemmata.certify.circuit.invariant import bad_literal
from lemmata.certify.circuit.resets import require_stratified
from lemmata.certify.circuit.witness_circuit import witness_circuit
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit
from lemmata.solvers.checker import Backend, CertificateSolver, CheckedSat
from lemmata.values import dataclass

__all__ = ["check_certificate", "shared_literals", "witness_circuit"]

Shared = tuple[tuple[Lit, Lit], ...]  # model literal, witness literal


def check_certificate(
    model: Aig, prop: int, certificate: Aig, backend: Backend = "cadical153", until: float | None = None
) -> None:
    """Raise ``CertificateError`` unless ``certificate`` is a witness circuit for property ``prop`` of ``model``."""
    bad = bad_literal(model, prop)
    if not certificate.properties():
        raise CertificateError(f"{certificate.file}: a witness circuit needs a bad literal (or an output)")
    require_stratified(model)
    require_stratified(certificate)
    question = _Question(model, bad, certificate, certificate.properties()[0].bad, shared_literals(model, certificate))
    for name, ask in (
        ("reset", _ask_reset),
        ("transition", _ask_transition),
        ("safety", _ask_safety),
        ("base", _ask_base),
        ("inductive", _ask_inductive),
    ):
        cnf = Cnf(CertificateSolver(backend, until))
        ask(question, cnf)
        if isinstance(cnf.solve(), CheckedSat):
            raise CertificateError(f"{certificate.file} is not a witness circuit for {model.file}: the {name} check fails")


def shared_literals(model: Aig, certificate: Aig) -> Shared:
    """Which input or latch of the model each shared input or latch of the certificate stands for."""
    named = [(("i", p), certificate.input_lit(p)) for p in range(certificate.inputs)]
    named += [(("l", p), certificate.latch_lit(p)) for p in range(certificate.latches)]
    texts = [(certificate.symbols.get(key, ""), lit) for key, lit in named]
    shared = tuple((_simulated(model, text), lit) for text, lit in texts if text.startswith("="))
    if shared:
        return shared
    if any(comment.startswith("MAPPING") for comment in certificate.comments):
        raise CertificateError(f"{certificate.file}: mappings of gates (MAPPING in a comment) are not supported")
    inputs = range(min(model.inputs, certificate.inputs))
    latches = range(min(model.latches, certificate.latches))
    by_input = tuple((model.input_lit(p), certificate.input_lit(p)) for p in inputs)
    return by_input + tuple((model.latch_lit(p), certificate.latch_lit(p)) for p in latches)


def _simulated(model: Aig, text: str) -> Lit:
    match = re.match(r"=\s*(\d{1,18})\s*$", text)
    if match is None:
        raise CertificateError(f"the symbol {text!r} is not a mapping: expected '= LITERAL'")
    lit = int(match[1])
    if lit & 1 or not 1 <= lit >> 1 < model.first_gate:
        raise CertificateError(f"the symbol {text!r} names no input or latch of {model.file}")
    return lit


@dataclass(frozen=True, slots=True)
class _Question:
    """A model, a witness, and what they share. Each check states the negation of its formula."""

    model: Aig
    bad: Lit
    witness: Aig
    witness_bad: Lit
    shared: Shared

    def frames(self, cnf: Cnf, model_frame: EncodedStep) -> EncodedStep:
        """The witness' frame beside a model's frame: shared inputs and latches are the same."""
        frame = EncodedStep(self.witness, cnf)
        for (_, ours), to in zip(self.shared, model_frame.lits([lit for lit, _ in self.shared]), strict=True):
            frame.bind(ours, to)
        return frame

    def model_latches(self) -> dict[int, Lit]:
        """Position → literal of the shared latches of the model."""
        first = self.model.first_latch
        return {(lit >> 1) - first: lit for lit, _ in self.shared if lit >> 1 >= first}

    def witness_latches(self) -> dict[int, Lit]:
        """Position → literal of the shared latches of the witness."""
        first = self.witness.first_latch
        return {(lit >> 1) - first: lit for _, lit in self.shared if lit >> 1 >= first}


def _ask_reset(q: _Question, cnf: Cnf) -> None:
    """``R{K} ∧ C ∧ ¬(R′{K} ∧ C′)``."""
    frame = EncodedStep(q.model, cnf)
    functions = {}
    for position, lit in q.model_latches().items():
        reset = q.model.resets[position]
        if reset <= 1:
            frame.bind(lit, cnf.true if reset else -cnf.true)
        else:
            functions[lit] = reset
    for lit, reset in functions.items():
        cnf.equal(frame.lit(lit), frame.lit(reset))
    cnf.hold(frame.lits(q.model.constraints))
    beside = q.frames(cnf, frame)
    latches = q.witness_latches()
    _violate(cnf, beside, beside.lits([*latches.values()]), beside.lits([q.witness.resets[p] for p in latches]))


def _ask_transition(q: _Question, cnf: Cnf) -> None:
    """``F{K} ∧ C₀ ∧ C₁ ∧ C₀′ ∧ ¬(F′{K} ∧ C₁′)``."""
    before = EncodedStep(q.model, cnf)
    after = successor(before, cnf, q.model_latches())
    cnf.hold(before.lits(q.model.constraints) + after.lits(q.model.constraints))
    beside_before, beside_after = q.frames(cnf, before), q.frames(cnf, after)
    cnf.hold(beside_before.lits(q.witness.constraints))
    latches = q.witness_latches()
    became = beside_before.lits([q.witness.nexts[p] for p in latches])
    _violate(cnf, beside_after, beside_after.lits([*latches.values()]), became)


def _violate(cnf: Cnf, beside: EncodedStep, left: Iterable[int], right: Iterable[int]) -> None:
    """State that some pair differs or some constraint of the witness fails."""
    broken = [cnf.differ(a, b) for a, b in zip(left, right, strict=True)]
    cnf.clause(broken + [-lit for lit in beside.lits(beside.model.constraints)])


def _ask_safety(q: _Question, cnf: Cnf) -> None:
    """``C ∧ C′ ∧ P′ ∧ ¬P``."""
    frame = EncodedStep(q.model, cnf)
    beside = q.frames(cnf, frame)
    cnf.hold(frame.lits((*q.model.constraints, q.bad)))
    cnf.hold(beside.lits((*q.witness.constraints, q.witness_bad ^ 1)))


def _ask_base(q: _Question, cnf: Cnf) -> None:
    """``R′ ∧ C′ ∧ ¬P′``."""
    cnf.hold(EncodedStep(q.witness, cnf, initial=True).lits((*q.witness.constraints, q.witness_bad)))


def _ask_inductive(q: _Question, cnf: Cnf) -> None:
    """``P₀′ ∧ F′ ∧ C₀′ ∧ C₁′ ∧ ¬P₁′``."""
    roots = (*q.witness.constraints, q.witness_bad)
    before = EncodedStep(q.witness, cnf)
    after = successor(before, cnf, combinational_cone(q.witness, roots).latches)
    cnf.hold(before.lits((*q.witness.constraints, q.witness_bad ^ 1)))
    cnf.hold(after.lits(roots))
