"""What formulas assert, part by part: conjunctions are taken apart, denied disjunctions and implications as well."""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.logic.build import negate
from lemmata.logic.terms import TRUE, Term


def asserted_conjuncts(formulas: Iterable[Term]) -> list[Term]:
    """Formulas whose conjunction is the same, each once, none of them a conjunction."""
    found: dict[Term, None] = {}
    stack = list(formulas)[::-1]
    while stack:
        term = stack.pop()
        inner = term.args[0] if term.op == "not" else term
        if term.op == "and":
            stack.extend(reversed(term.args))
        elif term.op == "not" and inner.op == "or":
            stack.extend([negate(arg) for arg in reversed(inner.args)])
        elif term.op == "not" and inner.op == "=>":
            stack.extend([negate(inner.args[1]), inner.args[0]])
        elif term is not TRUE:
            found[term] = None
    return list(found)
