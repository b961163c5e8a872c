"""Bytes into a file, all or none: they are written beside it, forced to the disk, and put in its place by one rename.

Whatever happens on the way (a full disk, a limit, Ctrl-C), the old file is there or the new one, whole. Only a process that is
killed between the first byte and the rename can leave something behind: a hidden file that ends with ``.part``.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from lemmata.errors import UsageError


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file, which appears under its name only when it is complete; a ``UsageError`` says why it cannot be written."""
    try:
        replace_whole(Path(path).resolve(), data)
    except (OSError, ValueError, RuntimeError) as error:
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: Exception) -> UsageError:
    """The path, and what the system says."""
    return UsageError(f"{path}: cannot write: {(getattr(error, 'strerror', None) or str(error)).lower()}")


def replace_whole(target: Path, data: bytes) -> None:
    """The same with the system's own errors; links are not followed."""
    if target.exists() and not target.is_file():
        target.write_bytes(data)  # a pipe or a device; a directory fails here
        return
    part = _beside(target)
    try:
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            _force(stream.fileno())
        os.replace(part, target)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def try_beside(target: Path) -> None:
    """Raise the system's error unless ``target`` could be written here and now; nothing appears under its name."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    part = _beside(target)
    with part.open("xb"):
        part.unlink()


def _beside(target: Path) -> Path:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is write-protected")
    return target.with_name(f".{os.urandom(8).hex()}.part")


def _force(fd: int) -> None:
    """To the disk, where there is one: some file systems know no such thing."""
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):
            raise
