"""``World``: one kind of file, how to make such files, and how to find out whether Lemmata reads one rightly.

A world judges bytes, whoever wrote them, and the same bytes always alike: what is random in a judgement comes from the bytes.
An ``Outcome`` without a ``kind`` is fine; its ``word`` (the verdicts, or the error message) is what a corpus records. With a
``kind`` it is a finding, and two findings of one kind count as one.
"""

from __future__ import annotations

import re
import traceback
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from lemmata.errors import InputError, LemmataError

FILE = "x"  # what files are called in messages
_SOURCES = str(Path("src", "lemmata"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    word: str
    kind: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A file; if it ``is_legal`` then Lemmata must read it."""

    data: bytes
    is_legal: bool = False


class World(Protocol):
    """One kind of file."""

    name: str
    suffix: str
    covers: tuple[str, ...]  # folders and modules below ``lemmata`` that read such files
    words: re.Pattern[bytes]  # what mutations take, drop and exchange

    def generate(self, rng: Random) -> Case:
        """A file from the grammar."""
        ...

    def read(self, data: bytes) -> object:
        """Lemmata's reading; raises ``InputError`` where it refuses."""
        ...

    def judge(self, data: bytes) -> Outcome:
        """Does Lemmata read the file rightly, or refuse it?"""
        ...

    def accepts(self, data: bytes) -> bool:
        """Is the file legal, by the oracle? Asked where a legal file that is refused is made smaller."""
        ...


class Disagreement(Exception):
    """Lemmata says something else than the oracle; ``kind`` in a few words."""

    def __init__(self, kind: str, detail: str = "") -> None:
        self.kind = kind
        super().__init__(detail)


class Beyond(Exception):
    """The oracle does not know: too large, or not in its language."""


def judged(world: World, data: bytes, compare: Callable[[object, Random], str]) -> Outcome:
    """Read, then ``compare``, which gives the word or raises ``Disagreement``; any other exception is a finding, too."""
    try:
        model = world.read(data)
    except InputError as error:
        return refused(error)
    except RecursionError:
        return Outcome("crash", "crash: RecursionError", traceback.format_exc(limit=-3))
    except Exception as error:
        return crashed(error)
    try:
        return Outcome(compare(model, Random(zlib.crc32(data))))
    except Disagreement as error:
        return Outcome("disagreement", error.kind, str(error))
    except Beyond as error:
        return Outcome(f"read ({error})")
    except Exception as error:
        return crashed(error)


def refused(error: InputError) -> Outcome:
    """A refusal must say where, if the file has a place at all."""
    word = f"refused: {error}"
    if error.place.line is None and error.place.offset is None and "file" not in error.cause:
        return Outcome(word, f"refused without a place: {plain(error.cause)}", word)
    return Outcome(word)


def crashed(error: Exception) -> Outcome:
    """An exception that is none of ours, named by where in Lemmata it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _SOURCES in frame.filename]
    last = (ours or frames)[-1]
    kind = "oracle" if not ours else "crash" if not isinstance(error, LemmataError) else "unexpected"
    where = f"{Path(last.filename).parent.name}/{Path(last.filename).name} {last.name}"
    return Outcome(
        "crash", f"{kind}: {type(error).__name__} in {where}", f"{type(error).__name__}: {error}, line {last.lineno}"
    )


def plain(message: str) -> str:
    """A message without its names and numbers."""
    return re.sub(r"'[^']*'|\d+", "_", message)[:100]
