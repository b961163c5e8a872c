"""Justification: why does this state take this step? As half-spaces over the state variables.

Follow the terms along the branches that the state and its inputs take. A comparison of linear terms is a half-space, an
equation two of them, a disequation the side on which the state lies; a conjunction that holds needs all of its parts, a
disjunction one that holds. Comparisons are read over the integers, equations modulo 2ʷ, and inputs as the numbers that they
are. Words wrap around, so an answer is only a proposal: the caller asks a solver whether it suffices. What is not linear has
no justification here.

This is weakest precondition specialised to one path, the proposal that interval simulation cannot make because a box has no
slanted sides.

All terms are evaluated once per state, and each is explained once, however many others share it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.pdr.word.units import Bound, Slice, Vocabulary, WordState
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import Term, Value, topological, value_of
from lemmata.models.system import System

_TERM_DEPTH = 200  # of terms; deeper ones have no justification
_PROGRAMS = 200  # prepared evaluations that are kept

_Linear = tuple[dict[Term, int], int]  # coefficients and constant


class Opaque(Exception):
    """A term that is not linear along the path."""


class Justification:
    """Proposals for one system."""

    def __init__(self, system: System, vocabulary: Vocabulary) -> None:
        self._system = system
        self._vocabulary = vocabulary
        self._programs: dict[tuple[Term, ...], tuple[list[Term], Program]] = {}

    def truth(self, formulas: tuple[Term, ...], values: WordState) -> Cube | None:
        """Half-spaces for: these formulas are true."""
        path = self._path(formulas, values)
        try:
            for formula in formulas:
                path.explain(formula, True, _TERM_DEPTH)
        except Opaque:
            return None
        return path.cube

    def step(self, cube: Cube, values: WordState) -> Cube | None:
        """Half-spaces for: the step leads into ``cube``."""
        nexts = [self._system.nexts[v] for number in cube for v in self._vocabulary.variables(number)]
        path = self._path((self._system.constraint, *dict.fromkeys(nexts)), values)
        try:
            path.explain(self._system.constraint, True, _TERM_DEPTH)
            for number in cube:
                path.land(number)
        except Opaque:
            return None
        return path.cube

    def _path(self, roots: tuple[Term, ...], values: WordState) -> _Path:
        if roots not in self._programs:
            if len(self._programs) >= _PROGRAMS:
                self._programs.clear()
            order = topological(roots)
            self._programs[roots] = order, Program(order)
        order, program = self._programs[roots]
        return _Path(self._system, self._vocabulary, values, dict(zip(order, program.run(values), strict=True)))


class _Path:
    """The literals that one state's path gives; ``known`` has the value of every term on it."""

    def __init__(self, system: System, vocabulary: Vocabulary, values: WordState, known: Mapping[Term, Value]) -> None:
        self._system = system
        self._vocabulary = vocabulary
        self._values = values
        self._known = known
        self._explained: set[Term] = set()
        self._linear: dict[tuple[Term, bool], _Linear] = {}
        self._literals: set[int] = set()

    @property
    def cube(self) -> Cube:
        return tuple(sorted(self._literals))

    def _value(self, term: Term) -> int:
        return int(self._known[term])

    def _at_most(self, left: _Linear, right: _Linear, slack: int) -> None:
        """left + slack ≤ right."""
        coefficients = dict(left[0])
        for v, a in right[0].items():
            coefficients[v] = coefficients.get(v, 0) - a
        number = self._vocabulary.half_space(coefficients, right[1] - left[1] - slack)
        if number:
            if not self._vocabulary.holds(number, self._values):  # the path wraps around
                raise Opaque
            self._literals.add(number)

    def _wraps(self, coefficients: dict[Term, int], offset: int, width: int, is_upper: bool, limit: int) -> None:
        """The sum modulo 2ʷ is at most (or at least) ``limit``."""
        form = self._vocabulary.wrapping(coefficients, offset, width)
        if form is not None and (number := self._vocabulary.bound(form, is_upper, limit)):
            if not self._vocabulary.holds(number, self._values):
                raise Opaque
            self._literals.add(number)

    def _read(self, term: Term, signed: bool, wraps: int) -> _Linear:
        """The term over the integers, or modulo 2ʷ where all of its words have w bits."""
        coefficients, offset = self.linear(term, signed, _TERM_DEPTH)
        if wraps and any(v.width != wraps for v in coefficients):
            raise Opaque
        return coefficients, offset

    def land(self, number: int) -> None:
        """The literal holds after the step."""
        nexts = self._system.nexts
        match self._vocabulary.literals[number]:
            case Bound(form, is_upper, limit):
                total: dict[Term, int] = {}
                constant = form.offset
                for v, a in form.parts:
                    coefficients, offset = self._read(nexts[v], v in self._vocabulary.signed, form.wraps)
                    constant += a * offset
                    for u, b in coefficients.items():
                        total[u] = total.get(u, 0) + a * b
                if form.wraps:
                    self._wraps(total, constant, form.wraps, is_upper, limit)
                    return
                edge: _Linear = ({}, limit)
                self._at_most(*(((total, constant), edge) if is_upper else (edge, (total, constant))), 0)
            case Slice(variable, high, low, value):
                self._land_bits(nexts[variable], high, low, value, _TERM_DEPTH)

    def _land_bits(self, term: Term, high: int, low: int, value: int, depth: int) -> None:
        """``term[high:low] = value``, where the bits come from one variable or from sums of low bits."""
        if term.sort is BOOL:
            self.explain(term, bool(value), depth)
            return
        for left in range(depth, 0, -1):
            match term.op:
                case "const":
                    return
                case "ite":
                    term = self._branch(term, left)
                case "extract":
                    high, low, term = high + term.data[1], low + term.data[1], term.args[0]
                case "zero_extend" if high < term.args[0].width:
                    term = term.args[0]
                case "var" if term in self._system.nexts:
                    self._literals.add(self._vocabulary.slice(term, high, low, value))
                    return
                case "var":
                    return
                case "bvadd" if low == 0 and term.args[1].is_const:
                    value = (value - value_of(term.args[1])) & ((2 << high) - 1)
                    term = term.args[0]
                case _:
                    raise Opaque
        raise Opaque

    def _branch(self, term: Term, depth: int) -> Term:
        taken = bool(self._value(term.args[0]))
        self.explain(term.args[0], taken, depth - 1)
        return term.args[1] if taken else term.args[2]

    def linear(self, term: Term, signed: bool, depth: int) -> _Linear:
        """The term as a linear form, along the path."""
        if depth <= 0:
            raise Opaque
        if (term, signed) not in self._linear:
            self._linear[term, signed] = self._read_linear(term, signed, depth)
        return self._linear[term, signed]

    def _read_linear(self, term: Term, signed: bool, depth: int) -> _Linear:
        match term.op:
            case "const":
                value = value_of(term)
                return {}, value - (1 << term.width) if signed and value >> (term.width - 1) else value
            case "var" if term in self._system.nexts:
                return {term: 1}, 0
            case "var":
                value = self._values[term]
                return {}, value - (1 << term.width) if signed and value >> (term.width - 1) else value
            case "ite" if term.sort is not BOOL:
                return self.linear(self._branch(term, depth), signed, depth - 1)
            case "bvadd" | "bvsub":
                (left, c), (right, d) = (self.linear(arg, True, depth - 1) for arg in term.args)
                sign = 1 if term.op == "bvadd" else -1
                total = dict(left)
                for v, a in right.items():
                    total[v] = total.get(v, 0) + sign * a
                return {v: a for v, a in total.items() if a}, c + sign * d
            case "bvneg":
                coefficients, c = self.linear(term.args[0], True, depth - 1)
                return {v: -a for v, a in coefficients.items()}, -c
            case "bvmul" | "bvshl" if any(arg.is_const for arg in term.args):
                return self._scaled(term, depth)
            case "sign_extend":
                return self.linear(term.args[0], True, depth - 1)
            case "zero_extend":
                return self.linear(term.args[0], False, depth - 1)
            case "concat" if term.args[0].is_const and value_of(term.args[0]) == 0:
                return self.linear(term.args[1], False, depth - 1)
            case "extract" if term.data[1] == 0:
                return self.linear(term.args[0], signed, depth - 1)
            case _:
                raise Opaque

    def _scaled(self, term: Term, depth: int) -> _Linear:
        left, right = term.args
        if term.op == "bvshl":
            if not right.is_const or value_of(right) >= term.width:
                raise Opaque
            inner, factor = left, 1 << value_of(right)
        else:
            inner, constant = (right, left) if left.is_const else (left, right)
            factor = value_of(constant)
            factor = factor - (1 << term.width) if factor >> (term.width - 1) else factor
        coefficients, c = self.linear(inner, True, depth - 1)
        return {v: factor * a for v, a in coefficients.items()}, factor * c

    def explain(self, formula: Term, truth: bool, depth: int) -> None:
        """Literals for: the formula has this truth value, which it has in the state."""
        if depth <= 0:
            raise Opaque
        if formula in self._explained:
            return
        self._explained.add(formula)
        match formula.op:
            case "const":
                return
            case "not":
                self.explain(formula.args[0], not truth, depth - 1)
            case "and" | "or":
                self._connective(formula, truth, depth)
            case "=>":
                if not truth or not self._value(formula.args[0]):
                    self.explain(formula.args[0], not truth, depth - 1)
                if not truth or self._value(formula.args[0]):
                    self.explain(formula.args[1], truth, depth - 1)
            case "ite" | "xor":
                self._by_value(formula, truth, depth)
            case "=" if formula.args[0].sort is BOOL:
                self._by_value(formula, truth, depth)
            case "=" if isinstance(formula.args[0].sort, BitVec):
                self._equation(formula, truth, depth)
            case "bvult" | "bvule" | "bvslt" | "bvsle":
                self._comparison(formula, truth, depth)
            case "var" if formula in self._system.nexts:
                self._literals.add(self._vocabulary.slice(formula, 0, 0, int(truth)))
            case "var":
                return
            case _:
                raise Opaque

    def _connective(self, formula: Term, truth: bool, depth: int) -> None:
        if (formula.op == "and") == truth:
            for arg in formula.args:
                self.explain(arg, truth, depth - 1)
            return
        for arg in formula.args:
            if bool(self._value(arg)) == truth:
                self.explain(arg, truth, depth - 1)
                return

    def _by_value(self, formula: Term, truth: bool, depth: int) -> None:
        """Booleans whose value decides: the condition and the branch, or both sides."""
        if formula.op == "ite":
            self.explain(self._branch(formula, depth - 1), truth, depth - 1)
            return
        for arg in formula.args:
            self.explain(arg, bool(self._value(arg)), depth - 1)

    def _equation(self, formula: Term, truth: bool, depth: int) -> None:
        left, right = formula.args
        if left.is_const:
            left, right = right, left
        if right.is_const and truth and left.op == "extract" and left.args[0] in self._system.nexts:
            high, low = left.data
            self._literals.add(self._vocabulary.slice(left.args[0], high, low, value_of(right)))
            return
        if left.width == 1 and right.is_const:
            self._land_bits(left, 0, 0, value_of(right) if truth else 1 - value_of(right), depth - 1)
            return
        signed = self._reads_signed(left) or self._reads_signed(right)
        one, two = (self.linear(arg, signed, depth - 1) for arg in (left, right))
        if len({*one[0], *two[0]}) > 1 and {v.width for v in (*one[0], *two[0])} == {left.width}:
            total = dict(one[0])
            for v, a in two[0].items():
                total[v] = total.get(v, 0) - a
            self._wraps(total, one[1] - two[1], left.width, truth, 0 if truth else 1)
        elif truth:
            self._at_most(one, two, 0)
            self._at_most(two, one, 0)
        elif self._number(left, signed) < self._number(right, signed):
            self._at_most(one, two, 1)
        else:
            self._at_most(two, one, 1)

    def _number(self, term: Term, signed: bool) -> int:
        value = self._value(term)
        return value - (1 << term.width) if signed and value >> (term.width - 1) else value

    def _reads_signed(self, term: Term) -> bool:
        for _ in range(_TERM_DEPTH):
            if term in self._vocabulary.signed:
                return True
            if not term.args:
                return False
            term = term.args[-1] if term.op == "ite" else term.args[0]
        return False

    def _comparison(self, formula: Term, truth: bool, depth: int) -> None:
        signed = formula.op in ("bvslt", "bvsle")
        left, right = (self.linear(arg, signed, depth - 1) for arg in formula.args)
        strict = formula.op in ("bvult", "bvslt")
        if truth:
            self._at_most(left, right, int(strict))
        else:
            self._at_most(right, left, int(not strict))
