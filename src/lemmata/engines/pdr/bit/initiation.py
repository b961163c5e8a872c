"""Which cubes meet an initial state?

With resets 0, 1 and free, the initial states are a cube themselves and the test is a look at each literal. With reset
functions it is a query ``I ∧ C ∧ cube``; its core says which literals keep the cube away from the initial states. (Where a
constraint speaks of an input that a reset reads, I alone has states in which no run starts.)

A reset function that reads inputs ties the first step's inputs to the initial state. Cubes cannot say that, so such a state
counts as initial for all inputs; a counterexample that exists only because of this ends in ``GaveUp``, never in a verdict.
"""

from __future__ import annotations

from lemmata.engines.pdr.oracle import Cube
from lemmata.errors import GaveUp
from lemmata.solvers.cones import Cones
from lemmata.solvers.relation import Relation, dimacs


class Initiation:
    """The initial states of one circuit."""

    def __init__(self, relation: Relation, backend: str) -> None:
        model = relation.model
        self._relation = relation
        self.fixed = [0] * model.variables  # the signed variable that holds initially; 0 = free or a function
        self.clauses: list[tuple[int, ...]] = []  # I, for F_0
        self._functions: dict[int, int] = {}
        for position, reset in enumerate(model.resets):
            v = model.first_latch + position
            if reset <= 1:
                self.fixed[v] = v if reset else -v
                self.clauses.append((self.fixed[v],))
            elif reset >> 1 != v:
                self._functions[v] = x = dimacs(reset)
                self.clauses += [(-v, x), (v, -x)]
        self._solver: Cones | None = None
        if self._functions:
            self._solver = Cones(relation, backend)
            for clause in self.clauses:
                self._solver.add(clause)
            for lit in model.constraints:
                self._solver.add((relation.literal(lit),))

    def meets(self, cube: Cube) -> bool:
        """Is I ∧ cube satisfiable?"""
        fixed = self.fixed
        for lit in cube:
            if fixed[abs(lit)] == -lit:
                return False
        return self._solver is None or self._failed(cube) is None

    def away(self, core: Cube, cube: Cube) -> Cube:
        """The core with literals of ``cube`` (which meets no initial state) added until it meets none either."""
        fixed = self.fixed
        for lit in core:
            if fixed[abs(lit)] == -lit:
                return core
        for lit in cube:
            if fixed[abs(lit)] == -lit:
                return tuple(sorted((*core, lit), key=abs))
        return core if self._failed(core) is not None else tuple(sorted({*core, *(self._failed(cube) or ())}, key=abs))

    def _failed(self, cube: Cube) -> list[int] | None:
        assert self._solver is not None
        solver = self._solver
        back = dict(zip(solver.translate(cube), cube, strict=True))
        failed = solver.sat.refute(list(back))
        return None if failed is None else [back[x] for x in failed]

    def state(self, cube: Cube, inputs: tuple[int, ...]) -> dict[int, bool]:
        """Values of latches (and inputs that reset functions read) in some initial state within the cube."""
        values = {abs(x): x > 0 for x in (*cube, *inputs)}
        values |= {abs(x): x > 0 for x in self.fixed if x}
        if self._solver is not None:
            solver = self._solver
            solver.load(values)
            model = solver.sat.find([solver.local[v if positive else -v] for v, positive in values.items()])
            if model is None:
                raise GaveUp("incomplete")
            local = solver.local
            values |= {v: model[local[v] - 1] > 0 for v in range(1, self._relation.model.first_gate) if local[v]}
        return values
