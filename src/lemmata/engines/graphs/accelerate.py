"""Acceleration: errors behind many rounds of a loop, found as if it were one.

Loops that count (``accelerate_loops``) become edges with an input that says how often they are taken, beside the edges that the
graph has; a loop around an accelerated loop may be accelerated again (``accelerate_cycles``). In that graph a counterexample of
2·10⁹ steps is a few edges deep, and bounded model checking finds it. Its accelerated edges are then told as stretches of the
original ones (``models.stretches``). Acceleration adds no runs, it makes some shorter: nothing is proved here, and where no
loop counts the engine gives up at once. (Bozga, Iosif, Konečný 2010; Kroening, Lewis, Weissenbacher 2013.)

For linear graphs. Left out: steps that are variables, polynomials, loops that write arrays at a counter.
"""

from __future__ import annotations

from dataclasses import replace

from lemmata.engines.graphs.accelerate_cycles import shortcuts
from lemmata.engines.graphs.accelerate_laps import Lap, Loop, stretch_of
from lemmata.engines.graphs.bmc import GraphBmc
from lemmata.engines.graphs.derive import take
from lemmata.engines.graphs.shape import is_linear
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.models.stretches import follow
from lemmata.verdict import Unknown, Unsafe, Verdict

_DEEP = 12  # edges beyond one for each location


class Accelerator:
    """Deep counterexamples of linear graphs whose loops count."""

    name = "accelerate"

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "") -> None:
        self.bound = -1
        self._graph = graph
        self._listener = listener
        self._solver = solver
        self._laps: list[Lap] = []
        self._bmc: GraphBmc | None = None

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A counterexample of property ``prop``, or ``Unknown("incomplete")``; ``GaveUp`` if no loop counts."""
        if not is_linear(self._graph):
            raise GaveUp("incomplete")
        bmc = self._faster()
        while not bmc.is_exhausted(prop) and bmc.bound < len(self._graph.locations) + _DEEP:
            found = bmc.deepen(prop, until)
            self.bound = bmc.bound
            if found is not None:
                return Unsafe(self._told(found))
        return Unknown("incomplete")

    def _faster(self) -> GraphBmc:
        if self._bmc is None:
            self._laps = shortcuts(self._graph)
            if not self._laps:
                raise GaveUp("incomplete")
            edges = (*self._graph.edges, *[lap.edge(self._graph) for lap in self._laps])
            self._bmc = GraphBmc(replace(self._graph, edges=edges), self._listener, self._solver, self.name)
        return self._bmc

    def _told(self, derivation: Derivation) -> Derivation:
        """The run over the edges of the graph."""
        facts: list[Fact] = []
        last = -1
        for fact in derivation.facts:
            own = fact.edge - len(self._graph.edges)
            if own < 0:
                facts.append(take(self._graph, fact.edge, (last,) if fact.premises else (), facts, dict(fact.inputs)))
                last = len(facts) - 1
            else:
                (loop,) = self._laps[own].plan
                assert isinstance(loop, Loop)
                last = follow(self._graph, facts, last, stretch_of(loop, dict(fact.inputs)))
        return Derivation(derivation.prop, tuple(facts))
