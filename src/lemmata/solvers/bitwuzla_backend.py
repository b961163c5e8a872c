"""Bitwuzla (Niemetz, Preiner 2023): words, arrays of words, functions; no numbers.

Assumptions may be any formulas, and the failed ones come back as they were given. The library counts nothing that could be
read after a question, and its limits cannot be changed after the start. But it asks a terminator whether to stop, some thousand
times per second and at the same points of every run: these looks are counted.
Equality with a constant array is not complete in version 0.9: the answer may be *unknown*, never wrong.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from functools import cache
from typing import Any

from bitwuzla import Bitwuzla as Solver
from bitwuzla import Kind, Option, Options, Result, TermManager

from lemmata.errors import GaveUp
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.values import ArrayValue
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.work import BITWUZLA, is_late, tally, units

_KINDS = {
    "not": Kind.NOT,
    "and": Kind.AND,
    "or": Kind.OR,
    "xor": Kind.XOR,
    "=>": Kind.IMPLIES,
    "=": Kind.EQUAL,
    "ite": Kind.ITE,
    "bvnot": Kind.BV_NOT,
    "bvneg": Kind.BV_NEG,
    "bvand": Kind.BV_AND,
    "bvor": Kind.BV_OR,
    "bvxor": Kind.BV_XOR,
    "bvadd": Kind.BV_ADD,
    "bvsub": Kind.BV_SUB,
    "bvmul": Kind.BV_MUL,
    "bvudiv": Kind.BV_UDIV,
    "bvurem": Kind.BV_UREM,
    "bvsdiv": Kind.BV_SDIV,
    "bvsrem": Kind.BV_SREM,
    "bvsmod": Kind.BV_SMOD,
    "bvshl": Kind.BV_SHL,
    "bvlshr": Kind.BV_SHR,
    "bvashr": Kind.BV_ASHR,
    "bvult": Kind.BV_ULT,
    "bvule": Kind.BV_ULE,
    "bvslt": Kind.BV_SLT,
    "bvsle": Kind.BV_SLE,
    "concat": Kind.BV_CONCAT,
    "select": Kind.ARRAY_SELECT,
    "store": Kind.ARRAY_STORE,
}


class _Terms(Translator[Any]):
    name = "bitwuzla"

    def __init__(self) -> None:
        super().__init__()
        self.manager = TermManager()

    def new_sort(self, sort: Sort) -> Any:
        if sort is BOOL:
            return self.manager.mk_bool_sort()
        if isinstance(sort, BitVec):
            return self.manager.mk_bv_sort(sort.width)
        if isinstance(sort, Array):
            return self.manager.mk_array_sort(self.sort(sort.index), self.sort(sort.element))
        raise self.cannot(f"sort {sort}")

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        return self.manager.mk_const(self.manager.mk_fun_sort([self.sort(s) for s in wants], self.sort(gives)), name)

    def variable(self, term: Term) -> Any:
        return self.manager.mk_const(self.sort(term.sort), name_of(term))

    def constant(self, value: Value, sort: Sort) -> Any:
        if sort is BOOL:
            return self.manager.mk_true() if value else self.manager.mk_false()
        return self.manager.mk_bv_value(self.sort(sort), f"{value:x}", 16)

    def operation(self, term: Term, args: list[Any]) -> Any:
        make = self.manager.mk_term
        kind = _KINDS.get(term.op)
        if kind is not None:
            return make(kind, args)
        match term.op:
            case "extract":
                return make(Kind.BV_EXTRACT, args, list(term.data))
            case "zero_extend":
                return make(Kind.BV_ZERO_EXTEND, args, [term.data])
            case "sign_extend":
                return make(Kind.BV_SIGN_EXTEND, args, [term.data])
            case "filled":
                return self.manager.mk_const_array(self.sort(term.sort), args[0])
            case "apply":
                return make(Kind.APPLY, [self.function(term.data), *args])
        raise self.cannot(f"operator '{term.op}'")


@cache
def _terms() -> _Terms:
    return _Terms()


class Terminator:
    """Tells the library when to stop. What a handler of signals raises in here is lost, so Ctrl-C only leaves a note."""

    def __init__(self) -> None:
        self._left: int | None = None  # looks
        self.is_over = False
        self.interrupted = False

    def begin(self, until: float | None) -> None:
        """A question begins."""
        self._left, self.is_over = units(until, BITWUZLA), False

    def __call__(self) -> bool:
        """Is it time to stop?"""
        tally[BITWUZLA] += 1
        if self._left is not None:
            self._left -= 1
        self.is_over = (self._left is not None and self._left <= 0) or is_late()
        return self.is_over or self.interrupted

    def interrupt(self, number: int, frame: object) -> None:
        """Handle Ctrl-C."""
        self.interrupted = True


class Bitwuzla(NativeSolver[Any]):
    """One solver."""

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        self._solver = Solver(_terms().manager, options)
        self._terminator = Terminator()
        self._solver.configure_terminator(self._terminator)

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        self._solver.assert_formula(self._translate(formula))

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        self._solver.pop()

    def _is_satisfiable(self, assumptions: list[Any], until: float | None) -> bool:
        terminator = self._terminator
        terminator.begin(until)
        answer = self._ask(assumptions)
        if terminator.interrupted:
            terminator.interrupted = False
            raise KeyboardInterrupt
        if answer == Result.UNKNOWN:
            raise GaveUp("timeout" if terminator.is_over else "incomplete")
        return bool(answer == Result.SAT)

    def _ask(self, assumptions: list[Any]) -> Any:
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return self._solver.check_sat(*assumptions)
        signal.signal(signal.SIGINT, self._terminator.interrupt)
        try:
            return self._solver.check_sat(*assumptions)
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _values(self, asked: Mapping[Term, Any]) -> dict[Term, Value]:
        return {term: _value(self._solver.get_value(native), term.sort) for term, native in asked.items()}

    def _failed(self) -> set[Any]:
        return set(self._solver.get_unsat_assumptions())


def _value(native: Any, sort: Sort) -> Value:
    if isinstance(sort, BitVec):
        return int(native.value(16), 16)
    if not isinstance(sort, Array):
        return native.value()
    cells: dict[Value, Value] = {}
    while native.kind() == Kind.ARRAY_STORE:
        native, index, cell = native.children()
        cells.setdefault(_value(index, sort.index), _value(cell, sort.element))
    return ArrayValue(sort, _value(native.children()[0], sort.element), cells)
