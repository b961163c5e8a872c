"""cvc5 (Barbosa et al. 2022): every operator there is; mostly for a second opinion, in ``certify``.

Assumptions may be any formulas. Building is slower than with Bitwuzla and Yices, and so are small questions. Constant arrays
are filled with constants only. What its solvers refuse comes as a ``RuntimeError`` from inside a question; here it becomes
``Inexpressible``. Limits count its own units of resources, which differ a lot in what they cost, and can be set before the
first formula only: so it is opened with the first question, and again where one needs a larger limit. Time is a net below.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import cvc5
from cvc5 import Kind

from lemmata.budgets import CVC5_GUARD_FACTOR, CVC5_GUARD_S
from lemmata.errors import GaveUp
from lemmata.logic.decimals import digits_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.solvers.smt import Inexpressible
from lemmata.work import CVC5_UNIT, OTHER, is_over, left, tally, units, wall_left

_KINDS = {
    "not": Kind.NOT,
    "and": Kind.AND,
    "or": Kind.OR,
    "xor": Kind.XOR,
    "=>": Kind.IMPLIES,
    "=": Kind.EQUAL,
    "ite": Kind.ITE,
    "bvnot": Kind.BITVECTOR_NOT,
    "bvneg": Kind.BITVECTOR_NEG,
    "bvand": Kind.BITVECTOR_AND,
    "bvor": Kind.BITVECTOR_OR,
    "bvxor": Kind.BITVECTOR_XOR,
    "bvadd": Kind.BITVECTOR_ADD,
    "bvsub": Kind.BITVECTOR_SUB,
    "bvmul": Kind.BITVECTOR_MULT,
    "bvudiv": Kind.BITVECTOR_UDIV,
    "bvurem": Kind.BITVECTOR_UREM,
    "bvsdiv": Kind.BITVECTOR_SDIV,
    "bvsrem": Kind.BITVECTOR_SREM,
    "bvsmod": Kind.BITVECTOR_SMOD,
    "bvshl": Kind.BITVECTOR_SHL,
    "bvlshr": Kind.BITVECTOR_LSHR,
    "bvashr": Kind.BITVECTOR_ASHR,
    "bvult": Kind.BITVECTOR_ULT,
    "bvule": Kind.BITVECTOR_ULE,
    "bvslt": Kind.BITVECTOR_SLT,
    "bvsle": Kind.BITVECTOR_SLE,
    "concat": Kind.BITVECTOR_CONCAT,
    "+": Kind.ADD,
    "*": Kind.MULT,
    "-": Kind.SUB,
    "neg": Kind.NEG,
    "div": Kind.INTS_DIVISION,
    "mod": Kind.INTS_MODULUS,
    "/": Kind.DIVISION,
    "<": Kind.LT,
    "<=": Kind.LEQ,
    "to_real": Kind.TO_REAL,
    "to_int": Kind.TO_INTEGER,
    "select": Kind.SELECT,
    "store": Kind.STORE,
}
_LATE = (cvc5.UnknownExplanation.TIMEOUT, cvc5.UnknownExplanation.RESOURCEOUT)
_EXTENSIONS = {"zero_extend": Kind.BITVECTOR_ZERO_EXTEND, "sign_extend": Kind.BITVECTOR_SIGN_EXTEND}


class _Terms(Translator[Any]):
    name = "cvc5"
    deepest = 5000  # it recurses; some 15,000 levels fit into the usual 8 MB

    def __init__(self) -> None:
        super().__init__()
        self.manager = cvc5.TermManager()

    def new_sort(self, sort: Sort) -> Any:
        manager = self.manager
        if isinstance(sort, BitVec):
            return manager.mkBitVectorSort(sort.width)
        if isinstance(sort, Array):
            return manager.mkArraySort(self.sort(sort.index), self.sort(sort.element))
        return {BOOL: manager.getBooleanSort, INT: manager.getIntegerSort, REAL: manager.getRealSort}[sort]()

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        return self.manager.mkConst(self.manager.mkFunctionSort([self.sort(s) for s in wants], self.sort(gives)), name)

    def variable(self, term: Term) -> Any:
        return self.manager.mkConst(self.sort(term.sort), name_of(term))

    def constant(self, value: Value, sort: Sort) -> Any:
        if sort is BOOL:
            return self.manager.mkBoolean(value)
        if sort is INT:
            return self.manager.mkInteger(digits_of(value))
        if sort is REAL:
            return self.manager.mkReal(digits_of(value))
        return self.manager.mkBitVector(sort.width, f"{value:x}", 16)  # type: ignore[attr-defined]

    def operation(self, term: Term, args: list[Any]) -> Any:
        op, manager = term.op, self.manager
        kind = _KINDS.get(op)
        if kind is not None:
            return manager.mkTerm(kind, *args)
        match op:
            case "extract":
                return manager.mkTerm(manager.mkOp(Kind.BITVECTOR_EXTRACT, *term.data), *args)
            case "zero_extend" | "sign_extend":
                return manager.mkTerm(manager.mkOp(_EXTENSIONS[op], term.data), *args)
            case "filled":
                return self._filled(term, args[0])
            case "apply":
                return manager.mkTerm(Kind.APPLY_UF, self.function(term.data), *args)
        raise self.cannot(f"operator '{op}'")

    def _filled(self, term: Term, cell: Any) -> Any:
        inner = term.args[0]
        while inner.op == "filled":
            inner = inner.args[0]
        if not inner.is_const:
            raise self.cannot("array filled with something that is not a constant")
        return self.manager.mkConstArray(self.sort(term.sort), cell)


@cache
def _terms() -> _Terms:
    return _Terms()


class Cvc5(NativeSolver[Any]):
    """One solver."""

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        self._logic = logic or "ALL"
        self._scopes: list[list[Any]] = [[]]
        self._opened: Any = None
        self._limit: int | None = None

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        native = self._translate(formula)
        self._scopes[-1].append(native)
        if self._opened is not None:
            self._opened.assertFormula(native)

    def push(self) -> None:
        """Open a scope."""
        self._scopes.append([])
        if self._opened is not None:
            self._opened.push()

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        self._scopes.pop()
        if self._opened is not None:
            self._opened.pop()

    def _open(self, until: float | None) -> Any:
        """The solver, with a limit for each question that is not below what ``until`` leaves: it cannot be changed later."""
        limit = units(until, CVC5_UNIT)
        if self._opened is not None and (self._limit is None or (limit is not None and limit <= self._limit)):
            return self._opened
        self._opened = solver = cvc5.Solver(_terms().manager)
        self._limit = limit
        for option in ("incremental", "produce-models", "produce-unsat-assumptions", "arrays-exp"):
            solver.setOption(option, "true")
        if limit is not None:
            solver.setOption("rlimit-per", str(limit))
        solver.setLogic(self._logic)
        for depth, scope in enumerate(self._scopes):
            if depth:
                solver.push()
            for native in scope:
                solver.assertFormula(native)
        return solver

    def _is_satisfiable(self, assumptions: list[Any], until: float | None) -> bool:
        solver = self._open(until)
        solver.setOption("tlimit-per", str(_guard_ms(until)))
        try:
            answer = solver.checkSatAssuming(*assumptions) if assumptions else solver.checkSat()
        except RuntimeError as error:
            raise Inexpressible("cvc5", f"answer: {error}") from error
        if answer.isUnknown():
            tally[OTHER] += int((left(until) or 0.0) * 1e9) + 1
            is_late = answer.getUnknownExplanation() in _LATE or (is_over(until))
            raise GaveUp("timeout" if is_late else "incomplete")
        return bool(answer.isSat())

    def _values(self, asked: Mapping[Term, Any]) -> dict[Term, Value]:
        found = self._opened.getValue(list(asked.values()))
        return {term: _value(native, term.sort) for term, native in zip(asked, found, strict=True)}

    def _failed(self) -> set[Any]:
        return set(self._opened.getUnsatAssumptions())


def _guard_ms(until: float | None) -> int:
    """Milliseconds after which a question hangs, or the user's time is over; 0 stands for no limit."""
    seconds, wall = left(until), wall_left()
    limits = [] if wall is None else [wall]
    if seconds is not None:
        limits.append(CVC5_GUARD_FACTOR * seconds + CVC5_GUARD_S)
    return max(int(1000 * min(limits)), 1) if limits else 0


def _value(native: Any, sort: Sort) -> Value:
    if isinstance(sort, Array):
        return _array_value(native, sort)
    if isinstance(sort, BitVec):
        return int(native.getBitVectorValue(16), 16)
    if sort is BOOL:
        return native.getBooleanValue()
    if not native.isRealValue() and not native.isIntegerValue():
        raise GaveUp("incomplete")  # a root of a polynomial
    return native.getIntegerValue() if sort is INT else Fraction(native.getRealValue())


def _array_value(native: Any, sort: Array) -> ArrayValue:
    cells: dict[Value, Value] = {}
    while native.getKind() == Kind.STORE:
        native, index, cell = native
        cells.setdefault(_value(index, sort.index), _value(cell, sort.element))
    return ArrayValue(sort, _value(native.getConstArrayBase(), sort.element), cells)
