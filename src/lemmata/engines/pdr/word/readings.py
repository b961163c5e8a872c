"""How the model reads its words: as signed or as unsigned numbers, and which linear comparisons it makes.

A variable is read as signed if signed comparisons and extensions speak of it more often than unsigned ones. The linear
comparisons of the model are directions for slanted boundaries: a model that compares ``x + 2y`` with a number will hardly be
proved without that sum. Steps give directions, too: where a branch adds 1 to x and 100 to y, ``100x - y`` stays what it is.
Overflow is ignored here: a direction is a proposal, whatever is made of it is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from math import gcd

from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, topological, value_of
from lemmata.models.system import System

_SIGNED = frozenset({"bvslt", "bvsle", "sign_extend", "bvsdiv", "bvsrem", "bvsmod", "bvashr"})
_UNSIGNED = frozenset({"bvult", "bvule", "zero_extend", "bvudiv", "bvurem", "bvlshr"})
_COMPARISONS = frozenset({"bvslt", "bvsle", "bvult", "bvule", "="})
_LINEAR = frozenset({"bvadd", "bvsub", "bvneg", "ite", "bvmul"})
_TERM_NODES = 64  # nodes of a linear term
_DIRECTIONS = 60  # directions out of steps


def _terms(system: System) -> list[Term]:
    starts = [start for start in system.starts.values() if start is not None]
    return topological([*system.nexts.values(), system.constraint, *system.bads, *starts])


def signed_variables(system: System) -> frozenset[Term]:
    """The variables that the model reads as signed."""
    votes: Counter[Term] = Counter()
    variables = set(system.variables)
    for term in _terms(system):
        weight = (term.op in _SIGNED) - (term.op in _UNSIGNED)
        if weight:
            for v in _linear_variables(term.args, variables):
                votes[v] += weight
    return frozenset(v for v, count in votes.items() if count > 0 and isinstance(v.sort, BitVec) and v.width > 1)


def _linear_variables(args: tuple[Term, ...], variables: set[Term]) -> set[Term]:
    """The variables that the arguments pass through linear operators."""
    found: set[Term] = set()
    seen: set[Term] = set()
    stack = list(args)
    while stack and len(seen) < _TERM_NODES:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term in variables:
            found.add(term)
        elif term.op in _LINEAR:
            stack += term.args[1:] if term.op == "ite" else term.args
    return found


def compared_directions(system: System) -> list[Mapping[Term, int]]:
    """Coefficients of the linear comparisons with more than one variable, each once."""
    variables = set(system.variables)
    found: dict[tuple[tuple[Term, int], ...], Mapping[Term, int]] = {}
    for term in _terms(system):
        if term.op in _COMPARISONS and isinstance(term.args[0].sort, BitVec) and term.args[0].width > 1:
            left, right = (_coefficients(arg, variables, _TERM_NODES) for arg in term.args)
            if left is None or right is None:
                continue
            total = Counter(left)
            total.subtract(right)
            form = {v: a for v, a in total.items() if a}
            if len(form) > 1:
                found[tuple(sorted(form.items(), key=lambda part: part[0].number))] = form
    return list(found.values())


def step_directions(system: System) -> list[Mapping[Term, int]]:
    """Sums of two variables that some pair of constant increments leaves as they are."""
    words = [v for v in system.variables if isinstance(v.sort, BitVec) and v.width > 1]
    moves = {v: found for v in words if (found := _increments(v, system.nexts[v]))}
    directions: dict[tuple[Term, int, Term, int], Mapping[Term, int]] = {}
    for one, two in combinations(moves, 2):
        for a, b in product(sorted(moves[one]), sorted(moves[two])):
            factor = gcd(a, b) if b > 0 else -gcd(a, b)
            form = (one, b // factor, two, -a // factor)
            directions[form] = {one: form[1], two: form[3]}
    return list(directions.values())[:_DIRECTIONS]


def _increments(variable: Term, update: Term) -> set[int]:
    """The constants, other than 0, that the branches of an update add to the variable."""
    found: set[int] = set()
    seen: set[Term] = set()
    stack = [update]
    while stack and len(seen) < _TERM_NODES:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        match term.op, term.args:
            case "ite", (_, left, right):
                stack += [left, right]
            case "bvadd" | "bvsub", (left, right) if left is variable and right.is_const:
                value = value_of(right)
                value = value - (1 << term.width) if value >> (term.width - 1) else value
                found.add(value if term.op == "bvadd" else -value)
    return found - {0}


def _coefficients(term: Term, variables: set[Term], depth: int) -> Mapping[Term, int] | None:
    """The variables of a linear term with their factors; inputs count as constants."""
    if depth == 0:
        return None
    if term in variables:
        return {term: 1}
    match term.op:
        case "const" | "var":
            return {}
        case "sign_extend" | "zero_extend" | "bvneg":
            inner = _coefficients(term.args[0], variables, depth - 1)
            return None if inner is None else {v: -a if term.op == "bvneg" else a for v, a in inner.items()}
        case "bvadd" | "bvsub":
            left, right = (_coefficients(arg, variables, depth // 2) for arg in term.args)
            if left is None or right is None:
                return None
            total = Counter(left)
            (total.update if term.op == "bvadd" else total.subtract)(right)
            return total
        case "bvmul" if any(arg.is_const for arg in term.args):
            scaled, factor = (term.args[1], term.args[0]) if term.args[0].is_const else (term.args[0], term.args[1])
            value = value_of(factor)
            value = value - (1 << term.width) if value >> (term.width - 1) else value
            found = _coefficients(scaled, variables, depth - 1)
            return None if found is None else {v: value * a for v, a in found.items()}
        case "bvshl" if term.args[1].is_const and value_of(term.args[1]) < term.width:
            found = _coefficients(term.args[0], variables, depth - 1)
            return None if found is None else {v: a << value_of(term.args[1]) for v, a in found.items()}
        case _:
            return None
