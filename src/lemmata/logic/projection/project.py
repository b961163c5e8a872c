"""``project``: model-based projection. Literals without some variables, true at a point, that imply that the variables exist.

∃x. ⋀ literals is a disjunction of such results, one per region of points; an engine that asks for a predecessor gets the region
of the one that the solver found. Work goes in two rounds.

1. *Terms* (``purify``). Variables below operators that are not linear (reads, products, words, ``div``), and those that are no
   numbers. An equation x = t is substituted. ``t div m`` and ``t mod m`` become sums: the remainder is that of the point. An
   array that is only read gives one new variable per index. Anything else takes its value at the point, which is sound and says
   little.
2. *Sums.* What is left is linear: ``eliminate``.

Komuravelli, Gurfinkel, Chaki 2014; Komuravelli, Bjørner, Gurfinkel, McMillan 2015 (arrays).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lemmata.logic.linear.atoms import CONNECTIVES, canonical
from lemmata.logic.projection.eliminate import eliminate as eliminate_linear
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.purify import Purified
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import TRUE, Term, Value, topological


def project(literals: Sequence[Term], values: Mapping[Term, Value], eliminate: Collection[Term]) -> list[Term]:
    """Literals without the variables ``eliminate``, true at ``values``, that imply ∃ eliminate. ⋀ literals.

    ``literals`` are true at ``values``, which has all their variables. Numbers come in normal form and without bounds that
    others make superfluous.
    """
    doomed = set(eliminate)
    simple = [part for literal in literals for part in ([literal] if _is_simple(literal) else implicant(literal, values))]
    state = Purified(simple, values, doomed)
    state.untie()
    result: dict[Term, None] = dict.fromkeys(state.terms)
    variables = sorted(state.doomed, key=lambda variable: variable.number)
    for atom in eliminate_linear(state.atoms, variables, state.values):
        result[canonical(atom.to_term())] = None  # a lone remainder may have become a congruence
    result.pop(TRUE, None)
    return list(result)


_SIMPLE: dict[Term, bool] = {}


def _is_simple(literal: Term) -> bool:
    """No connectives and no choices."""
    found = _SIMPLE.get(literal)
    if found is None:
        inner = literal.args[0] if literal.op == "not" else literal
        found = _SIMPLE[literal] = not any(
            term.op == "ite" or term.op in CONNECTIVES or (term.op == "=" and term.args[0].sort is BOOL)
            for term in topological([inner])
        )
    return found
