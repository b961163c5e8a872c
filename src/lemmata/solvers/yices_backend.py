"""Yices 2 (Dutertre 2014): words, linear numbers, arrays as functions; an optional package, very quick on small questions.

What it does not have here: constant arrays (it would need a lambda, which its solvers do not take), division by anything but
a constant, and products of variables. All raise ``Inexpressible``.

Terms are integers, and the C functions are called without any bindings (``yices_library``). There is no limit and no counter,
but a search can be stopped from another thread; a context whose search was stopped is not used again: a new one gets the same
formulas. Once in some hundred times the library aborts when it is stopped (``run.processes.worker_group`` starts again then),
so short searches may end by themselves.

So what a search costs on the work clock is an estimate by the formulas that it holds. Nearly all searches take less than a
millisecond; one that takes long (``YICES_LONG_S``) costs more, in steps of four, and is stopped well past its limit, both by
the processor's time. ADR 18 lists what else is still about time.

Version 2.6.5 forgets a contradiction that it found while there were assumptions which were not needed: asked again, it says
*sat*. So a scope that was found contradictory is remembered here (``_dead``), and Yices is not asked about it again.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from ctypes import byref, c_int32, c_int64, c_uint64
from fractions import Fraction
from functools import cache
from typing import Any

from lemmata.budgets import YICES_GUARD_S, YICES_LONG_S
from lemmata.errors import GaveUp
from lemmata.logic.decimals import digits_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, value_of
from lemmata.logic.values import ArrayValue
from lemmata.solvers.library import NativeSolver, Translator
from lemmata.solvers.smt import Inexpressible
from lemmata.solvers.yices_library import (
    YICES_INTERRUPTED,
    YICES_SAT,
    YICES_UNKNOWN,
    YICES_UNSAT,
    NodeVector,
    TermVector,
    YicesNode,
    lib,
    numbers,
    text_of,
)
from lemmata.work import OTHER, YICES, is_late, left, tally

_LOOK_S = 0.01  # seconds between two looks at the limits of a search

_PLAIN: dict[str, Callable[..., int]] = {
    "not": lib.yices_not,
    "xor": lib.yices_xor2,
    "=>": lib.yices_implies,
    "=": lib.yices_eq,
    "ite": lib.yices_ite,
    "bvnot": lib.yices_bvnot,
    "bvneg": lib.yices_bvneg,
    "bvand": lib.yices_bvand2,
    "bvor": lib.yices_bvor2,
    "bvxor": lib.yices_bvxor2,
    "bvadd": lib.yices_bvadd,
    "bvsub": lib.yices_bvsub,
    "bvmul": lib.yices_bvmul,
    "bvudiv": lib.yices_bvdiv,
    "bvurem": lib.yices_bvrem,
    "bvsdiv": lib.yices_bvsdiv,
    "bvsrem": lib.yices_bvsrem,
    "bvsmod": lib.yices_bvsmod,
    "bvshl": lib.yices_bvshl,
    "bvlshr": lib.yices_bvlshr,
    "bvashr": lib.yices_bvashr,
    "bvult": lib.yices_bvlt_atom,
    "bvule": lib.yices_bvle_atom,
    "bvslt": lib.yices_bvslt_atom,
    "bvsle": lib.yices_bvsle_atom,
    "concat": lib.yices_bvconcat2,
    "-": lib.yices_sub,
    "neg": lib.yices_neg,
    "<": lib.yices_arith_lt_atom,
    "<=": lib.yices_arith_leq_atom,
    "to_int": lib.yices_floor,
    "select": lib.yices_application1,
    "store": lib.yices_update1,
}
_MANY = {"and": lib.yices_and, "or": lib.yices_or, "+": lib.yices_sum, "*": lib.yices_product}
_DIVISIONS = {"div": lib.yices_idiv, "mod": lib.yices_imod, "/": lib.yices_division}


class _Terms(Translator[int]):
    name = "yices"
    deepest = 5000  # it recurses; some 15,000 levels fit into the usual 8 MB

    def new_sort(self, sort: Sort) -> int:
        if isinstance(sort, BitVec):
            return self._checked(lib.yices_bv_type(sort.width))
        if isinstance(sort, Array):
            return self._checked(lib.yices_function_type1(self.sort(sort.index), self.sort(sort.element)))
        make = {BOOL: lib.yices_bool_type, INT: lib.yices_int_type, REAL: lib.yices_real_type}[sort]
        return int(make())

    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> int:
        domain = numbers([self.sort(s) for s in wants])
        sort = self._checked(lib.yices_function_type(len(wants), domain, self.sort(gives)))
        return self._checked(lib.yices_new_uninterpreted_term(sort))

    def variable(self, term: Term) -> int:
        return self._checked(lib.yices_new_uninterpreted_term(self.sort(term.sort)))

    def constant(self, value: Value, sort: Sort) -> int:
        if sort is BOOL:
            return int(lib.yices_true() if value else lib.yices_false())
        if isinstance(sort, BitVec):
            bits = numbers([value >> i & 1 for i in range(sort.width)])
            return self._checked(lib.yices_bvconst_from_array(sort.width, bits))
        return self._checked(lib.yices_parse_rational(digits_of(value).encode()))

    def operation(self, term: Term, args: list[int]) -> int:
        plain = _PLAIN.get(term.op)
        return self._checked(plain(*args) if plain is not None else self._special(term, args))

    def _special(self, term: Term, args: list[int]) -> int:
        op = term.op
        match op:
            case "and" | "or" | "+" | "*":
                return _MANY[op](len(args), numbers(args))  # type: ignore[no-any-return]
            case "div" | "mod" | "/" if term.args[1].is_const and value_of(term.args[1]):
                return _DIVISIONS[op](*args)  # type: ignore[no-any-return]
            case "to_real":
                return args[0]
            case "extract":
                high, low = term.data
                return lib.yices_bvextract(args[0], low, high)  # type: ignore[no-any-return]
            case "zero_extend":
                return lib.yices_zero_extend(args[0], term.data)  # type: ignore[no-any-return]
            case "sign_extend":
                return lib.yices_sign_extend(args[0], term.data)  # type: ignore[no-any-return]
            case "apply":
                arguments = numbers(args)
                return lib.yices_application(self.function(term.data), len(args), arguments)  # type: ignore[no-any-return]
        raise self.cannot("constant arrays" if op == "filled" else f"operator '{op}' for these arguments")

    def _checked(self, result: int) -> int:
        if result < 0:
            raise _complaint()
        return result


def _complaint() -> Inexpressible:
    """What the library complains about."""
    text = text_of(lib.yices_error_string())
    lib.yices_clear_error()
    return Inexpressible("yices", f"way to say this: {text}")


@cache
def _terms() -> _Terms:
    return _Terms()


class _Watch:
    """A thread that stops a search when its time is over, and sleeps while nothing has a limit.

    A thread per question would cost more than most questions. It looks every few milliseconds, and stops a search again and
    again, should it have come before the start.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._search: tuple[Any, float] | None = None  # context and end, in seconds of this process
        self._is_needed = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while True:
            self._is_needed.wait()
            time.sleep(_LOOK_S)
            with self._lock:
                if self._search is None:
                    self._is_needed.clear()
                elif time.process_time() >= self._search[1] or is_late():
                    lib.yices_stop_search(self._search[0])

    @contextmanager
    def over(self, context: Any, seconds: float) -> Iterator[None]:
        """Watch a search that may take so many seconds of the processor."""
        with self._lock:
            self._search = (context, time.process_time() + seconds)
            self._is_needed.set()
        try:
            yield
        finally:
            with self._lock:
                self._search = None


_watches: list[_Watch] = []
_unused: list[Any] = []  # contexts whose solver is gone; Python may find that out in the watch's thread, amid another's search


def _watch() -> _Watch:
    """The one of this process; a process that was forked off starts its own."""
    if not _watches or not _watches[0].thread.is_alive():
        _watches[:] = [_Watch()]
    return _watches[0]


class Yices(NativeSolver[int]):
    """One solver."""

    def __init__(self, logic: str = "") -> None:
        super().__init__(_terms())
        self._logic = logic
        self._scopes: list[list[int]] = [[]]
        self._dead: int | None = None  # so many scopes were open when their formulas turned out contradictory
        self._core_found: Sequence[int] = ()
        self._context = self._new_context()

    def __del__(self) -> None:
        if hasattr(self, "_context"):
            _unused.append(self._context)

    def _new_context(self) -> Any:
        while _unused:
            lib.yices_free_context(_unused.pop())
        config = lib.yices_new_config()
        if self._logic:
            lib.yices_default_config_for_logic(config, self._logic.encode())
        lib.yices_set_config(config, b"mode", b"push-pop")
        context = lib.yices_new_context(config)
        lib.yices_free_config(config)
        if not context:
            raise _complaint()
        return context

    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""
        native = self._translate(formula)
        self._scopes[-1].append(native)
        self._assert(native)

    def _assert(self, native: int) -> None:
        if self._dead is None and lib.yices_assert_formula(self._context, native) < 0:
            raise _complaint()

    def push(self) -> None:
        """Open a scope."""
        self._push()
        self._scopes.append([])

    def _push(self) -> None:
        if self._dead is None and lib.yices_push(self._context) < 0:  # not allowed above a contradiction
            lib.yices_clear_error()
            self._dead = len(self._scopes)

    def pop(self) -> None:
        """Forget what was added since the last ``push``."""
        if len(self._scopes) == 1:
            raise IndexError("pop without push")
        self._scopes.pop()
        if self._dead is not None and len(self._scopes) >= self._dead:
            return
        self._dead = None
        if lib.yices_pop(self._context) < 0:
            raise _complaint()

    def _renew(self) -> None:
        """A new context with the same formulas."""
        lib.yices_free_context(self._context)
        self._context = self._new_context()
        scopes, self._scopes = self._scopes, [[]]
        for number, scope in enumerate(scopes):
            if number:
                self.push()
            for native in scope:
                self._scopes[-1].append(native)
                self._assert(native)

    def _is_satisfiable(self, assumptions: list[int], until: float | None) -> bool:
        self._core_found = ()
        if self._dead is not None:
            return False
        tally[YICES] += sum(map(len, self._scopes)) + len(assumptions)
        seconds = left(until)
        began = time.process_time()
        answer = self._search(assumptions, None if seconds is None else seconds + YICES_GUARD_S)
        if answer != YICES_INTERRUPTED:
            tally[OTHER] += _surcharge_ns(time.process_time() - began)
        if answer == YICES_SAT:
            return True
        if answer == YICES_UNSAT:
            self._core_found = self._read_core() if assumptions else ()
            if not self._core_found:
                self._dead = len(self._scopes)
            return False
        if answer == YICES_INTERRUPTED:
            self._renew()
            tally[OTHER] += int((seconds or 0.0) * 1e9) + 1
            raise GaveUp("timeout")
        if answer == YICES_UNKNOWN:
            raise GaveUp("incomplete")
        raise _complaint()

    def _search(self, assumptions: list[int], guard: float | None) -> int:
        with _watch().over(self._context, guard) if guard is not None else nullcontext():
            if not assumptions:
                return int(lib.yices_check_context(self._context, None))
            given = numbers(assumptions)
            return int(lib.yices_check_context_with_assumptions(self._context, None, len(assumptions), given))

    def _failed(self) -> Sequence[int]:
        return self._core_found

    def _read_core(self) -> Sequence[int]:
        found = TermVector()
        lib.yices_init_term_vector(byref(found))
        lib.yices_get_unsat_core(self._context, byref(found))
        failed = found.data[: found.size]
        lib.yices_delete_term_vector(byref(found))
        return failed  # type: ignore[no-any-return]

    def _values(self, asked: Mapping[Term, int]) -> dict[Term, Value]:
        model = lib.yices_get_model(self._context, 1)
        try:
            return {term: _value(model, native, term.sort) for term, native in asked.items()}
        finally:
            lib.yices_free_model(model)


def _surcharge_ns(seconds: float) -> int:
    """What a search costs that was not short: one of few numbers, so that a busy machine seldom makes a difference."""
    if seconds < YICES_LONG_S:
        return 0
    return int(2e9 * YICES_LONG_S * 4 ** int(math.log(seconds / YICES_LONG_S, 4)))


def _value(model: Any, native: int, sort: Sort) -> Value:
    if isinstance(sort, BitVec):
        bits = (c_int32 * sort.width)()
        _require(lib.yices_get_bv_value(model, native, bits))
        return _word(bits)
    if sort is BOOL:
        truth = c_int32()
        _require(lib.yices_get_bool_value(model, native, byref(truth)))
        return bool(truth.value)
    if isinstance(sort, Array):
        node = YicesNode()
        _require(lib.yices_get_value(model, native, byref(node)))
        return _node_value(model, node, sort)
    above, below = c_int64(), c_uint64()
    if lib.yices_get_rational64_value(model, native, byref(above), byref(below)) >= 0:
        return above.value if sort is INT else Fraction(above.value, below.value)
    lib.yices_clear_error()
    constant = lib.yices_get_value_as_term(model, native)
    _require(constant)
    number = Fraction(text_of(lib.yices_term_to_string(constant, (1 << 31) - 1, 1, 0)))
    return int(number) if sort is INT else number


def _require(status: int) -> None:
    if status < 0:
        raise _complaint()


def _word(bits: Any) -> int:
    return int("".join("1" if bit else "0" for bit in reversed(bits)), 2)


def _node_value(model: Any, node: Any, sort: Sort) -> Value:
    """The value of a node of the model: arrays, and what is in them."""
    if isinstance(sort, Array):
        return _array_value(model, node, sort)
    if isinstance(sort, BitVec):
        bits = (c_int32 * sort.width)()
        _require(lib.yices_val_get_bv(model, byref(node), bits))
        return _word(bits)
    if sort is BOOL:
        truth = c_int32()
        _require(lib.yices_val_get_bool(model, byref(node), byref(truth)))
        return bool(truth.value)
    above, below = c_int64(), c_uint64()
    _require(lib.yices_val_get_rational64(model, byref(node), byref(above), byref(below)))
    return above.value if sort is INT else Fraction(above.value, below.value)


def _array_value(model: Any, node: Any, sort: Array) -> ArrayValue:
    default = YicesNode()
    cells = {}
    with _vector() as found:
        _require(lib.yices_val_expand_function(model, byref(node), byref(default), byref(found)))
        for i in range(found.size):
            index, cell = (YicesNode * 1)(), YicesNode()
            _require(lib.yices_val_expand_mapping(model, byref(found.data[i]), index, byref(cell)))
            cells[_node_value(model, index[0], sort.index)] = _node_value(model, cell, sort.element)
    return ArrayValue(sort, _node_value(model, default, sort.element), cells)


@contextmanager
def _vector() -> Iterator[Any]:
    vector = NodeVector()
    lib.yices_init_yval_vector(byref(vector))
    try:
        yield vector
    finally:
        lib.yices_delete_yval_vector(byref(vector))
