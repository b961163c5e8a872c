"""What is asked of many terms that share parts: which variables they have, and how large they are as trees.

Both remember every term that they have seen, so a whole edge costs one walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.logic.terms import Term


class Masks:
    """Sets of variables as the bits of a number."""

    def __init__(self) -> None:
        self._bits: dict[Term, int] = {}
        self._known: dict[Term, int] = {}

    def of(self, term: Term) -> int:
        """The variables below ``term``."""
        return _remembered(term, self._known, self._join)

    def _join(self, term: Term, masks: Sequence[int]) -> int:
        if term.is_var:
            return self._bits.setdefault(term, 1 << len(self._bits))
        result = 0
        for mask in masks:
            result |= mask
        return result


class TreeSizes:
    """How many nodes a term has when nothing is shared."""

    def __init__(self) -> None:
        self._known: dict[Term, int] = {}

    def of(self, term: Term) -> int:
        """Nodes of the tree."""
        return _remembered(term, self._known, lambda _, sizes: 1 + sum(sizes))


def _remembered(root: Term, known: dict[Term, int], join: Callable[[Term, Sequence[int]], int]) -> int:
    stack = [root]
    while stack:
        term = stack[-1]
        missing = [] if term in known else [arg for arg in term.args if arg not in known]
        if missing:
            stack += missing
        else:
            stack.pop()
            if term not in known:
                known[term] = join(term, [known[arg] for arg in term.args])
    return known[root]
