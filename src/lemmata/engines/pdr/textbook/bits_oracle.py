"""The queries of the textbook algorithm on a circuit.

*T* is the next-state functions together with the constraints: a step is taken only under inputs that satisfy them. One copy of
the circuit in a plain SAT solver is enough (``Encoding``): the next value of a latch is a function of this step's latches and
inputs, so ``cube′`` is a conjunction of next-state literals. Constraints and reset values are not asserted but named, so that a
query can take them or leave them.

*Bad states.* The algorithm wants P over states, but a circuit's bad literal may read inputs, and a constraint may forbid some
of them. A state is bad if **some** inputs satisfy the constraints and make ``bad`` true: ``¬P = ∃ inputs. C ∧ bad``. That is
written as cubes over latches: take a bad state and its inputs, drop each literal without which these inputs still force
``C ∧ bad``, forbid the cube, repeat. P is then a set of clauses, as in the papers, and so is every frame after F_0. A property
that needs more than ``MOST_BAD_CUBES`` cubes is given up.

*Initial states.* F_0 is I: unit clauses for latches that start as 0 or 1. Reset functions which are no clauses over latches
stand beside them; no clause is pushed for those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.errors import GaveUp
from lemmata.models.aig import FALSE_LIT, TRUE_LIT, Aig, Lit
from lemmata.solvers.plain import Plain
from lemmata.steps.textbook import BitCube, BitFrame, Query, QueryAnswer, QuerySat, QueryUnsat
from lemmata.work import is_over

_Model = frozenset[int]  # the true literals of the solver


class Encoding:
    """The gates of a circuit, with names for conjunctions and clauses that queries may assume."""

    def __init__(self, circuit: Aig) -> None:
        self.circuit = circuit
        self.solver = Plain(circuit.variables)
        self.latches = [_dimacs(circuit.latch_lit(i)) for i in range(circuit.latches)]
        self.inputs = [_dimacs(circuit.input_lit(i)) for i in range(circuit.inputs)]
        self._forbidding: dict[BitCube, int] = {}
        self._add_gates()
        self.constraints = self.conjunction(map(_dimacs, circuit.constraints))

    def first(self, assumptions: Sequence[int]) -> _Model | None:
        """The first model: latches before inputs, true before false."""
        return self.solver.first(assumptions, self.latches + self.inputs)

    def lits(self, cube: BitCube, primed: bool = False) -> list[int]:
        """The cube in this state, or in the next one."""
        if not primed:
            return [_dimacs(lit) for lit in cube]
        nexts, first = self.circuit.nexts, self.circuit.first_latch
        return [_dimacs(nexts[(lit >> 1) - first] ^ (lit & 1)) for lit in cube]

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

    def forbid(self, cube: BitCube) -> int:
        """A literal that implies ¬cube in this state."""
        if cube not in self._forbidding:
            self._forbidding[cube] = self.disjunction(-lit for lit in self.lits(cube))
        return self._forbidding[cube]

    def resets(self) -> tuple[tuple[BitCube, ...], list[int]]:
        """I: its clauses as forbidden cubes, and names for the reset functions that are no clauses over latches.

        A latch that resets to 0 or 1 gives a unit clause, one that resets to another latch's literal gives two clauses, a free
        one gives nothing.
        """
        circuit, cubes, functions = self.circuit, list[BitCube](), list[int]()
        for position, reset in enumerate(circuit.resets):
            latch = circuit.latch_lit(position)
            if reset in (FALSE_LIT, TRUE_LIT):
                cubes.append((latch ^ reset,))
            elif reset >> 1 == latch >> 1:
                assert reset == latch, "a latch cannot reset to its own negation"
            elif circuit.first_latch <= reset >> 1 < circuit.first_gate:
                cubes += [tuple(sorted((latch, reset ^ 1))), tuple(sorted((latch ^ 1, reset)))]
            else:
                own, other = _dimacs(latch), _dimacs(reset)
                functions += [self.disjunction((own, -other)), self.disjunction((-own, other))]
        return tuple(cubes), functions

    def state(self, model: _Model) -> BitCube:
        """The model's state."""
        return tuple(self.circuit.latch_lit(i) ^ (lit not in model) for i, lit in enumerate(self.latches))

    def successor(self, model: _Model) -> BitCube:
        """The state that follows the model's state under the model's inputs."""
        return tuple(self.circuit.latch_lit(i) ^ (_dimacs(lit) not in model) for i, lit in enumerate(self.circuit.nexts))

    def input_bits(self, model: _Model) -> tuple[int, ...]:
        """The model's inputs."""
        return tuple(int(lit in model) for lit in self.inputs)

    def _add_gates(self) -> None:
        circuit, add = self.circuit, self.solver.add
        add([-_dimacs(FALSE_LIT)])
        for gate, (left, right) in enumerate(zip(circuit.lefts, circuit.rights, strict=True), circuit.first_gate):
            out, a, b = _dimacs(2 * gate), _dimacs(left), _dimacs(right)
            add([-out, a])
            add([-out, b])
            add([out, -a, -b])


def _dimacs(lit: Lit) -> int:
    """A circuit's literal as the solver's."""
    return -((lit >> 1) + 1) if lit & 1 else (lit >> 1) + 1


MOST_BAD_CUBES = 1000
MOST_REASONS = 40  # a contradiction among more clauses and literals than these explains nothing


class TextbookOracle:
    """Answers about one bad literal of one circuit; past ``until`` every question raises ``GaveUp("timeout")``."""

    def __init__(self, circuit: Aig, bad: Lit, until: float | None = None) -> None:
        self._until = until
        self._encoding = Encoding(circuit)
        cubes, self._resets = self._encoding.resets()
        self.initial = BitFrame(has_property=False, cubes=cubes)
        self._bad = self._encoding.conjunction((self._encoding.constraints, _dimacs(bad)))
        self.bad_cubes = self._find_bad_cubes(bad)
        self._bad_next = self._some(self.bad_cubes, primed=True)

    @property
    def is_initial_only_clauses(self) -> bool:
        """Is I just the clauses of ``initial``, without reset functions beside them?"""
        return not self._resets

    def ask(self, query: Query) -> QueryAnswer:
        """Is ``F_level [∧ ¬relative] ∧ T ∧ goal′`` satisfiable? Without prime: ``I ∧ ¬P``, with the same inputs in both."""
        self._check_time()
        clauses = self._clauses(query.frame)
        left = [self._encoding.forbid(cube) for cube in clauses]
        beside = self._beside(query)
        right = self._goal(query)
        model = self._encoding.first([*beside, *left, *(right if query.primed else [self._bad])])
        if model is not None:
            return QuerySat(self._encoding.state(model), self._encoding.input_bits(model), self._encoding.successor(model))
        return self._reason(query, beside, clauses, right)

    def bad_inputs(self, state: BitCube) -> tuple[int, ...]:
        """Inputs that satisfy the constraints and make ``bad`` true in this bad state."""
        model = self._encoding.first([self._bad, *self._encoding.lits(state)])
        assert model is not None, "requires a bad state"
        return self._encoding.input_bits(model)

    def is_initial(self, cube: BitCube) -> bool:
        """``I ∧ C ∧ cube``: does a run start in the cube, under whatever inputs?"""
        initial = [self._encoding.forbid(clause) for clause in self.initial.cubes]
        parts = [*self._resets, self._encoding.constraints, *initial, *self._encoding.lits(cube)]
        return self._encoding.solver.satisfiable(parts)

    def _check_time(self) -> None:
        if is_over(self._until):
            raise GaveUp("timeout")

    def _clauses(self, frame: BitFrame) -> list[BitCube]:
        return [*frame.cubes, *(self.bad_cubes if frame.has_property else ())]

    def _beside(self, query: Query) -> list[int]:
        """What a query assumes that is no clause of its frame."""
        resets = self._resets if query.level == 0 else []
        constraints = [self._encoding.constraints] if query.primed else []
        relative = [self._encoding.forbid(query.relative)] if query.relative is not None else []
        return [*resets, *constraints, *relative]

    def _goal(self, query: Query) -> list[int]:
        """The goal as assumptions: literal by literal where it is a cube, as one name where it is several."""
        if query.goal is not None:
            return self._encoding.lits(query.goal, query.primed)
        if len(self.bad_cubes) == 1:
            return self._encoding.lits(self.bad_cubes[0], query.primed)
        return [self._bad_next if query.primed else self._some(self.bad_cubes, primed=False)]

    def _reason(self, query: Query, beside: list[int], clauses: list[BitCube], right: list[int]) -> QueryUnsat:
        """Which clauses and literals contradict each other: a minimal choice, which prefers to do without the later ones."""
        parts = [*(self._encoding.forbid(cube) for cube in clauses), *right]
        if len(parts) > MOST_REASONS:
            return QueryUnsat()
        kept = self._encoding.solver.contradiction(parts, beside)
        if kept is None:  # I and bad meet in a state, but not under the same inputs
            return QueryUnsat()
        used = tuple(clauses[position] for position in kept if position < len(clauses))
        needed = [position - len(clauses) for position in kept if position >= len(clauses)]
        goal = query.goal if query.goal is not None else self.bad_cubes[0] if len(self.bad_cubes) == 1 else None
        return QueryUnsat(used, None if goal is None else tuple(goal[position] for position in needed))

    def _some(self, cubes: Sequence[BitCube], primed: bool) -> int:
        """A literal that implies that one of the cubes holds."""
        encoding = self._encoding
        return encoding.disjunction([encoding.conjunction(encoding.lits(cube, primed)) for cube in cubes])

    def _find_bad_cubes(self, bad: Lit) -> tuple[BitCube, ...]:
        """``∃ inputs. C ∧ bad`` as cubes over latches, short ones first."""
        encoding, cubes = self._encoding, list[BitCube]()
        fails = encoding.disjunction(-_dimacs(lit) for lit in (bad, *encoding.circuit.constraints))
        while (model := encoding.first([self._bad, *map(encoding.forbid, cubes)])) is not None:
            self._check_time()
            if len(cubes) == MOST_BAD_CUBES:
                raise GaveUp("incomplete")
            state = encoding.state(model)
            inputs = [lit if lit in model else -lit for lit in encoding.inputs]
            kept = encoding.solver.contradiction(encoding.lits(state), [fails, *inputs])
            assert kept is not None, "the model satisfies C ∧ bad"
            cubes.append(tuple(state[position] for position in kept))
        return tuple(sorted(cubes, key=lambda cube: (len(cube), cube)))
