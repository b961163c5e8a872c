"""A circuit inside a plain SAT solver, for the textbook algorithm: one copy, and the way back from models to states.

One copy is enough: the next value of a latch is a function of this step's latches and inputs, so ``cube′`` is a conjunction of
next-state literals. Constraints and reset values are not asserted but named, so that a query can take them or leave them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.models.aig import FALSE, TRUE, Aig, Lit
from lemmata.solvers.plain import Plain
from lemmata.steps import Cube

Model = frozenset[int]  # the true literals of the solver


class Encoding:
    """The gates of a circuit, with names for conjunctions and clauses that queries may assume."""

    def __init__(self, circuit: Aig) -> None:
        self.circuit = circuit
        self.solver = Plain(circuit.variables)
        self.latches = [dimacs(circuit.latch_lit(i)) for i in range(circuit.latches)]
        self.inputs = [dimacs(circuit.input_lit(i)) for i in range(circuit.inputs)]
        self._forbidding: dict[Cube, int] = {}
        self._add_gates()
        self.constraints = self.conjunction(map(dimacs, circuit.constraints))

    def first(self, assumptions: Sequence[int]) -> Model | None:
        """The first model: latches before inputs, true before false."""
        return self.solver.first(assumptions, self.latches + self.inputs)

    def lits(self, cube: Cube, primed: bool = False) -> list[int]:
        """The cube in this state, or in the next one."""
        if not primed:
            return [dimacs(lit) for lit in cube]
        nexts, first = self.circuit.nexts, self.circuit.first_latch
        return [dimacs(nexts[(lit >> 1) - first] ^ (lit & 1)) for lit in cube]

    def conjunction(self, lits: Iterable[int]) -> int:
        """A literal that implies all of ``lits``."""
        name = self.solver.fresh()
        for lit in lits:
            self.solver.add([-name, lit])
        return name

    def disjunction(self, lits: Iterable[int]) -> int:
        """A literal that implies one of ``lits``."""
        name = self.solver.fresh()
        self.solver.add([-name, *lits])
        return name

    def forbid(self, cube: Cube) -> int:
        """A literal that implies ¬cube in this state."""
        if cube not in self._forbidding:
            self._forbidding[cube] = self.disjunction(-lit for lit in self.lits(cube))
        return self._forbidding[cube]

    def resets(self) -> tuple[tuple[Cube, ...], list[int]]:
        """I: its clauses as forbidden cubes, and names for the reset functions that are no clauses over latches.

        A latch that resets to 0 or 1 gives a unit clause, one that resets to another latch's literal gives two clauses, a free
        one gives nothing.
        """
        circuit, cubes, functions = self.circuit, list[Cube](), list[int]()
        for position, reset in enumerate(circuit.resets):
            latch = circuit.latch_lit(position)
            if reset in (FALSE, TRUE):
                cubes.append((latch ^ reset,))
            elif reset >> 1 == latch >> 1:
                assert reset == latch, "a latch cannot reset to its own negation"
            elif circuit.first_latch <= reset >> 1 < circuit.first_gate:
                cubes += [tuple(sorted((latch, reset ^ 1))), tuple(sorted((latch ^ 1, reset)))]
            else:
                own, other = dimacs(latch), dimacs(reset)
                functions += [self.disjunction((own, -other)), self.disjunction((-own, other))]
        return tuple(cubes), functions

    def state(self, model: Model) -> Cube:
        """The model's state."""
        return tuple(self.circuit.latch_lit(i) ^ (lit not in model) for i, lit in enumerate(self.latches))

    def successor(self, model: Model) -> Cube:
        """The state that follows the model's state under the model's inputs."""
        return tuple(self.circuit.latch_lit(i) ^ (dimacs(lit) not in model) for i, lit in enumerate(self.circuit.nexts))

    def input_bits(self, model: Model) -> tuple[int, ...]:
        """The model's inputs."""
        return tuple(int(lit in model) for lit in self.inputs)

    def _add_gates(self) -> None:
        circuit, add = self.circuit, self.solver.add
        add([-dimacs(FALSE)])
        for gate, (left, right) in enumerate(zip(circuit.lefts, circuit.rights, strict=True), circuit.first_gate):
            out, a, b = dimacs(2 * gate), dimacs(left), dimacs(right)
            add([-out, a])
            add([-out, b])
            add([out, -a, -b])


def dimacs(lit: Lit) -> int:
    """A circuit's literal as the solver's."""
    return -((lit >> 1) + 1) if lit & 1 else (lit >> 1) + 1
