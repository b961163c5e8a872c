"""Evidence on its way to the user: in the file's own names, and as the files that were asked for."""

from __future__ import annotations

from lemmata.budgets import MINIMIZING_LEAST_S, MINIMIZING_SHARE
from lemmata.models.aig import Aig
from lemmata.run.task import Files, Model, Wanted
from lemmata.verdict import Safe, Unsafe


def minimizing_time(spent: float) -> float:
    """How many seconds may go into making a proof smaller that took so many."""
    return max(MINIMIZING_SHARE * spent, MINIMIZING_LEAST_S)


def files(model: Model, prop: int, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
    if isinstance(model, Aig):
        from lemmata.run.evidence.circuit import circuit_files

        return circuit_files(model, prop, verdict, wanted)
    from lemmata.run.evidence.graph import graph_files

    return graph_files(model, verdict, wanted)
