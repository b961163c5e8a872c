"""The call of this program, which pages quote."""

from __future__ import annotations

import shlex
import sys


def this_call() -> str:
    """The call, as a shell would take it."""
    return shlex.join(["lemmata", *sys.argv[1:]]) if sys.argv else ""
