"""Verdicts carry their evidence: ``Safe(invariant) | Unsafe(trace) | Unknown(reason)``."""

from __future__ import annotations

from typing import Protocol

from lemmata.values import dataclass


class Evidence(Protocol):
    """What a verdict rests on: an invariant or a trace, shown in the user's own names."""

    def describe(self) -> str:
        """Readable text."""
        ...

    def to_json(self) -> object:
        """Plain data for ``--format json``."""
        ...

    def _repr_html_(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Safe:
    """No reachable state is bad; ``invariant`` says why."""

    invariant: Evidence
    word = "safe"


@dataclass(frozen=True, slots=True)
class Unsafe:
    """``trace`` runs from an initial state to a bad one."""

    trace: Evidence
    word = "unsafe"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not settled; ``reason`` is one word (timeout, memory, interrupted, incomplete, uncertified)."""

    reason: str
    word = "unknown"


Verdict = Safe | Unsafe | Unknown
