"""Mistakes of certify itself on graphs, which true and bogus evidence brings to light."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lemmata.errors import CertificateError, GaveUp
from tests.seeded import bogus_graphs as evidence
from tests.seeded.bug import Catcher, SeededBug, edit

CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError, ArithmeticError, StopIteration)


def suite(name: str, true: Mapping[str, Callable[[], object]], bogus: Mapping[str, Callable[[], object]]) -> Catcher:
    """Complains when true evidence is rejected, and when bogus evidence is accepted."""

    def look(_: float) -> Iterator[str]:
        for title, check in true.items():
            try:
                check()
            except (CertificateError, GaveUp, *CRASHES) as error:
                yield f"true, but rejected: {title} ({error})"
        for title, check in bogus.items():
            try:
                check()
            except (CertificateError, GaveUp):
                continue
            except CRASHES as error:
                yield f"bogus, and certify fails: {title} ({error!r})"
                continue
            yield f"bogus, but accepted: {title}"

    return Catcher(f"bogus {name}", f"{len(true)} true and {len(bogus)} bogus pieces of evidence: {name}", look)


CLAIMS = suite("claims", evidence.CLAIMS_TRUE, evidence.CLAIMS_BOGUS)
KINDUCTIVE = suite("k-inductive claims", evidence.KINDUCTIVE_TRUE, evidence.KINDUCTIVE_BOGUS)
DERIVATIONS = suite("derivations", evidence.DERIVATIONS_TRUE, evidence.DERIVATIONS_BOGUS)
STRETCHES = suite("stretches", evidence.STRETCHES_TRUE, evidence.STRETCHES_BOGUS)
ARRAYS = suite("constant arrays", evidence.CONSTANT_ARRAYS_TRUE, evidence.CONSTANT_ARRAYS_BOGUS)
C, K, D, S = "certify.graph.claims", "certify.graph.kinduction", "certify.graph.derivation", "certify.graph.stretch"

BUGS: tuple[SeededBug, ...] = (
    edit("the last edge is skipped", f"{C}:_questions", "enumerate(graph.edges)", "enumerate(graph.edges[:-1])", CLAIMS),
    edit(
        "initial edges are skipped",
        f"{C}:_questions",
        "if not lemmas.get(edge.target)",
        "if not (edge.sources and lemmas.get(edge.target))",
        CLAIMS,
    ),
    edit(
        "loops are skipped",
        f"{C}:_questions",
        "if not lemmas.get(edge.target)",
        "if edge.target in [s.location for s in edge.sources] or not lemmas.get(edge.target)",
        CLAIMS,
    ),
    edit(
        "the last questions are not asked",
        f"{C}:_batches",
        "if batch:\n        yield batch",
        "if not batch:\n        yield batch",
        CLAIMS,
    ),
    edit("questions together need all be wrong", f"{C}:_are_refuted_together", 'make("or"', 'make("and"', CLAIMS),
    edit(
        "of questions together the first counts",
        f"{C}:_are_refuted_together",
        "for question in batch]))",
        "for question in batch[:1]]))",
        CLAIMS,
    ),
    edit(
        "a solver's sat about questions together is taken as unsat",
        "certify.query:Panel.discharge_soon",
        "if not isinstance(answer, Unsat)",
        "if isinstance(answer, Unsat)",
        CLAIMS,
    ),
    edit("the error is not claimed unreachable", f"{C}:check_claims", "**errors}", "}", CLAIMS),
    edit("of several properties the first counts", f"{C}:check_claims", "for one in props}", "for one in props[:1]}", CLAIMS),
    edit("all lemmas must be broken at once", f"{C}:_Question.wrong", 'make("or"', 'make("and"', CLAIMS),
    edit(
        "only the first lemma is asked about",
        f"{C}:_Question.wrong",
        "for goal in self.goals]",
        "for goal in self.goals[:1]]",
        CLAIMS,
    ),
    edit("the guard is forgotten", f"{C}:_questions", "lemmas), edge.guard]", "lemmas)]", CLAIMS),
    edit("the guard is negated", f"{C}:_questions", "lemmas), edge.guard]", 'lemmas), make("not", (edge.guard,))]', CLAIMS),
    edit(
        "the updates are forgotten",
        f"{C}:after",
        "edge.updates, strict=True",
        "edge.sources[0].variables if edge.sources and edge.updates else edge.updates, strict=True",
        CLAIMS,
    ),
    edit(
        "the target's claim is assumed at the source",
        f"{C}:before",
        "lemmas.get(source.location, ())",
        "lemmas.get(edge.target, ())",
        CLAIMS,
    ),
    edit("what a claim speaks of is not checked", f"{C}:_require_formulas", "if v not in known", "if False", CLAIMS),
    edit("the names of an edge are not checked", f"{C}:require_shape", "len(set(names)) != len(names)", "False", CLAIMS),
    edit("a solver's sat is taken as unsat", f"{C}:_ask", "isinstance(answer, Sat)", "not isinstance(answer, Sat)", CLAIMS),
    edit(
        "the base is not asked",
        f"{K}:check_claims_kinductive",
        "for length in range(evidence.k)",
        "for length in range(0)",
        KINDUCTIVE,
    ),
    edit(
        "the base is one too short",
        f"{K}:check_claims_kinductive",
        "for length in range(evidence.k)",
        "for length in range(evidence.k - 1)",
        KINDUCTIVE,
    ),
    edit(
        "the step is not asked",
        f"{K}:check_claims_kinductive",
        "*paths.lawful(k), paths.failing(k)]",
        "*paths.lawful(k), paths.failing(k), FALSE]",
        KINDUCTIVE,
    ),
    edit(
        "the state before the last edge misses the error, too",
        f"{K}:_Paths.lawful",
        "if time < length - 1",
        "if time < length",
        KINDUCTIVE,
    ),
    edit(
        "the claims need not be inductive",
        f"{K}:check_claims_kinductive",
        "check_inductive(graph, evidence.invariant, panel)",
        "pass",
        KINDUCTIVE,
    ),
    edit(
        "edges with several sources are let through",
        f"{K}:check_claims_kinductive",
        "len(edge.sources) > 1",
        "False",
        KINDUCTIVE,
    ),
    edit("guards are not evaluated", f"{D}:_check_fact", "if not holds", "if False", DERIVATIONS),
    edit("values are not compared", f"{D}:_check_fact", "if value != expected", "if False", DERIVATIONS),
    edit("a fact may be its own premise", f"{D}:_premises", "0 <= premise < number", "0 <= premise <= number", DERIVATIONS),
    edit("a premise may come later", f"{D}:_premises", "0 <= premise < number", "0 <= premise != number", DERIVATIONS),
    edit("where a premise is does not matter", f"{D}:_premises", "if found != source.location", "if False", DERIVATIONS),
    edit(
        "premises are not counted",
        f"{D}:_premises",
        "if len(fact.premises) != len(edge.sources)",
        "if False",
        DERIVATIONS,
        (f"{D}:_premises", "fact.premises, strict=True", "fact.premises, strict=False"),
        (f"{D}:_inputs", "values.keys() != set(edge.inputs)", "False"),
    ),
    edit("the last fact is not compared with the error", f"{D}:replay_derivation", "if last != error", "if False", DERIVATIONS),
    edit(
        "the property of a trace is not compared",
        "certify.graph.check:certify_graph",
        "if trace.prop != prop",
        "if False",
        DERIVATIONS,
    ),
    edit("sorts of values are not checked", f"{D}:_require_sorts", "if not is_of(value, v.sort)", "if False", DERIVATIONS),
    edit("inputs may be anything", f"{D}:_inputs", "values.keys() != set(edge.inputs)", "False", DERIVATIONS),
    edit("inexact edges are taken", f"{D}:_require_exact", "if taken in graph.origin.inexact", "if False", DERIVATIONS),
    edit("division by zero has a value", f"{S}:runner", "if may_be_open(terms)", "if False", DERIVATIONS),
    edit(
        "an empty derivation is one",
        f"{D}:replay_derivation",
        "if not derivation.facts",
        "if False",
        DERIVATIONS,
        (f"{D}:replay_derivation", "graph.edges[derivation.facts[-1].edge].target", "error"),
    ),
    edit("guards of long stretches are not asked", f"{S}:_Induction._round", "self._goals.append(guard)", "pass", STRETCHES),
    edit("guards of short stretches are not evaluated", f"{S}:_Execution._turn", "if not guard", "if False", STRETCHES),
    edit(
        "a stretch is asked about its first round only",
        f"{S}:_Induction._repeat",
        "(counter, const(stretch.count, INT))",
        "(counter, const(1, INT))",
        STRETCHES,
    ),
    edit(
        "what rounds lead to is not asked",
        f"{S}:_Induction._repeat",
        'self._goals += [make("=", pair)',
        "self._goals += [stretch and self._bounds[0]",
        STRETCHES,
    ),
    edit("the end of an executed stretch is not compared", f"{S}:check_stretch", "!= fact.values", "is None", STRETCHES),
    edit("a round need not come back", f"{S}:_end", "if at != place", "if False", STRETCHES),
    edit(
        "a model of the weaker formulas is an answer",
        "certify.query:_is_refuted_without_constant_arrays",
        "isinstance(_answer(name, weaker, (), until), Unsat)",
        "_answer(name, weaker, (), until) is not None",
        ARRAYS,
    ),
    edit(
        "there is always one more index",
        "certify.constant_arrays:_has_more_values",
        "count < 1 << sort.width",
        "count <= 1 << sort.width",
        ARRAYS,
    ),
    edit("names of new arrays are taken", "certify.constant_arrays:_fresh", "while name in names", "while not name", ARRAYS),
    edit(
        "cells of constant arrays are not told",
        "certify.constant_arrays:_instances",
        "reads[:_INSTANCES]",
        "reads[:0]",
        ARRAYS,
    ),
)
