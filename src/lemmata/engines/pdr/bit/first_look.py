"""A first look by PDR at a circuit as it was read: many are settled before it pays to make them smaller.

The native core needs a microsecond per gate to begin, and its queries stay inside their cones; the reductions of
``transforms/circuit`` need twenty and more. So PDR begins on the circuit as it is, without gate elimination where that would
take longer than the rest, for a number of propagations. What is not settled by then is reduced, and starts anew.
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

_PROPAGATIONS = 1_000_000  # for all properties together,
_PROPAGATIONS_PER_GATE = 10  # and more where a query propagates more
_MANY_GATES = 5_000  # above which gate elimination takes longer than most first looks


class PdrFirstLook:
    """PDR with the native core, which soon gives up."""

    name = "pdr"

    def __init__(self, model: Aig, listener: Listener = NOBODY, options: PdrOptions | None = None) -> None:
        options = options or PdrOptions()
        options = replace(options, eliminate=options.eliminate and model.gates <= _MANY_GATES)
        self.bound = -1
        self._pdr: Pdr | None = Pdr(model, listener, options)
        assert isinstance(self._pdr.oracle, NativeOracle)
        self._pdr.oracle.allow(_PROPAGATIONS + _PROPAGATIONS_PER_GATE * model.gates)

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property, or ``Unknown("incomplete")`` when the work is done that is allowed."""
        if self._pdr is None:
            return Unknown("incomplete")
        try:
            return self._pdr.check(prop, until)
        except GaveUp:
            if until is not None and time.monotonic() >= until:
                raise
            self._pdr = None  # whose memory is needed now
            return Unknown("incomplete")
        finally:
            self.bound = self._pdr.bound if self._pdr else self.bound
