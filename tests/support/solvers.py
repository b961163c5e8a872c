"""Which SMT solvers there are on this machine."""

from __future__ import annotations

from functools import cache

from lemmata.errors import UsageError
from lemmata.solvers.smt import SMT_BACKENDS, open_solver


@cache
def available() -> tuple[str, ...]:
    """The names that ``open_solver`` takes here; some are optional packages."""
    return tuple(name for name in SMT_BACKENDS if _opens(name))


def _opens(name: str) -> bool:
    try:
        open_solver(name)
    except UsageError:
        return False
    return True
