"""VMT-LIB as z3 reads it: does our invariant, or our run, belong to this transition system?

``vmt_text`` finds what is annotated; z3's parser says what the formulas mean. With states x, next states x′ and inputs i (all
that has no ``:next``), Init(x), Trans(x, i, x′) and a property P(x, i) the evidence is checked anew:

- an invariant: Init → Inv, Inv ∧ Trans → Inv′ and Inv → P are valid;
- k-induction: the facts are inductive; no run of less than k states from Init violates P; no k states in a row do so for the
  first time in the last one, where all satisfy the facts (earlier states have some inputs for which P holds; that says less);
- a run, state by state: Init(v₀), Trans(vₖ, i, vₖ₊₁) for some inputs, and ¬P(v, i) for some inputs in the last state.

Properties are in the order of their indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

from lemmata.certify.reading.expand import single_steps
from lemmata.certify.reading.peer import Peer, require_sort
from lemmata.certify.reading.vmt_text import VmtText, scan_vmt
from lemmata.certify.reading.z3_terms import Z3Term
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import Term, name_of
from lemmata.models.derivation import Derivation, Fact, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.verdict import Safe, Unsafe

_QUESTION_FACTS = 50  # facts in one question

_State = Sequence[Z3Term]  # z3's terms for the states, in their order


def read_vmt_again(path: str, graph: Graph, prop: int, verdict: Safe | Unsafe, until: float | None) -> str | None:
    """``z3``, if the evidence holds for the file as z3 reads it; ``None`` if there is no way to tell."""
    match verdict:
        case Safe(GraphInvariant(claims)) if len(claims) == 1:
            _System(path, graph, prop, until).require_invariant(claims[0].lemmas, is_enough=True)
        case Safe(GraphKInductive(k, GraphInvariant(claims))) if len(claims) == 1:
            system = _System(path, graph, prop, until)
            system.require_invariant(claims[0].lemmas, is_enough=False)
            system.require_kinductive(k, claims[0].lemmas)
        case Unsafe(Derivation() as derivation):
            _System(path, graph, prop, until).require_run(single_steps(graph, derivation))
        case _:
            return None
    return "z3"


class _System:
    """The transition system of a file, and one property."""

    def __init__(self, path: str, graph: Graph, prop: int, until: float | None) -> None:
        self._peer = Peer(until)
        self._errors = {question.location for question in graph.questions}
        self._graph = graph
        constants = self._read(scan_vmt(Path(path).read_bytes().decode("utf-8-sig", "surrogateescape")), prop)
        states = {*self._now, *self._next}
        self._inputs = [constant for constant in constants if constant not in states]
        places = [place for number, place in enumerate(graph.locations) if number not in self._errors]
        if len(places) != 1:
            raise GaveUp("incomplete")
        self._variables = places[0].variables
        self._ours = _states(self._variables, self._now)

    def _read(self, text: VmtText, prop: int) -> list[Z3Term]:
        """Let z3 read the parts; all declared constants."""
        if not text.initial or not text.steps:
            raise CertificateError(f"there are {len(text.initial)} initial formulas and {len(text.steps)} transition relations")
        if len(text.properties) != len(self._graph.questions):
            raise CertificateError(f"there are {len(text.properties)} properties, not {len(self._graph.questions)}")
        wanted = [text.initial, text.steps, text.properties[sorted(text.properties)[prop]]]
        pairs = [f"( = {now} {after} )" for now, after in dict.fromkeys(text.states)]
        known = [f"( = {constant} {constant} )" for constant, _ in text.constants.values()]
        formulas = [*(formula for same in wanted for formula in same), *pairs, *known]
        lines = [*text.commands, *(f"( assert {formula} )" for formula in formulas)]
        read = iter(self._peer.read("\n".join(lines).encode(errors="surrogateescape")))
        self._initial, self._step, self._property = [self._one(list(islice(read, len(same)))) for same in wanted]
        equations = list(islice(read, len(pairs)))
        self._now = [equation.argument(0) for equation in equations]
        self._next = [equation.argument(1) for equation in equations]
        if len({*self._now, *self._next}) != 2 * len(pairs):
            raise CertificateError("states and next values are not pairwise different")
        return [equation.argument(0) for equation in read]

    def _one(self, formulas: Sequence[Z3Term]) -> Z3Term:
        """What formulas with the same annotation say: it must be the same."""
        for other in formulas[1:]:
            self._require_none(
                "two formulas with the same annotation differ", self._peer.no(self._peer.equal(formulas[0], other))
            )
        return formulas[0]

    def require_invariant(self, lemmas: Sequence[Term], is_enough: bool) -> None:
        """The lemmas are inductive; and, if that is asked for, they imply the property."""
        here = self._peer.conjunction(lemmas, self._variables, self._ours)
        after = self._peer.no(self._in(here, self._next))
        self._require_none("an initial state violates the invariant", self._initial, self._peer.no(here))
        self._require_none("a step leads out of the invariant", here, self._step, after)
        if is_enough:
            self._require_none("the invariant allows a violation of the property", here, self._peer.no(self._property))

    def require_kinductive(self, k: int, lemmas: Sequence[Term]) -> None:
        """The property is k-inductive, given the lemmas."""
        here = self._peer.conjunction(lemmas, self._variables, self._ours)
        states = [[self._peer.fresh(s.sort) for s in self._now] for _ in range(max(k, 1))]
        steps = [self._in(self._step, now, after) for now, after in pairwise(states)]
        wrong = [self._peer.no(self._in(self._property, state)) for state in states]
        for length in range(k - 1):
            self._require_none(
                "a short run violates the property", self._in(self._initial, states[0]), *steps[:length], wrong[length]
            )
        known = [self._in(here, state) for state in states]
        good = [self._in(self._property, state) for state in states[:-1]]
        if self._peer.model(*known, *steps, *good, wrong[-1]) is not None:
            if self._in(self._property, self._now) != self._property:
                raise GaveUp("incomplete")  # other inputs might do
            raise CertificateError(f"{k} states in a row may end in a violation of the property")

    def require_run(self, facts: Sequence[Fact]) -> None:
        """Every fact is an initial state or a step from its premise, and the last one is a violation."""
        if not facts or self._graph.edges[facts[-1].edge].target not in self._errors:
            raise CertificateError("the run does not end in a violation")
        claims = [self._claim(facts, number) for number in range(len(facts))]
        for start in range(0, len(claims), _QUESTION_FACTS):
            some = claims[start : start + _QUESTION_FACTS]
            if self._peer.model(*some) is None:
                number = next((n for n, claim in enumerate(some, start) if self._peer.model(claim) is None), start)
                raise CertificateError(f"fact {number}, {facts[number]}, is not possible")

    def _claim(self, facts: Sequence[Fact], number: int) -> Z3Term:
        """The fact as a formula that some inputs make true."""
        fact = facts[number]
        is_error = self._graph.edges[fact.edge].target in self._errors
        before = [self._state(facts[premise]) for premise in fact.premises]
        if is_error and len(before) == 1:
            return self._peer.no(self._in(self._property, before[0]))
        if not is_error and not before:
            return self._in(self._initial, self._state(fact))
        if not is_error and len(before) == 1:
            return self._in(self._step, before[0], self._state(fact))
        raise GaveUp("incomplete")

    def _state(self, fact: Fact) -> _State:
        """The values of all states in a fact."""
        values = {
            ours: self._peer.value(value, v.sort)
            for v, ours, value in zip(self._variables, self._ours, fact.values, strict=True)
        }
        for state in self._now:
            if state not in values:
                raise CertificateError(f"{state} is a state, but the run does not tell its values")
        return [values[state] for state in self._now]

    def _in(self, formula: Z3Term, now: _State, after: _State = ()) -> Z3Term:
        """The formula in one state, or between two, with inputs of its own."""
        places = [*self._now, *self._inputs, *(self._next if after else ())]
        return self._peer.put(formula, places, [*now, *[self._peer.fresh(i.sort) for i in self._inputs], *after])

    def _require_none(self, complaint: str, *formulas: Z3Term) -> None:
        if self._peer.model(*formulas) is not None:
            raise CertificateError(complaint)


def _states(variables: Sequence[Term], states: Sequence[Z3Term]) -> list[Z3Term]:
    """The states of the file that our variables are."""
    known = {state.symbol.name: state for state in states}
    for v in variables:
        if name_of(v) not in known:
            raise CertificateError(f"{name_of(v)} is no state")
        require_sort(v, known[name_of(v)].sort)
    return [known[name_of(v)] for v in variables]
