"""Lemmata: a certifying safety model checker built on Property Directed Reachability.

>>> import lemmata >>> result = lemmata.check("examples/thesis-2.3.2.aag")  # doctest: +SKIP

Names are loaded when they are first used, so that ``import lemmata`` costs nothing; see ``docs/api.md``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lemmata.errors import InputError, LemmataError, UsageError
    from lemmata.frontends import load
    from lemmata.result import PropertyResult, Result
    from lemmata.run.api import check
    from lemmata.verdict import Safe, Unknown, Unsafe

__version__ = "0.1.0"
__all__ = [
    "InputError",
    "LemmataError",
    "PropertyResult",
    "Result",
    "Safe",
    "Unknown",
    "Unsafe",
    "UsageError",
    "check",
    "load",
]

_HOMES = {
    "check": "lemmata.run.api",
    "load": "lemmata.frontends",
    "InputError": "lemmata.errors",
    "LemmataError": "lemmata.errors",
    "UsageError": "lemmata.errors",
    "PropertyResult": "lemmata.result",
    "Result": "lemmata.result",
    "Safe": "lemmata.verdict",
    "Unknown": "lemmata.verdict",
    "Unsafe": "lemmata.verdict",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lemmata' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
