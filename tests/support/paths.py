"""Where things are."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]  # of the repository


def with_tests() -> dict[str, str]:
    """The environment of a process that finds ``tests`` beside what we find."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
