"""Inputs that a conjunction defines: ``x = t`` where x is an input and t does not depend on it.

Such an input is a name for a term, so it can go: ∃x. x = t ∧ φ is φ[x := t]. A unit Boolean is an equation with a constant, and
a linear equation is solved for an input with coefficient ±1 (any, for reals). Equations are taken in the order in which they
stand as long as they have no cycle; all of them are then put into each other at once, layer by layer.

Terms share what they have in common, so this makes nothing larger; printed as trees they could be exponentially large, and a
definition whose tree is huge stays an equation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from graphlib import TopologicalSorter

from lemmata.logic.build import negate
from lemmata.logic.linear import comparison
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import FALSE, TRUE, Term
from lemmata.logic.walk import substitute
from lemmata.transforms.graph.measures import Masks, TreeSizes

_TREE_NODES = 20_000  # nodes of a tree


def definitions(parts: Sequence[Term], inputs: Collection[Term]) -> dict[Term, Term]:
    """Inputs and what they are in terms of the others, where every part holds."""
    system = _System(set(inputs))
    for part in parts:
        for v, term in system.candidates(part):
            if system.define(v, term):
                break
    return _resolved(system.chosen, system.needs())


def equations(literal: Term, wanted: Collection[Term]) -> Iterator[tuple[Term, Term]]:
    """(v, t) such that the literal says v = t: as it stands, read from right to left, or solved for a variable of a sum."""
    is_negated = literal.op == "not"
    inner = literal.args[0] if is_negated else literal
    if inner in wanted:
        yield inner, FALSE if is_negated else TRUE
    elif inner.op == "=" and (not is_negated or inner.args[0].sort is BOOL):
        for v, term in (inner.args, inner.args[::-1]):
            if v in wanted:
                yield v, negate(term) if is_negated else term
        if inner.args[0].sort in (INT, REAL):
            yield from _solved(inner, wanted)


def _solved(equation: Term, wanted: Collection[Term]) -> Iterator[tuple[Term, Term]]:
    atom = comparison(equation)
    if atom is not None and atom.kind == "eq" and len(atom.form.terms) > 1:
        for v, factor in atom.form.terms:
            if v in wanted and (v.sort is REAL or factor in (1, -1)):
                yield v, atom.form.without(v).scale(Fraction(-1) / factor).to_term()


class _System:
    """Definitions without cycles; sets of variables are the bits of a number."""

    def __init__(self, inputs: set[Term]) -> None:
        self._left = inputs  # not defined yet
        self._masks = Masks()
        self._below: dict[Term, int] = {}  # variables that a definition rests on when all are put into each other
        self._direct: dict[Term, int] = {}
        self.chosen: dict[Term, Term] = {}

    def candidates(self, part: Term) -> Iterator[tuple[Term, Term]]:
        """(v, t) such that ``part`` says v = t, where v is an input without definition."""
        return equations(part, self._left)

    def define(self, v: Term, term: Term) -> bool:
        """Take the definition unless it closes a cycle."""
        full = mask = self._masks.of(term)
        for other, below in self._below.items():
            if mask & self._masks.of(other):
                full = full & ~self._masks.of(other) | below
        bit = self._masks.of(v)
        if full & bit:
            return False
        for other, below in self._below.items():
            if below & bit:
                self._below[other] = below & ~bit | full
        self._below[v], self._direct[v], self.chosen[v] = full, mask, term
        self._left.discard(v)
        return True

    def needs(self) -> dict[Term, list[Term]]:
        """For each definition, those that it speaks of."""
        return {v: [other for other in self.chosen if mask & self._masks.of(other)] for v, mask in self._direct.items()}


def _resolved(chosen: Mapping[Term, Term], needs: Mapping[Term, Sequence[Term]]) -> dict[Term, Term]:
    """The definitions put into each other; without those that would become huge trees."""
    done: dict[Term, Term] = {}
    sizes = TreeSizes()
    order = TopologicalSorter(needs)
    order.prepare()
    while order.is_active():
        layer = order.get_ready()
        terms = substitute([chosen[v] for v in layer], done)
        done |= {v: term for v, term in zip(layer, terms, strict=True) if sizes.of(term) <= _TREE_NODES}
        order.done(*layer)
    return done
