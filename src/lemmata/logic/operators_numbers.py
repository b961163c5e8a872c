"""The operators of SMT-LIB on Ints and Reals. Where a text mixes both, the Ints are converted, as all solvers do."""

from __future__ import annotations

from functools import reduce

from lemmata.logic.operator_parts import Args, Construct, Operator, need
from lemmata.logic.sorts import INT, REAL, Sort
from lemmata.logic.terms import SortError, Term, const, value_of


def as_sort(construct: Construct, term: Term, sort: Sort) -> Term:
    """The term, as a Real if it is an Int where a Real is wanted."""
    if sort is REAL and term.sort is INT:
        return const(value_of(term), REAL) if term.is_const else construct("to_real", (term,))
    return term


def mixed(construct: Construct, args: Args) -> Args:
    """The arguments; if any is a Real, all Ints are converted."""
    sort = args[0].sort
    for arg in args:
        if arg.sort is not sort:
            is_number = all(a.sort is INT or a.sort is REAL for a in args)
            return tuple([as_sort(construct, a, REAL) for a in args]) if is_number else args
    return args


def gathered(construct: Construct, op: str) -> Operator:
    """``+`` and ``*``."""

    def apply(args: Args) -> Term:
        term = construct(op, mixed(construct, args))
        return args[0] if len(args) == 1 else term

    return apply


def minus(construct: Construct) -> Operator:
    """``-`` with one or more arguments."""

    def apply(args: Args) -> Term:
        if len(args) > 1:
            return reduce(lambda a, b: construct("-", (a, b)), mixed(construct, args))
        only = args[0]
        if only.is_const and only.sort in (INT, REAL):
            return const(-value_of(only), only.sort)
        return construct("neg", args)

    return apply


def divide(construct: Construct) -> Operator:
    """``/``; integers are converted, constants folded as the writer wants it."""

    def pair(a: Term, b: Term) -> Term:
        if a.is_const and b.is_const and a.sort is b.sort is REAL and value_of(b) != 0:
            return const(value_of(a) / value_of(b), REAL)
        return construct("/", (a, b))

    def apply(args: Args) -> Term:
        need("/", args, None if len(args) > 1 else 2)
        return reduce(pair, [as_sort(construct, arg, REAL) for arg in args])

    return apply


def absolute(construct: Construct) -> Operator:
    """``abs``."""

    def apply(args: Args) -> Term:
        need("abs", args, 1)
        return construct("ite", (construct("<", (args[0], const(0, args[0].sort))), construct("neg", args), args[0]))

    return apply


def is_int(construct: Construct) -> Operator:
    """``is_int``."""

    def apply(args: Args) -> Term:
        need("is_int", args, 1)
        real = as_sort(construct, args[0], REAL)
        return construct("=", (real, construct("to_real", (construct("to_int", (real,)),))))

    return apply


def to_int(construct: Construct) -> Operator:
    """``to_int``, which leaves an Int as it is."""

    def apply(args: Args) -> Term:
        need("to_int", args, 1)
        return args[0] if args[0].sort is INT else construct("to_int", args)

    return apply


def to_real(construct: Construct) -> Operator:
    """``to_real``, which leaves a Real as it is."""

    def apply(args: Args) -> Term:
        need("to_real", args, 1)
        return args[0] if args[0].sort is REAL else construct("to_real", args)

    return apply


def divisible(construct: Construct, by: int) -> Operator:
    """``(_ divisible n)``."""

    def apply(args: Args) -> Term:
        need("divisible", args, 1)
        if by == 0:
            raise SortError("'divisible' by 0 has no meaning")
        return construct("=", (construct("mod", (args[0], const(by, INT))), const(0, INT)))

    return apply
