"""What ``solved_form`` takes apart: signed formulas, what they exclude and read, and definitions that need each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lemmata.logic.build import negate
from lemmata.logic.terms import Term
from lemmata.logic.walk import substitute

Signed = tuple[Term, bool]  # a formula, and whether it holds


def formula_of(node: Signed) -> Term:
    """The formula with its sign."""
    return node[0] if node[1] else negate(node[0])


def flat(root: Signed, kind: str) -> list[Signed]:
    """The formulas of which ``root`` is the conjunction or disjunction, through nested ones and negations."""
    found: dict[Signed, None] = {}
    seen: set[Signed] = set()
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


class Facts:
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

    def excludes(self, other: Facts) -> bool:
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
