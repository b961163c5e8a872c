"""The SAT oracle: one lazily loaded solver per frame, one for lifting.

The solver of level i holds ``C ∧ T`` (the cones asked about so far) and the lemmas of F_i; level 0 holds I instead. A primed
literal is no variable of its own: ``cube′`` is assumed through the next-state functions, so T needs no equations for latches.
Lemmas wait in a list until their solver is asked again. ``¬cube`` is a temporary clause; after ``renew`` of them the solver
is built anew, which also forgets cones that are no longer asked about.
"""

from __future__ import annotations

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.initiation import Initiation
from lemmata.engines.pdr.bit.lift import BitLifter, CoreLift, NoLift, TernaryLift
from lemmata.engines.pdr.frames import Frames
from lemmata.engines.pdr.generalize import LiteralOrder
from lemmata.engines.pdr.oracle import INFINITY, Cti, Cube, Inductive
from lemmata.models.aig import Aig
from lemmata.solvers.cones import Cones
from lemmata.solvers.relation import Relation


class BitOracle:
    """PDR's questions about one circuit, answered with SAT."""

    def __init__(self, model: Aig, options: PdrOptions, frames: Frames, order: LiteralOrder) -> None:
        self.model = model
        self.options = options
        self.queries = 0
        self.relation = Relation(model, options.eliminate)
        self.initiation = Initiation(self.relation, options.backend)
        self._frames = frames
        self._valid = [self.relation.literal(c) for c in model.constraints]
        self._bad: int = 0
        self._next = [0] * (2 * model.first_gate)  # like Cones.local, indexed by signed literals
        for position, lit in enumerate(model.nexts):
            v = model.first_latch + position
            self._next[v] = self.relation.literal(lit)
            self._next[-v] = -self._next[v]
        self._lifter = self._make_lifter(order)
        self._support: dict[int, tuple[frozenset[int], frozenset[int]]] = {}  # inputs and latches that a root reads
        self._solvers: dict[int, Cones] = {}
        self._waiting: dict[int, list[Cube]] = {0: [], INFINITY: []}

    def _make_lifter(self, order: LiteralOrder) -> BitLifter:
        match self.options.lift:
            case "core":
                return CoreLift(self.relation, order, self.options.backend, self.options.renew)
            case "ternary":
                return TernaryLift(self.relation, order)
            case "none":
                return NoLift()

    def ask(self, prop: int) -> None:
        """From now on ``bad`` is about this property."""
        self._bad = self.relation.literal(self.model.questions[prop])

    def open(self) -> None:
        """Make room for one more level."""
        self._waiting[len(self._waiting) - 1] = []

    # queries

    def initial(self, cube: Cube) -> bool:
        """Is I ∧ cube satisfiable?"""
        return self.initiation.meets(cube)

    def bad(self, level: int) -> Cti | None:
        """F_level ∧ C ∧ bad."""
        solver = self._solver(level)
        self.queries += 1
        if solver.sat.refute(solver.translate([self._bad])) is not None:
            return None
        return self._cti(solver, solver.sat.values(), [self._bad], whole=False)

    def consecution(self, cube: Cube, level: int, whole: bool = False) -> Inductive | Cti:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′."""
        solver, core, model = self._relative(cube, level, want_model=True)
        if core is not None:
            return Inductive(self.initiation.away(core, cube) if self.options.generalize != "none" else cube)
        nexts = self._next
        return self._cti(solver, model, [nexts[x] for x in cube], whole)

    def inductive(self, cube: Cube, level: int) -> Cube | None:
        """Consecution without a predecessor."""
        core = self._relative(cube, level, want_model=False)[1]
        return None if core is None else self.initiation.away(core, cube)

    def pushes(self, cube: Cube, level: int) -> Cube | frozenset[int]:
        """F_level ∧ C ∧ T ∧ cube′."""
        solver = self._solver(level)
        back = self._primed(solver, cube)
        self.queries += 1
        core = solver.sat.refute(list(back))
        if core is None:
            return solver.state(solver.sat.values())
        return self.initiation.away(tuple(sorted([back[x] for x in core], key=abs)), cube)

    def block(self, cube: Cube, lower: int, upper: int) -> None:
        """¬cube holds in F_lower … F_upper."""
        for level in range(lower, upper + 1) if upper != INFINITY else [level for level in self._waiting if level >= lower]:
            self._waiting[level].append(cube)

    # how they are asked

    def _relative(self, cube: Cube, level: int, want_model: bool) -> tuple[Cones, Cube | None, list[int]]:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′: the core or a model."""
        solver = self._solver(level)
        back = self._primed(solver, cube)
        assumptions = list(back)
        guard = 0
        if self.options.relative:
            guard = solver.temporary([-x for x in cube])
            assumptions.append(guard)
        self.queries += 1
        core = solver.sat.refute(assumptions)
        model = solver.sat.values() if core is None and want_model else []
        if guard:
            solver.retire(guard)
        if core is None:
            return solver, None, model
        return solver, tuple(sorted([back[x] for x in core if x != guard], key=abs)), model

    def _primed(self, solver: Cones, cube: Cube) -> dict[int, int]:
        """Local assumptions for cube′, each with the literal it stands for."""
        nexts, local = self._next, solver.local
        back = {local[nexts[x]]: x for x in cube}
        if 0 in back:
            solver.load([abs(nexts[x]) for x in cube])
            back = {local[nexts[x]]: x for x in cube}
        return back

    def _cti(self, solver: Cones, model: list[int], target: list[int], whole: bool) -> Cti:
        """Read a model as a step into the target, and lift it."""
        target = target + self._valid
        reads = [self._reads(abs(x)) for x in target]
        local = solver.local
        inputs = [v if model[local[v] - 1] > 0 else -v for v in sorted(frozenset().union(*[r[0] for r in reads]))]
        state = [v if model[local[v] - 1] > 0 else -v for v in sorted(frozenset().union(*[r[1] for r in reads]))]
        cube = self._lifter.lift(state, inputs, target)
        return Cti(cube, tuple(inputs), solver.state(model) if whole else frozenset())

    def _reads(self, root: int) -> tuple[frozenset[int], frozenset[int]]:
        """The inputs and latches that a root reads."""
        found = self._support.get(root)
        if found is None:
            first, end = self.model.first_latch, self.model.first_gate
            leaves = [v for v in self.relation.cone([root]) if v < end]
            found = frozenset(v for v in leaves if v < first), frozenset(v for v in leaves if v >= first)
            self._support[root] = found
        return found

    def _solver(self, level: int) -> Cones:
        """The solver of a level, with all its lemmas."""
        solver = self._solvers.get(level)
        limit = self.options.renew
        if solver is None or (limit and solver.retired > limit):
            solver = self._solvers[level] = self._fresh(level)
            return solver
        waiting = self._waiting[level]
        if waiting:
            for cube in waiting:
                solver.add([-x for x in cube])
            waiting.clear()
        return solver

    def _fresh(self, level: int) -> Cones:
        solver = Cones(self.relation, self.options.backend)
        for x in self._valid:
            solver.add([x])
        if level == 0:
            for clause in self.initiation.clauses:
                solver.add(clause)
        for lemma in self._frames.from_level(level) if level else []:
            solver.add([-x for x in lemma.cube])
        self._waiting[level].clear()
        return solver
