"""z3 as a reader: its parser for SMT-LIB text, and its solver for questions about what it has read.

Our formulas reach it as text, too (``logic.smtlib``), so that nothing is translated here but values. ``GaveUp`` stands for
everything that is no answer: text that z3 cannot read, a question that it cannot decide, time that is up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from lemmata.budgets import READING_CORE_S
from lemmata.certify.reading.z3_terms import Z3Model, Z3Term, vector_of
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.decimals import digits_of
from lemmata.logic.smtlib.writer import to_text
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.solvers.foreign import handles
from lemmata.solvers.z3_library import (
    ENDLESS,
    Z3_TRUE,
    Z3_UNKNOWN,
    Z3Error,
    checked,
    note_resources,
    reading_context,
    require_no_error,
    set_limit,
    z3,
)
from lemmata.work import SMT, TERM, Z3_UNIT, is_over, now, tally, units


class Peer:
    """What is read and asked for one file; ``until`` is on the work clock."""

    def __init__(self, until: float | None) -> None:
        z3.Z3_toggle_warning_messages(False)  # it would print what it thinks of unknown annotations
        self.context = reading_context()
        self._quantifiers = checked(self.context, z3.Z3_mk_probe(self.context, b"has-quantifiers"))
        z3.Z3_probe_inc_ref(self.context, self._quantifiers)
        self._until = until

    def _term(self, handle: int | None) -> Z3Term:
        return Z3Term(self.context, handle)

    def read(self, text: bytes | str, known: Mapping[str, Z3Term] | None = None) -> list[Z3Term]:
        """The assertions of a script; ``known`` are constants that it need not declare."""
        self._look_at_the_clock()
        known = known or {}
        names = handles([self._name(name) for name in known])
        symbols = [constant.symbol for constant in known.values()]
        data = text if isinstance(text, bytes) else text.encode(errors="surrogateescape")
        given = len(symbols), names, handles([symbol.handle for symbol in symbols])
        try:
            return vector_of(self.context, z3.Z3_parse_smtlib2_string(self.context, data, 0, None, None, *given))
        except Z3Error as error:
            raise GaveUp("incomplete") from error
        finally:
            z3.Z3_global_param_reset_all()  # options that a file sets are the whole process's

    def _name(self, name: str) -> int:
        symbol: int = checked(self.context, z3.Z3_mk_string_symbol(self.context, name.encode(errors="surrogateescape")))
        return symbol

    def conjunction(self, lemmas: Sequence[Term], variables: Sequence[Term], constants: Sequence[Z3Term]) -> Z3Term:
        """Our formulas over ``variables`` as one of z3's over ``constants``."""
        names = {v.data: f"a{number}" for number, v in enumerate(variables)}
        known = {f"a{number}": constant for number, constant in enumerate(constants)}
        (formula,) = self.read(f"(assert (and true true {' '.join(to_text(lemma, names) for lemma in lemmas)}))", known)
        return formula

    def value(self, value: Value, sort: Sort) -> Z3Term:
        """A constant."""
        tally[TERM] += 1
        context = self.context
        if sort is BOOL:
            return self._term(z3.Z3_mk_true(context) if value else z3.Z3_mk_false(context))
        if not isinstance(sort, Array):
            text = digits_of(Fraction(value) if sort is REAL else value)
            return self._term(z3.Z3_mk_numeral(context, text.encode(), self.sort(sort).handle))
        assert isinstance(value, ArrayValue)
        filling = self.value(value.default, sort.element)
        cells = self._term(z3.Z3_mk_const_array(context, self.sort(sort.index).handle, filling.handle))
        for index, element in value.items:
            place, content = self.value(index, sort.index), self.value(element, sort.element)
            cells = self._term(z3.Z3_mk_store(context, cells.handle, place.handle, content.handle))
        return cells

    def sort(self, sort: Sort) -> Z3Term:
        """One of our sorts."""
        context = self.context
        if isinstance(sort, BitVec):
            return self._term(z3.Z3_mk_bv_sort(context, sort.width))
        if isinstance(sort, Array):
            return self._term(z3.Z3_mk_array_sort(context, self.sort(sort.index).handle, self.sort(sort.element).handle))
        return self._term({BOOL: z3.Z3_mk_bool_sort, INT: z3.Z3_mk_int_sort, REAL: z3.Z3_mk_real_sort}[sort](context))

    def predicate(self, name: str, sorts: Sequence[Z3Term]) -> Z3Term:
        """The symbol of a predicate."""
        domain, gives = handles([sort.handle for sort in sorts]), self.sort(BOOL)
        return self._term(z3.Z3_mk_func_decl(self.context, self._name(name), len(sorts), domain, gives.handle))

    def fresh(self, sort: Z3Term) -> Z3Term:
        """A constant that nobody knows."""
        return self._term(z3.Z3_mk_fresh_const(self.context, b"fresh", sort.handle))

    def argument(self, number: int, sort: Z3Term) -> Z3Term:
        """A numbered variable, as ``put_meanings`` takes them."""
        return self._term(z3.Z3_mk_bound(self.context, number, sort.handle))

    def no(self, formula: Z3Term) -> Z3Term:
        """Its negation."""
        return self._term(z3.Z3_mk_not(self.context, formula.handle))

    def equal(self, a: Z3Term, b: Z3Term) -> Z3Term:
        """Are they the same?"""
        return self._term(z3.Z3_mk_eq(self.context, a.handle, b.handle))

    def all(self, formulas: Sequence[Z3Term]) -> Z3Term:
        """Their conjunction."""
        parts = [self.value(True, BOOL), *formulas]
        return self._term(z3.Z3_mk_and(self.context, len(parts), handles([part.handle for part in parts])))

    def some(self, formulas: Sequence[Z3Term]) -> Z3Term:
        """Their disjunction."""
        parts = [self.value(False, BOOL), *formulas]
        return self._term(z3.Z3_mk_or(self.context, len(parts), handles([part.handle for part in parts])))

    def put(self, formula: Z3Term, places: Sequence[Z3Term], terms: Sequence[Z3Term]) -> Z3Term:
        """The formula with terms in place of constants."""
        old, new = handles([place.handle for place in places]), handles([term.handle for term in terms])
        return self._term(z3.Z3_substitute(self.context, formula.handle, len(places), old, new))

    def put_meanings(self, formula: Z3Term, meanings: Sequence[tuple[Z3Term, Z3Term]]) -> Z3Term:
        """The formula with predicates replaced by what they mean, over the numbered variables."""
        old, new = handles([symbol.handle for symbol, _ in meanings]), handles([meaning.handle for _, meaning in meanings])
        return self._term(z3.Z3_substitute_funs(self.context, formula.handle, len(meanings), old, new))

    def instance(self, formula: Z3Term, constants: Sequence[Z3Term]) -> Z3Term:
        """The body of a quantifier with constants for its variables."""
        body, given = formula.body, handles([constant.handle for constant in reversed(constants)])
        return self._term(z3.Z3_substitute_vars(self.context, body.handle, len(constants), given))

    def has_quantifiers(self, formula: Z3Term) -> bool:
        """Is there a quantifier anywhere in it?"""
        context = self.context
        goal = checked(context, z3.Z3_mk_goal(context, True, False, False))
        z3.Z3_goal_inc_ref(context, goal)
        z3.Z3_goal_assert(context, goal, formula.handle)
        require_no_error(context)
        found = z3.Z3_probe_apply(context, self._quantifiers, goal)
        z3.Z3_goal_dec_ref(context, goal)
        return bool(found)

    def model(self, *formulas: Z3Term) -> Z3Model | None:
        """A model of the formulas, ``None`` if there is none.

        Z3's core is asked first: to open its strategies costs three times as much, and more than most questions.
        """
        tally[SMT] += 1
        self._look_at_the_clock()
        soon = now() + READING_CORE_S
        try:
            return self._ask(z3.Z3_mk_simple_solver, formulas, soon if self._until is None else min(soon, self._until))
        except GaveUp:
            self._look_at_the_clock()
        return self._ask(z3.Z3_mk_solver, formulas, self._until)

    def _ask(self, make: Callable[[int], int], formulas: Sequence[Z3Term], until: float | None) -> Z3Model | None:
        context = self.context
        solver = checked(context, make(context))
        z3.Z3_solver_inc_ref(context, solver)
        try:
            set_limit(context, solver, b"rlimit", min(units(until, Z3_UNIT) or 0, ENDLESS))
            for formula in formulas:
                z3.Z3_solver_assert(context, solver, formula.handle)
                require_no_error(context)
            answer = z3.Z3_solver_check(context, solver)
            note_resources(context, solver)
            if answer == Z3_UNKNOWN:
                raise GaveUp("incomplete")
            return Z3Model(context, z3.Z3_solver_get_model(context, solver)) if answer == Z3_TRUE else None
        finally:
            z3.Z3_solver_dec_ref(context, solver)

    def _look_at_the_clock(self) -> None:
        if is_over(self._until):
            raise GaveUp("timeout")


def require_sort(variable: Term, native: Z3Term) -> None:
    """``CertificateError`` unless a variable of ours has the sort that z3 read."""
    if str(variable.sort) != str(native):
        raise CertificateError(f"{name_of(variable)} is a {native}, not a {variable.sort}")
