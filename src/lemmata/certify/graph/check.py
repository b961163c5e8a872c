"""Certify evidence about graphs: proofs by fresh queries in the theory of words or numbers, runs by evaluation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import assert_never

from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.certify.journal import Journal
from lemmata.certify.query import WORD_SOLVERS
from lemmata.errors import CertificateError
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


def certify_graph(
    graph: Graph,
    prop: int,
    verdict: Verdict,
    solvers: Sequence[str] = WORD_SOLVERS,
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Check the evidence of a verdict; who checked it ("bitwuzla", "evaluation"), or ``CertificateError``.

    ``GaveUp`` where no solver gets through a proof until ``until`` (on the work clock). ``journal`` gets what a proof owes.
    """
    match verdict:
        case Safe(WordInvariant() as invariant):
            from lemmata.certify.words.invariant import check_word_invariant

            return check_word_invariant(graph, prop, invariant, solvers, until, journal)
        case Safe(KInductive() as evidence):
            from lemmata.certify.words.kinduction import check_word_kinductive

            return check_word_kinductive(graph, prop, evidence, solvers, until, journal)
        case Safe(GraphInvariant() as claims):
            return check_claims(graph, prop, claims, solvers, until, journal)
        case Safe(GraphKInductive() as evidence):
            from lemmata.certify.graph.kinduction import check_claims_kinductive

            return check_claims_kinductive(graph, prop, evidence, solvers, until, journal)
        case Unsafe(WordTrace() | Derivation() as trace):
            if trace.prop != prop:
                raise CertificateError(f"the trace is about property {trace.prop}, not {prop}")
            if isinstance(trace, Derivation):
                return replay_derivation(graph, trace, solvers, until)
            from lemmata.certify.words.replay import replay_words

            replay_words(graph, trace)
            return "evaluation"
        case Unknown():
            raise CertificateError("an unknown verdict has no evidence")
        case Safe() | Unsafe():
            raise CertificateError(f"no check is known for the evidence of this {verdict.word} verdict")
        case _:
            assert_never(verdict)


def checkers(used: Collection[str], numbers: bool = False) -> tuple[str, ...]:
    """The solvers that may check a proof by engines that used these: "pysat" for bits, or solvers by name.

    Our own blaster stands behind "pysat" and "blast" alike, so neither may check the other. ``numbers`` are for cvc5, which no
    engine uses by itself; z3 comes next, to which engines may turn with hard questions.
    """
    order = ("cvc5", "z3", "yices", "bitwuzla") if numbers else ("bitwuzla", "z3", "cvc5", "yices")
    others = [name for name in order if name not in used]
    return tuple(others if {"pysat", "blast"} & set(used) else [*others, "blast"])
