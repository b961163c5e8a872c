"""Files that a run writes: may we, where to, and never a stale one.

A path is tried before the work starts, and what an earlier run left there is removed: if a file is there afterwards, it is
this run's evidence. When several properties were asked for, a certificate's name gets the property's index before the suffix
(``proof.aag`` becomes ``proof-0.aag``, ``proof-2.aag``); witnesses go into one file, one after another. The model is never
overwritten, and a path that is our own output (``/dev/stdout``) is written to, not replaced.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TextIO

from lemmata.errors import UsageError
from lemmata.writes import try_beside, unwritable, write_whole

CERTIFICATES = (".aag", ".aig", ".txt", ".inv", ".smt2", ".sv", ".yml")


def reserve(path: Path, model: Path) -> None:
    """Make sure that ``path`` can be written, and that nothing old is there; it must not be the model itself."""
    refuse_overwriting(path, model)
    if re.fullmatch(rf"{re.escape(path.stem)}-[0-9]+", model.stem) and model.suffix == path.suffix:
        refuse_overwriting(path.with_name(model.name), model)
    try:
        if (path.exists() and not path.is_file() and not path.is_dir()) or _standard_stream(path):
            return  # a device, a pipe, our own output: trying it would change something
        target = path.resolve()
        try_beside(target)
        target.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def write(path: Path, data: bytes, model: Path) -> None:
    """Write ``data``, but not over the model."""
    refuse_overwriting(path, model)
    try:
        if (stream := _standard_stream(path)) is not None:
            stream.flush()
            stream.buffer.write(data)
            stream.flush()
        else:
            write_whole(path, data)
    except OSError as error:
        raise unwritable(path, error) from None


def remove(path: Path, model: Path) -> None:
    """Remove what an earlier run left at ``path``."""
    refuse_overwriting(path, model)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from None


def refuse_overwriting(path: Path, model: Path) -> None:
    """Refuse to write over the model."""
    try:
        is_same = path.samefile(model)
    except (OSError, ValueError):  # one of them is not there, or cannot be seen
        return
    if is_same:
        raise UsageError(f"{path} is the model: it would be overwritten")


def _standard_stream(path: Path) -> TextIO | None:
    """The standard stream that writes to the same file."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if os.path.samestat(path.stat(), os.fstat(stream.fileno())):
                return stream
        except (AttributeError, OSError, ValueError):  # closed, or not of the system
            continue
    return None


def certificate_kind(path: Path) -> str:
    """The suffix that says which kind of certificate to write."""
    suffix = path.suffix.lower()
    if suffix not in CERTIFICATES:
        kinds = (
            "a circuit (.aag, .aig), readable clauses (.txt, .inv) or, for words, SMT-LIB formulas (.smt2); "
            "of a design, assertions (.sv), of a C program an invariant set of SV-COMP (.yml)"
        )
        raise UsageError(f"{path}: a certificate is {kinds}: use such a suffix")
    return suffix


def numbered(path: Path, index: int) -> Path:
    """The path of one property's certificate among several."""
    return path.with_name(f"{path.stem}-{index}{path.suffix}")
