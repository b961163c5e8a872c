"""What the solver showed on the way: transitions, and states that are reached for certain.

Whoever tries a guess looks here first: a cube that has the target of a transition whose sources it does not have is not
inductive, and no question is needed to know it. A transition counts as long as its sources satisfy what holds for ever.
(In the manner of implication counterexamples: Garg, Löding, Madhusudan, Neider 2014.)
"""

from __future__ import annotations

from collections import defaultdict, deque

from lemmata.engines.pdr.graph.cube import Assignment, GraphCube, holds, quick
from lemmata.engines.pdr.graph.edges import FramedEdge
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.models.graph import Graph
from lemmata.values import dataclass

_KEPT_TRANSITIONS = 200  # transitions per location


@dataclass(slots=True, eq=False)
class ObservedTransition:
    """One transition: the states at each source, and the one at the target."""

    before: tuple[tuple[int, Assignment], ...]
    after: Assignment
    is_void: bool = False  # what holds for ever excludes one of its sources

    def leads_into(self, cube: GraphCube) -> bool:
        """From outside of the cube into it?"""
        return cube.contains(self.after) and not any(place == cube.location and cube.contains(s) for place, s in self.before)


class ObservedTransitions:
    """Transitions and reached states, by target location."""

    def __init__(self, graph: Graph, frames: GraphFrames) -> None:
        self._graph = graph
        self._frames = frames
        self._ways: defaultdict[int, deque[ObservedTransition]] = defaultdict(lambda: deque(maxlen=_KEPT_TRANSITIONS))
        self.reached: defaultdict[int, list[ReachFact]] = defaultdict(list)

    def note(self, solver: FramedEdge, values: Assignment) -> ObservedTransition:
        """Remember a model of one edge."""
        edge, places = solver.edge, self._graph.locations
        before = tuple(
            (s.location, quick({v: values[w] for v, w in zip(places[s.location].variables, s.variables, strict=True)}))
            for s in edge.sources
        )
        after = dict(zip(places[edge.target].variables, solver.updates.run(values), strict=True))
        way = ObservedTransition(before, quick(after))
        if before:
            self._ways[edge.target].appendleft(way)
        else:
            self.meet(ReachFact(edge.target, solver.number, (), after, inputs={i: values[i] for i in edge.inputs}))
        return way

    def meet(self, fact: ReachFact) -> bool:
        """Remember a state that is reached; was it new?"""
        facts = self.reached[fact.location]
        if any(fact.point == other.point for other in facts):
            return False
        facts.append(fact)
        if len(facts) > _KEPT_TRANSITIONS:
            del facts[_KEPT_TRANSITIONS // 2]
        return True

    def is_reached(self, cube: GraphCube) -> bool:
        """Is a state of the cube known to be reached?"""
        return self.reached_in(cube) is not None

    def reached_in(self, cube: GraphCube) -> ReachFact | None:
        """A state of the cube that is reached."""
        facts = self.reached[cube.location]
        for position, fact in enumerate(facts):
            if cube.contains(fact.point):
                facts.insert(0, facts.pop(position))
                return fact
        return None

    def apart(self, core: GraphCube, cube: GraphCube) -> GraphCube:
        """The core with literals of ``cube`` added until no state that is reached is in it, if that is possible."""
        result = core
        while (fact := self.reached_in(result)) is not None:
            helpful = [literal for literal in cube.literals if not holds(literal, fact.point)]
            if not helpful:
                return core
            result = result.joined(helpful[0])
        return result

    def ways(self, location: int) -> list[ObservedTransition]:
        """The transitions into a location, newest first."""
        return list(self._ways[location])

    def refutes(self, cube: GraphCube) -> bool:
        """Is it known that ¬cube is not inductive relative to what holds for ever, or that the cube is reached?"""
        if self.is_reached(cube):
            return True
        return any(not way.is_void and way.leads_into(cube) and self._counts(way) for way in self._ways[cube.location])

    def _counts(self, way: ObservedTransition) -> bool:
        for place, state in way.before:
            for lemma in self._frames.lemmas[place]:
                if lemma.level == INFINITY and lemma.cube.contains(state):
                    way.is_void = True
                    return False
        return True
