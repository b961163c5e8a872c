"""Engines: each takes a model and returns a verdict with evidence over that model.

An engine knows neither files nor transforms nor who certifies its answer; that is ``run``. Some stand on others: k-induction
and ``accelerate`` on BMC, ``traces`` on PDR on graphs (a checker of traces) and on execution.
"""

from __future__ import annotations

from typing import Protocol

from lemmata.verdict import Verdict


class Engine(Protocol):
    """One way to settle the properties of one model."""

    name: str
    bound: int  # no bad state within this many steps of the property last asked; -1 = nothing known

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle the property with this position in the model; past ``until`` (work clock) raise ``GaveUp("timeout")``."""
        ...
