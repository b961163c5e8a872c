"""Z3 (de Moura, Bjørner 2008): every operator there is.

Z3's Python classes build 70,000 terms per second; the C interface below them, four times as many. So terms are plain handles
here, each counted once and kept. Names are numbers: a variable of ours never meets a name that Z3 makes up. Assumptions may be
any formulas; Z3 brings its own proxies for them and names the failed ones as they were given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import z3
from z3 import z3core as c

from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, Term, Value
from lemmata.logic.values import ArrayValue, default_value
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.solvers.smt import Sat, Unsat
from lemmata.work import Z3_UNIT, is_over, tally, units, wall_left

_ENDLESS = (1 << 32) - 1  # Z3's own word for "no limit", of resources and of milliseconds
_WORD = 64
_SMALL_INDEX = 10  # bits

_PLAIN: dict[str, Callable[..., Any]] = {
    "not": c.Z3_mk_not,
    "xor": c.Z3_mk_xor,
    "=>": c.Z3_mk_implies,
    "=": c.Z3_mk_eq,
    "ite": c.Z3_mk_ite,
    "bvnot": c.Z3_mk_bvnot,
    "bvneg": c.Z3_mk_bvneg,
    "bvand": c.Z3_mk_bvand,
    "bvor": c.Z3_mk_bvor,
    "bvxor": c.Z3_mk_bvxor,
    "bvadd": c.Z3_mk_bvadd,
    "bvsub": c.Z3_mk_bvsub,
    "bvmul": c.Z3_mk_bvmul,
    "bvudiv": c.Z3_mk_bvudiv,
    "bvurem": c.Z3_mk_bvurem,
    "bvsdiv": c.Z3_mk_bvsdiv,
    "bvsrem": c.Z3_mk_bvsrem,
    "bvsmod": c.Z3_mk_bvsmod,
    "bvshl": c.Z3_mk_bvshl,
    "bvlshr": c.Z3_mk_bvlshr,
    "bvashr": c.Z3_mk_bvashr,
    "bvult": c.Z3_mk_bvult,
    "bvule": c.Z3_mk_bvule,
    "bvslt": c.Z3_mk_bvslt,
    "bvsle": c.Z3_mk_bvsle,
    "concat": c.Z3_mk_concat,
    "neg": c.Z3_mk_unary_minus,
    "div": c.Z3_mk_div,
    "mod": c.Z3_mk_mod,
    "/": c.Z3_mk_div,
    "<": c.Z3_mk_lt,
    "<=": c.Z3_mk_le,
    "to_real": c.Z3_mk_int2real,
    "to_int": c.Z3_mk_real2int,
    "select": c.Z3_mk_select,
    "store": c.Z3_mk_store,
}
_MANY: dict[str, Callable[..., Any]] = {
    "and": c.Z3_mk_and,
    "or": c.Z3_mk_or,
    "+": c.Z3_mk_add,
    "*": c.Z3_mk_mul,
    "-": c.Z3_mk_sub,
}


class _Terms(Translator[Any]):
    name = "z3"

    def __init__(self) -> None:
        super().__init__()
        self.home = z3.Context()
        self.home.owner = False  # it is not freed at exit, which takes minutes after deep terms
        self.context = self.home.ref()
        self._spent = 0  # units that the work clock knows about

    def keep(self, native: Any) -> Any:
        """Count a handle, so that it lives as long as the process."""
        c.Z3_inc_ref(self.context, native)
        return native

    def note_effort(self, solver: Any) -> None:
        """Tell the work clock what the last question took: Z3 counts its units for all solvers together, up to 2³²."""
        context = self.context
        counts = c.Z3_solver_get_statistics(context, solver)
        c.Z3_stats_inc_ref(context, counts)
        for i in reversed(range(c.Z3_stats_size(context, counts))):
            if c.Z3_stats_get_key(context, counts, i) == "rlimit count":
                spent = c.Z3_stats_get_uint_value(context, counts, i)
                tally[Z3_UNIT] += spent - self._spent & _ENDLESS
                self._spent = spent
                break
        c.Z3_stats_dec_ref(context, counts)

    def new_sort(self, sort: Sort) -> Any:
        context = self.context
        if isinstance(sort, BitVec):
            return self.keep(c.Z3_mk_bv_sort(context, sort.width))
        if isinstance(sort, Array):
            return self.keep(c.Z3_mk_array_sort(context, self.sort(sort.index), self.sort(sort.element)))
        make = {BOOL: c.Z3_mk_bool_sort, INT: c.Z3_mk_int_sort, REAL: c.Z3_mk_real_sort}[sort]
        return self.keep(make(context))

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        domain = (z3.Sort * len(wants))(*[self.sort(s) for s in wants])
        return self.keep(c.Z3_mk_fresh_func_decl(self.context, name, len(wants), domain, self.sort(gives)))

    def variable(self, term: Term) -> Any:
        symbol = c.Z3_mk_int_symbol(self.context, term.number)
        return self.keep(c.Z3_mk_const(self.context, symbol, self.sort(term.sort)))

    def constant(self, value: Value, sort: Sort) -> Any:
        context = self.context
        if sort is BOOL:
            return self.keep(c.Z3_mk_true(context) if value else c.Z3_mk_false(context))
        if not isinstance(sort, BitVec):
            return self.keep(c.Z3_mk_numeral(context, str(value), self.sort(sort)))
        if sort.width <= _WORD:
            return self.keep(c.Z3_mk_unsigned_int64(context, value, self.sort(sort)))
        bits = (z3.c_bool * sort.width)(*[value >> i & 1 for i in range(sort.width)])
        return self.keep(c.Z3_mk_bv_numeral(context, sort.width, bits))

    def operation(self, term: Term, args: list[Any]) -> Any:
        return self.keep(self._operation(term, args))

    def _operation(self, term: Term, args: list[Any]) -> Any:
        op, context = term.op, self.context
        if (plain := _PLAIN.get(op)) is not None:
            return plain(context, *args)
        if (many := _MANY.get(op)) is not None:
            return many(context, len(args), handles(args))
        match op:
            case "extract":
                return c.Z3_mk_extract(context, *term.data, args[0])
            case "zero_extend":
                return c.Z3_mk_zero_ext(context, term.data, args[0])
            case "sign_extend":
                return c.Z3_mk_sign_ext(context, term.data, args[0])
            case "filled":
                return c.Z3_mk_const_array(context, self.sort(term.data.index), args[0])
            case "apply":
                return c.Z3_mk_app(context, self.function(term.data), len(args), handles(args))
        raise self.cannot(f"operator '{op}'")


def handles(natives: list[Any]) -> Any:
    """An array as the C interface takes it."""
    return (z3.Ast * len(natives))(*natives)


@cache
def _terms() -> _Terms:
    return _Terms()


class Z3(NativeSolver[Any]):
    """One solver."""

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        self._context = _terms().context
        home = _terms().home
        is_special = logic and "BV" not in logic  # for words, the special one took ten times as long on small questions
        self._solver = z3.SolverFor(logic, ctx=home) if is_special else z3.Solver(ctx=home)
        self._handle = self._solver.solver
        self._limit = 0
        self._patience_s = math.inf  # of the wall clock

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        c.Z3_solver_assert(self._context, self._handle, self._translate(formula))

    def push(self) -> None:
        """Open a scope."""
        c.Z3_solver_push(self._context, self._handle)

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        c.Z3_solver_pop(self._context, self._handle, 1)

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """As in ``NativeSolver``; before 4.15.8 Z3 leaves the constant out of a core that needs it."""
        return Unsat((FALSE,)) if FALSE in assumptions else super().check(assumptions, wanted, until)

    def _is_satisfiable(self, assumptions: list[Any], until: float | None) -> bool:
        self._set_limits(until)
        answer = c.Z3_solver_check_assumptions(self._context, self._handle, len(assumptions), handles(assumptions))
        _terms().note_effort(self._handle)
        if answer == z3.Z3_L_UNDEF:
            raise self._unknown(until)
        return bool(answer == z3.Z3_L_TRUE)

    def _set_limits(self, until: float | None) -> None:
        """Resources, and near the user's deadline time: to tell Z3 costs something, so that is done as seldom as possible."""
        limit = min(units(until, Z3_UNIT) or 0, _ENDLESS)
        if limit != self._limit:
            self._solver.set("rlimit", limit)
            self._limit = limit
        wall = wall_left()
        if wall is not None and wall < 0.8 * self._patience_s:
            self._solver.set("timeout", max(min(int(1000 * wall), _ENDLESS), 1))
            self._patience_s = wall

    def _unknown(self, until: float | None) -> BaseException:
        reason = self._solver.reason_unknown()
        if "interrupted" in reason:  # Ctrl-C went to Z3
            return KeyboardInterrupt()
        is_late = "resource" in reason or reason in ("timeout", "canceled") or (is_over(until))
        return GaveUp("timeout" if is_late else "incomplete")

    def _values(self, asked: Mapping[Term, Any]) -> dict[Term, Value]:
        model = self._solver.model()
        values = {}
        for term, native in asked.items():
            found = (z3.Ast * 1)()
            c.Z3_model_eval(self._context, model.model, native, True, found)
            values[term] = _value(z3.z3._to_expr_ref(found[0], model.ctx), term.sort, model)
        return values

    def _failed(self) -> set[int]:
        return {formula.get_id() for formula in self._solver.unsat_core()}

    def _key(self, native: Any) -> int:
        return int(c.Z3_get_ast_id(self._context, native))


def _value(native: Any, sort: Sort, model: Any) -> Value:
    if isinstance(sort, Array):
        return _array_value(native, sort, model)
    if sort is BOOL:
        return z3.is_true(native)
    if isinstance(sort, BitVec):
        return int(c.Z3_get_numeral_binary_string(native.ctx_ref(), native.as_ast()), 2)
    if not z3.is_rational_value(native) and not z3.is_int_value(native):
        raise GaveUp("incomplete")  # a root of a polynomial
    return native.as_long() if sort is INT else Fraction(native.numerator_as_long(), native.denominator_as_long())


def _array_value(native: Any, sort: Array, model: Any) -> ArrayValue:
    """Stores over a filled array, a table that the model has elsewhere, or a lambda."""
    cells: dict[Value, Value] = {}
    while z3.is_store(native):
        native, index, cell = native.children()
        cells.setdefault(_value(index, sort.index, model), _value(cell, sort.element, model))
    if z3.is_K(native):
        return ArrayValue(sort, _value(native.arg(0), sort.element, model), cells)
    if not z3.is_as_array(native):
        return ArrayValue(sort, default_value(sort.element), {**_each_cell(native, sort, model), **cells})
    table = model.get_interp(z3.get_as_array_func(native))
    for i in range(table.num_entries()):
        entry = table.entry(i)
        cells.setdefault(_value(entry.arg_value(0), sort.index, model), _value(entry.value(), sort.element, model))
    return ArrayValue(sort, _value(table.else_value(), sort.element, model), cells)


def _each_cell(native: Any, sort: Array, model: Any) -> dict[Value, Value]:
    """The cells one by one, where the index is small."""
    index = sort.index
    if index is not BOOL and not (isinstance(index, BitVec) and index.width <= _SMALL_INDEX):
        raise GaveUp("incomplete")
    terms, cells = _terms(), {}
    for i in (False, True) if index is BOOL else range(1 << index.width):  # type: ignore[attr-defined]
        cell = z3.Select(native, z3.z3._to_expr_ref(terms.constant(i, index), model.ctx))
        cells[i] = _value(model.eval(cell, model_completion=True), sort.element, model)
    return cells
