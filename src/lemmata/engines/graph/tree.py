"""Derivations as trees, unrolled where they are looked at: stratified inlining (Lal, Qadeer, Lahiri 2012).

The root is the error. A node stands for one fact that a derivation may need, with variables of its own; it is *open* until its
edges are written down below it. A model of the formula picks an edge at every node that it needs, down to open nodes, about
which it may believe what it likes: those are expanded next, unless they lie below the bound, where they must not be needed. No
model: no derivation of that depth. A model that needs no open node is a derivation.

What is not recursive and small is expanded at once: a model that may believe anything about it is of no use.

The edges of one node exclude each other, so they share the nodes of their sources: a node has one child per location, or as
many as one edge needs at the same time. Trees still grow exponentially; beyond ``TREE_NODES`` nodes the search gives up.
"""

from __future__ import annotations

from dataclasses import field

from lemmata.budgets import TREE_NODES
from lemmata.engines.bounded import Breathe
from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj, equal, implies, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value, name_of, var
from lemmata.logic.walk import substitute
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.derive import derived_fact
from lemmata.oracles.fallback import FallbackSolver
from lemmata.oracles.shape import edges_towards
from lemmata.solvers.smt import Sat, Unsat
from lemmata.values import dataclass
from lemmata.work import is_over

_WHOLE_TREE_NODES = 40  # of the tree of a location that is unfolded whole


@dataclass(slots=True)
class _Node:
    """A fact that may be needed; ``needed`` demands it."""

    number: int
    location: int
    level: int
    state: tuple[Term, ...]
    needed: Term
    ways: list[Branch] | None = None  # None: open
    children: dict[tuple[int, int], _Node] = field(default_factory=dict)  # by location and occurrence in an edge


@dataclass(frozen=True, slots=True)
class Branch:
    """An edge into a node, taken from the children."""

    edge: int
    taken: Term
    children: tuple[_Node, ...]


class Tree:
    """The search for one property."""

    def __init__(self, graph: Graph, backend: str, prop: int) -> None:
        self.bound = -1
        self.exhausted = False
        self.work = 0  # values that were named: variables of nodes
        self._graph = graph
        self._prop = prop
        self._into: dict[int, list[tuple[int, Edge]]] = {}
        for number, edge in edges_towards(graph, graph.questions[prop].location):
            self._into.setdefault(edge.target, []).append((number, edge))
        self._solver = FallbackSolver(backend)
        self._nodes: list[_Node] = []
        self._choices: list[Term] = []  # one for each branch: is it taken?
        self._small = self._not_recursive()
        self._node(graph.questions[prop].location, 0)

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def deepen(self, until: float | None, breathe: Breathe) -> Derivation | None:
        """``root ∧ ¬(the open nodes below the bound)``, until nothing above it is open."""
        bound = self.bound + 1
        while True:
            if is_over(until):
                raise GaveUp("timeout")
            beyond = [negate(node.needed) for node in self._nodes if node.level == bound + 1]
            question = self._nodes[0].needed, *beyond
            answer = self._solver.check(question, self._choices, until)
            if isinstance(answer, Unsat):
                self.bound = bound
                self.exhausted = not set(beyond) & set(answer.core)
                return None
            used = self._used(answer)
            pending = [node for node in used if node.ways is None]
            if not pending:
                return self._derivation([(node, _taken(node, answer)) for node in used], question, until)
            for node in pending:
                self._expand(node)

    def _used(self, answer: Sat) -> list[_Node]:
        """The nodes that the model needs, the root first."""
        used = [self._nodes[0]]
        for node in used:
            if node.ways is not None:
                used.extend(_taken(node, answer).children)
        return used

    def _derivation(self, used: list[tuple[_Node, Branch]], question: tuple[Term, ...], until: float | None) -> Derivation:
        """By these branches. Only now a model is asked for inputs: nodes that are not used may have thousands."""
        wanted = [_input(node.number, i) for node, way in used for i in self._graph.edges[way.edge].inputs]
        answer = self._solver.check((*question, *(way.taken for _, way in used)), wanted, until)
        if isinstance(answer, Unsat):  # there was a model just now
            raise GaveUp("incomplete")
        facts: list[Fact] = []
        known: dict[Fact, int] = {}
        place: dict[int, int] = {}
        for node, way in reversed(used):  # children come after their parents
            inputs: dict[Term, Value] = {i: answer.values[_input(node.number, i)] for i in self._graph.edges[way.edge].inputs}
            fact = derived_fact(self._graph, way.edge, [place[child.number] for child in way.children], facts, inputs)
            if fact not in known:
                known[fact] = len(facts)
                facts.append(fact)
            place[node.number] = known[fact]
        return Derivation(self._prop, tuple(facts))

    def _expand(self, node: _Node) -> None:
        if len(self._nodes) > TREE_NODES:
            raise GaveUp("incomplete")
        pending = [node]
        for fresh in pending:
            first = len(self._nodes)
            fresh.ways = [self._branch(fresh, number, edge) for number, edge in self._into.get(fresh.location, [])]
            self._solver.add(implies(fresh.needed, disj([way.taken for way in fresh.ways])))
            pending += [child for child in self._nodes[first:] if child.location in self._small]

    def _not_recursive(self) -> set[int]:
        """The locations whose whole trees have at most ``_WHOLE_TREE_NODES`` nodes."""
        needs = [
            [s.location for _, e in self._into.get(place, ()) for s in e.sources] for place in range(len(self._graph.locations))
        ]
        needed_by: dict[int, list[int]] = {}
        for place, sources in enumerate(needs):
            for source in sources:
                needed_by.setdefault(source, []).append(place)
        missing = [len(sources) for sources in needs]
        sizes: dict[int, int] = {}
        ready = [place for place, count in enumerate(missing) if not count]
        for place in ready:
            sizes[place] = min(1 + sum(sizes[source] for source in needs[place]), _WHOLE_TREE_NODES + 1)
            for user in needed_by.get(place, ()):
                missing[user] -= 1
                if not missing[user]:
                    ready.append(user)
        return {place for place, size in sizes.items() if size <= _WHOLE_TREE_NODES}

    def _branch(self, node: _Node, number: int, edge: Edge) -> Branch:
        names = {i: _input(node.number, i) for i in edge.inputs}
        children: list[_Node] = []
        for source in edge.sources:
            occurrence = sum(child.location == source.location for child in children)
            child = self._child(node, source.location, occurrence)
            names |= dict(zip(source.variables, child.state, strict=True))
            children.append(child)
        guard, *updates = substitute([edge.guard, *edge.updates], names)
        moves = [equal(v, update) for v, update in zip(node.state, updates, strict=True)]
        taken = var(f"edge@{node.number}>{number}", BOOL)
        self._choices.append(taken)
        self._solver.add(implies(taken, conj([guard, *moves, *(child.needed for child in children)])))
        return Branch(number, taken, tuple(children))

    def _child(self, node: _Node, location: int, occurrence: int) -> _Node:
        key = location, occurrence
        if key not in node.children:
            node.children[key] = self._node(location, node.level + 1)
        return node.children[key]

    def _node(self, location: int, level: int) -> _Node:
        number = len(self._nodes)
        variables = self._graph.locations[location].variables
        self.work += 1 + len(variables)
        state = tuple([var(f"{name_of(v)}@{number}:{location}", v.sort) for v in variables])
        node = _Node(number, location, level, state, var(f"needed@{number}!", BOOL))
        self._nodes.append(node)
        return node


def _taken(node: _Node, answer: Sat) -> Branch:
    """The edge that the model takes into an expanded node."""
    return next(way for way in node.ways or () if answer.values[way.taken])


def _input(number: int, variable: Term) -> Term:
    return var(f"{name_of(variable)}@{number}", variable.sort)
