"""Plain execution: follow runs with concrete values and see whether they end in the error.

A bug behind two thousand turns of a loop is far for every engine that reasons about all runs at once, and near for one that
takes a single run at a time. A walk begins at an initial edge and takes, at each state, an edge into the error if one can be
taken, else any other edge, at random. Walks grow longer from round to round. Where nothing is free (no input to guess, never
two edges to choose from) one walk is all there is, and its end is the end of the search (``incomplete``).

For linear graphs; the pseudo-random choices are fixed by a seed, so the same graph gives the same walks.
"""

from __future__ import annotations

from random import Random

from lemmata.budgets import SIMULATE_QUERIES, SIMULATE_WALKS
from lemmata.engines.graph.moves import EdgePlan, Guesses, Move
from lemmata.engines.names import SIMULATE
from lemmata.engines.pulse import Pulse
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.terms import Value
from lemmata.models.derivation import Derivation
from lemmata.models.graph import Graph
from lemmata.oracles.derive import run_of
from lemmata.oracles.shape import edges_towards, has_linear_runs
from lemmata.solvers.smt import preferred
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import is_over

_FIRST_EDGES, _LONGEST_EDGES = 200, 200_000  # edges of a walk
_NUMBER_BITS = 4096  # of a number; where they grow on and on, every step takes longer


class GraphSimulator:
    """Counterexamples by execution, of any depth."""

    name = SIMULATE

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "", seed: int = 0) -> None:
        self.bound = -1
        self._graph = graph
        self._pulse = Pulse(listener)
        self._backend = solver or preferred()
        self._seed = seed
        self._walks: dict[int, _Walks] = {}

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A counterexample of property ``prop``, or ``Unknown("incomplete")``; trees are given up."""
        if not has_linear_runs(self._graph):
            raise GaveUp("incomplete")
        if prop not in self._walks:
            self._walks[prop] = _Walks(self._graph, prop, self._backend, Random(self._seed))
        walks = self._walks[prop]
        while not walks.is_over:
            self._pulse.beat(self.name, self.bound, 0, walks.steps)
            if (derivation := walks.walk(until)) is not None:
                return Unsafe(derivation)
        return Unknown("incomplete")


class _Walks:
    """The walks for one property."""

    def __init__(self, graph: Graph, prop: int, backend: str, random: Random) -> None:
        self.steps = 0
        self.is_over = False
        self._graph = graph
        self._prop = prop
        self._random = random
        self._length = _FIRST_EDGES
        self._walks = 0
        self._path: list[Move] = []  # a walk goes on where a time limit stopped it
        self._asked = 0
        self._was_free = False
        guesses = Guesses(graph, random)
        self._from: dict[int | None, tuple[list[EdgePlan], list[EdgePlan]]] = {}  # into the error, and elsewhere
        error = graph.questions[prop].location
        for number, edge in edges_towards(graph, error):
            place = edge.sources[0].location if edge.sources else None
            plans = self._from.setdefault(place, ([], []))
            plans[edge.target != error].append(EdgePlan(number, edge, guesses, backend))

    def walk(self, until: float | None) -> Derivation | None:
        """Go on with a walk, or begin one, to its end."""
        while len(self._path) < self._length:
            self.steps += 1
            if self.steps % 16 == 0 and is_over(until):
                raise GaveUp("timeout")
            move, is_error = self._next(until)
            if move is None:
                break
            self._path.append(move)
            if is_error:
                return run_of(self._graph, self._prop, [(m.edge, dict(m.inputs)) for m in self._path])
        self._end()
        return None

    def _next(self, until: float | None) -> tuple[Move | None, bool]:
        """An edge to take, into the error if possible."""
        place = self._graph.edges[self._path[-1].edge].target if self._path else None
        state = self._path[-1].values if self._path else ()
        errors, others = self._from.get(place, ([], []))
        for plan in errors:
            if (move := self._take(plan, state, until)) is not None:
                return move, True
        order = self._random.sample(others, len(others))
        for position, plan in enumerate(order):
            if (move := self._take(plan, state, until)) is not None:
                self._was_free = self._was_free or _has_more(order[position + 1 :], state)
                return (None if _is_huge(move) else move), False
        return None, False

    def _take(self, plan: EdgePlan, state: tuple[Value, ...], until: float | None) -> Move | None:
        self._was_free = self._was_free or not plan.is_determined
        is_thorough = not plan.is_determined and self._asked < SIMULATE_QUERIES
        move = plan.move(state, until, is_thorough)
        self._asked += is_thorough and move is None
        return move

    def _end(self) -> None:
        """The next walk; longer ones after a few."""
        is_cut = len(self._path) >= self._length
        self.is_over = not self._was_free and not is_cut
        self._walks += 1
        self._asked = 0
        if is_cut and not self._was_free:
            self._length = min(self._length * 10, _LONGEST_EDGES)  # the same walk goes on
            self.is_over = len(self._path) >= _LONGEST_EDGES
            return
        self._path = []
        if self._walks % SIMULATE_WALKS == 0:
            self._length = min(self._length * 2, _LONGEST_EDGES)


def _has_more(plans: list[EdgePlan], state: tuple[Value, ...]) -> bool:
    """Could another edge be taken as well?"""
    return any(plan.move(state, None, is_thorough=False) is not None for plan in plans)


def _is_huge(move: Move) -> bool:
    return any(
        max(v.numerator.bit_length(), v.denominator.bit_length()) > _NUMBER_BITS for v in move.values if hasattr(v, "numerator")
    )
