"""Reads of arrays, pushed down to the array variables.

``select(store(a, i, v), j)`` is ``ite(i = j, v, select(a, j))``, a read of an ``ite`` is an ``ite`` of reads, a read of a
filled array is what it is filled with (McCarthy 1962). After that only variables are read. What a read of a variable becomes,
and what an equation between arrays becomes, is left to the transform that asks. Results are kept per array and index, so
shared arrays are walked once per index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

from lemmata.logic.build import build, equal, ite
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.terms import TRUE, Term, const, topological, value_of

Read = Callable[[Term, Term], Term]  # (array variable, index) → its element
Compare = Callable[[Term, Term], Term]  # (array, array) → are they equal?


class Reader:
    """Rewrites terms so that arrays of the sorts ``gone`` occur no more; ``new`` holds what each term became."""

    def __init__(self, gone: Set[Sort], read: Read, compare: Compare) -> None:
        self.new: dict[Term, Term] = {}
        self._gone, self._read, self._compare = gone, read, compare
        self._reads: dict[tuple[Term, Term], Term] = {}

    def rewrite(self, roots: Iterable[Term]) -> None:
        """Rewrite everything below ``roots``; where a root is an array that goes, only the words inside."""
        new, gone = self.new, self._gone
        for term in topological(roots):
            if term in new or term.sort in gone:
                continue
            args = term.args
            if not args:
                new[term] = term
            elif args[0].sort not in gone:
                changed = tuple([new[arg] for arg in args])
                new[term] = term if changed == args else build(term.op, changed, term.data)
            elif term.op == "select":
                new[term] = self._pushed(args[0], new[args[1]])
            else:
                assert term.op == "=", term.op
                new[term] = self._compare(args[0], args[1])

    def _pushed(self, array: Term, index: Term) -> Term:
        """``select(array, index)``; ``index`` is rewritten already."""
        reads = self._reads
        for part in self._parts(array, index):
            match part.op:
                case "store":
                    hit, value = equal(self.new[part.args[1]], index), self.new[part.args[2]]
                    reads[part, index] = value if hit is TRUE else ite(hit, value, reads[part.args[0], index])
                case "ite":
                    condition, yes, no = part.args
                    reads[part, index] = ite(self.new[condition], reads[yes, index], reads[no, index])
                case "filled":
                    reads[part, index] = self.new[part.args[0]]
                case "const":
                    reads[part, index] = _element(part, index)
                case _:
                    reads[part, index] = self._read(part, index)
        return reads[array, index]

    def _parts(self, array: Term, index: Term) -> list[Term]:
        """The arrays below ``array`` whose element at ``index`` is wanted and not yet known, arguments first."""
        seen = {array} if (array, index) not in self._reads else set()
        stack = list(seen)
        while stack:
            part = stack.pop()
            below: tuple[Term, ...] = ()
            if part.op == "ite":
                below = part.args[1:]
            elif part.op == "store" and equal(self.new[part.args[1]], index) is not TRUE:
                below = part.args[:1]
            for arg in below:
                if arg not in seen and (arg, index) not in self._reads:
                    seen.add(arg)
                    stack.append(arg)
        return sorted(seen, key=lambda part: part.number)


def _element(array: Term, index: Term) -> Term:
    """An element of a constant array."""
    value, sort = value_of(array), array.sort
    assert isinstance(sort, Array)
    found = const(value.default, sort.element)
    for at, element in value.items:
        found = ite(equal(index, const(at, sort.index)), const(element, sort.element), found)
    return found
