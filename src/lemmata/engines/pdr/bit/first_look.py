"""A first look by PDR at a circuit as it was read: many are settled before it pays to make them smaller.

The native core needs two microseconds per gate to begin, and its queries stay inside their cones; the reductions of
``transforms/circuit`` need ten and more. So PDR begins on the circuit as it is, for a number of propagations that take about as
long as reducing would. What is not settled by then is reduced; where that saves little, PDR goes on from here (``unlimited``).
"""

from __future__ import annotations

import time

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.bit.native import NativeOracle
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig
from lemmata.verdict import Unknown, Verdict

_PROPAGATIONS = 1_000_000  # for all properties together,
_PROPAGATIONS_PER_GATE = 100  # and more, the more there is to reduce
_NO_END = 1 << 62  # propagations


class PdrFirstLook:
    """PDR with the native core, and an end to its work."""

    name = "pdr"

    def __init__(self, model: Aig, listener: Listener = NOBODY, options: PdrOptions | None = None) -> None:
        self._pdr = Pdr(model, listener, options)
        assert isinstance(self._pdr.oracle, NativeOracle)
        self._oracle = self._pdr.oracle
        self._oracle.allow(_PROPAGATIONS + _PROPAGATIONS_PER_GATE * model.gates)
        self._is_over = False

    @property
    def bound(self) -> int:
        """No bad state within this many steps."""
        return self._pdr.bound

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property, or ``Unknown("incomplete")`` when the work is done that is allowed."""
        if self._is_over:
            return Unknown("incomplete")
        try:
            return self._pdr.check(prop, until)
        except GaveUp:
            if until is not None and time.monotonic() >= until:
                raise
            self._is_over = True
            return Unknown("incomplete")

    def unlimited(self) -> Pdr:
        """The same engine, which goes on where it was stopped."""
        self._oracle.allow(_NO_END)
        return self._pdr
