"""What the operators of SMT-LIB mean in our terms: Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors, ArraysEx.

``operators(construct)`` is a table from names to functions that take arguments and give a term; ``indexed(construct)`` has
those with indices, such as ``extract``. ``construct`` makes the nodes (``make`` keeps every operator, ``build`` simplifies).
What our terms do not have (``bvuge``, ``distinct``, ``abs``, chains of comparisons, rotations) is written out with what they
have. Where a file mixes Int and Real, the integers are converted, as all solvers do: ``(+ x 1)`` is real if x is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import combinations, pairwise

from lemmata.logic.sorts import INT, REAL, Array, Sort
from lemmata.logic.terms import SortError, Term, WrongSorts, bv, const, value_of

MOST_BITS = 1 << 20
Args = tuple[Term, ...]
Operator = Callable[[Args], Term]
Construct = Callable[..., Term]  # make, or build


def need(op: str, args: Args, arity: int | None) -> None:
    """The number of arguments is right, or a ``SortError``."""
    if arity is not None and len(args) != arity:
        raise SortError(f"'{op}' takes {arity} argument{'s' if arity != 1 else ''}, not {len(args)}")


def _need_sort(op: str, term: Term, sort: Sort) -> None:
    if term.sort is not sort:
        raise WrongSorts(op, (term,))


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
        need(op, args, None if len(args) > 1 else 2)
        return construct(op, mixed(construct, args))

    return apply


def _minus(construct: Construct) -> Operator:
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
    """``abs``, which SMT-LIB has for integers only."""

    def apply(args: Args) -> Term:
        need("abs", args, 1)
        _need_sort("abs", args[0], INT)
        return construct("ite", (construct("<", (args[0], const(0, args[0].sort))), construct("neg", args), args[0]))

    return apply


def is_int(construct: Construct) -> Operator:
    """``is_int``."""

    def apply(args: Args) -> Term:
        need("is_int", args, 1)
        _need_sort("is_int", args[0], REAL)
        return construct("=", (args[0], construct("to_real", (construct("to_int", args),))))

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


def _opposite(construct: Construct, name: str, op: str) -> Operator:
    """``a name b`` is ``b op a``; words are compared two at a time."""

    def apply(args: Args) -> Term:
        need(name, args, 2)
        return construct(op, args[::-1])

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
        **{name: _opposite(c, name, op) for name, op in _OPPOSITES.items()},
        **{f"bvn{op}": negated(c, f"bvn{op}", f"bv{op}") for op in ("and", "or")},
        "bvxnor": negated(c, "bvxnor", "bvxor"),
        "bvcomp": compare(c),
        "=>": _right(c),
        "distinct": _distinct(c),
        "ite": _ite(c),
        "select": _array(c, "select", 2),
        "store": _array(c, "store", 3),
        "-": _minus(c),
        "/": divide(c),
        "abs": absolute(c),
        "to_real": to_real(c),
        "to_int": _plain(c, "to_int", 1),
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
