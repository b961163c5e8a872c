"""Expressions become terms, without recursion: an expression may be nested as deep as the file likes.

Formulas are translated with a *polarity*: where only one direction is needed (an assumption, the negation of an assertion) a
quantifier that asks for a witness gets one, as an input of the edge (Skolem 1920). Any other quantifier becomes an input that
may be true or false; the edge is inexact then.

Functions with a body are written out (``functions``). A division by zero has a value that nobody knows, as in SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import assert_never

from lemmata.frontends.programs.checked import CheckedProgram
from lemmata.frontends.programs.sorts import sort_of_type
from lemmata.frontends.programs.translate.draft import Draft, VariableScope
from lemmata.frontends.programs.translate.functions import Builtin, ConstantMap, Functions, Macro, Spelled, parameter_terms
from lemmata.frontends.programs.tree import (
    INT_TYPE,
    Apply,
    Binary,
    Conditional,
    Convert,
    Expression,
    Extract,
    Field,
    Filled,
    Function,
    Literal,
    Name,
    Old,
    Quantified,
    Select,
    Store,
    StructValue,
    Unary,
    Variable,
    WithField,
    parts,
)
from lemmata.logic.build import build, conj, disj, equal, implies, ite, negate
from lemmata.logic.sorts import BOOL, REAL, Array, Sort
from lemmata.logic.terms import Term, const, value_of
from lemmata.logic.walk import dag_size, substitute

_LARGEST_EXPONENT = 64  # largest exponent that is written out
_MOST_NODES = 500_000  # operators and operands that functions may grow to
_BOTH = 0
_BELOW = {"&&": (1, 1), "||": (1, 1), "==>": (-1, 1)}


class ExpressionTranslator:
    """Translates the expressions of a program."""

    def __init__(self, program: CheckedProgram, functions: Functions) -> None:
        self._program = program
        self._functions = functions
        for function in functions.macros:
            self._define(function)

    def _define(self, function: Function) -> None:
        """What the body says; a body that needs inputs is translated anew wherever the function is used."""
        assert function.body is not None
        terms, draft = parameter_terms(function, self._program), Draft()
        body = self.value(function.body, VariableScope(terms, {}), draft)
        if draft.inputs:
            self._functions.define(function.name, Spelled(function.parameters, function.body))
        else:
            self._functions.define(function.name, Macro(tuple(terms.values()), body, draft.is_exact, dag_size([body])))

    def value(self, expression: Expression, scope: VariableScope, draft: Draft) -> Term:
        """Its value, whatever its type."""
        return self._term(expression, scope, draft, _BOTH)

    def holds(self, expression: Expression, scope: VariableScope, draft: Draft) -> Term:
        """A formula to assume."""
        return self._term(expression, scope, draft, 1)

    def fails(self, expression: Expression, scope: VariableScope, draft: Draft) -> Term:
        """The negation of a formula, to assume."""
        return negate(self._term(expression, scope, draft, -1))

    def _term(self, root: Expression, scope: VariableScope, draft: Draft, polarity: int) -> Term:
        return _Walk(self._program, self._functions, scope, draft).term(root, polarity)


_Item = tuple[Expression, int, bool, bool]  # polarity, is it below old, are its parts translated


class _Walk:
    """One expression. ``_values`` are the terms of what was visited and not yet used, the last one on top."""

    def __init__(self, program: CheckedProgram, functions: Functions, scope: VariableScope, draft: Draft) -> None:
        self._program = program
        self._functions = functions
        self._scope = scope
        self._draft = draft
        self._bound: dict[Variable, Term] = {}
        self._stack: list[_Item] = []
        self._values: list[Term] = []

    def term(self, root: Expression, polarity: int) -> Term:
        self._stack.append((root, polarity, False, False))
        while self._stack:
            expression, sign, is_old, is_ready = self._stack.pop()
            if is_ready:
                self._combine(expression, sign)
            else:
                self._visit(expression, sign, is_old)
        return self._values.pop()

    def _visit(self, expression: Expression, sign: int, is_old: bool) -> None:
        match expression:
            case Literal(_, value, kind):
                self._values.append(const(value, sort_of_type(kind)))
            case Name():
                self._values.append(self._named(expression, is_old))
            case Old(_, argument):
                self._stack.append((argument, sign, True, False))
            case Quantified():
                self._quantified(expression, sign, is_old)
            case _:
                self._stack.append((expression, sign, is_old, True))
                signs = self._signs(expression, sign)
                below = zip(parts(expression), signs, strict=True)
                self._stack += reversed([(part, s, is_old, False) for part, s in below])

    def _signs(self, expression: Expression, sign: int) -> Sequence[int]:
        """The polarities of the parts."""
        match expression:
            case Unary(op="!"):
                return (-sign,)
            case Binary(op=op) if op in _BELOW:
                return tuple(factor * sign for factor in _BELOW[op])
            case Conditional():
                return (_BOTH, sign, sign)
        return (_BOTH,) * len(parts(expression))

    def _named(self, name: Name, is_old: bool) -> Term:
        variable = self._program.variable_of(name)
        if (term := self._bound.get(variable)) is not None:
            return term
        if is_old and (term := self._scope.before.get(variable)) is not None:
            return term
        term = self._scope.now.get(variable)
        return self._functions.constant(variable) if term is None else term

    def _quantified(self, expression: Quantified, sign: int, is_old: bool) -> None:
        if sign != (1 if expression.quantifier == "exists" else -1):
            self._values.append(self._draft.guess(expression.quantifier, BOOL))
            return
        for variable in expression.variables:
            self._bound[variable] = self._draft.fresh(variable.name, self._program.sort_of(variable))
        self._stack.append((expression.body, sign, is_old, False))

    def _combine(self, expression: Expression, sign: int) -> None:
        count = len(parts(expression))
        args = self._values[len(self._values) - count :]
        del self._values[len(self._values) - count :]
        match expression:
            case Apply():
                self._apply(expression, args, sign)
            case Unary(_, op, _):
                self._values.append(
                    negate(args[0]) if op == "!" else build("bvneg" if _is_word(args[0]) else "neg", (args[0],))
                )
            case Binary():
                self._values.append(self._binary(expression, args[0], args[1]))
            case Conditional():
                self._values.append(ite(*args))
            case Select():
                self._values.append(_read(args[0], args[1:]))
            case Store():
                self._values.append(written(args[0], args[1:-1], args[-1]))
            case Filled(_, kind, _):
                self._values.append(_filled(sort_of_type(kind), args[0], len(kind.indices)))
            case Extract(_, _, high, low):
                self._values.append(build("extract", (args[0],), (high - 1, low)))
            case Convert(_, kind, _):
                self._values.append(_converted(args[0], "to_real" if kind.name == "real" else "to_int"))
            case StructValue() | Field() | WithField():
                raise AssertionError("structs were taken apart")
            case Literal() | Name() | Old() | Quantified():
                raise AssertionError("has no parts that are combined")
            case _:
                assert_never(expression)

    def _apply(self, expression: Apply, args: list[Term], sign: int) -> None:
        meaning = self._functions.meaning(expression.function)
        match meaning:
            case Macro(parameters, body, is_exact, size):
                self._grow(expression, size)
                self._draft.is_exact &= is_exact
                self._values.append(substitute([body], dict(zip(parameters, args, strict=True)))[0])
            case Spelled(parameters, body):
                self._grow(expression, 1)
                self._bound |= zip(parameters, args, strict=True)
                self._stack.append((body, sign, False, False))
            case Builtin(operator):
                self._values.append(operator(tuple(args)))
            case ConstantMap(term, is_exact):
                self._draft.is_exact &= is_exact
                self._values.append(_read(term, args))
            case _:
                assert_never(meaning)

    def _grow(self, expression: Apply, size: int) -> None:
        """Functions that use each other twice would fill any memory when they are written out."""
        self._functions.written_out += size
        if self._functions.written_out > _MOST_NODES:
            cause = f"written out, '{expression.function[:40]}' and other functions grow beyond all bounds"
            raise self._program.text.unsupported(expression.at, cause, "write the formula where it is needed")

    def _binary(self, expression: Binary, left: Term, right: Term) -> Term:
        match expression.op:
            case "&&":
                return conj([left, right])
            case "||":
                return disj([left, right])
            case "==>":
                return implies(left, right)
            case "==" | "<==>":
                return equal(left, right)
            case "!=":
                return negate(equal(left, right))
            case "<" | "<=" as op:
                return build(op, (left, right))
            case ">" | ">=" as op:
                return build("<" if op == ">" else "<=", (right, left))
            case "+" | "-" | "*" | "div" | "mod" as op:
                return build(op, (left, right))
            case "/" if self._program.type_of(expression) == INT_TYPE:
                return build("div", (left, right))
            case "/":
                return build("/", (_converted(left, "to_real"), _converted(right, "to_real")))
            case "++":
                return build("concat", (left, right))
            case "**":
                return self._power(left, right)
            case op:
                raise AssertionError(f"no type has the operator {op}")

    def _power(self, base: Term, exponent: Term) -> Term:
        """Written out where the exponent is a small number."""
        if exponent.is_const and value_of(exponent) in range(_LARGEST_EXPONENT + 1):
            factors = [base] * int(value_of(exponent))
            return reduce(lambda a, b: build("*", (a, b)), factors, const(1, base.sort))
        return self._draft.guess("power", base.sort)


def _is_word(term: Term) -> bool:
    return term.sort is not BOOL and hasattr(term.sort, "width")


def _converted(term: Term, op: str) -> Term:
    if (term.sort is REAL) == (op == "to_real"):
        return term
    return build(op, (term,))


def _filled(sort: Sort, value: Term, depth: int) -> Term:
    """The array of arrays that holds ``value`` everywhere."""
    assert isinstance(sort, Array)
    return build("filled", (value if depth == 1 else _filled(sort.element, value, depth - 1),), sort)


def _read(table: Term, indices: Sequence[Term]) -> Term:
    """``table[i, j]``."""
    return reduce(lambda term, index: build("select", (term, index)), indices, table)


def written(table: Term, indices: Sequence[Term], value: Term) -> Term:
    """``table[i, j := value]``."""
    rows = [table]
    for index in indices[:-1]:
        rows.append(build("select", (rows[-1], index)))
    for row, index in zip(reversed(rows), reversed(indices), strict=True):
        value = build("store", (row, index, value))
    return value
