"""``simplify``: a term built again from below with the rules of ``logic.build``.

For terms that were made raw, or into which something was substituted. One pass; the rules are local, so there is no search
for a normal form.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.logic.build import build
from lemmata.logic.terms import Term
from lemmata.logic.walk import fold


def simplify(term: Term) -> Term:
    """The same function, often smaller."""
    return simplify_all([term])[0]


def simplify_all(terms: Sequence[Term]) -> list[Term]:
    """The same for several terms that share parts."""
    results = fold(terms, _rebuilt)
    return [results[term] for term in terms]


def _rebuilt(term: Term, args: Sequence[Term]) -> Term:
    return build(term.op, tuple(args), term.data) if args else term
