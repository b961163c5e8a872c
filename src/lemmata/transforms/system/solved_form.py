"""From a relation to functions: ``solve_relation`` finds what a formula says about some of its variables, disjunctions too.

The result for a formula P and variables v̄ is a *solved form*: a residual R and definitions d, both over v̄ and new Boolean
*choices* s̄, with ``P(v̄) ⟺ ∃s̄. R(v̄, s̄) ∧ ⋀ v = d_v(v̄, s̄)``. Variables without a definition are free.

- An equation ``v = t`` defines v, as long as v is not in t. Literals define Booleans.
- A conjunction takes the definitions of its parts whose needs are not circular, and puts them into the rest. Where two
  parts define one variable, the second definition is a condition.
- A disjunction is in its first branch whose residual holds: ``d_v = ite(R₁, d¹_v, ite(R₂, d²_v, …))``. A branch that does not
  define v leaves it as it is. Where two branches may hold together, the earlier one gets a choice not to be taken.

A definition may speak of its own variable, where branches leave it: ``v = ite(c, t, v)``. Such a function takes every value of
v to a solution and every solution to itself, which is all that is needed. Everything else that is circular stays a condition.

Formulas are taken apart with their sign (``_Signed``); ``_Conjuncts`` says what a part excludes, ``Reads`` what it reads,
``circular`` which definitions need each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import combinations

from lemmata.logic.build import conj, disj, equal, ite, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, make
from lemmata.logic.walk import substitute
from lemmata.values import dataclass

_Signed = tuple[Term, bool]  # a formula, and whether it holds


def formula_of(node: _Signed) -> Term:
    """The formula with its sign."""
    return node[0] if node[1] else negate(node[0])


def flat(root: _Signed, kind: str) -> list[_Signed]:
    """The formulas of which ``root`` is the conjunction or disjunction, through nested ones and negations."""
    found: dict[_Signed, None] = {}
    seen: set[_Signed] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        term, holds = node
        if term.op == "not":
            stack.append((term.args[0], not holds))
        elif term.op == "=>" and holds and kind == "or":
            stack += [(term.args[1], True), (term.args[0], False)]
        elif term.op in ("and", "or") and (term.op == kind) == holds:
            stack += [(arg, holds) for arg in reversed(term.args)]
        else:
            found[node] = None
    return list(found)


class _Conjuncts:
    """The conjuncts of a formula, their negations, and the constants that some of them say a term is."""

    __slots__ = ("_constants", "_holding", "_refuted")

    def __init__(self, formula: Term) -> None:
        literals = [formula_of(node) for node in flat((formula, True), "and")]
        self._holding = set(literals)
        self._refuted = {negate(literal) for literal in literals}
        self._constants: dict[Term, Term] = {}
        for literal in literals:
            if literal.op == "=":
                for side, other in (literal.args, literal.args[::-1]):
                    if other.is_const:
                        self._constants.setdefault(side, other)

    def excludes(self, other: _Conjuncts) -> bool:
        """Can the two never hold together, as one sees at once?"""
        if not self._refuted.isdisjoint(other._holding):
            return True
        return any(other._constants.get(term, value) is not value for term, value in self._constants.items())


class Reads:
    """Which of some variables occur in a term: a bit for each, kept for every term that was asked about."""

    def __init__(self, variables: Sequence[Term]) -> None:
        self._variables = variables
        self._bits = {v: 1 << n for n, v in enumerate(variables)}
        self._masks = dict(self._bits)

    def some(self, term: Term) -> bool:
        """Does any occur?"""
        return self._mask(term) != 0

    def of(self, term: Term, v: Term) -> bool:
        """Does v occur?"""
        return self._mask(term) & self._bits[v] != 0

    def among(self, term: Term, chosen: Iterable[Term]) -> list[Term]:
        """Those of ``chosen`` that occur."""
        mask = self._mask(term)
        return [v for v in chosen if mask & self._bits[v]]

    def _mask(self, root: Term) -> int:
        masks = self._masks
        stack = [root]
        while stack:
            term = stack[-1]
            if term in masks:
                stack.pop()
                continue
            missing = [arg for arg in term.args if arg not in masks]
            if missing:
                stack += missing
                continue
            mask = 0
            for arg in term.args:
                mask |= masks[arg]
            masks[term] = mask
        return masks[root]


def circular(needs: Mapping[Term, Sequence[Term]]) -> list[Term]:
    """Variables without whose definitions no definition goes in circles."""
    removed: list[Term] = []
    done: set[Term] = set()
    for root in needs:
        path, on_path = [root], set()
        while path:
            v = path[-1]
            if v in done:
                path.pop()
                continue
            on_path.add(v)
            waiting = [w for w in needs[v] if w not in done]
            if any(w in on_path for w in waiting):
                removed.append(v)
                waiting = []
            if waiting:
                path += waiting
            else:
                done.add(v)
                on_path.discard(v)
                path.pop()
    return removed


def closed(given: Mapping[Term, Term], needs: Mapping[Term, Sequence[Term]]) -> dict[Term, Term]:
    """The definitions with definitions put into them; none goes in circles."""
    values: dict[Term, Term] = {}
    stack = list(given)
    while stack:
        v = stack[-1]
        waiting = [w for w in needs[v] if w not in values]
        if v in values or not waiting:
            stack.pop()
            if v not in values:
                mapping = {w: values[w] for w in needs[v]}
                values[v] = substitute([given[v]], mapping)[0] if mapping else given[v]
        else:
            stack += waiting
    return {v: values[v] for v in given}


_CONNECTIVE_DEPTH = 100  # how deep disjunctions and conjunctions are looked into; what is below is a condition


@dataclass(frozen=True, slots=True)
class SolvedForm:
    """What a formula says: it holds where ``residual`` does and every variable has the value of its definition."""

    residual: Term
    definitions: Mapping[Term, Term] = field(default_factory=dict)


def solve_relation(formula: Term, unknown: Sequence[Term], choice: Callable[[], Term]) -> SolvedForm:
    """The solved form; of two equal variables the earlier one of ``unknown`` is defined. ``choice`` makes new variables."""
    return _Solver(unknown, choice).solved((formula, True))


def branches(formula: Term) -> list[Term]:
    """What a disjunction is a disjunction of."""
    return [formula_of(part) for part in flat((formula, True), "or")]


def first_of(cases: Sequence[SolvedForm], choice: Callable[[], Term]) -> list[Term]:
    """The condition under which each case is taken if no earlier one is; for all that a case allows, some choice takes it."""
    facts = [_Conjuncts(case.residual) for case in cases]
    shadowing = {
        first
        for first, second in combinations(range(len(cases)), 2)
        if cases[first].definitions != cases[second].definitions and not facts[first].excludes(facts[second])
    }
    return [conj([case.residual, choice()]) if n in shadowing else case.residual for n, case in enumerate(cases)]


def chosen(v: Term, cases: Sequence[SolvedForm], conditions: Sequence[Term], otherwise: Term) -> Term:
    """The value of v in the first case whose condition holds; a case that does not define v leaves it as it is."""
    value = otherwise
    for case, condition in zip(reversed(cases), reversed(conditions), strict=True):
        value = ite(condition, case.definitions.get(v, v), value)
    return value


class _Solver:
    """One formula; results are kept by subformula, since formulas share much."""

    def __init__(self, unknown: Sequence[Term], choice: Callable[[], Term]) -> None:
        self._rank = {v: rank for rank, v in enumerate(unknown)}
        self._choice = choice
        self._reads = Reads(unknown)
        self._results: dict[_Signed, SolvedForm] = {}

    def solved(self, root: _Signed) -> SolvedForm:
        """The solved form of a subformula, parts first."""
        stack = [root]
        depths = {root: 0}
        while stack:
            node = stack[-1]
            parts = self._parts(node) if depths[node] < _CONNECTIVE_DEPTH else []
            missing = [part for part in parts if part not in self._results]
            if missing:
                stack += missing
                depths.update((part, depths[node] + 1) for part in missing if part not in depths)
                continue
            stack.pop()
            if node not in self._results:
                self._results[node] = self._combine(node, [self._results[part] for part in parts])
        return self._results[root]

    def _parts(self, node: _Signed) -> list[_Signed]:
        term, holds = node
        if not self._reads.some(term):
            return []
        match term.op, holds:
            case ("and", True) | ("or", False):
                return flat(node, "and")
            case ("and", False) | ("or", True) | ("=>", True):
                return flat(node, "or")
            case "not", _:
                return [(term.args[0], not holds)]
            case "=>", False:
                return [(term.args[0], True), (term.args[1], False)]
            case "ite", _ if not self._reads.some(term.args[0]):
                condition, yes, no = term.args
                return [(make("or", (make("and", (condition, yes)), make("and", (negate(condition), no)))), holds)]
        return []

    def _combine(self, node: _Signed, parts: Sequence[SolvedForm]) -> SolvedForm:
        term, holds = node
        if not parts:
            return self._leaf(term, holds)
        if len(parts) == 1:
            return parts[0]
        is_choice = holds == (term.op in ("or", "=>"))
        return self._some(node, parts) if is_choice else self._all(parts)

    def _leaf(self, term: Term, holds: bool) -> SolvedForm:
        if term in self._rank:
            return SolvedForm(TRUE, {term: TRUE if holds else FALSE})
        if term.op == "=" and (holds or term.args[0].sort is BOOL):
            sides = [(a, b) for a, b in (term.args, term.args[::-1]) if a in self._rank and not self._reads.of(b, a)]
            if sides:
                v, value = min(sides, key=lambda side: self._rank[side[0]])
                return SolvedForm(TRUE, {v: value if holds else negate(value)})
        return SolvedForm(term if holds else negate(term))

    def _some(self, node: _Signed, cases: Sequence[SolvedForm]) -> SolvedForm:
        defined = sorted({v for case in cases for v in case.definitions}, key=self._rank.__getitem__)
        if not defined:
            return SolvedForm(formula_of(node))
        conditions = first_of(cases, self._choice)
        last = cases[-1].definitions
        values = {v: chosen(v, cases[:-1], conditions[:-1], last.get(v, v)) for v in defined}
        return SolvedForm(disj(conditions), values)

    def _all(self, parts: Sequence[SolvedForm]) -> SolvedForm:
        """The first definition of each variable counts; those that go in circles, and second ones, are conditions."""
        given: dict[Term, Term] = {}
        conditions = [part.residual for part in parts]
        for part in parts:
            for v, value in part.definitions.items():
                if v not in given and self._can_define(v, value):
                    given[v] = value
                else:
                    conditions.append(equal(v, value))
        needs = {v: [w for w in self._reads.among(value, given) if w is not v] for v, value in given.items()}
        for v in circular(needs):
            conditions.append(equal(v, given.pop(v)))
            needs = {w: [u for u in others if u is not v] for w, others in needs.items() if w is not v}
        values = closed(given, needs)
        return SolvedForm(conj(substitute(conditions, values)), values)

    def _can_define(self, v: Term, value: Term) -> bool:
        """Is v free in the value, or only where branches of ``ite`` leave it as it is?"""
        stack = [value]
        seen = {value}
        while stack:
            term = stack.pop()
            if term is v or not self._reads.of(term, v):
                continue
            if term.op != "ite" or self._reads.of(term.args[0], v):
                return False
            new = [arg for arg in term.args[1:] if arg not in seen]
            seen.update(new)
            stack += new
        return True
