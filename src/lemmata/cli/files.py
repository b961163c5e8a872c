"""Files that a run writes: may we, where to, and never a stale one.

A path is tried before the work starts, and what an earlier run left there is removed: if a file is there afterwards, it is
this run's evidence. When several properties were asked for, a certificate's name gets the property's index before the suffix
(``proof.aag`` becomes ``proof-0.aag``, ``proof-2.aag``); witnesses go into one file, one after another.
"""

from __future__ import annotations

from pathlib import Path

from lemmata.errors import UsageError

CERTIFICATES = (".aag", ".aig", ".txt", ".inv")


def reserve(path: Path, model: Path) -> None:
    """Make sure that ``path`` can be written, and that nothing old is there; it must not be the model itself."""
    if path.exists() and model.exists() and path.samefile(model):
        raise UsageError(f"{path} is the model: it would be overwritten")
    if path.exists() and not path.is_file() and not path.is_dir():
        return  # a device or a pipe: trying it would change something
    try:
        with path.open("ab"):
            pass
        path.resolve().unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write(path: Path, data: bytes) -> None:
    """Write ``data``."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritable(path, error) from None


def certificate_kind(path: Path) -> str:
    """The suffix that says which kind of certificate to write."""
    suffix = path.suffix.lower()
    if suffix not in CERTIFICATES:
        raise UsageError(f"{path}: a certificate is a circuit (.aag, .aig) or readable clauses (.txt, .inv): use such a suffix")
    return suffix


def numbered(path: Path, index: int) -> Path:
    """The path of one property's certificate among several."""
    return path.with_name(f"{path.stem}-{index}{path.suffix}")


def _unwritable(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path}: cannot write: {(getattr(error, 'strerror', None) or str(error)).lower()}")
