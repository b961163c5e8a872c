"""``project_array``: an array variable out of literals, at a point; a part of projection.

Reads of a write are the value written or a read below it, as the indices at the point have it (McCarthy 1962). An equation
``b = a[i := v]`` is solved for a: ``a = b[i := w]`` for a new cell w, and ``b[i] = v``. Arrays that differ do so at an index
that the point shows. When a is only read, the value of each cell is a new variable: reads whose indices are equal at the
point share it, and the indices are said to be equal and different as they are there (Ackermann 1954). Nothing but the order of
the indices is taken from the point. (Komuravelli, Bjørner, Gurfinkel, McMillan 2015.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from lemmata.logic.build import build, equal, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.projection.enumeration import differing_index
from lemmata.logic.sorts import INT, REAL, Array
from lemmata.logic.terms import Term, Value, const, topological, var
from lemmata.logic.values import ArrayValue
from lemmata.logic.walk import substitute

Forgotten = tuple[list[Term], dict[Term, Value]]  # literals without the array; the new variables and their values


def project_array(array: Term, literals: Sequence[Term], values: Mapping[Term, Value]) -> Forgotten | None:
    """Literals, true at ``values``, in which new variables stand for cells of ``array``; ``None`` if it is used in other ways.

    They imply ∃ array. ⋀ literals, for whatever values of the new variables.
    """
    work = _ArrayProjection(array, list(literals), dict(values))
    return (work.literals, work.new) if work.run() else None


class _ArrayProjection:
    def __init__(self, array: Term, literals: list[Term], values: dict[Term, Value]) -> None:
        self._array = array
        self.literals = literals
        self._values = values
        self.new: dict[Term, Value] = {}

    def run(self) -> bool:
        while touched := [literal for literal in self.literals if self._is_in(literal)]:
            if not (self._through_write(touched) or self._relation(touched)):
                return self._only_read(touched)
        return True

    def _is_in(self, term: Term) -> bool:
        return any(below is self._array for below in topological([term]))

    def _at(self, term: Term) -> Value:
        return evaluate([term], self._values)[0]

    def _fresh(self, value: Value, cell: Array) -> Term:
        variable = var(f"{self._array.data[0]}⟨cell {len(self.new)}⟩", cell.element)
        self.new[variable] = self._values[variable] = value
        return variable

    def _replace(self, mapping: Mapping[Term, Term], but: Term | None = None, also: Sequence[Term] = ()) -> None:
        self.literals = substitute([*[literal for literal in self.literals if literal is not but], *also], mapping)

    # Reads of writes.

    def _through_write(self, touched: Sequence[Term]) -> bool:
        """One read of a write, resolved."""
        for term in topological(touched):
            if term.op == "select" and term.args[0].op == "store" and self._is_in(term.args[0]):
                (below, at, value), index = term.args[0].args, term.args[1]
                is_same = self._at(at) == self._at(index)
                condition = equal(at, index)
                self.literals.append(condition if is_same else negate(condition))
                self._replace({term: value if is_same else build("select", (below, index))})
                return True
        return False

    # Equations and disequations of arrays.

    def _relation(self, touched: Sequence[Term]) -> bool:
        for literal in touched:
            inner = literal.args[0] if literal.op == "not" else literal
            if inner.op == "=" and isinstance(inner.args[0].sort, Array):
                a, b = inner.args
                if literal.op == "not":
                    self._replace({}, literal, [self._difference(a, b)])
                    return True
                if self._equated(literal, a, b) or self._equated(literal, b, a):
                    return True
        return False

    def _difference(self, a: Term, b: Term) -> Term:
        """Where a and b differ at the point."""
        one, other = self._at(a), self._at(b)
        assert isinstance(one, ArrayValue) and isinstance(other, ArrayValue)
        index = const(differing_index(one, other), one.sort.index)
        return negate(equal(build("select", (a, index)), build("select", (b, index))))

    def _equated(self, literal: Term, written: Term, other: Term) -> bool:
        """``written`` = ``other``, where the first is the array under some writes."""
        base, writes = _writes(written)
        if base is not self._array or any(self._is_in(write.args[1]) for write in writes):
            return False
        if self._is_in(other):
            return self._same_base(literal, written, other)
        more = []
        for below, index, value in [write.args for write in writes]:
            more.append(equal(build("select", (other, index)), value))
            cell = self._fresh(self._at(build("select", (below, index))), self._sort())
            other = build("store", (other, index, cell))
        self._replace({self._array: other}, literal, more)
        return True

    def _same_base(self, literal: Term, written: Term, other: Term) -> bool:
        """Both are the array under writes: they agree if they do where something is written."""
        base, writes = _writes(other)
        if base is not self._array:
            return False
        indices = dict.fromkeys(write.args[1] for write in (*_writes(written)[1], *writes))
        self._replace({}, literal, [equal(build("select", (written, i)), build("select", (other, i))) for i in indices])
        return True

    def _sort(self) -> Array:
        assert isinstance(self._array.sort, Array)
        return self._array.sort

    # Reads.

    def _only_read(self, touched: Sequence[Term]) -> bool:
        """Every read is a new variable, innermost first; ``False`` if there are other uses."""
        order = topological(touched)
        if any(self._array in term.args and term.op != "select" for term in order):
            return False
        cells: dict[Value, tuple[Term, Term]] = {}
        while read := self._inner_read():
            index = read.args[1]
            at = self._at(index)
            if at not in cells:
                cells[at] = index, self._fresh(self._at(read), self._sort())
            else:
                self.literals.append(equal(index, cells[at][0]))
            self._replace({read: cells[at][1]})
        self.literals += self._apart([index for index, _ in cells.values()])
        return True

    def _inner_read(self) -> Term | None:
        return next((t for t in topological(self.literals) if t.op == "select" and t.args[0] is self._array), None)

    def _apart(self, indices: list[Term]) -> list[Term]:
        """The indices are different: in their order, if they are numbers."""
        if self._sort().index in (INT, REAL):
            ordered = sorted(indices, key=self._at)
            return [build("<", pair) for pair in pairwise(ordered)]
        return [negate(equal(a, b)) for i, a in enumerate(indices) for b in indices[:i]]


def _writes(array: Term) -> tuple[Term, list[Term]]:
    """What is below all writes, and these, the last one first."""
    writes = []
    while array.op == "store":
        writes.append(array)
        array = array.args[0]
    return array, writes
