"""z3 as a reader: its parser for SMT-LIB text, and its solver for questions about what it has read.

Our formulas reach it as text, too (``logic.smtlib``), so that nothing is translated here but values. ``GaveUp`` stands for
everything that is no answer: text that z3 cannot read, a question that it cannot decide, time that is up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3
from z3.z3core import Z3_substitute, Z3_toggle_warning_messages

from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.smtlib.writer import to_text
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.work import SMT, TERM, Z3_UNIT, is_over, tally, units

_ENDLESS = (1 << 32) - 1  # z3's own word for "no limit"


class Peer:
    """One context with all that is read in it; ``until`` is on the work clock."""

    def __init__(self, until: float | None) -> None:
        Z3_toggle_warning_messages(False)  # it would print what it thinks of unknown annotations
        self.context = z3.Context()
        self.context.owner = False  # it is not freed at exit, which takes long after deep terms
        self._until = until
        self._spent = 0  # units that the work clock knows about

    def read(self, text: bytes | str, known: Mapping[str, Any] | None = None) -> list[Any]:
        """The assertions of a script; ``known`` are constants that it need not declare."""
        self._look_at_the_clock()
        try:
            return list(z3.parse_smt2_string(text, decls=dict(known or {}), ctx=self.context))
        except (z3.Z3Exception, UnicodeDecodeError) as error:
            raise GaveUp("incomplete") from error

    def conjunction(self, lemmas: Sequence[Term], variables: Sequence[Term], constants: Sequence[Any]) -> Any:
        """Our formulas over ``variables`` as one of z3's over ``constants``."""
        names = {v.data: f"a{number}" for number, v in enumerate(variables)}
        known = {f"a{number}": constant for number, constant in enumerate(constants)}
        (formula,) = self.read(f"(assert (and true true {' '.join(to_text(lemma, names) for lemma in lemmas)}))", known)
        return formula

    def value(self, value: Value, sort: Sort) -> Any:
        """A constant."""
        tally[TERM] += 1
        if sort is BOOL:
            return z3.BoolVal(bool(value), self.context)
        if sort is INT:
            return z3.IntVal(str(value), self.context)
        if sort is REAL:
            return z3.RealVal(str(Fraction(value)), self.context)
        if isinstance(sort, BitVec):
            return z3.BitVecVal(value, sort.width, self.context)
        assert isinstance(sort, Array) and isinstance(value, ArrayValue)
        cells = z3.K(self.sort(sort.index), self.value(value.default, sort.element))
        for index, element in value.items:
            cells = z3.Store(cells, self.value(index, sort.index), self.value(element, sort.element))
        return cells

    def sort(self, sort: Sort) -> Any:
        """One of our sorts."""
        if isinstance(sort, BitVec):
            return z3.BitVecSort(sort.width, self.context)
        if isinstance(sort, Array):
            return z3.ArraySort(self.sort(sort.index), self.sort(sort.element))
        return {BOOL: z3.BoolSort, INT: z3.IntSort, REAL: z3.RealSort}[sort](self.context)

    def fresh(self, like: Any) -> Any:
        """A constant that nobody knows, of the same sort."""
        return z3.FreshConst(like.sort(), "fresh")

    def all(self, formulas: Sequence[Any]) -> Any:
        """Their conjunction."""
        return z3.And([z3.BoolVal(True, self.context), *formulas])

    def some(self, formulas: Sequence[Any]) -> Any:
        """Their disjunction."""
        return z3.Or([z3.BoolVal(False, self.context), *formulas])

    def put(self, formula: Any, places: Sequence[Any], terms: Sequence[Any]) -> Any:
        """The formula with terms in place of constants."""
        count = len(places)
        old, new = (z3.Ast * count)(*[p.as_ast() for p in places]), (z3.Ast * count)(*[t.as_ast() for t in terms])
        put = Z3_substitute(self.context.ref(), formula.as_ast(), count, old, new)
        return z3.BoolRef(put, self.context)

    def model(self, *formulas: Any) -> Any | None:
        """A model of the formulas, ``None`` if there is none."""
        tally[SMT] += 1
        solver = z3.Solver(ctx=self.context)
        self._look_at_the_clock()
        solver.set("rlimit", min(units(self._until, Z3_UNIT) or 0, _ENDLESS))
        solver.add(*formulas)
        try:
            answer = solver.check()
        except z3.Z3Exception as error:
            raise GaveUp("incomplete") from error
        self._note_effort(solver)
        if answer == z3.unknown:
            raise GaveUp("incomplete")
        return solver.model() if answer == z3.sat else None

    def _look_at_the_clock(self) -> None:
        if is_over(self._until):
            raise GaveUp("timeout")

    def _note_effort(self, solver: Any) -> None:
        """Tell the work clock what a question took; z3 counts its units for the whole context."""
        spent = solver.statistics().get_key_value("rlimit count")
        tally[Z3_UNIT] += spent - self._spent & _ENDLESS
        self._spent = spent


def require_sort(variable: Term, native: Any) -> None:
    """``CertificateError`` unless a variable of ours has the sort that z3 read."""
    if str(variable.sort) != native.sexpr():
        raise CertificateError(f"{name_of(variable)} is a {native.sexpr()}, not a {variable.sort}")
