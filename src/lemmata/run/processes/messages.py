"""What a worker writes to its supervisor, and how: a length, then a pickled value, over a pipe.

The pipes connect processes that we started ourselves, so unpickling is safe. The reader takes bytes as they come and hands
out whole messages only: a worker that is killed in the middle of a sentence cannot make its supervisor wait.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lemmata.errors import InputError, LemmataError, Place
from lemmata.events import Event
from lemmata.proof_obligations import CheckedProof
from lemmata.result import SAFETY_ONLY, NotChecked
from lemmata.run.task import NO_FILES, Files
from lemmata.values import dataclass
from lemmata.verdict import Verdict

if TYPE_CHECKING:
    from lemmata.report.drawing.control_flow import Drawing

_LENGTH = 4
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Listed:
    """The file was read; these properties (index and name) were asked for. ``circuit`` is a fingerprint of what was read.

    ``label`` is what the worker calls itself, if not by its engine's name.
    """

    properties: tuple[tuple[int, str], ...]
    circuit: int = 0
    label: str = ""
    not_checked: NotChecked = SAFETY_ONLY
    covers: frozenset[int] = frozenset()  # which of them are hoped to be reachable
    places: tuple[tuple[int, Place], ...] = ()  # where the source has them, as far as it is known
    notes: tuple[str, ...] = ()  # what a reader of the verdicts has to know
    drawing: Drawing | None = None  # the control-flow graph, if it was asked for and there is one
    digest: str = ""  # SHA-256 of the file, if it was asked for and there is a file


@dataclass(frozen=True, slots=True)
class EventTold:
    """The engine (or a transform) tells something; ``prop`` is the index of the property it works on."""

    prop: int | None
    event: Event


@dataclass(frozen=True, slots=True)
class Settled:
    """A verdict whose evidence survived its check, with the files that were asked for."""

    prop: int
    verdict: Verdict
    engine: str
    bound: int
    time_s: float
    files: Files = NO_FILES
    by: str = ""  # who checked the evidence
    read_by: tuple[str, ...] = ()  # for whose readings of the file it holds
    checked: CheckedProof | None = None  # what a proof owed, if that was wanted
    regions: tuple[Mapping[str, object], ...] = ()  # pictures of an invariant, for a page


@dataclass(frozen=True, slots=True)
class Uncertified:
    """A verdict whose evidence did not survive its check: a bug, never an answer."""

    prop: int
    verdict: Verdict
    engine: str
    cause: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The engine will not settle this property."""

    prop: int
    reason: str
    engine: str
    bound: int
    why: str = ""  # as far as there is more to say


@dataclass(frozen=True, slots=True)
class Refused:
    """The input or the call is wrong; the parent raises the same error."""

    kind: type[LemmataError]
    arguments: tuple[object, ...]

    @classmethod
    def of(cls, error: LemmataError) -> Refused:
        """The message that carries ``error``."""
        if isinstance(error, InputError):
            return cls(type(error), (error.place, error.cause, error.remedy))
        return cls(type(error), (str(error),))

    def error(self) -> LemmataError:
        """The error again."""
        return self.kind(*self.arguments)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The modules of ours that the worker has loaded so far."""

    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crashed:
    """An exception that nobody expected; ``detail`` is its traceback."""

    detail: str


Message = Listed | EventTold | Settled | Uncertified | Abandoned | Refused | Loaded | Crashed


def send(fd: int, message: object) -> None:
    """Write one message, waiting while the pipe is full."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    data = memoryview(len(body).to_bytes(_LENGTH, "big") + body)
    while data:
        data = data[os.write(fd, data) :]


class Inbox:
    """The reading end of a pipe."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.is_open = True
        self._bytes = bytearray()

    def receive(self) -> list[object]:
        """The messages that are complete after one read; an empty read means that the other side is gone."""
        chunk = os.read(self.fd, _CHUNK)
        self.is_open = bool(chunk)
        self._bytes += chunk
        messages = []
        while (size := self._size()) is not None:
            end = _LENGTH + size
            messages.append(pickle.loads(self._bytes[_LENGTH:end]))
            del self._bytes[:end]
        return messages

    def _size(self) -> int | None:
        if len(self._bytes) < _LENGTH:
            return None
        size = int.from_bytes(self._bytes[:_LENGTH], "big")
        return size if len(self._bytes) >= _LENGTH + size else None
