"""What the workers of one file had to load is loaded here before those of the next are forked."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from importlib import import_module


def load_modules(names: Iterable[str]) -> None:
    """Load these, for the forks to come."""
    for name in names:
        if name not in sys.modules:
            try:
                import_module(name)
            except ImportError:  # a solver that is not there
                continue
    gc.freeze()
