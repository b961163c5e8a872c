"""Evidence about graphs in general as files: derivations, models of Horn clauses, formulas over the variables of a system.

A model defines each predicate, as solvers for Horn clauses do; ``lemmata certify`` reads it back, like those of other solvers.
For a transition system the formulas are asserted one by one, as for words.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.models.words import WordInvariant
from lemmata.run.graph_evidence import invariant_script
from lemmata.run.task import NO_FILES, Files, Wanted
from lemmata.verdict import Safe, Unsafe


def files(graph: Graph, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
    match verdict:
        case Unsafe(Derivation() as derivation) if wanted.witness:
            from lemmata.certify.formats.derivation import format_derivation

            return Files(witness=format_derivation(graph, derivation).encode(errors="surrogateescape"))
        case Safe(GraphInvariant() as invariant) if wanted.certificate:
            return Files(certificate=proof_text(graph, invariant).encode(errors="surrogateescape"))
        case Safe(GraphKInductive(k, invariant)) if wanted.certificate:
            text = f"; the property is {k}-inductive, given that\n{proof_text(graph, invariant)}"
            return Files(certificate=text.encode(errors="surrogateescape"))
        case _:
            return NO_FILES


def with_lines(graph: Graph, derivation: Derivation) -> Derivation:
    """Facts that know the lines of their clauses."""
    edges = graph.edges
    facts = [replace(fact, line=edges[fact.edge].line) if fact.edge < len(edges) else fact for fact in derivation.facts]
    return replace(derivation, facts=tuple(facts))


def proof_text(graph: Graph, invariant: GraphInvariant) -> str:
    """Claims as a model of the clauses; those of a transition system as formulas."""
    if graph.origin.kind != "horn" and len(invariant.claims) == 1:
        return invariant_script(WordInvariant(invariant.claims[0].lemmas))
    from lemmata.frontends.horn.models import write_model

    return write_model(graph, invariant)
