"""A first look by PDR at a circuit as it was read: many are settled before it pays to make them smaller.

The native core needs two microseconds per gate to begin, and its queries stay inside their cones; the reductions of
``transforms/circuit`` need ten and more. And on what is easy, lemmas are good enough when literals are only dropped
(``generalize=drop``). So PDR begins like this, for a number of propagations. What is not settled by then is reduced, and PDR
starts anew, with all its techniques. Left out: going on from here where reducing saves few latches. The lemmas of the first
look stayed in the way: eijk.S420.S took 6.7 s instead of 0.1 s.
"""

from __future__ import annotations

import time
from dataclasses import replace

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.native import NativeOracle
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig
from lemmata.verdict import Unknown, Verdict

_PROPAGATIONS = 2_000_000  # for all properties together: some 0.3 s,
_PROPAGATIONS_PER_GATE = 100  # and more, the longer it takes to reduce the circuit


class PdrFirstLook:
    """PDR with the native core, and an end to its work."""

    name = "pdr"

    def __init__(self, model: Aig, listener: Listener = NOBODY, options: PdrOptions | None = None) -> None:
        options = options or PdrOptions()
        if options.generalize == "ctg":
            options = replace(options, generalize="drop")
        pdr = Pdr(model, listener, options)
        assert isinstance(pdr.oracle, NativeOracle)
        pdr.oracle.allow(_PROPAGATIONS + _PROPAGATIONS_PER_GATE * model.gates)
        self.bound = -1
        self._pdr: Pdr | None = pdr

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property, or ``Unknown("incomplete")`` when the work is done that is allowed."""
        pdr = self._pdr
        if pdr is None:
            return Unknown("incomplete")
        try:
            return pdr.check(prop, until)
        except GaveUp:
            if until is not None and time.monotonic() >= until:
                raise
            self._pdr = None  # its memory is needed
            return Unknown("incomplete")
        finally:
            self.bound = pdr.bound
