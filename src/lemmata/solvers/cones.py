"""A solver that knows only the cones it was asked about.

``Cones`` loads gate definitions from the ``Relation`` on demand and numbers variables compactly, so a frame that needs a
tenth of the circuit searches a tenth of the circuit. The translation is one list indexed by the signed literal: Python's
negative indices make ``local[-v] == -local[v]`` cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.solvers.relation import Relation
from lemmata.solvers.sat import Sat


class Cones:
    """A ``Sat`` over the circuit's own (signed) variables."""

    __slots__ = ("_last", "_relation", "local", "retired", "sat")

    def __init__(self, relation: Relation, backend: str) -> None:
        self._relation = relation
        self.sat = Sat(backend)
        self.local = [0] * (2 * relation.model.variables + 1)
        self._last = 0
        self.retired = 0

    def load(self, variables: Iterable[int]) -> None:
        """Make sure that the definitions of ``variables`` and of all they read are there."""
        local, relation = self.local, self._relation
        owned: list[list[tuple[int, ...]]] = []
        stack = [v for v in variables if not local[v]]
        while stack:
            v = stack.pop()
            if local[v]:
                continue
            self._last = number = self._last + 1
            local[v], local[-v] = number, -number
            if v in relation.clauses:
                owned.append(relation.clauses[v])
                stack += relation.reads[v]
        translate, add = local.__getitem__, self.sat.add
        for clauses in owned:
            for clause in clauses:
                add(list(map(translate, clause)))

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause over loaded or new variables."""
        local = self.local
        missing = [abs(x) for x in clause if not local[x]]
        if missing:
            self.load(missing)
        self.sat.add(list(map(local.__getitem__, clause)))

    def temporary(self, clause: Iterable[int]) -> int:
        """A clause that holds while the returned (local) literal is assumed, until ``retire``."""
        self._last = guard = self._last + 1
        local = self.local
        translated = [local[x] for x in clause]
        translated.append(-guard)
        self.sat.add(translated)
        return guard

    def retire(self, guard: int) -> None:
        """The clause behind ``guard`` is never wanted again."""
        self.sat.add((-guard,))
        self.retired += 1
