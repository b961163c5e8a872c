"""Libraries in C, called without their Python packages: the file is found, and a function is declared when it is first used.

A binding for everything costs more to import than most questions cost to answer: 45 ms for Z3's, 48 ms for that of Yices, 18 ms
for that of cvc5, whose libraries load in 3 ms. ``Library`` gets a table of signatures instead. A signature is a word, one
letter for the result and one for each argument: ``p`` pointer or handle, ``i`` int, ``u`` unsigned, ``q`` and ``Q`` 64 bits of
either, ``z`` size, ``b`` bool, ``d`` double, ``s`` text as bytes, ``v`` nothing. Handles are numbers in Python, ``None`` where
the library answers null.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

_TYPES = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "u": ctypes.c_uint,
    "q": ctypes.c_int64,
    "Q": ctypes.c_uint64,
    "z": ctypes.c_size_t,
    "b": ctypes.c_bool,
    "d": ctypes.c_double,
    "s": ctypes.c_char_p,
    "v": None,
}
_SUFFIXES = {".so", ".dylib", ".dll"}


class Library:
    """The functions of ``signatures`` as attributes; ``packages`` are those that ship the library, or show that it is there."""

    def __init__(self, packages: Sequence[str], name: str, signatures: Mapping[str, str]) -> None:
        self._signatures = signatures
        try:
            self._library = ctypes.CDLL(_file(packages, name))
        except OSError as error:
            raise ImportError(f"{name} cannot be loaded: {error}") from error

    def has(self, name: str) -> bool:
        """Is there such a function, in this version of the library?"""
        return hasattr(self._library, name)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        signature = self._signatures[name]
        function: Callable[..., Any] = getattr(self._library, name)
        function.restype = _TYPES[signature[0]]  # type: ignore[attr-defined]
        function.argtypes = [_TYPES[letter] for letter in signature[1:]]  # type: ignore[attr-defined]
        setattr(self, name, function)
        return function


def _file(packages: Sequence[str], name: str) -> str:
    """The library ``name`` that a package ships, else the system's; of several files the one with the most exact name.

    The system is asked only where one of the packages is installed: to ask it may start a compiler.
    """
    specs = [spec for package in packages if (spec := PathFinder.find_spec(package)) is not None]
    for folder in (Path(folder) for spec in specs for folder in spec.submodule_search_locations or ()):
        for home in (folder / "lib", folder.with_name(f"{folder.name}.libs"), folder / ".dylibs"):
            for file in sorted(home.glob(f"*{name}*"), reverse=True):
                if _SUFFIXES & set(file.suffixes) and not file.name.partition(name)[2][:1].isalnum():
                    return str(file)
    found = None
    if specs:
        from ctypes.util import find_library

        found = find_library(name.removeprefix("lib"))
    if found is None:
        raise ModuleNotFoundError(f"the library {name} is missing")
    return found


def handles(natives: list[int]) -> Any:
    """An array of handles as the C interface takes it."""
    return (ctypes.c_void_p * len(natives))(*natives)
