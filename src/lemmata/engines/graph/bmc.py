"""Bounded model checking on graphs: has an error a derivation of depth 0, 1, 2 …? (``engines/bounded.py`` has the search.)

Where every edge has at most one source the graph is unrolled forwards in layers (``layers``), and bound d asks whether some way
into the error in layer d can be taken. Otherwise derivations are trees, and the unrolling is a tree as well (``tree``).
A refuted bound leaves a fact behind. One solver serves all bounds of a property. The search ends where no derivation is
deeper, or where a tree has grown too large.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.engines.bounded import BoundedSearch, Breathe, PropertyUnrolling
from lemmata.engines.graph.layers import LayerEdge, Layers, input_at
from lemmata.engines.graph.tree import Tree
from lemmata.engines.names import BMC
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import disj, negate
from lemmata.logic.terms import Term, Value
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.oracles.derive import run_of
from lemmata.oracles.fallback import FallbackSolver
from lemmata.oracles.shape import has_linear_runs
from lemmata.solvers.smt import Sat, preferred
from lemmata.work import is_over

_QUESTION_VALUES = 100  # values that could be computed in the time of a question


class GraphBmc(BoundedSearch[Derivation]):
    """BMC on one graph."""

    def __init__(
        self, graph: Graph, listener: Listener = NOBODY, solver: str = "", name: str = BMC, most: int | None = None
    ) -> None:
        """``most`` is the work after which a property is given up: values computed, and 100 for each question."""
        kind: Callable[..., LayerUnrolling | Tree] = LayerUnrolling if has_linear_runs(graph) else Tree
        self._started: dict[int, LayerUnrolling | Tree] = {}
        self._most = most

        def start(prop: int) -> PropertyUnrolling[Derivation]:
            self._started[prop] = kind(graph, solver or preferred(), prop)
            return self._started[prop]

        super().__init__(name, listener, start)

    def is_exhausted(self, prop: int) -> bool:
        """Is it known that there is no derivation beyond the bound, or has the search become too long?"""
        if super().is_exhausted(prop):
            return True
        unrolling = self._started[prop]
        return self._most is not None and unrolling.work + _QUESTION_VALUES * unrolling.queries > self._most


class LayerUnrolling:
    """Runs of a linear graph, by length."""

    def __init__(self, graph: Graph, backend: str, prop: int) -> None:
        self.bound = -1
        self._graph = graph
        self._prop = prop
        self._layers = Layers.from_start(graph, graph.questions[prop].location)
        self._solver = FallbackSolver(backend)

    @property
    def exhausted(self) -> bool:
        """No run is longer."""
        return self.bound >= self._layers.depth and not self._layers.spots(self._layers.depth)

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    @property
    def work(self) -> int:
        """How many values were computed."""
        return self._layers.work

    def deepen(self, until: float | None, breathe: Breathe) -> Derivation | None:
        """``⋁ (the ways into the error in layer bound + 1)``."""
        if is_over(until):
            raise GaveUp("timeout")
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
