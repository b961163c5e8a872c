"""Evidence about graphs: BTOR2 witnesses and derivations for runs, SMT-LIB for proofs, a sentence for k-inductiveness.

A model defines each predicate, as solvers for Horn clauses do; for a transition system the lemmas are asserted one by one.
``lemmata certify`` reads both back, like those of other solvers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lemmata.errors import Unsupported
from lemmata.escapes import printable
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.sorts import BitVec
from lemmata.logic.systemverilog import is_source_name, systemverilog
from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.text import infix
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.design import Design
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
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
        case Safe(WordInvariant() as invariant) if wanted.certificate == ".sv" and graph.design is not None:
            return Files(certificate=bound_assertions(graph.design, invariant).encode("utf-8", "replace"))
        case Safe(KInductive()) if wanted.certificate == ".sv":
            return Files(missing="no certificate was written: the proof is by k-induction (--engine pdr finds invariants)")
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


def bound_assertions(design: Design, invariant: WordInvariant) -> str:
    """The lemmas as assertions in a module of their own, and the line that binds it to the top module of the design.

    What the language cannot say in another module (words of memories, names that are none of the source) is a comment.
    """
    edge = f"@({'posedge' if design.clock.is_rising else 'negedge'} {design.clock.name})" if design.clock else "@*"
    used: dict[Term, str] = {}
    asserted: list[str] = []
    for number, lemma in enumerate(invariant.lemmas):
        names = variables([lemma])
        ports = {v.data: var(_port(v), v.sort) for v in names}
        text = systemverilog(substitute([lemma], {v: ports[v.data] for v in names})[0])
        if text is None or not all(isinstance(v.sort, BitVec) and is_source_name(name_of(v)) for v in names):
            asserted.append(f"  // {printable(infix(lemma))}")
            continue
        used |= {v: _port(v) for v in names}
        asserted.append(f"  always {edge} lemma{number}: assert ({text});")
    clock = [design.clock.name] if design.clock else []
    declared = [f"input {f'[{v.width - 1}:0] ' if v.width > 1 else ''}{port}" for v, port in used.items()]
    connected = [*(f".{name}({name})" for name in clock), *(f".{port}({name_of(v)})" for v, port in used.items())]
    return "\n".join(
        [
            "// An inductive invariant, written by Lemmata: every lemma holds in every reachable state.",
            f"module lemmata_invariant({', '.join([*(f'input {name}' for name in clock), *declared])});",
            *asserted,
            "endmodule",
            f"bind {design.top} lemmata_invariant lemmata_invariant_i ({', '.join(connected)});",
            "",
        ]
    )


def _port(v: Term) -> str:
    return re.sub(r"\W+", "_", name_of(v)).strip("_") + "_"


def with_lines(graph: Graph, derivation: Derivation) -> Derivation:
    """Facts that know the lines of their clauses, and the words of their places."""
    edges, places = graph.edges, graph.locations
    facts = [
        replace(fact, line=edges[fact.edge].line, place=places[edges[fact.edge].target]) if fact.edge < len(edges) else fact
        for fact in derivation.facts
    ]
    return replace(derivation, facts=tuple(facts))
