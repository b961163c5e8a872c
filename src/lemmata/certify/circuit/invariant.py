"""Is this invariant inductive, and does it rule out the bad states?

An ``Invariant`` is a set of cubes, ``Inv = ⋀ ¬cube``. With R(s, x) = "s has its reset values under the first inputs x",
C(s, x) = "the constraints hold" and T = the next-state functions, three fresh queries must be unsatisfiable:

- initiation   ``R(s, x) ∧ C(s, x) ∧ ⋁ cube``
- consecution  ``Inv(s) ∧ C(s, x) ∧ T(s, x, s′) ∧ ⋁ cube′``
- safety       ``Inv(s) ∧ C(s, x) ∧ bad(s, x)``

Why that is enough: a counterexample is a run s₀ x₀ s₁ x₁ … sₙ xₙ with R(s₀, x₀), C(sᵢ, xᵢ) for all i ≤ n and bad(sₙ, xₙ).
Initiation gives Inv(s₀), consecution carries it to sₙ, safety contradicts bad(sₙ, xₙ). Each of the three may assume C on the
step it starts from, since every step of the run has it, the first and the last included. Nothing is asked of a step that
comes after: the bad step needs no successor, and consecution does not assume C on the successor, so an invariant also holds
in states whose every input violates a constraint. The empty cube says ``Inv = false``; it passes initiation only if no
initial state satisfies the constraints, and then there is no run at all.

Consecution is one query, with a selector per lemma (``selector → cube′``, one selector true), rather than one per lemma.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.certify.circuit.encode import Cnf, EncodedStep, state_text
from lemmata.certify.circuit.resets import require_stratified
from lemmata.certify.journal import Journal, discharging
from lemmata.errors import CertificateError
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.checker import Backend, CertificateSolver, CheckedSat


def check_invariant(
    model: Aig,
    prop: int,
    invariant: Invariant,
    backend: Backend = "cadical153",
    until: float | None = None,
    journal: Journal | None = None,
) -> None:
    """Raise ``CertificateError`` unless ``invariant`` proves property ``prop`` of ``model``."""
    bad = bad_literal(model, prop)
    require_stratified(model)
    require_latch_cubes(model, invariant)
    with discharging(journal, ProofObligation("initiation"), backend):
        _check_initiation(model, invariant, CertificateSolver(backend, until))
    with discharging(journal, ProofObligation("consecution"), backend):
        _check_consecution(model, invariant, CertificateSolver(backend, until))
    with discharging(journal, ProofObligation("property"), backend):
        _check_safety(model, bad, invariant, CertificateSolver(backend, until))


def bad_literal(model: Aig, prop: int) -> Lit:
    """The bad literal of a property that must exist."""
    if not 0 <= prop < len(model.questions):
        raise CertificateError(f"{model.file} has no property {prop}: it has {len(model.questions)}")
    return model.questions[prop]


def require_latch_cubes(model: Aig, invariant: Invariant) -> None:
    """Raise ``CertificateError`` unless every cube is a set of latch literals without a contradiction."""
    low, high = 2 * model.first_latch, 2 * model.first_gate
    for number, cube in enumerate(invariant.cubes):
        lits = set(cube)
        for lit in cube:
            if not low <= lit < high:
                raise CertificateError(f"lemma {number}: literal {lit} is not a latch of {model.file}")
            if lit ^ 1 in lits:
                raise CertificateError(f"lemma {number}: contradictory cube, {state_text(model, sorted(cube))}")


def _check_initiation(model: Aig, invariant: Invariant, checker: CertificateSolver) -> None:
    """``R(s, x) ∧ C(s, x) ∧ ⋁ cube`` is unsatisfiable."""
    cnf = Cnf(checker)
    frame = EncodedStep(model, cnf, initial=True)
    cnf.hold(frame.lits(model.constraints))
    selectors = _some_cube(cnf, frame, {lit: lit for cube in invariant.cubes for lit in cube}, invariant)
    answer = cnf.solve()
    if isinstance(answer, CheckedSat):
        cube = _chosen(invariant, selectors, answer)
        _fail(model, "initiation", invariant, cube, "the initial state", frame.state(answer))


def _check_consecution(model: Aig, invariant: Invariant, checker: CertificateSolver) -> None:
    """``Inv(s) ∧ C(s, x) ∧ T(s, x, s′) ∧ ⋁ cube′`` is unsatisfiable."""
    cnf = Cnf(checker)
    frame = EncodedStep(model, cnf)
    cnf.hold(frame.lits(model.constraints))
    _assume_lemmas(cnf, frame, invariant)
    primed = {lit: model.nexts[(lit >> 1) - model.first_latch] ^ (lit & 1) for cube in invariant.cubes for lit in cube}
    selectors = _some_cube(cnf, frame, primed, invariant)
    answer = cnf.solve()
    if isinstance(answer, CheckedSat):
        cube = _chosen(invariant, selectors, answer)
        _fail(model, "consecution", invariant, cube, "a successor of the state", frame.state(answer))


def _check_safety(model: Aig, bad: Lit, invariant: Invariant, checker: CertificateSolver) -> None:
    """``Inv(s) ∧ C(s, x) ∧ bad(s, x)`` is unsatisfiable."""
    cnf = Cnf(checker)
    frame = EncodedStep(model, cnf)
    cnf.hold(frame.lits((*model.constraints, bad)))
    _assume_lemmas(cnf, frame, invariant)
    answer = cnf.solve()
    if isinstance(answer, CheckedSat):
        where = state_text(model, frame.state(answer))
        raise CertificateError(f"safety fails: the invariant allows the bad state {where}")


def _assume_lemmas(cnf: Cnf, frame: EncodedStep, invariant: Invariant) -> None:
    lits = sorted({lit for cube in invariant.cubes for lit in cube})
    negated = {lit: -to for lit, to in zip(lits, frame.lits(lits), strict=True)}
    cnf.clauses([negated[lit] for lit in cube] for cube in invariant.cubes)


def _some_cube(cnf: Cnf, frame: EncodedStep, image: dict[Lit, Lit], invariant: Invariant) -> list[int]:
    """State that some cube is met, its literals read through ``image``; one selector per cube."""
    lits = sorted(image)
    of = dict(zip(lits, frame.lits([image[lit] for lit in lits]), strict=True))
    selectors = [cnf.fresh() for _ in invariant.cubes]
    for selector, cube in zip(selectors, invariant.cubes, strict=True):
        cnf.clauses([-selector, of[lit]] for lit in cube)
    cnf.clause(selectors)
    return selectors


def _chosen(invariant: Invariant, selectors: list[int], answer: CheckedSat) -> LatchCube:
    return next(cube for selector, cube in zip(selectors, invariant.cubes, strict=True) if answer.true(selector))


def _fail(model: Aig, check: str, invariant: Invariant, cube: LatchCube, who: str, state: Iterable[Lit]) -> None:
    lemma = invariant.clause_text(cube)
    variables = {lit >> 1 for lit in cube}
    state = sorted(state, key=lambda lit: (lit >> 1 not in variables, lit))  # what the lemma speaks of comes first
    raise CertificateError(f"{check} fails: {who} {state_text(model, state)} violates the lemma {lemma}")
