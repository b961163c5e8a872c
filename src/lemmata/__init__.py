"""Lemmata: a certifying safety model checker built on Property Directed Reachability.

    import lemmata

    result = lemmata.check("examples/thesis-2.3.2.aag")

Names are loaded when they are first used, so that ``import lemmata`` costs nothing; see ``docs/api.md``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lemmata.api import (
        Judgement,
        bench_files,
        certify_file,
        convert_file,
        explain_file,
        invariant_terms,
        replay_file,
        term_text,
        watch,
    )
    from lemmata.errors import InputError, LemmataError, UsageError
    from lemmata.frontends import load
    from lemmata.result import PropertyResult, Result
    from lemmata.run.api import check
    from lemmata.verdict import Safe, Unknown, Unsafe

__version__ = "0.1.0"
__all__ = [
    "InputError",
    "Judgement",
    "LemmataError",
    "PropertyResult",
    "Result",
    "Safe",
    "Unknown",
    "Unsafe",
    "UsageError",
    "bench_files",
    "certify_file",
    "check",
    "convert_file",
    "explain_file",
    "invariant_terms",
    "load",
    "replay_file",
    "term_text",
    "watch",
]

_HOMES = {
    "Judgement": "lemmata.api",
    "bench_files": "lemmata.api",
    "certify_file": "lemmata.api",
    "convert_file": "lemmata.api",
    "explain_file": "lemmata.api",
    "invariant_terms": "lemmata.api",
    "replay_file": "lemmata.api",
    "term_text": "lemmata.api",
    "watch": "lemmata.api",
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
