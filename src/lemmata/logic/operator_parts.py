"""What operators are made of: arguments in, a term out. ``Construct`` makes the nodes: ``make`` or ``build``."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.logic.terms import SortError, Term

MOST_BITS = 1 << 20
Args = tuple[Term, ...]
Operator = Callable[[Args], Term]
Construct = Callable[..., Term]  # make, or build


def need(op: str, args: Args, arity: int | None) -> None:
    """The number of arguments is right, or a ``SortError``."""
    if arity is not None and len(args) != arity:
        raise SortError(f"'{op}' takes {arity} argument{'s' if arity != 1 else ''}, not {len(args)}")
