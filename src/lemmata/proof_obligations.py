"""What was asked when a proof was checked: its obligations, each with the solver that discharged it and the time it took.

An invariant owes initiation, consecution and that it excludes the property's bad states; over a graph it owes them edge by
edge. A k-inductive property owes its base and its step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lemmata.values import dataclass

ObligationKind = Literal["initiation", "consecution", "property", "base", "step"]
INSPECTION = "inspection"  # what is claimed after the edge is claimed before it, word by word

_KEPT_OBLIGATIONS = 400  # obligations that are told one by one


@dataclass(frozen=True, slots=True)
class ProofObligation:
    """What has to be shown, and over a graph of which edge: its number and line, where it starts and ends."""

    kind: ObligationKind
    edge: int | None = None
    sources: tuple[str, ...] = ()
    target: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Discharged:
    """An obligation, who discharged it, and after how many seconds."""

    obligation: ProofObligation
    by: str
    time_s: float

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        what = self.obligation
        where = {"edge": what.edge, "sources": list(what.sources), "target": what.target, "line": what.line}
        return {"kind": what.kind, **where, "by": self.by, "time_s": round(self.time_s, 4)}


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """How a proof was checked: how many obligations, in how many seconds, and those that took longest, in their order."""

    count: int
    time_s: float
    each: tuple[Discharged, ...]

    @classmethod
    def of(cls, discharged: Sequence[Discharged]) -> CheckedProof:
        """The record of these obligations."""
        longest = sorted(range(len(discharged)), key=lambda k: (-discharged[k].time_s, k))[:_KEPT_OBLIGATIONS]
        each = tuple([discharged[k] for k in sorted(longest)])
        return cls(len(discharged), sum(one.time_s for one in discharged), each)

    def to_json(self) -> dict[str, object]:
        """The documented object of ``--format json``."""
        return {"count": self.count, "time_s": round(self.time_s, 4), "each": [one.to_json() for one in self.each]}
