"""Is the native core there?

``lemmata.solvers._native`` is compiled by ``pip install`` where there is a C compiler (``hatch_build.py``, sources in
``native/``). Everything that it does can also be done with PySAT, more slowly.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

NATIVE = "native"
PURE = "minisat22"  # the backend of circuits where there is no native core


@cache
def native_core() -> Any:
    """The compiled module, or ``None``."""
    try:
        return import_module("lemmata.solvers._native")
    except ImportError:
        return None


def is_native(backend: str) -> bool:
    """Does this choice of a backend mean the native core?"""
    return backend == NATIVE or (backend == "auto" and preferred_backend() == NATIVE)


def preferred_backend() -> str:
    """What answers the queries of PDR on bits unless somebody chooses."""
    return PURE if native_core() is None else NATIVE
