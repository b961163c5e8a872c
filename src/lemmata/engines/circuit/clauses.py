"""Clauses for the nodes of an unrolling: Tseitin's definitions, only of what a question reaches, each once per solver.

A multiplexer gets the two redundant clauses (equal branches decide it). Left out: one-sided definitions (Plaisted, Greenbaum),
which halve the clauses but lose propagation and have to be completed when later bounds use the other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.engines.circuit.unroll import TRUE_NODE, AigNode, Definition
from lemmata.work import CLAUSE, tally


class NodeClauses:
    """Hands the definitions of nodes to ``add``; a node's variable is the node itself."""

    def __init__(self, definitions: list[Definition], add: Callable[[Sequence[int]], object]) -> None:
        self._definitions = definitions
        self._add = add
        self._done = bytearray()
        add((TRUE_NODE,))

    def fact(self, node: AigNode) -> None:
        """``node`` holds for ever."""
        self.need(node)
        self._add((node,))

    def need(self, node: AigNode) -> None:
        """Define ``node`` and all that it rests on."""
        definitions, add, done = self._definitions, self._add, self._done
        done.extend(bytes(len(definitions) - len(done)))
        stack = [abs(node)]
        while stack:
            n = stack.pop()
            if done[n]:
                continue
            done[n] = 1
            key = definitions[n]
            if not key:
                continue
            tally[CLAUSE] += 4
            if key[0]:
                for a in key:
                    add((-n, a))
                    stack.append(a if a > 0 else -a)
                add((n, *[-a for a in key]))
            elif len(key) == 3:
                _, a, b = key
                add((-n, a, b))
                add((-n, -a, -b))
                add((n, -a, b))
                add((n, a, -b))
                stack += (a, b)
            else:
                _, c, a, b = key
                add((-n, -c, a))
                add((n, -c, -a))
                add((-n, c, b))
                add((n, c, -b))
                add((-n, a, b))
                add((n, -a, -b))
                stack += (c, a, abs(b))
