"""Is this invariant over words inductive, and does it rule out the bad states?

``Inv = ⋀ lemma``. With I, C and T of the system, three fresh queries must be unsatisfiable:

- initiation   ``I(x) ∧ C(x, i) ∧ ¬Inv(x)``
- consecution  ``Inv(x) ∧ C(x, i) ∧ x′ = next(x, i) ∧ ¬Inv(x′)``
- safety       ``Inv(x) ∧ C(x, i) ∧ bad(x, i)``

The argument is that of ``certify.circuit.invariant``: a counterexample has C on each of its steps, the first and the last
included, and nothing is asked of a step after the last. The words are bit-vectors and arrays of the solver's own theory:
arithmetic wraps, nothing was expanded, and no bit-blaster of ours takes part.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.journal import Journal
from lemmata.certify.query import WORD_SOLVERS, Panel
from lemmata.certify.words.question import later, question, require_formulas, transition, violated, word_state_text
from lemmata.errors import CertificateError
from lemmata.logic.terms import Term, make
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph
from lemmata.models.system import System, primed
from lemmata.models.words import WordInvariant
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.smt import Sat


def check_word_invariant(
    graph: Graph,
    prop: int,
    invariant: WordInvariant,
    solvers: Sequence[str] = WORD_SOLVERS,
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Who checked that ``invariant`` proves property ``prop``; ``CertificateError`` if it does not.

    ``GaveUp`` if no solver gets through until ``until``.
    """
    system, bad = question(graph, prop)
    lemmas = tuple(dict.fromkeys(invariant.lemmas))
    require_formulas(system, lemmas)
    panel = Panel(solvers, until, journal)
    if lemmas:
        _check_initiation(system, lemmas, panel)
        _check_consecution(system, lemmas, panel)
    _check_safety(system, bad, lemmas, panel)
    return ", ".join(panel.answered)


def _check_initiation(system: System, lemmas: tuple[Term, ...], panel: Panel) -> None:
    """``I ∧ C ∧ ¬Inv`` is unsatisfiable."""
    formulas = [system.init, system.constraint, _some_fails(lemmas)]
    answer = panel.discharge(ProofObligation("initiation"), formulas, system.variables)
    if isinstance(answer, Sat):
        where = word_state_text(answer.values)
        lemma = violated(lemmas, answer.values)
        raise CertificateError(f"initiation fails: the initial state {where} violates the lemma {lemma}")


def _check_consecution(system: System, lemmas: tuple[Term, ...], panel: Panel) -> None:
    """``Inv ∧ C ∧ T ∧ ¬Inv′`` is unsatisfiable."""
    spoken = variables(lemmas)
    formulas = [*lemmas, system.constraint, *transition(system, spoken), _some_fails(later(lemmas, system))]
    answer = panel.discharge(ProofObligation("consecution"), formulas, [*system.variables, *map(primed, spoken)])
    if isinstance(answer, Sat):
        before = {v: answer.values[v] for v in system.variables}
        lemma = violated(lemmas, {v: answer.values[primed(v)] for v in spoken})
        where = word_state_text(before, spoken)
        raise CertificateError(f"consecution fails: a successor of the state {where} violates the lemma {lemma}")


def _check_safety(system: System, bad: Term, lemmas: tuple[Term, ...], panel: Panel) -> None:
    """``Inv ∧ C ∧ bad`` is unsatisfiable."""
    answer = panel.discharge(ProofObligation("property"), [*lemmas, bad], system.variables)
    if isinstance(answer, Sat):
        raise CertificateError(f"safety fails: the invariant allows the bad state {word_state_text(answer.values)}")


def _some_fails(lemmas: Sequence[Term]) -> Term:
    return make("or", tuple(make("not", (lemma,)) for lemma in lemmas))
