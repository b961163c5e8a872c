"""Contestants: who can be asked for a verdict on a file, and how its answer is read.

Lemmata itself runs as ``python -m lemmata check FILE --format json`` in a process of its own, like any peer. It is not told
the CPU limit, because peers are not either: the limit is enforced from outside for all alike. What it is told is the wall
limit and the memory limit, so that it can end with a clean ``unknown`` where a peer would be killed; both count the same.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import lemmata
from lemmata.bench.runners import Finished, RunLimits
from lemmata.errors import UsageError
from lemmata.values import dataclass

_COVERS = {"covered": "unsafe", "unreachable": "safe"}  # the verdict of a design that has nothing but covers
_EXIT_CODES = {"safe": (0, 11), "unsafe": (10,), "unknown": (5,), "covered": (0,), "unreachable": (11,)}


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """What a contestant said: ``certified`` is ``None`` where it makes no such claim; ``is_error`` if it crashed."""

    verdict: str
    reason: str = ""
    certified: bool | None = None
    is_error: bool = False


class Contestant(Protocol):
    """One competitor. ``label`` names it in tables; ``options`` is what makes its results its own."""

    @property
    def label(self) -> str:
        """The name in tables."""
        ...

    @property
    def options(self) -> str:
        """How it is called, apart from the file."""
        ...

    @property
    def is_peer(self) -> bool:
        """Whether it is another tool than Lemmata."""
        ...

    def version(self) -> str:
        """Which build answers."""
        ...

    def prepare(self, file: Path, scratch: Path) -> Path:
        """The file in a form that the contestant reads, written to ``scratch`` where needed; not part of the measured run."""
        ...

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """What to run on the prepared ``model``."""
        ...

    def read(self, finished: Finished) -> PeerAnswer:
        """The answer in what the run printed."""
        ...


@dataclass(frozen=True, slots=True)
class Lemmata:
    """Lemmata with some options of ``lemmata check``."""

    label: str = "lemmata"
    options: str = ""
    launcher: tuple[str, ...] = (sys.executable, "-m", "lemmata")
    is_peer = False

    def version(self) -> str:
        """The version and a digest of the sources, since a build under development changes without a new number."""
        digest = hashlib.sha256()
        for path in sorted(Path(lemmata.__file__).parent.rglob("*.py")):
            digest.update(path.read_bytes())
        return f"{lemmata.__version__}+{digest.hexdigest()[:8]}"

    def prepare(self, file: Path, scratch: Path) -> Path:
        """Nothing to do."""
        return file

    def command(self, model: Path, limits: RunLimits) -> list[str]:
        """``check`` with the wall and memory limits; the options come last and win."""
        limited = ["--timeout", f"{limits.wall_s - 1:g}", "--memory", str(limits.memory_mb)]
        return [*self.launcher, "check", str(model), "--format", "json", *limited, *split_options(self.options)]

    def read(self, finished: Finished) -> PeerAnswer:
        """The JSON object. Exit code and verdict must agree; every settled property must be certified."""
        try:
            result = json.loads(finished.stdout)
            verdict, properties = result["verdict"], result["properties"]
            settled = [prop["certified"] for prop in properties if prop["verdict"] != "unknown"]
            reason = next((prop["reason"] for prop in properties if prop["verdict"] == "unknown"), None) or ""
        except (ValueError, KeyError, TypeError):
            return crashed(finished)
        if reason == "uncertified":
            return PeerAnswer(verdict, reason, certified=False)
        if finished.exit_code not in _EXIT_CODES.get(verdict, ()) and not finished.stopped:
            return PeerAnswer("unknown", f"said {verdict} with exit code {finished.exit_code}", is_error=True)
        return PeerAnswer(_COVERS.get(verdict, verdict), reason, certified=all(settled))


def crashed(finished: Finished) -> PeerAnswer:
    """No answer could be read: the last line that was printed says why, as far as anything does."""
    lines = (finished.stderr.strip() or finished.stdout.strip()).splitlines()
    ended = f"signal {-finished.exit_code}" if finished.exit_code < 0 else f"exit code {finished.exit_code}"
    return PeerAnswer("unknown", f"{ended}: {lines[-1].strip()[:200]}" if lines else ended, is_error=True)


def parse_engine(text: str) -> Lemmata:
    """``NAME[:OPTIONS]`` of ``--engine``."""
    name, _, options = text.partition(":")
    return Lemmata(f"lemmata:{text.strip()}", f"--engine {name.strip()} {options.strip()}".strip())


def parse_contestant(text: str) -> Lemmata:
    """``LABEL=OPTIONS`` of ``--contestant``."""
    label, equals, options = text.partition("=")
    if not label.strip() or not equals or label.startswith("-"):
        raise UsageError(f"--contestant {text!r}: write LABEL=OPTIONS, for example core='--engine pdr --technique lift=core'")
    return Lemmata(label.strip(), options.strip())


def split_options(options: str) -> list[str]:
    """The options as a shell would part them."""
    try:
        return shlex.split(options)
    except ValueError as error:
        raise UsageError(f"'{options}' cannot be parted into words: {str(error).lower()}") from None


def lineup(engines: Sequence[str], labelled: Sequence[str], common: Sequence[str]) -> list[Lemmata]:
    """Lemmata's contestants: one per engine and labelled one, or plain Lemmata; ``common`` options go to all of them."""
    named = [*map(parse_engine, engines), *map(parse_contestant, labelled)] or [Lemmata()]
    return [Lemmata(one.label, " ".join([one.options, *common]).strip()) for one in named]
