"""Horn clauses as z3 reads them: is our model a model of these assertions, is our derivation one from them?

z3's parser turns the bytes of the file into closed formulas over predicates without a meaning. A location of our graph that
is no error is the predicate of that name.

*Safe.* The claims are put in place of the predicates; then every assertion must be valid. That is what a model of the clauses
is, whatever the clauses look like: ``∀x. A(x)[P := claim]`` for each assertion, and nothing of our clauses is looked at. A
predicate that we have no claim for stays open, and the assertions must hold whatever it means.

*Unsafe.* Each fact must follow from its premises by one of the assertions, and the last one is false (``inference``). Which
assertion it is need not be known; the line of the clause only tells where to look first.

SMT-LIB ends a line, and with it a comment, with a carriage return, too; z3 wants a line feed, so it gets one.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lemmata.budgets import READING_TOGETHER_BYTES
from lemmata.certify.reading.commands import meaningful
from lemmata.certify.reading.expand import single_steps
from lemmata.certify.reading.inference import Inference, InferenceStep
from lemmata.certify.reading.peer import Peer
from lemmata.certify.reading.z3_terms import Z3Term
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import Term
from lemmata.models.derivation import Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph, Location
from lemmata.verdict import Safe, Unsafe

_RETURN = re.compile(rb"\r(?!\n)")
_SHOWN_CHARACTERS = 300  # characters of an assertion in a message


def read_clauses_again(path: str, graph: Graph, verdict: Safe | Unsafe, until: float | None) -> str | None:
    """``z3``, if the evidence holds for the file as z3 reads it; ``None`` if there is no way to tell."""
    match verdict:
        case Safe(GraphInvariant() as invariant):
            _Clauses(path, graph, until).require_model(invariant)
        case Unsafe(Derivation() as derivation):
            _Clauses(path, graph, until).require_derivation(single_steps(graph, derivation))
        case _:
            return None
    return "z3"


class _Clauses:
    """The assertions of a file."""

    def __init__(self, path: str, graph: Graph, until: float | None) -> None:
        self._peer = Peer(until)
        self._text = meaningful(_RETURN.sub(b"\n", Path(path).read_bytes().removeprefix(BOM_UTF8)))
        self._assertions = self._peer.read(self._text)
        self._errors = {question.location for question in graph.questions}
        self._graph = graph

    def require_model(self, invariant: GraphInvariant) -> None:
        """``CertificateError`` unless the claims make every assertion valid."""
        meanings = [(self._predicate(claim.place), self._meaning(claim.place, claim.lemmas)) for claim in invariant.claims]
        meant = [self._peer.put_meanings(assertion, meanings) if meanings else assertion for assertion in self._assertions]
        wrong = [self._peer.no(formula) for formula in meant]
        if self._are_refuted_together(wrong):
            return
        for number, formula in enumerate(wrong):
            if self._peer.model(formula) is not None:
                raise CertificateError(f"the invariant violates assertion {number}, {_shown(self._assertions[number])}")

    def _are_refuted_together(self, formulas: Sequence[Z3Term]) -> bool:
        """Has none of several formulas a model, as one question shows? To open a solver costs more than most small ones."""
        if len(formulas) < 2 or len(self._text) > READING_TOGETHER_BYTES:
            return False
        with suppress(GaveUp):
            return self._peer.model(self._peer.some(formulas)) is None
        return False

    def _predicate(self, place: Location) -> Z3Term:
        if not place.name:
            raise GaveUp("incomplete")  # z3 has no way to say it
        return self._peer.predicate(place.name, [self._peer.sort(v.sort) for v in place.variables])

    def _meaning(self, place: Location, lemmas: Sequence[Term]) -> Z3Term:
        """The claim, with z3's numbered variables for the arguments."""
        sorts = [self._peer.sort(v.sort) for v in place.variables]
        arguments = [self._peer.argument(number, sort) for number, sort in enumerate(sorts)]
        constants = [self._peer.fresh(sort) for sort in sorts]
        claim = self._peer.conjunction(lemmas, place.variables, constants)
        return self._peer.put(claim, constants, arguments) if constants else claim

    def require_derivation(self, facts: Sequence[Fact]) -> None:
        """``CertificateError`` unless each fact follows from its premises by an assertion, and the last one is the error."""
        atoms = [None if self._is_error(fact) else self._atom(fact) for fact in facts]
        if not facts or atoms[-1] is not None:
            raise CertificateError("the derivation does not end in false")
        lines = _assertion_lines(self._text)
        predicates = [self._predicate(p) for n, p in enumerate(self._graph.locations) if n not in self._errors]
        inference = Inference(self._peer, self._assertions, predicates)
        for edge, numbers in _by_edge(facts).items():
            steps = [InferenceStep(_true(facts[number], atoms), atoms[number]) for number in numbers]
            order = _nearest(lines, self._graph.edges[edge].line, len(self._assertions))
            if (wrong := inference.first_wrong(steps, order)) is not None:
                number = numbers[wrong]
                raise CertificateError(f"fact {number}, {facts[number]}, follows from no assertion and its premises")

    def _is_error(self, fact: Fact) -> bool:
        return self._graph.edges[fact.edge].target in self._errors

    def _atom(self, fact: Fact) -> Z3Term:
        values = [self._peer.value(value, v.sort) for v, value in zip(fact.place.variables, fact.values, strict=True)]
        return self._predicate(fact.place)(*values)


def _true(fact: Fact, atoms: Sequence[Z3Term | None]) -> list[Z3Term]:
    """The premises of a fact; it needs none after false, and gets none."""
    premises = [atom for premise in fact.premises if (atom := atoms[premise]) is not None]
    if len(premises) < len(fact.premises):
        raise CertificateError(f"{fact} has false as a premise")
    return premises


def _by_edge(facts: Sequence[Fact]) -> dict[int, list[int]]:
    """The positions of the facts that an edge gave."""
    found: dict[int, list[int]] = {}
    for number, fact in enumerate(facts):
        found.setdefault(fact.edge, []).append(number)
    return found


def _assertion_lines(text: bytes) -> list[int]:
    """Where assertions begin, as a hint: by the word, wherever it stands."""
    lines: list[int] = []
    line, before = 1, 0
    for found in re.finditer(rb"\(\s*assert\b", text):
        line += text.count(b"\n", before, found.start())
        before = found.start()
        lines.append(line)
    return lines


def _nearest(lines: Sequence[int], line: int | None, count: int) -> list[int]:
    """All assertions, those nearest to a line first."""
    if line is None or len(lines) != count:
        return list(range(count))
    return sorted(range(count), key=lambda number: (abs(lines[number] - line), number))


def _shown(assertion: Z3Term) -> str:
    text = " ".join(str(assertion).split())
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]} …"
