"""Does a fact follow from others by one assertion, whatever the predicates mean?

With the assertion ``∀x. A(x)``, premises P₁(v₁) … Pₙ(vₙ) and a fact Q(w) that is

    P₁(v₁) ∧ … ∧ Pₙ(vₙ) ∧ A(c) ∧ ¬Q(w)    is unsatisfiable, for some constants c

and without ``¬Q(w)`` where the fact is false. The constants are found first, by a question without predicates: for which x does
the assertion fail both if nothing but the premises holds, and if everything but the fact does? For a Horn clause that
finds them wherever there are any; but whatever is found, the formula above is asked afterwards, and it decides.

Both are written once for each assertion and kind of step, with constants in place of values. A long run takes the same edge
again and again, so steps are asked about many at a time: the questions together, the proofs as one disjunction.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.reading.peer import Peer
from lemmata.certify.reading.z3_terms import Z3Term
from lemmata.errors import GaveUp
from lemmata.solvers.z3_library import OP_AND, OP_IMPLIES, OP_NOT, OP_OR
from lemmata.values import dataclass

_QUESTION_STEPS = 50  # steps in one question


@dataclass(frozen=True, slots=True)
class InferenceStep:
    """Ground atoms; the fact ``None`` is false."""

    premises: Sequence[Z3Term]
    fact: Z3Term | None

    @property
    def kind(self) -> tuple[str, ...]:
        """The predicates, in their order."""
        return tuple(atom.symbol.name for atom in (*self.premises, self.fact) if atom is not None)

    @property
    def values(self) -> list[Z3Term]:
        """The values of all atoms, in their order."""
        return [value for atom in (*self.premises, self.fact) if atom is not None for value in atom.arguments]


class Inference:
    """The steps that the assertions of one file allow, about these predicates."""

    def __init__(self, peer: Peer, assertions: Sequence[Z3Term], predicates: Sequence[Z3Term]) -> None:
        self._peer = peer
        self._assertions = assertions
        self._predicates = predicates
        self._rules: dict[tuple[int, tuple[str, ...], bool], _Rule] = {}

    def first_wrong(self, steps: Sequence[InferenceStep], order: Sequence[int]) -> int | None:
        """The position of a step that no assertion allows; assertions are tried in this order, and the last success first."""
        likely: int | None = None
        number: int = 0
        while number < len(steps):
            some = steps[number : number + _QUESTION_STEPS] if likely is not None else []
            if likely is not None and len({step.kind for step in some}) == 1 and self._rule(likely, some[0]).allows(some):
                number += len(some)
                continue
            for step in some or steps[number : number + 1]:
                likely = self._allowing(step, order, likely)
                if likely is None:
                    return number
                number += 1
        return None

    def _allowing(self, step: InferenceStep, order: Sequence[int], likely: int | None) -> int | None:
        for number in order if likely is None else [likely, *order]:
            if self._rule(number, step).allows([step]):
                return number
        return None

    def _rule(self, number: int, step: InferenceStep) -> _Rule:
        key = number, step.kind, step.fact is None
        if key not in self._rules:
            self._rules[key] = _Rule(self._peer, self._assertions[number], self._predicates, step)
        return self._rules[key]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A rule written down for several steps, with constants where values and choices belong."""

    question: Z3Term
    gap: Z3Term
    places: list[Z3Term]
    choices: list[Z3Term]


class _Rule:
    """One assertion, for steps from the same predicates to the same one."""

    def __init__(self, peer: Peer, assertion: Z3Term, predicates: Sequence[Z3Term], like: InferenceStep) -> None:
        self._peer = peer
        self._predicates = predicates
        self._choices: list[Z3Term] = []
        self._places = [peer.fresh(value.sort) for value in like.values]
        violated = _Prefix(peer, self._choices).false(assertion)
        rest = iter(self._places)
        atoms = [atom.symbol(*[next(rest) for _ in atom.arguments]) for atom in (*like.premises, like.fact) if atom is not None]
        premises, facts = atoms[: len(like.premises)], atoms[len(like.premises) :]
        self._question = peer.all([self._just(violated, premises), self._all_but(violated, facts)])
        self._gap = peer.all([*premises, peer.no(violated), *map(peer.no, facts)])
        self._sheets: dict[int, _Sheet] = {}

    def allows(self, steps: Sequence[InferenceStep]) -> bool:
        """Are all these steps allowed by the assertion?"""
        if len(steps) not in self._sheets:
            self._sheets[len(steps)] = self._sheet(len(steps))
        sheet = self._sheets[len(steps)]
        values = [value for step in steps for value in step.values]
        model = self._peer.model(self._peer.put(sheet.question, sheet.places, values))
        if model is None:
            return all(step.fact is not None and step.fact in step.premises for step in steps)
        chosen = [model.value(choice) for choice in sheet.choices]
        gap = self._peer.put(sheet.gap, [*sheet.places, *sheet.choices], [*values, *chosen])
        return self._peer.model(gap) is None

    def _sheet(self, size: int) -> _Sheet:
        """All questions together, and whether any of the proofs has a gap."""
        old = [*self._places, *self._choices]
        new = [[self._peer.fresh(constant.sort) for constant in old] for _ in range(size)]
        count = len(self._places)
        return _Sheet(
            self._peer.all([self._peer.put(self._question, old, names) for names in new]),
            self._peer.some([self._peer.put(self._gap, old, names) for names in new]),
            [place for names in new for place in names[:count]],
            [choice for names in new for choice in names[count:]],
        )

    def _just(self, formula: Z3Term, facts: Sequence[Z3Term]) -> Z3Term:
        """The formula if these facts hold, and no others."""
        return self._peer.put_meanings(formula, [(symbol, self._among(symbol, facts)) for symbol in self._predicates])

    def _all_but(self, formula: Z3Term, facts: Sequence[Z3Term]) -> Z3Term:
        """The formula if all facts hold but these."""
        return self._peer.put_meanings(formula, [(p, self._peer.no(self._among(p, facts))) for p in self._predicates])

    def _among(self, symbol: Z3Term, facts: Sequence[Z3Term]) -> Z3Term:
        """Are the arguments of a predicate those of one of the facts?"""
        known = [fact for fact in facts if fact.symbol == symbol]
        if not known:
            return self._peer.some([])
        arguments = [self._peer.argument(k, sort) for k, sort in enumerate(symbol.domain)]
        same = self._peer.equal
        return self._peer.some([self._peer.all(list(map(same, arguments, fact.arguments))) for fact in known])


class _Prefix:
    """Takes the quantifiers of an assertion away: ``choices`` gets a constant for each thing that a violation may choose."""

    def __init__(self, peer: Peer, choices: list[Z3Term]) -> None:
        self._peer = peer
        self._choices = choices
        self._known: dict[tuple[Z3Term, bool], Z3Term] = {}

    def false(self, formula: Z3Term) -> Z3Term:
        """When the formula is false; ``GaveUp`` where quantifiers alternate."""
        return self._when(formula, False)

    def _when(self, formula: Z3Term, value: bool) -> Z3Term:
        key = formula, value
        if key not in self._known:
            self._known[key] = self._without(formula, value)
        return self._known[key]

    def _without(self, formula: Z3Term, value: bool) -> Z3Term:
        if not self._peer.has_quantifiers(formula):
            return formula if value else self._peer.no(formula)
        if formula.is_forall is (not value):
            return self._when(self._instance(formula), value)
        if formula.operator == OP_NOT:
            return self._when(formula.argument(0), not value)
        if formula.operator == OP_IMPLIES:
            parts = [self._when(formula.argument(0), not value), self._when(formula.argument(1), value)]
            return self._peer.some(parts) if value else self._peer.all(parts)
        if formula.operator in (OP_AND, OP_OR):
            parts = [self._when(part, value) for part in formula.arguments]
            return self._peer.all(parts) if (formula.operator == OP_AND) == value else self._peer.some(parts)
        raise GaveUp("incomplete")

    def _instance(self, formula: Z3Term) -> Z3Term:
        constants = [self._peer.fresh(sort) for sort in formula.bound_sorts]
        self._choices.extend(constants)
        return self._peer.instance(formula, constants)
