"""Steps of interpolant automata: which predicates are valid after an edge, given those that hold before it.

``post(edge, known)`` is the largest set Q of predicates with ``{known} edge {q}`` valid for each q in Q, or a contradiction:
the step of the interpolant automaton, generalized as far as its predicates go (Heizmann, Hoenicke, Podelski 2013). Each edge
remembers what it was asked (``hoare``), so that one iteration helps the next.

A question that takes longer than ``patience`` counts as not valid. The automaton then refutes less, and stays sound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.engines.traces.hoare import Asking, Known, Postcondition
from lemmata.engines.traces.predicates import Predicates
from lemmata.models.graph import Graph

PATIENCE = 0.5  # seconds


class Triples:
    """The steps over one graph; ``tick`` is called before each that is new."""

    def __init__(self, graph: Graph, predicates: Predicates, solver: str, tick: Callable[[], None]) -> None:
        self._graph = graph
        self._predicates = predicates
        self._solver = solver
        self._tick = tick
        self._edges: dict[int, Postcondition] = {}
        self._numbers: list[int] = []
        self.asking = Asking(PATIENCE)

    def begin(self, numbers: Sequence[int]) -> None:
        """From now on the automaton with these predicates is meant."""
        self._numbers = list(numbers)

    def post(self, edge: int, known: Known) -> int:
        """The mask of the predicates that hold after the edge, or ``CONTRADICTION``."""
        self._tick()
        if edge not in self._edges:
            self._edges[edge] = Postcondition(self._graph, edge, self._predicates, self._solver)
        return self._edges[edge].post(known, self._numbers, self.asking)
