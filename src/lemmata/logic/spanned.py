"""``Spans``: which numbers an integer term can be, where spans of some variables are known.

Sums are looked at as a whole (``logic.forms``), so ``x - x`` is 0; what is not linear has a rule below, or can be anything. A
choice ``ite(c, a, b)`` is what a can be under c, or b under ¬c: conditions count where they bound the same sum, which is how
programs from C write the conversion to signed numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from lemmata.logic.atoms import Atom
from lemmata.logic.build import negate
from lemmata.logic.forms import Linear, linearize
from lemmata.logic.linear import comparison
from lemmata.logic.sorts import INT
from lemmata.logic.spans import TOP, Span, join, meet, point, product, quotient, remainder, span, total
from lemmata.logic.terms import Term, value_of

_SUMS = frozenset({"+", "-", "neg", "*"})


class Spans:
    """Spans of terms where variables are ``known`` to be in spans; those of other variables are everything."""

    def __init__(self, known: Mapping[Term, Span] | None = None) -> None:
        self._found: dict[Term, Span] = dict(known or {})

    def of(self, term: Term) -> Span:
        """All values of an integer term."""
        stack = [term]
        while stack:
            top = stack[-1]
            missing = () if top in self._found else [arg for arg in _below(top) if arg not in self._found]
            if missing:
                stack += missing
            else:
                stack.pop()
                if top not in self._found:
                    self._found[top] = self._computed(top)
        return self._found[term]

    def of_sum(self, form: Linear) -> Span:
        """All values of a sum of integers."""
        return total([(self.of(v), int(c)) for v, c in form.terms], int(form.constant))

    def under(self, form: Linear, conditions: Iterable[Term]) -> Span | None:
        """All values of a sum where the conditions hold, as far as they bound this very sum; ``None`` if there are none."""
        found: Span | None = self.of_sum(form)
        for condition in conditions:
            bound = _bound(form, condition)
            if bound is not None and found is not None:
                found = meet(found, bound)
        return found

    def _computed(self, term: Term) -> Span:
        args = term.args
        match term.op:
            case "const":
                return point(value_of(term))
            case "ite":
                return self._choice(*args)
            case "mod" | "div" if args[1].is_const and value_of(args[1]) > 0:
                return (remainder if term.op == "mod" else quotient)(self._found[args[0]], value_of(args[1]))
            case "mod":
                return _modulo(self._found[args[1]])
            case "*" if _is_unknown(term):
                return reduce(product, [self._found[arg] for arg in args])
            case op if op in _SUMS:
                return self.of_sum(linearize(term))
            case _:
                return TOP

    def _choice(self, condition: Term, a: Term, b: Term) -> Span:
        first = self.under(linearize(a), halves(condition))
        second = self.under(linearize(b), halves(negate(condition)))
        if first is None or second is None:
            return second or first or TOP
        return join(first, second)


def _below(term: Term) -> Sequence[Term]:
    """The integers that the span of a term is computed from."""
    if term.op in _SUMS and not _is_unknown(term):
        return linearize(term).unknowns
    if term.op == "ite":
        return [v for arg in term.args[1:] for v in (arg, *linearize(arg).unknowns)]
    return [arg for arg in term.args if arg.sort is INT] if term.op in ("mod", "div", "*") else ()


def _is_unknown(term: Term) -> bool:
    """Is it no sum of something simpler?"""
    return linearize(term).terms == ((term, 1),)


def _modulo(divisor: Span) -> Span:
    """A remainder by something in ``divisor``; by zero it may be anything."""
    if divisor.has(0) or divisor.low is None or divisor.high is None:
        return TOP
    return span(0, max(abs(divisor.low), abs(divisor.high)) - 1) or TOP


def halves(condition: Term) -> Sequence[Term]:
    """Literals that hold where the condition does."""
    if condition.op == "and":
        return condition.args
    if condition.op == "not" and condition.args[0].op == "or":
        return [negate(arg) for arg in condition.args[0].args]
    return (condition,)


def _bound(form: Linear, literal: Term) -> Span | None:
    """What a literal says about a sum; ``None`` if it is about something else."""
    atom = comparison(literal)
    if atom is None or atom.kind not in ("le", "eq") or atom.form.sort is not INT:
        return None
    if atom.form.terms == form.terms:
        limit = int(form.constant - atom.form.constant)
        return span(None if atom.kind == "le" else limit, limit)
    if atom.form.terms == tuple([(v, -c) for v, c in form.terms]):
        limit = int(form.constant + atom.form.constant)
        return span(limit, None if atom.kind == "le" else limit)
    return None


def decided(atom: Atom, found: Span) -> bool | None:
    """Does ``t ⋈ 0`` hold for every t in the span, or for none?"""
    match atom.kind:
        case "le" if found.high is not None and found.high <= 0:
            return True
        case "le":
            return False if found.low is not None and found.low > 0 else None
        case "eq":
            return True if found.step == 0 and found.rest == 0 else None if found.has(0) else False
        case "mod" if found.step % atom.modulus == 0:
            return found.rest % atom.modulus == 0
        case "mod":
            return None if found.has_multiple(atom.modulus) else False
        case "ne" | "nmod":
            opposite = decided(atom.negated(), found)
            return None if opposite is None else not opposite
        case _:
            return None
