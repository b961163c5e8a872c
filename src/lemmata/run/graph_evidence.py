"""Evidence about graphs as files: BTOR2 witnesses for traces, SMT-LIB scripts for invariants, a sentence for k-inductiveness.

A script declares the variables and asserts every lemma, with the readable form above it as a comment; it can be read again
(``logic.smtlib.formula_reader``), by Lemmata and by every SMT solver.
"""

from __future__ import annotations

from lemmata.errors import Unsupported
from lemmata.escapes import printable
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.terms import name_of
from lemmata.logic.text import infix
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.task import NO_FILES, Files, Wanted
from lemmata.verdict import Safe, Unsafe


def files(graph: Graph, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
    match verdict:
        case Unsafe(WordTrace() as trace) if wanted.witness:
            from lemmata.certify.formats.btor2_witness import format_btor2_witness

            try:
                return Files(witness=format_btor2_witness(graph, trace).encode())
            except Unsupported as error:
                return Files(missing=f"no witness was written: {error.cause} ({error.remedy})")
        case Safe(WordInvariant() as invariant) if wanted.certificate:
            return Files(certificate=invariant_script(invariant).encode(errors="surrogateescape"))
        case Safe(proof) if wanted.certificate:
            return Files(certificate=f"{proof.describe()}\n".encode())
        case _:
            return NO_FILES


def invariant_script(invariant: WordInvariant) -> str:
    """The lemmas as SMT-LIB."""
    lines = ["; an inductive invariant: every lemma holds in every reachable state"]
    lines += [f"(declare-const {symbol(name_of(v))} {v.sort})" for v in variables(invariant.lemmas)]
    for lemma in invariant.lemmas:
        lines += [f"; {printable(infix(lemma))}", f"(assert {to_text(lemma)})"]
    return "\n".join(lines) + "\n"
