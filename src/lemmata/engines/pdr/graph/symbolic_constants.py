"""Which variables are names rather than numbers: only copied, set to constants, and compared with constants for equality.

Programs keep their control state in such variables. A bound on one says nothing (what lies between state 4512 and state 4528?),
and neither does a sum with another variable, so cubes keep ``v = c`` as one literal, and combinations leave them alone.

Variables that are copied into each other have one role: that of their class (a union-find forest over the variables of
locations and edges). A class is one of numbers as soon as one of its members is in an inequality or in arithmetic.
"""

from __future__ import annotations

from lemmata.logic.linear import comparison
from lemmata.logic.sorts import BOOL, INT, REAL
from lemmata.logic.terms import Term, topological
from lemmata.models.graph import Edge, Graph

_Node = tuple[int, Term]  # (location, its variable), or (-1 - edge, an input)


class SymbolicConstants:
    """The variables of each location that are names."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._above: dict[_Node, _Node] = {}
        self._numbers: set[_Node] = set()
        for number, edge in enumerate(graph.edges):
            self._edge(number, edge)
        counting = {self._class(node) for node in self._numbers}
        self.names = [
            frozenset(v for v in place.variables if v.sort in (INT, REAL) and self._class((at, v)) not in counting)
            for at, place in enumerate(graph.locations)
        ]

    def _edge(self, number: int, edge: Edge) -> None:
        places = self._graph.locations
        nodes: dict[Term, _Node] = {i: (-1 - number, i) for i in edge.inputs}
        for source in edge.sources:
            own = places[source.location].variables
            nodes |= {w: (source.location, v) for v, w in zip(own, source.variables, strict=True)}
        for v, update in zip(places[edge.target].variables, edge.updates, strict=True):
            if v.sort in (INT, REAL):
                self._flows([(edge.target, v)], [update], nodes)
        for term in topological([edge.guard, *edge.updates]):
            if term.sort is BOOL and term.op in ("<", "<=", "="):
                self._compares(term, nodes)

    def _compares(self, term: Term, nodes: dict[Term, _Node]) -> None:
        if term.args[0].sort not in (INT, REAL):
            return
        if term.op == "=":
            self._flows([], list(term.args), nodes)
            return
        what = comparison(term)
        if what is None or what.kind not in ("eq", "ne"):  # bounds of whole numbers may say the same as an equation
            self._count(term, nodes)

    def _flows(self, members: list[_Node], terms: list[Term], nodes: dict[Term, _Node]) -> None:
        """All these have the same value at times: members of one class, unless something is computed."""
        is_computed = False
        while terms:
            term = terms.pop()
            if term.op == "ite":
                terms += term.args[1:]
            elif term in nodes:
                members.append(nodes[term])
            elif not term.is_const:
                is_computed = True
                self._count(term, nodes)
        for other in members[1:]:
            self._above[self._class(other)] = self._class(members[0])
        if is_computed and members:
            self._numbers.add(members[0])

    def _count(self, term: Term, nodes: dict[Term, _Node]) -> None:
        """What is in this term is a number."""
        self._numbers |= {nodes[v] for v in topological([term]) if v in nodes}

    def _class(self, node: _Node) -> _Node:
        root = node
        while root in self._above and self._above[root] != root:
            root = self._above[root]
        while self._above.get(node, root) != root:
            self._above[node], node = root, self._above[node]
        return root
