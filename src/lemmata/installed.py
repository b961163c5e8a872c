"""Which versions of packages are installed, read from the names of their metadata folders.

The standard library parses the metadata of a package as an electronic mail; to import what that needs costs a tenth of a
small run. An installer names the folder by package and version (``.dist-info`` follows), the name in lower case with
underscores; older installers kept the spelling, so names are compared in this form. Packages in archives, and what was
installed as an egg, are not seen.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

_SUFFIX = ".dist-info"


def versions(names: Sequence[str]) -> dict[str, str]:
    """The versions of those packages that are there, in the order of ``names``; on ``sys.path`` the first one counts."""
    found: dict[str, str] = {}
    for folder in sys.path:
        for entry in _entries(folder):
            if entry.endswith(_SUFFIX):
                name, _, version = entry.removesuffix(_SUFFIX).partition("-")
                found.setdefault(_normal(name), version)
    return {name: found[_normal(name)] for name in names if found.get(_normal(name))}


def _entries(folder: str) -> list[str]:
    try:
        with os.scandir(folder or os.curdir) as entries:
            return sorted(entry.name for entry in entries)
    except OSError:  # no folder: an archive, or not there
        return []


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()
