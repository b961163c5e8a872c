"""Evidence about graphs: BTOR2 witnesses and derivations for runs, SMT-LIB for proofs, a sentence for k-inductiveness.

A model defines each predicate, as solvers for Horn clauses do; for a transition system the lemmas are asserted one by one.
``lemmata certify`` reads both back, like those of other solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lemmata.errors import Unsupported
from lemmata.escapes import printable
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.terms import Term, name_of
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.task import NO_FILES, Files, Wanted
from lemmata.verdict import Evidence, Safe, Unsafe


def graph_files(graph: Graph, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
    match verdict:
        case Unsafe(WordTrace() as trace) if wanted.witness:
            from lemmata.certify.formats.btor2_witness import format_btor2_witness

            try:
                return Files(witness=format_btor2_witness(graph, trace).encode())
            except Unsupported as error:
                return Files(missing=f"no witness was written: {error.cause} ({error.remedy})")
        case Unsafe(Derivation() as derivation) if wanted.witness:
            from lemmata.certify.formats.derivation import format_derivation

            return Files(witness=format_derivation(graph, derivation).encode(errors="surrogateescape"))
        case Safe(proof) if wanted.certificate:
            return Files(certificate=_proof_text(graph, proof).encode(errors="surrogateescape"))
    return NO_FILES


def _proof_text(graph: Graph, proof: Evidence) -> str:
    """SMT-LIB: the lemmas of a system, one by one; the claims of other graphs as a model of the clauses."""
    match proof:
        case WordInvariant(lemmas):
            return invariant_script(lemmas)
        case GraphInvariant(claims) if graph.origin.kind != "horn" and len(claims) == 1:
            return invariant_script(claims[0].lemmas)
        case GraphInvariant():
            from lemmata.frontends.horn.models import write_model

            return write_model(graph, proof)
        case GraphKInductive(k, invariant):
            return f"; the property is {k}-inductive, given that\n{_proof_text(graph, invariant)}"
    return f"{proof.describe()}\n"


def invariant_script(lemmas: Sequence[Term]) -> str:
    """Declarations, and every lemma asserted below its readable form; ``logic.smtlib.formula_reader`` reads it again."""
    lines = ["; an inductive invariant: every lemma holds in every reachable state"]
    lines += [f"(declare-const {symbol(name_of(v))} {v.sort})" for v in variables(lemmas)]
    for lemma in lemmas:
        lines += [f"; {printable(infix(lemma))}", f"(assert {to_text(lemma)})"]
    return "\n".join(lines) + "\n"


def with_lines(graph: Graph, derivation: Derivation) -> Derivation:
    """Facts that know the lines of their clauses."""
    edges = graph.edges
    facts = [replace(fact, line=edges[fact.edge].line) if fact.edge < len(edges) else fact for fact in derivation.facts]
    return replace(derivation, facts=tuple(facts))
