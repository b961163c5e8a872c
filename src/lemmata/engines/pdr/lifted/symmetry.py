"""Which variables may play each other's part: a guess from their names.

Threads, slots and processes of one kind have variables whose names differ in a number only: ``end_0``, ``end_1``, ``end_2``.
What is true of threads 0 and 1 is perhaps true of 1 and 2; exchanging two numbers in all names of a clause says what that would
be. Nobody believes it: it is one more candidate for ``spread``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from lemmata.logic.linear import canonical
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, name_of
from lemmata.logic.walk import substitute, variables

_NUMBER = re.compile(r"(.*?)(\d+)(\D*)")
_FEW = 2  # names that differ in the same two numbers, at least
_MOST = 6  # exchanges that are tried

Literals = tuple[Term, ...]
Swap = dict[Term, Term]


def swaps(named: Iterable[Term]) -> list[Swap]:
    """Exchanges of two numbers in all names of these variables."""
    families: defaultdict[tuple[str, str, Sort], dict[int, Term]] = defaultdict(dict)
    for variable in dict.fromkeys(named):
        if match := _NUMBER.fullmatch(name_of(variable)):
            head, number, tail = match.groups()
            families[head, tail, variable.sort][int(number)] = variable
    found: defaultdict[tuple[int, int], dict[Term, Term]] = defaultdict(dict)
    for family in families.values():
        for i, j in combinations(sorted(family), 2):
            found[i, j] |= {family[i]: family[j], family[j]: family[i]}
    return [swap for swap in found.values() if len(swap) >= 2 * _FEW][:_MOST]


def exchanged(clauses: Sequence[Literals], swaps: Sequence[Swap]) -> list[Literals]:
    """The clauses, each with what one exchange makes of it."""
    found: dict[Literals, None] = {}
    for literals in clauses:
        found[literals] = None
        own = variables(literals)
        for swap in swaps:
            if any(v in swap for v in own):
                found[tuple([canonical(x) for x in substitute(literals, swap)])] = None
    return list(found)
