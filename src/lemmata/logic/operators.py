"""What the operators of SMT-LIB mean in our terms: Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors, ArraysEx.

``operators(construct)`` is a table from names to functions that take arguments and give a term; ``construct`` makes the nodes
(``make`` keeps every operator, ``build`` simplifies). What our terms do not have (``bvuge``, ``distinct``, ``abs``, chains of
comparisons) is written out with what they have. Where a file mixes Int and Real, the integers are converted, as all solvers do:
``(+ x 1)`` is real if x is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import combinations, pairwise

from lemmata.logic.operator_parts import Args, Construct, Operator, need
from lemmata.logic.operators_numbers import (
    absolute,
    as_sort,
    divide,
    divisible,
    gathered,
    is_int,
    minus,
    mixed,
    to_int,
    to_real,
)
from lemmata.logic.operators_words import compare, negated, repeat, rotate, with_indices
from lemmata.logic.sorts import Array
from lemmata.logic.terms import SortError, Term

_MOST_PAIRS = 1 << 17  # that ``distinct`` is written out with


def _plain(construct: Construct, op: str, arity: int | None = None) -> Operator:
    def apply(args: Args) -> Term:
        need(op, args, arity)
        return construct(op, args)

    return apply


def _left(construct: Construct, op: str) -> Operator:
    """``a op b op c`` is ``(a op b) op c``."""

    def apply(args: Args) -> Term:
        need(op, args, None if len(args) > 1 else 2)
        return reduce(lambda a, b: construct(op, (a, b)), args)

    return apply


def _right(construct: Construct) -> Operator:
    def apply(args: Args) -> Term:
        need("=>", args, None if len(args) > 1 else 2)
        return reduce(lambda b, a: construct("=>", (a, b)), reversed(args))

    return apply


def _chain(construct: Construct, name: str, op: str, is_swapped: bool = False) -> Operator:
    """``a op b op c`` is ``a op b ∧ b op c``."""

    def apply(args: Args) -> Term:
        if len(args) < 2:
            raise SortError(f"'{name}' does not take one argument only")
        args = mixed(construct, args)
        if len(args) == 2:
            return construct(op, args[::-1] if is_swapped else args)
        return construct("and", tuple([construct(op, (b, a) if is_swapped else (a, b)) for a, b in pairwise(args)]))

    return apply


def _distinct(construct: Construct) -> Operator:
    def apply(args: Args) -> Term:
        need("distinct", args, None if len(args) > 1 else 2)
        if len(args) ** 2 > 2 * _MOST_PAIRS:
            raise SortError(f"'distinct' takes no {len(args)} arguments here")
        pairs = combinations(mixed(construct, args), 2)
        differ = tuple([construct("not", (construct("=", pair),)) for pair in pairs])
        return differ[0] if len(differ) == 1 else construct("and", differ)

    return apply


def _ite(construct: Construct) -> Operator:
    def apply(args: Args) -> Term:
        need("ite", args, 3)
        return construct("ite", (args[0], *mixed(construct, args[1:])))

    return apply


def _array(construct: Construct, op: str, arity: int) -> Operator:
    def apply(args: Args) -> Term:
        need(op, args, arity)
        sort = args[0].sort
        if isinstance(sort, Array):
            wanted = (sort, sort.index, sort.element)
            args = tuple([as_sort(construct, arg, want) for arg, want in zip(args, wanted, strict=False)])
        return construct(op, args)

    return apply


def filled(construct: Construct, sort: Array) -> Operator:
    """``((as const sort) value)``."""

    def apply(args: Args) -> Term:
        need("const", args, 1)
        return construct("filled", (as_sort(construct, args[0], sort.element),), sort)

    return apply


_UNARY = ("not", "bvnot", "bvneg")
_LEFT = ("xor", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "concat", "div")
_BINARY = (
    *("bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr"),
    *("bvult", "bvule", "bvslt", "bvsle", "mod"),
)
_CHAINS = {"=": ("=", False), "<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True)}
_OPPOSITES = {"bvugt": "bvult", "bvuge": "bvule", "bvsgt": "bvslt", "bvsge": "bvsle"}


def operators(construct: Construct) -> dict[str, Operator]:
    """The operators without indices."""
    c = construct
    return {
        **{op: _plain(c, op, 1) for op in _UNARY},
        **{op: _plain(c, op, 2) for op in _BINARY},
        **{op: _plain(c, op) for op in ("and", "or")},
        **{op: _left(c, op) for op in _LEFT},
        **{op: gathered(c, op) for op in ("+", "*")},
        **{name: _chain(c, name, op, is_swapped) for name, (op, is_swapped) in _CHAINS.items()},
        **{name: _chain(c, name, op, True) for name, op in _OPPOSITES.items()},
        **{f"bvn{op}": negated(c, f"bvn{op}", f"bv{op}") for op in ("and", "or")},
        "bvxnor": negated(c, "bvxnor", "bvxor"),
        "bvcomp": compare(c),
        "=>": _right(c),
        "distinct": _distinct(c),
        "ite": _ite(c),
        "select": _array(c, "select", 2),
        "store": _array(c, "store", 3),
        "-": minus(c),
        "/": divide(c),
        "abs": absolute(c),
        "to_real": to_real(c),
        "to_int": to_int(c),
        "is_int": is_int(c),
    }


def indexed(construct: Construct) -> dict[str, tuple[int, Callable[..., Operator]]]:
    """The operators with indices: how many, and what they give."""
    c = construct
    return {
        "extract": (2, with_indices(c, "extract")),
        "zero_extend": (1, with_indices(c, "zero_extend")),
        "sign_extend": (1, with_indices(c, "sign_extend")),
        "rotate_left": (1, lambda by: rotate(c, by, True)),
        "rotate_right": (1, lambda by: rotate(c, by, False)),
        "repeat": (1, lambda count: repeat(c, count)),
        "divisible": (1, lambda by: divisible(c, by)),
    }
