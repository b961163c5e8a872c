"""The exceptions of Lemmata.

::

    LemmataError
    ├── UsageError          wrong option or combination of options          exit 2
    ├── InputError          a file that cannot be read as what it claims    exit 2
    │   └── Unsupported     legal input that Lemmata does not handle yet    exit 2
    ├── GaveUp              an engine stops without an answer (reason)      becomes Unknown(reason)
    └── CertificateError    evidence that did not survive its check         exit 1, bug bundle

    WorkBroke               an exception that nobody expected, in a process of ours; or its end by a signal     exit 1

Input errors say where (file:line:column), what is wrong, and what to do about it.
"""

from __future__ import annotations

from pathlib import Path

from lemmata.escapes import printable
from lemmata.values import dataclass


class LemmataError(Exception):
    """Root of everything that Lemmata raises on purpose; as text it is one printable line."""

    def __str__(self) -> str:
        return printable(super().__str__())


class UsageError(LemmataError):
    """The call itself is wrong: an unknown option value, a property that does not exist."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file: 1-based line and column; in binary sections ``offset`` is the byte."""

    file: str | Path
    line: int | None = None
    column: int | None = None
    offset: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}:{self.column or 1}"
        if self.offset is not None:
            return f"{self.file}:byte {self.offset}"
        return str(self.file)


class InputError(LemmataError):
    """A file is not what it claims to be; ``str(error)`` is one line: place, cause, remedy."""

    def __init__(self, place: Place, cause: str, remedy: str = "") -> None:
        self.place = place
        self.cause = cause
        self.remedy = remedy
        super().__init__(f"{place}: {cause}" + (f" ({remedy})" if remedy else ""))


class Unsupported(InputError):
    """Legal input that Lemmata does not handle yet."""


class GaveUp(LemmataError):
    """An engine stops without an answer; ``reason`` is the word shown in ``unknown(reason)``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class CertificateError(LemmataError):
    """Evidence that did not survive its check: never a verdict, always a bug of ours."""


class WorkBroke(Exception):
    """The work raised what nobody expected, or its process was ended; ``detail`` is the traceback, if there is one."""

    def __init__(self, cause: str, detail: str = "") -> None:
        self.detail = detail
        super().__init__(cause)
