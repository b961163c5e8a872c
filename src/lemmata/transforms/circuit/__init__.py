"""Transforms of circuits: fewer latches and gates, with the way back for invariants and traces."""

from __future__ import annotations

from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms import Reduction, WayBack

CircuitBack = WayBack[Invariant, Trace]
CircuitReduction = Reduction[Aig, Invariant, Trace]
