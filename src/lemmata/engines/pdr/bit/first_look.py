"""A first look by PDR at a circuit as it was read: many are settled before it pays to make them smaller.

The native core needs two microseconds per gate to begin, and its queries stay inside their cones; the reductions of
``transforms/circuit`` need ten and more. And on what is easy, lemmas are good enough when literals are only dropped
(``generalize=drop``). So PDR begins like this, with a budget of work. What is not settled by then is reduced, and PDR starts
anew, with all its techniques. Left out: going on from here where reducing saves few latches. The lemmas of the first look
stayed in the way: eijk.S420.S took 6.7 s instead of 0.1 s.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.budgets import PDR_FIRST_LOOK_S, PDR_FIRST_LOOK_S_PER_GATE
from lemmata.config import PdrOptions
from lemmata.engines import Engine
from lemmata.errors import GaveUp
from lemmata.verdict import Unknown, Verdict
from lemmata.work import is_over, now


def first_look_options(options: PdrOptions) -> PdrOptions:
    """The techniques with which PDR begins."""
    return replace(options, generalize="drop") if options.generalize == "ctg" else options


class PdrFirstLook:
    """PDR on a circuit of so many gates, and an end to its work."""

    def __init__(self, pdr: Engine, gates: int) -> None:
        self.name = pdr.name
        self.bound = -1
        self._pdr: Engine | None = pdr
        self._left = PDR_FIRST_LOOK_S + PDR_FIRST_LOOK_S_PER_GATE * gates  # for all properties together

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property, or ``Unknown("incomplete")`` when the work is done that is allowed."""
        pdr, began = self._pdr, now()
        if pdr is None:
            return Unknown("incomplete")
        end = began + self._left
        try:
            return pdr.check(prop, end if until is None else min(until, end))
        except GaveUp:
            if is_over(until):
                raise
            self._pdr = None  # its memory is needed
            return Unknown("incomplete")
        finally:
            self._left -= now() - began
            self.bound = pdr.bound
