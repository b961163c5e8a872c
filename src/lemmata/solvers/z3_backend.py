"""Z3 (de Moura, Bjørner 2008): every operator there is.

Z3's Python classes build 70,000 terms per second and take as long to import as a small file takes to check. So the C interface
is called directly (``z3_library``): terms are handles, numbers in Python, each counted once and kept; equal terms have equal
handles. Names are numbers: a variable of ours never meets a name that Z3 makes up. Assumptions may be any formulas; Z3 brings
its own proxies for them and names the failed ones as they were given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref, c_bool, c_int64, c_void_p
from fractions import Fraction
from functools import cache
from typing import Any

from lemmata.budgets import Z3_WATCH_S
from lemmata.errors import GaveUp
from lemmata.logic.decimals import digits_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, Term, Value
from lemmata.logic.values import ArrayValue, default_value
from lemmata.solvers.foreign import handles
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.solvers.smt import Sat, Unsat
from lemmata.solvers.z3_library import (
    APP_AST,
    ENDLESS,
    OP_AS_ARRAY,
    OP_CONST_ARRAY,
    OP_STORE,
    Z3_TRUE,
    Z3_UNKNOWN,
    checked,
    complaint,
    new_context,
    note_resources,
    require_no_error,
    set_limit,
)
from lemmata.solvers.z3_library import z3 as c
from lemmata.work import Z3_UNIT, is_over, units, wall_left

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


class _Terms(Translator[int]):
    name = "z3"

    def __init__(self) -> None:
        super().__init__()
        self.context = new_context()

    def keep(self, native: int | None) -> int:
        """Count a handle, so that it lives as long as the process."""
        if not native:
            checked(self.context, native)
        c.Z3_inc_ref(self.context, native)
        return native  # type: ignore[return-value]

    def new_sort(self, sort: Sort) -> Any:
        context = self.context
        if isinstance(sort, BitVec):
            return self.keep(c.Z3_mk_bv_sort(context, sort.width))
        if isinstance(sort, Array):
            return self.keep(c.Z3_mk_array_sort(context, self.sort(sort.index), self.sort(sort.element)))
        make = {BOOL: c.Z3_mk_bool_sort, INT: c.Z3_mk_int_sort, REAL: c.Z3_mk_real_sort}[sort]
        return self.keep(make(context))

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        domain = handles([self.sort(s) for s in wants])
        return self.keep(
            c.Z3_mk_fresh_func_decl(self.context, name.encode(errors="replace"), len(wants), domain, self.sort(gives))
        )

    def variable(self, term: Term) -> Any:
        symbol = c.Z3_mk_int_symbol(self.context, term.number)
        return self.keep(c.Z3_mk_const(self.context, symbol, self.sort(term.sort)))

    def constant(self, value: Value, sort: Sort) -> Any:
        context = self.context
        if sort is BOOL:
            return self.keep(c.Z3_mk_true(context) if value else c.Z3_mk_false(context))
        if not isinstance(sort, BitVec):
            return self.keep(c.Z3_mk_numeral(context, digits_of(value).encode(), self.sort(sort)))
        if sort.width <= _WORD:
            return self.keep(c.Z3_mk_unsigned_int64(context, value, self.sort(sort)))
        bits = (c_bool * sort.width)(*[value >> i & 1 for i in range(sort.width)])
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


@cache
def _terms() -> _Terms:
    return _Terms()


@cache
def _declaration(variable: int) -> int:
    """The symbol of a variable, which lives as long as the variable."""
    symbol: int = c.Z3_get_app_decl(_terms().context, variable)
    return symbol


class _Handle:
    """A solver of Z3 that lives as long as this object."""

    is_core = False  # without strategies
    limit = 0  # of resources, for a question
    patience_s = math.inf  # of the wall clock

    def __init__(self, context: int, handle: int | None, formulas: Sequence[int]) -> None:
        self._context = context
        self.handle = checked(context, handle)
        c.Z3_solver_inc_ref(context, self.handle)
        for formula in formulas:
            self.add(formula)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            c.Z3_solver_dec_ref(self._context, self.handle)

    def add(self, formula: int) -> None:
        """Assert a formula."""
        c.Z3_solver_assert(self._context, self.handle, formula)
        require_no_error(self._context)

    def with_strategies(self) -> _Handle:
        """The other solver, with what was asserted in all scopes; some of it lives only as long as the vector."""
        context = self._context
        vector = checked(context, c.Z3_solver_get_assertions(context, self.handle))
        c.Z3_ast_vector_inc_ref(context, vector)
        try:
            return _Handle(context, c.Z3_mk_solver(context), _members(context, vector))
        finally:
            c.Z3_ast_vector_dec_ref(context, vector)


def _members(context: int, vector: int | None) -> list[int]:
    """The terms in a vector, which somebody else keeps alive."""
    c.Z3_ast_vector_inc_ref(context, checked(context, vector))
    members = [c.Z3_ast_vector_get(context, vector, i) for i in range(c.Z3_ast_vector_size(context, vector))]
    c.Z3_ast_vector_dec_ref(context, vector)
    return members


class Z3(NativeSolver[int]):
    """One solver.

    Z3 has two. One tries strategies that look at the whole question, and hands over to its incremental core when scopes or
    assumptions come, which costs a millisecond or two and a second copy of the formulas. The other is the core alone. What is
    asked first decides which one is opened; what the core does not know, the strategies are asked, as one question of its own.
    """

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        self._context = _terms().context
        self._logic = logic
        self._waiting: list[int] = []  # formulas, before there is a solver
        self._solver: _Handle | None = None
        self._answered: _Handle | None = None  # who gave the last answer

    def _opened(self, is_incremental: bool) -> _Handle:
        """The solver; which one it is depends on the first thing that it is asked."""
        if self._solver is None:
            context = self._context
            is_special = self._logic and "BV" not in self._logic  # for words, it took ten times as long on small questions
            if is_special:
                made = c.Z3_mk_solver_for_logic(context, c.Z3_mk_string_symbol(context, self._logic.encode()))
            else:
                made = c.Z3_mk_simple_solver(context) if is_incremental else c.Z3_mk_solver(context)
            self._solver = _Handle(context, made, self._waiting)
            self._solver.is_core = is_incremental and not is_special
            self._waiting = []
        return self._solver

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        native = self._translate(formula)
        if self._solver is None:
            self._waiting.append(native)
        else:
            self._solver.add(native)

    def push(self) -> None:
        """Open a scope."""
        c.Z3_solver_push(self._context, self._opened(is_incremental=True).handle)

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        c.Z3_solver_pop(self._context, self._opened(is_incremental=True).handle, 1)
        require_no_error(self._context)

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """As in ``NativeSolver``; before 4.15.8 Z3 leaves the constant out of a core that needs it."""
        return Unsat((FALSE,)) if FALSE in assumptions else super().check(assumptions, wanted, until)

    def _is_satisfiable(self, assumptions: list[int], until: float | None) -> bool:
        solver = self._opened(is_incremental=bool(assumptions))
        try:
            return self._ask(solver, assumptions, until)
        except GaveUp as gave_up:
            if gave_up.reason != "incomplete" or not solver.is_core:
                raise
        return self._ask(solver.with_strategies(), assumptions, until)

    def _ask(self, solver: _Handle, assumptions: list[int], until: float | None) -> bool:
        self._set_limits(solver, until)
        answer = c.Z3_solver_check_assumptions(self._context, solver.handle, len(assumptions), handles(assumptions))
        note_resources(self._context, solver.handle)
        if answer == Z3_UNKNOWN:
            raise self._unknown(solver, until)
        self._answered = solver
        return bool(answer == Z3_TRUE)

    def _set_limits(self, solver: _Handle, until: float | None) -> None:
        """Resources, and near the user's deadline time: to tell Z3 costs something, so that is done as seldom as possible."""
        limit = min(units(until, Z3_UNIT) or 0, ENDLESS)
        if limit != solver.limit:
            set_limit(self._context, solver.handle, b"rlimit", limit)
            solver.limit = limit
        wall = wall_left()
        if wall is not None and wall < 0.8 * solver.patience_s and (wall < Z3_WATCH_S or not limit):
            set_limit(self._context, solver.handle, b"timeout", max(min(int(1000 * wall), ENDLESS), 1))
            solver.patience_s = wall

    def _unknown(self, solver: _Handle, until: float | None) -> BaseException:
        if (error := complaint(self._context)) is not None:
            return error
        reason = c.Z3_solver_get_reason_unknown(self._context, solver.handle)
        if b"interrupted" in reason:  # Ctrl-C went to Z3
            return KeyboardInterrupt()
        is_late = b"resource" in reason or reason in (b"timeout", b"canceled") or is_over(until)
        return GaveUp("timeout" if is_late else "incomplete")

    def _values(self, asked: Mapping[Term, int]) -> dict[Term, Value]:
        context = self._context
        assert self._answered is not None
        model = checked(context, c.Z3_solver_get_model(context, self._answered.handle))
        c.Z3_model_inc_ref(context, model)
        reader = _Model(context, model)
        try:
            return {term: reader.value_of(term, native) for term, native in asked.items()}
        finally:
            c.Z3_model_dec_ref(context, model)

    def _failed(self) -> set[int]:
        context = self._context
        assert self._answered is not None
        return set(
            _members(context, c.Z3_solver_get_unsat_core(context, self._answered.handle))
        )  # they are assumptions, and so alive


class _Model:
    """A model, and what its terms are worth."""

    def __init__(self, context: int, model: int) -> None:
        self._context = context
        self._model = model
        self._found = c_void_p()
        self._number = c_int64()
        self._pointer = byref(self._number)

    def value_of(self, term: Term, native: int) -> Value:
        """The value of a term. To ask for what the model says of a variable is much cheaper than to evaluate it."""
        if term.is_var and (term.sort is INT or term.sort is BOOL):
            context = self._context
            value = c.Z3_model_get_const_interp(context, self._model, _declaration(native))
            if not value:  # any value will do
                return False if term.sort is BOOL else 0
            if term.sort is BOOL:
                return bool(c.Z3_get_bool_value(context, value) == Z3_TRUE)
            if c.Z3_get_numeral_int64(context, value, self._pointer):
                return self._number.value
        return self.value_in(native, term.sort)

    def value_in(self, native: int, sort: Sort) -> Value:
        """The same by evaluation; variables that the model leaves open have some value."""
        found = self._found
        if not c.Z3_model_eval(self._context, self._model, native, True, byref(found)) or not found.value:
            raise complaint(self._context) or GaveUp("incomplete")
        value = found.value
        c.Z3_inc_ref(self._context, value)
        try:
            return self._value(value, sort)
        finally:
            c.Z3_dec_ref(self._context, value)

    def _value(self, native: int, sort: Sort) -> Value:
        context = self._context
        if sort is BOOL:
            return bool(c.Z3_get_bool_value(context, native) == Z3_TRUE)
        if isinstance(sort, Array):
            return self._array(native, sort)
        if isinstance(sort, BitVec):
            return int(c.Z3_get_numeral_binary_string(context, native), 2)
        if sort is INT and c.Z3_get_numeral_int64(context, native, self._pointer):
            return self._number.value
        if not c.Z3_is_numeral_ast(context, native):
            raise GaveUp("incomplete")  # a root of a polynomial
        text = c.Z3_get_numeral_string(context, native).decode()
        return int(text) if sort is INT else Fraction(text)

    def _array(self, native: int, sort: Array) -> ArrayValue:
        """Stores over a filled array, a table that the model has elsewhere, or a lambda."""
        cells: dict[Value, Value] = {}
        while (kind := self._kind(native)) == OP_STORE:
            native, index, cell = (c.Z3_get_app_arg(self._context, native, i) for i in range(3))
            cells.setdefault(self._value(index, sort.index), self._value(cell, sort.element))
        if kind == OP_CONST_ARRAY:
            filling = c.Z3_get_app_arg(self._context, native, 0)
            return ArrayValue(sort, self._value(filling, sort.element), cells)
        if kind == OP_AS_ARRAY:
            return self._table(native, sort, cells)
        return ArrayValue(sort, default_value(sort.element), {**self._each_cell(native, sort), **cells})

    def _kind(self, native: int) -> int | None:
        """The operator, if it is one."""
        if c.Z3_get_ast_kind(self._context, native) != APP_AST:
            return None
        return int(c.Z3_get_decl_kind(self._context, c.Z3_get_app_decl(self._context, native)))

    def _table(self, native: int, sort: Array, cells: dict[Value, Value]) -> ArrayValue:
        context = self._context
        symbol = c.Z3_get_as_array_func_decl(context, native)
        table = checked(context, c.Z3_model_get_func_interp(context, self._model, symbol))
        c.Z3_func_interp_inc_ref(context, table)
        for i in range(c.Z3_func_interp_get_num_entries(context, table)):
            entry = c.Z3_func_interp_get_entry(context, table, i)
            c.Z3_func_entry_inc_ref(context, entry)
            index = self._value(c.Z3_func_entry_get_arg(context, entry, 0), sort.index)
            cells.setdefault(index, self._value(c.Z3_func_entry_get_value(context, entry), sort.element))
            c.Z3_func_entry_dec_ref(context, entry)
        otherwise = self._value(c.Z3_func_interp_get_else(context, table), sort.element)
        c.Z3_func_interp_dec_ref(context, table)
        return ArrayValue(sort, otherwise, cells)

    def _each_cell(self, native: int, sort: Array) -> dict[Value, Value]:
        """The cells one by one, where the index is small."""
        index = sort.index
        if index is not BOOL and not (isinstance(index, BitVec) and index.width <= _SMALL_INDEX):
            raise GaveUp("incomplete")
        terms, cells = _terms(), {}
        for i in (False, True) if index is BOOL else range(1 << index.width):  # type: ignore[attr-defined]
            cell = terms.keep(c.Z3_mk_select(self._context, native, terms.constant(i, index)))
            cells[i] = self.value_in(cell, sort.element)
            c.Z3_dec_ref(self._context, cell)
        return cells
