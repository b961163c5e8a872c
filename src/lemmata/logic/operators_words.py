"""The operators of SMT-LIB on words that our terms do not have."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.operator_parts import MOST_BITS, Args, Construct, Operator, need
from lemmata.logic.terms import SortError, Term, bv


def negated(construct: Construct, name: str, op: str) -> Operator:
    """``bvnand`` and its like."""

    def apply(args: Args) -> Term:
        need(name, args, 2)
        return construct("bvnot", (construct(op, args),))

    return apply


def compare(construct: Construct) -> Operator:
    """``bvcomp``."""

    def apply(args: Args) -> Term:
        need("bvcomp", args, 2)
        return construct("ite", (construct("=", args), bv(1, 1), bv(0, 1)))

    return apply


def with_indices(construct: Construct, op: str) -> Callable[..., Operator]:
    """Operators that our terms have with the same indices."""

    def given(*indices: int) -> Operator:
        def apply(args: Args) -> Term:
            need(op, args, 1)
            return construct(op, args, indices if len(indices) > 1 else indices[0])

        return apply

    return given


def rotate(construct: Construct, by: int, is_left: bool) -> Operator:
    """``(_ rotate_left n)`` and ``(_ rotate_right n)``."""

    def apply(args: Args) -> Term:
        need("rotate", args, 1)
        width = args[0].width
        low = (width - by % width if is_left else by) % width
        if low == 0:
            return args[0]
        return construct("concat", (construct("extract", args, (low - 1, 0)), construct("extract", args, (width - 1, low))))

    return apply


def repeat(construct: Construct, count: int) -> Operator:
    """``(_ repeat n)``."""

    def apply(args: Args) -> Term:
        need("repeat", args, 1)
        if not 1 <= count * args[0].width <= MOST_BITS:
            raise SortError(f"'repeat' does not repeat {count} times")
        return _repeated(construct, args[0], count)

    return apply


def _repeated(construct: Construct, word: Term, count: int) -> Term:
    """Halves first, so that a long word is made in few steps."""
    if count == 1:
        return word
    half = _repeated(construct, word, count // 2)
    double = construct("concat", (half, half))
    return construct("concat", (double, word)) if count % 2 else double
