"""Bytes of a file, or one clear line on why there are none."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from lemmata.errors import InputError, Place

_PACKED = {
    b"\x1f\x8b": ("gzip", "gunzip"),
    b"PK\x03\x04": ("zip", "unzip"),
    b"BZh": ("bzip2", "bunzip2"),
    b"\xfd7zXZ\x00": ("xz", "unxz"),
    b"\x28\xb5\x2f\xfd": ("zstd", "unzstd"),
    b"7z\xbc\xaf\x27\x1c": ("7z", "7z x"),
}


def read_bytes(path: str | Path) -> bytes:
    """The whole file; what the system refuses becomes an ``InputError``."""
    with reading(path) as stream:
        return stream.read()


def is_stream(path: str | Path) -> bool:
    """Is it a pipe, which gives what it has only once?"""
    try:
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def reading(path: str | Path) -> Iterator[BinaryIO]:
    """The open file; devices are refused, since some of them never end."""
    try:
        with Path(path).open("rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                raise InputError(Place(path), "this is a device", "name a file")
            yield stream
    except IsADirectoryError:
        raise InputError(Place(path), "this is a directory", "name a file in it") from None
    except FileNotFoundError:
        raise InputError(Place(path), "there is no such file", "check the path") from None
    except OSError as error:
        raise InputError(Place(path), f"cannot read: {(error.strerror or str(error)).lower()}", "check the file") from None
    except ValueError as error:
        raise InputError(Place(repr(str(path))), f"not a path: {error}", "check the path") from None


def reject_packed(data: bytes, file: str) -> None:
    """Say so when ``data`` is compressed or an archive."""
    for magic, (kind, tool) in _PACKED.items():
        if data.startswith(magic):
            raise InputError(Place(file, offset=0), f"this is a {kind} file", f"unpack it first: {tool}")


def shown(field: bytes) -> str:
    """Bytes of the file for a message: printable, short, in quotes."""
    text = repr(field[:20])[1:]
    return text + "…" if len(field) > 20 else text
