"""Bounded model checking on graphs: has an error a derivation of depth 0, 1, 2 …? (Biere et al. 1999.)

Where every edge has at most one source the graph is unrolled forwards in layers (``layers``), and bound d asks whether some way
into the error in layer d can be taken. Otherwise derivations are trees, and the unrolling is a tree as well (``tree``).
Either way every bound is asked in order, so the first counterexample is one of least depth; a refuted bound leaves a
fact behind. One solver serves all bounds of a property.

BMC proves nothing: it ends without a counterexample only where no derivation is deeper, or where a tree has grown too large.
Both are ``incomplete``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lemmata.engines.graph.layers import LayerEdge, Layers, input_at
from lemmata.engines.graph.tree import Tree
from lemmata.engines.pulse import Pulse
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, Listener
from lemmata.logic.build import disj, negate
from lemmata.logic.terms import Term, Value
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.oracles.derive import run_of
from lemmata.oracles.fallback import Relay
from lemmata.oracles.shape import has_linear_runs
from lemmata.solvers.smt import Sat, preferred
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import is_over


class Hunt(Protocol):
    """The search for one property."""

    bound: int  # no derivation is this deep or less deep

    @property
    def exhausted(self) -> bool:
        """No deeper one exists, either."""
        ...

    def deepen(self, until: float | None) -> Derivation | None:
        """Ask the next bound: a derivation, or none and ``bound`` goes up."""
        ...

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        ...


class GraphBmc:
    """Counterexamples of least depth; built once per graph and asked for several properties."""

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "", name: str = "bmc") -> None:
        self.name = name
        self.bound = -1
        self._graph = graph
        self._listener = listener
        self._pulse = Pulse(listener)
        self._backend = solver or preferred()
        self._hunts: dict[int, Hunt] = {}
        self._found: dict[int, Derivation] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A counterexample of property ``prop``, or ``Unknown("incomplete")``."""
        while not self.is_exhausted(prop):
            derivation = self.deepen(prop, until)
            if derivation is not None:
                return Unsafe(derivation)
        return Unknown("incomplete")

    def deepen(self, prop: int, until: float | None = None) -> Derivation | None:
        """Ask the next bound."""
        if prop in self._found:
            return self._found[prop]
        if is_over(until):
            raise GaveUp("timeout")
        hunt = self._hunt(prop)
        self._pulse.beat(self.name, hunt.bound, hunt.bound + 2, hunt.queries)
        derivation = hunt.deepen(until)
        self.bound = hunt.bound
        if derivation is not None:
            self._found[prop] = derivation
        else:
            self._listener(BoundReached(self.name, hunt.bound))
        return derivation

    def is_exhausted(self, prop: int) -> bool:
        """Is it known that there is no derivation beyond the bound?"""
        return self._hunt(prop).exhausted

    def _hunt(self, prop: int) -> Hunt:
        if prop not in self._hunts:
            kind: Callable[..., Hunt] = LayerHunt if has_linear_runs(self._graph) else Tree
            self._hunts[prop] = kind(self._graph, prop, self._backend)
        self.bound = self._hunts[prop].bound
        return self._hunts[prop]


class LayerHunt:
    """Runs of a linear graph, by length."""

    def __init__(self, graph: Graph, prop: int, backend: str) -> None:
        self.bound = -1
        self._graph = graph
        self._prop = prop
        self._layers = Layers.from_start(graph, graph.questions[prop].location)
        self._solver = Relay(backend)

    @property
    def exhausted(self) -> bool:
        """No run is longer."""
        return self.bound >= self._layers.depth and not self._layers.spots(self._layers.depth)

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def deepen(self, until: float | None) -> Derivation | None:
        """``⋁ (the ways into the error in layer bound + 1)``."""
        layers, layer = self._layers, self.bound + 1
        if layers.depth < layer:
            layers.deepen()
        goals = layers.goals(layer)
        if goals and (derivation := self._reach(goals, layer, until)) is not None:
            return derivation
        self.bound = layer
        return None

    def _reach(self, goals: list[LayerEdge], layer: int, until: float | None) -> Derivation | None:
        layers = self._layers
        for fact in layers.fresh_facts():
            self._solver.add(fact)
        goal = disj([way.taken for way in goals])
        answer = self._solver.check((goal,), list(layers.leaves), until)
        if isinstance(answer, Sat):
            return self._derivation(goals, layer, answer)
        self._solver.add(negate(disj([way.needs for way in goals])))
        return None

    def _derivation(self, goals: list[LayerEdge], layer: int, answer: Sat) -> Derivation:
        """Follow the ways that are taken in the model back to an initial edge."""
        steps: list[tuple[int, dict[Term, Value]]] = []
        ways = goals
        while True:
            way = next(way for way in ways if way.taken.is_const or answer.values[way.taken])
            inputs = {i: answer.values[input_at(i, layer)] for i in self._graph.edges[way.edge].inputs}
            steps.append((way.edge, inputs))
            if way.source is None:
                return run_of(self._graph, self._prop, steps[::-1])
            ways, layer = way.source.ways, layer - 1
