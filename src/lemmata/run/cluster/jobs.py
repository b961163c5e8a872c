"""What the driver of a cluster and its sites say to each other."""

from __future__ import annotations

from lemmata.config import Config
from lemmata.result import Result
from lemmata.run.processes.messages import Abandoned, Settled, Uncertified
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A file, what is asked of it, and the seat of the worker that shall do it."""

    file: str
    digest: str  # of its content
    prop: str = "all"  # or an index, or a name
    seat: int = 0
    group: int = 0  # groups have equal shares of the time
    rank: int = 0  # the lowest comes first


@dataclass(frozen=True, slots=True)
class Solve:
    """An item for a site, which has the content of the file from elsewhere."""

    number: int
    file: str
    config: Config  # with the property
    seat: int = 0
    seats: int = 1


@dataclass(frozen=True, slots=True)
class Found:
    """A verdict, by the index of its property, with the evidence as the engine's run certified it."""

    prop: int
    verdict: Safe | Unsafe
    engine: str
    bound: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an item: a result whose verdicts are claims, ``found``; or why the file was refused."""

    number: int
    seconds: float
    result: Result | None = None
    found: tuple[Found, ...] = ()
    refusal: str = ""
    bugs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What a site has done of its batch. What it has not begun it gives back, if an item takes long: that one goes on."""

    answers: tuple[Answer, ...] = ()
    given_back: tuple[int, ...] = ()
    running: int | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Claims about a file, to be certified on the driver."""

    file: str
    digest: str
    config: Config
    found: tuple[Found, ...]


Opinion = Settled | Uncertified | Abandoned


@dataclass(frozen=True, slots=True)
class Judged:
    """What the driver thinks of claims; ``refusal`` says why it cannot read the file."""

    opinions: tuple[Opinion, ...] = ()
    refusal: str = ""
    modules: tuple[str, ...] = ()  # that were needed
