"""cvc5 (Barbosa et al. 2022): every operator there is; mostly for a second opinion, in ``certify``.

Its C interface is called directly (``cvc5_library``): terms are handles, numbers in Python, each kept for good. Assumptions
may be any formulas. Building is slower than with Bitwuzla and Yices, and so are small questions. Constant arrays are filled
with constants only. What its solvers refuse is an error of the question; here it becomes ``Inexpressible``. Limits count its
own units of resources, which differ a lot in what they cost, and can be set before the first formula only: so it is opened with
the first question, and again where one needs a larger limit. Time is a net below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import byref, c_size_t, c_uint32, c_void_p
from fractions import Fraction
from functools import cache
from typing import Any

from lemmata.budgets import CVC5_GUARD_FACTOR, CVC5_GUARD_S
from lemmata.errors import GaveUp
from lemmata.logic.decimals import digits_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.solvers.cvc5_library import RESOURCEOUT, TIMEOUT, error_free, kinds
from lemmata.solvers.cvc5_library import cvc5 as c
from lemmata.solvers.foreign import handles
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.solvers.smt import Inexpressible
from lemmata.work import CVC5_UNIT, OTHER, is_over, left, tally, units, wall_left

_KINDS = {
    "not": "NOT",
    "and": "AND",
    "or": "OR",
    "xor": "XOR",
    "=>": "IMPLIES",
    "=": "EQUAL",
    "ite": "ITE",
    "bvnot": "BITVECTOR_NOT",
    "bvneg": "BITVECTOR_NEG",
    "bvand": "BITVECTOR_AND",
    "bvor": "BITVECTOR_OR",
    "bvxor": "BITVECTOR_XOR",
    "bvadd": "BITVECTOR_ADD",
    "bvsub": "BITVECTOR_SUB",
    "bvmul": "BITVECTOR_MULT",
    "bvudiv": "BITVECTOR_UDIV",
    "bvurem": "BITVECTOR_UREM",
    "bvsdiv": "BITVECTOR_SDIV",
    "bvsrem": "BITVECTOR_SREM",
    "bvsmod": "BITVECTOR_SMOD",
    "bvshl": "BITVECTOR_SHL",
    "bvlshr": "BITVECTOR_LSHR",
    "bvashr": "BITVECTOR_ASHR",
    "bvult": "BITVECTOR_ULT",
    "bvule": "BITVECTOR_ULE",
    "bvslt": "BITVECTOR_SLT",
    "bvsle": "BITVECTOR_SLE",
    "concat": "BITVECTOR_CONCAT",
    "+": "ADD",
    "*": "MULT",
    "-": "SUB",
    "neg": "NEG",
    "div": "INTS_DIVISION",
    "mod": "INTS_MODULUS",
    "/": "DIVISION",
    "<": "LT",
    "<=": "LEQ",
    "to_real": "TO_REAL",
    "to_int": "TO_INTEGER",
    "select": "SELECT",
    "store": "STORE",
}
_EXTENSIONS = {"zero_extend": "BITVECTOR_ZERO_EXTEND", "sign_extend": "BITVECTOR_SIGN_EXTEND"}


class _Terms(Translator[int]):
    name = "cvc5"
    deepest = 5000  # it recurses; some 15,000 levels fit into the usual 8 MB

    def __init__(self) -> None:
        super().__init__()
        self.manager = error_free(c.cvc5_term_manager_new())
        self.kinds = kinds()

    def new_sort(self, sort: Sort) -> Any:
        manager = self.manager
        if isinstance(sort, BitVec):
            return error_free(c.cvc5_mk_bv_sort(manager, sort.width))
        if isinstance(sort, Array):
            return error_free(c.cvc5_mk_array_sort(manager, self.sort(sort.index), self.sort(sort.element)))
        make = {BOOL: c.cvc5_get_boolean_sort, INT: c.cvc5_get_integer_sort, REAL: c.cvc5_get_real_sort}[sort]
        return error_free(make(manager))

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        domain = handles([self.sort(sort) for sort in wants])
        sort = error_free(c.cvc5_mk_fun_sort(self.manager, len(wants), domain, self.sort(gives)))
        return error_free(c.cvc5_mk_const(self.manager, sort, name.encode(errors="replace")))

    def variable(self, term: Term) -> int:
        return self._kept(c.cvc5_mk_const(self.manager, self.sort(term.sort), name_of(term).encode(errors="replace")))

    def constant(self, value: Value, sort: Sort) -> int:
        manager = self.manager
        if sort is BOOL:
            return self._kept(c.cvc5_mk_boolean(manager, value))
        if sort is INT:
            return self._kept(c.cvc5_mk_integer(manager, digits_of(value).encode()))
        if sort is REAL:
            return self._kept(c.cvc5_mk_real(manager, digits_of(value).encode()))
        return self._kept(c.cvc5_mk_bv(manager, sort.width, f"{value:x}".encode(), 16))  # type: ignore[attr-defined]

    def operation(self, term: Term, args: list[int]) -> int:
        op = term.op
        if (kind := _KINDS.get(op)) is not None:
            return self._term(kind, args)
        match op:
            case "extract":
                return self._indexed("BITVECTOR_EXTRACT", term.data, args)
            case "zero_extend" | "sign_extend":
                return self._indexed(_EXTENSIONS[op], [term.data], args)
            case "filled":
                return self._filled(term, args[0])
            case "apply":
                return self._term("APPLY_UF", [self.function(term.data), *args])
        raise self.cannot(f"operator '{op}'")

    def _kept(self, native: int | None) -> int:
        """A handle, unless it is null."""
        return native or error_free(native)

    def _term(self, kind: str, args: list[int]) -> int:
        return self._kept(c.cvc5_mk_term(self.manager, self.kinds[kind], len(args), handles(args)))

    def _indexed(self, kind: str, indices: Sequence[int], args: list[int]) -> int:
        numbers = (c_uint32 * len(indices))(*indices)
        operator = self._kept(c.cvc5_mk_op(self.manager, self.kinds[kind], len(indices), numbers))
        return self._kept(c.cvc5_mk_term_from_op(self.manager, operator, len(args), handles(args)))

    def _filled(self, term: Term, cell: int) -> int:
        inner = term.args[0]
        while inner.op == "filled":
            inner = inner.args[0]
        if not inner.is_const:
            raise self.cannot("array filled with something that is not a constant")
        return self._kept(c.cvc5_mk_const_array(self.manager, self.sort(term.sort), cell))


@cache
def _terms() -> _Terms:
    return _Terms()


class Cvc5(NativeSolver[int]):
    """One solver."""

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        self._logic = logic or "ALL"
        self._scopes: list[list[int]] = [[]]
        self._opened: int | None = None
        self._limit: int | None = None

    def __del__(self) -> None:
        self._close()

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        native = self._translate(formula)
        self._scopes[-1].append(native)
        if self._opened is not None:
            error_free(c.cvc5_assert_formula(self._opened, native))

    def push(self) -> None:
        """Open a scope."""
        self._scopes.append([])
        if self._opened is not None:
            error_free(c.cvc5_push(self._opened, 1))

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        self._scopes.pop()
        if self._opened is not None:
            error_free(c.cvc5_pop(self._opened, 1))

    def _close(self) -> None:
        if getattr(self, "_opened", None) is not None:
            c.cvc5_delete(self._opened)
            self._opened = None

    def _open(self, until: float | None) -> int:
        """The solver, with a limit for each question that is not below what ``until`` leaves: it cannot be changed later."""
        limit = units(until, CVC5_UNIT)
        if self._opened is not None and (self._limit is None or (limit is not None and limit <= self._limit)):
            return self._opened
        self._close()
        self._opened = solver = error_free(c.cvc5_new(_terms().manager))
        self._limit = limit
        for option in (b"incremental", b"produce-models", b"produce-unsat-assumptions", b"arrays-exp"):
            error_free(c.cvc5_set_option(solver, option, b"true"))
        if limit is not None:
            error_free(c.cvc5_set_option(solver, b"rlimit-per", str(limit).encode()))
        error_free(c.cvc5_set_logic(solver, self._logic.encode()))
        for depth, scope in enumerate(self._scopes):
            if depth:
                error_free(c.cvc5_push(solver, 1))
            for native in scope:
                error_free(c.cvc5_assert_formula(solver, native))
        return solver  # type: ignore[no-any-return]

    def _is_satisfiable(self, assumptions: list[int], until: float | None) -> bool:
        solver = self._open(until)
        error_free(c.cvc5_set_option(solver, b"tlimit-per", str(_guard_ms(until)).encode()))
        try:
            if assumptions:
                answer = error_free(c.cvc5_check_sat_assuming(solver, len(assumptions), handles(assumptions)))
            else:
                answer = error_free(c.cvc5_check_sat(solver))
        except RuntimeError as error:
            raise Inexpressible("cvc5", f"answer: {error}") from error
        try:
            if c.cvc5_result_is_unknown(answer):
                tally[OTHER] += int((left(until) or 0.0) * 1e9) + 1
                is_late = c.cvc5_result_get_unknown_explanation(answer) in (TIMEOUT, RESOURCEOUT) or is_over(until)
                raise GaveUp("timeout" if is_late else "incomplete")
            return bool(c.cvc5_result_is_sat(answer))
        finally:
            c.cvc5_result_release(answer)

    def _values(self, asked: Mapping[Term, int]) -> dict[Term, Value]:
        found: dict[Term, Value] = {}
        for term, native in asked.items():
            value = error_free(c.cvc5_get_value(self._opened, native))
            try:
                found[term] = _value(value, term.sort)
            finally:
                c.cvc5_term_release(value)
        return found

    def _failed(self) -> set[int]:
        size = c_size_t()
        natives = error_free(c.cvc5_get_unsat_assumptions(self._opened, byref(size)))
        return set((c_void_p * size.value).from_address(natives)) if size.value else set()


def _guard_ms(until: float | None) -> int:
    """Milliseconds after which a question hangs, or the user's time is over; 0 stands for no limit."""
    seconds, wall = left(until), wall_left()
    limits = [] if wall is None else [wall]
    if seconds is not None:
        limits.append(CVC5_GUARD_FACTOR * seconds + CVC5_GUARD_S)
    return max(int(1000 * min(limits)), 1) if limits else 0


def _value(native: int, sort: Sort) -> Value:
    if isinstance(sort, Array):
        return _array_value(native, sort)
    if isinstance(sort, BitVec):
        return int(c.cvc5_term_get_bv_value(native, 16), 16)
    if sort is BOOL:
        return bool(c.cvc5_term_get_boolean_value(native))
    if not c.cvc5_term_is_real_value(native) and not c.cvc5_term_is_integer_value(native):
        raise GaveUp("incomplete")  # a root of a polynomial
    if sort is INT:
        return int(c.cvc5_term_get_integer_value(native))
    return Fraction(c.cvc5_term_get_real_value(native).decode())


def _array_value(native: int, sort: Array) -> ArrayValue:
    cells: dict[Value, Value] = {}
    store = _terms().kinds["STORE"]
    while c.cvc5_term_get_kind(native) == store:
        native, index, cell = [error_free(c.cvc5_term_get_child(native, number)) for number in range(3)]
        cells.setdefault(_value(index, sort.index), _value(cell, sort.element))
    return ArrayValue(sort, _value(error_free(c.cvc5_term_get_const_array_base(native)), sort.element), cells)
