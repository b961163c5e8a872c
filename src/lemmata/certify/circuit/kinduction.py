"""Is this property k-inductive?

Two fresh questions (Sheeran, Singh, Stålmarck 2000), with R, C, T as in ``invariant``:

- base  no run s₀ … sⱼ with R(s₀, x₀), C on every step and bad(sⱼ, xⱼ), for j < k
- step  no path s₀ … sₖ from anywhere with C on every step, ¬bad(sᵢ, xᵢ) for i < k, and bad(sₖ, xₖ); with ``simple`` the
  k + 1 states are pairwise different

Why that is enough. Suppose there are counterexamples, runs s₀ x₀ … sₙ xₙ with C on every step and bad(sₙ, xₙ), and take a
shortest. No earlier step is bad under its own inputs, or the run could stop there. Base gives n ≥ k. So its last k + 1 steps
are a path as in step, which does not exist. The argument looks only at steps that the run takes: it does not matter that a
constraint may leave a state without a successor, nor that bad and C read inputs.

``simple`` needs the states of a shortest counterexample to be different. Say sᵢ = sⱼ with i < j. If i > 0, leaving out the
steps i … j − 1 gives a shorter run: sⱼ follows sᵢ₋₁ because sᵢ did, and step j keeps its own inputs, under which C held. If
i = 0 the shorter run starts in sⱼ with the inputs xⱼ, and R(s₀, xⱼ) is known only when no reset reads an input. Where one
does, base is asked for j ≤ k instead: then n > k, and the window of k + 1 states does not contain s₀.

A state is here the latches in the cone of influence of bad and C, and nothing else. They determine, with the inputs, their own
successors and bad and C, so the cut of the last paragraph goes through for them: the run continues from sᵢ with the
inputs that followed sⱼ, latches outside the cone may then differ, and nothing looks at them. (For i = 0 the run keeps s₀
itself as its first state, so R holds outside the cone, too.) Latches that a caller knows to be equal or constant still
count: they may differ in states that are not reachable.

States are made different one pair at a time, when a model has them equal: asking for all pairs at once is quadratic in k.
"""

from __future__ import annotations

from itertools import combinations

from lemmata.certify.circuit.cone import sequential_cone
from lemmata.certify.circuit.encode import Cnf, EncodedStep, state_text, successor
from lemmata.certify.circuit.invariant import bad_literal
from lemmata.certify.circuit.resets import require_stratified, resets_read_inputs
from lemmata.certify.journal import Journal, discharging
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import KInductive
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.checker import Backend, CertificateSolver, CheckedSat, CheckedUnsat

_State = tuple[int, ...]  # solver literals of the latches in the cone


def check_kinductive(
    model: Aig,
    prop: int,
    evidence: KInductive,
    backend: Backend = "cadical153",
    until: float | None = None,
    journal: Journal | None = None,
) -> None:
    """Raise ``CertificateError`` unless property ``prop`` of ``model`` is k-inductive as ``evidence`` says."""
    bad = bad_literal(model, prop)
    require_stratified(model)
    if evidence.k < 0:
        raise CertificateError(f"k-induction with k = {evidence.k}")
    depth = evidence.k + (evidence.simple and resets_read_inputs(model))
    with discharging(journal, ProofObligation("base"), backend):
        _check_base(model, bad, depth, CertificateSolver(backend, until))
    with discharging(journal, ProofObligation("step"), backend):
        _check_step(model, bad, evidence, CertificateSolver(backend, until))


def _check_base(model: Aig, bad: Lit, depth: int, checker: CertificateSolver) -> None:
    """``R(s₀, x₀) ∧ C ∧ T ∧ … ∧ bad(sⱼ, xⱼ)`` is unsatisfiable for every j < depth."""
    cnf = Cnf(checker)
    latches = sequential_cone(model, (bad, *model.constraints)).latches
    frame = EncodedStep(model, cnf, initial=True)
    for j in range(depth):
        if j:
            frame = successor(frame, cnf, latches)
        cnf.hold(frame.lits(model.constraints))
        reached = frame.lit(bad)
        if isinstance(cnf.solve([reached]), CheckedSat):
            raise CertificateError(f"base fails: a bad state is reachable in {j} steps")
        cnf.clause([-reached])


def _check_step(model: Aig, bad: Lit, evidence: KInductive, checker: CertificateSolver) -> None:
    """``C ∧ ¬bad`` on k steps of a path, then ``C ∧ bad``, is unsatisfiable."""
    cnf = Cnf(checker)
    latches = sequential_cone(model, (bad, *model.constraints)).latches
    frame = first = EncodedStep(model, cnf)
    states = [_state(frame, latches)]
    for _ in range(evidence.k):
        cnf.hold(frame.lits(model.constraints))
        cnf.clause([-frame.lit(bad)])
        frame = successor(frame, cnf, latches)
        states.append(_state(frame, latches))
    cnf.hold(frame.lits((*model.constraints, bad)))
    answer = cnf.solve()
    while isinstance(answer, CheckedSat) and evidence.simple and _separate(cnf, states, answer):
        answer = cnf.solve()
    if not isinstance(answer, CheckedUnsat):
        path = " on a path without repeated states" if evidence.simple else ""
        where = state_text(model, first.state(answer))
        raise CertificateError(f"step fails: {evidence.k} good steps from {where} lead to a bad state{path}")


def _state(frame: EncodedStep, latches: tuple[int, ...]) -> _State:
    return tuple(frame.lits([frame.model.latch_lit(position) for position in latches]))


def _separate(cnf: Cnf, states: list[_State], answer: CheckedSat) -> bool:
    """State that the pairs of states that are equal in the model differ; whether there were any."""
    values = [tuple(answer.true(lit) for lit in state) for state in states]
    equal = [(i, j) for i, j in combinations(range(len(states)), 2) if values[i] == values[j]]
    for i, j in equal:
        cnf.clause([cnf.differ(a, b) for a, b in zip(states[i], states[j], strict=True)])
    return bool(equal)
