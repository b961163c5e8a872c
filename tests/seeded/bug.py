"""``SeededBug``: a mistake that somebody could make, where it is made, and who must notice it.

While ``patch()`` lasts the real code runs with that one mistake in it. Most are written as edits of the source of one function:
a piece of its text is replaced, and the function has the other code from then on, whoever holds it. An edit whose text is not
there any more does not apply, and that is an error: a bug that changes nothing would prove nothing.
"""

from __future__ import annotations
import __future__

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any
from unittest import mock

Patch = Callable[[], AbstractContextManager[object]]


class WrongAccepted(AssertionError):
    """A wrong verdict got through: the worst that can happen, and never what a bug is supposed to show."""


@dataclass(frozen=True, slots=True)
class Catcher:
    """Somebody who notices mistakes: ``look`` tells complaints, and none where there is no bug.

    It gets the seconds that an engine may take for a property.

    ``name`` is how tables call it, ``what`` says what it does.
    """

    name: str
    what: str
    look: Callable[[float], Iterator[str]]
    is_whole: bool = False  # must it look at all cases, since it might meet a wrong verdict that was accepted?


@dataclass(frozen=True, slots=True)
class SeededBug:
    """``where`` is ``module:function``, below ``lemmata``."""

    name: str
    where: str
    patch: Patch
    caught_by: Catcher


def edit(name: str, where: str, old: str, new: str, caught_by: Catcher, *more: tuple[str, str, str]) -> SeededBug:
    """A bug in the source: ``old`` is ``new`` there; ``more`` are (where, old, new) of the same mistake elsewhere."""
    changes: dict[str, list[tuple[str, str]]] = {}
    for place, before, after in ((where, old, new), *more):
        changes.setdefault(place, []).append((before, after))
    return SeededBug(name, where, _together([_edited(place, pairs) for place, pairs in changes.items()]), caught_by)


def entry(name: str, where: str, key: object, other: object, caught_by: Catcher) -> SeededBug:
    """A bug in a table: the entry of ``key`` is that of ``other``."""

    def patch() -> AbstractContextManager[object]:
        table: Mapping[object, object] = place_of(where)
        return mock.patch.dict(table, {key: table[other]})

    return SeededBug(name, where, _together([patch]), caught_by)


def place_of(where: str) -> Any:
    """What is there."""
    path, _, name = where.partition(":")
    thing: Any = import_module(f"lemmata.{path}")
    for part in name.split("."):
        thing = inspect.getattr_static(thing, part)
    return thing


def _function(where: str) -> FunctionType:
    thing = place_of(where)
    thing = getattr(thing, "fget", None) or getattr(thing, "func", None) or getattr(thing, "__func__", thing)
    function = inspect.unwrap(thing)
    assert isinstance(function, FunctionType), where
    return function


def _edited(where: str, changes: list[tuple[str, str]]) -> Patch:
    @contextmanager
    def patch() -> Iterator[None]:
        function = _function(where)
        source = textwrap.dedent(inspect.getsource(function))
        for old, new in changes:
            assert source.count(old) == 1, f"{where} has {source.count(old)} times {old!r}: the bug does not apply"
            source = source.replace(old, new)
        code = _code(compile(source, where, "exec", __future__.annotations.compiler_flag, True), function)
        before = function.__code__
        function.__code__ = code
        try:
            yield
        finally:
            function.__code__ = before

    return patch


def _code(module: CodeType, function: FunctionType) -> CodeType:
    code = next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == function.__name__)
    assert code.co_freevars == function.__code__.co_freevars, f"{function.__qualname__} has a closure"
    return code


def _together(patches: list[Patch]) -> Patch:
    @contextmanager
    def all_of_them() -> Iterator[None]:
        with ExitStack() as stack:
            for patch in patches:
                stack.enter_context(patch())
            _forget()
            yield
        _forget()

    return all_of_them


def _forget() -> None:
    """Empty the caches of functions: they must keep nothing from times with a bug. (Those of solvers keep handles alone.)"""
    for name, module in list(sys.modules.items()):
        if name.startswith("lemmata.") and not name.startswith("lemmata.solvers."):
            for thing in vars(module).values():
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
