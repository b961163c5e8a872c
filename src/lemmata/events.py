"""What an engine tells while it works.

Engines call a ``Listener`` with these values and know nothing of what becomes of them: the live line, the statistics, the
``jsonl`` stream and the explanations are all listeners. ``NOBODY`` is the listener of a run that nobody watches.
What comes from several processes is told as an ``EventRecord``.

A run that is recorded (``Config.record``) tells every ``Step``, too: what these are depends on the algorithm (``steps``). Other
runs tell none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class PropertyStarted:
    """Work on one property begins."""

    name: str
    engine: str


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life, at most a few per second; ``returned`` is the obligation of PDR that came back most often so far."""

    engine: str
    bound: int
    frames: int = 0
    lemmas: int = 0
    obligations: int = 0
    queries: int = 0
    returned: str = ""
    returns: int = 0


@dataclass(frozen=True, slots=True)
class BoundReached:
    """No bad state is reachable within ``bound`` steps."""

    engine: str
    bound: int


@dataclass(frozen=True, slots=True)
class LemmaLearned:
    """``clause`` (text, in the file's names) holds in every state reachable within ``level`` steps."""

    clause: str
    level: int


@dataclass(frozen=True, slots=True)
class Reduced:
    """A transform changed the size of the model."""

    transform: str
    inputs: int
    latches: int
    gates: int


@dataclass(frozen=True, slots=True)
class Certified:
    """The evidence of one property survived its check."""

    name: str
    verdict: str
    by: str
    read_by: tuple[str, ...] = ("lemmata",)


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """The process of one engine ended early (memory, crash); the others go on."""

    engine: str
    cause: str


@dataclass(frozen=True, slots=True)
class Measured:
    """How far an engine came on a property, in numbers of its own; the last one goes into the result."""

    engine: str
    statistics: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a recorded run; each algorithm has its own kinds of them."""


Event = PropertyStarted | Progress | BoundReached | LemmaLearned | Reduced | Certified | WorkerLost | Measured | Step
Listener = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event, its time (seconds since the start), the engine whose process told it, and the property's name."""

    time_s: float
    engine: str
    name: str | None
    event: Event


def NOBODY(event: Event) -> None:  # noqa: N802 (a constant that happens to be a function)
    """Listen to nothing."""
