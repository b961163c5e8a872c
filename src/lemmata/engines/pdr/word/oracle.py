"""The oracle over words: one incremental solver, in which literals of cubes are terms.

Frames are switched by activation variables: a lemma at level i is ``on_i → ¬cube``, and F_level assumes on_level and above.
Lemmas that hold for ever need no switch. ``cube′`` is the cube over the next-state functions, so there are no primed variables.
Everything stays in the solver, and what it learned for one query serves the next (the paper's hot solving); a lemma that moves
up is stated again, and after many of them the solver is built anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.config import WordOptions
from lemmata.engines.pdr.oracle import INFINITY, Cti, Cube, Inductive
from lemmata.engines.pdr.word.frames import WordFrames
from lemmata.engines.pdr.word.lift import WordLifter
from lemmata.engines.pdr.word.patience import Patience, PatientSolver
from lemmata.engines.pdr.word.units import Vocabulary, WordState
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import TRUE, Term, var
from lemmata.models.system import System
from lemmata.solvers.smt import Sat, Unsat

_RENEW_STATEMENTS = 2000  # statements of lemmas after which the solver is built anew


class WordOracle:
    """PDR's questions about one system."""

    def __init__(
        self, system: System, vocabulary: Vocabulary, frames: WordFrames, lifter: WordLifter, options: WordOptions
    ) -> None:
        self.system = system
        self.queries = 0
        self.until: float | None = None
        self.vocabulary = vocabulary
        self._frames = frames
        self._lifter = lifter
        self._options = options
        self._levels = 1
        self.asked: Cube = ()  # the last obligation, whole: a generalizer may know more to do with it than with its core
        self._bad: Term = TRUE
        self._wanted = (*system.variables, *system.inputs)
        self._hard: set[Cube] = set()  # cubes that took too long once
        self.seen: list[WordState] = []  # initial states that were met, for a quick look
        self._solver = self._fresh()

    def ask(self, prop: int) -> None:
        """From now on ``bad`` is about this property."""
        self._bad = self.system.bads[prop]

    def open(self) -> None:
        """Make room for one more level."""
        self._levels += 1

    # queries

    def initial(self, cube: Cube) -> bool:
        """Is I ∧ C ∧ cube satisfiable?"""
        return self._initial_core(cube) is None

    def bad(self, level: int) -> Cti | None:
        """F_level ∧ C ∧ bad."""
        answer = self._check([*self._frame(level), self._bad])
        if isinstance(answer, Unsat):
            return None
        return self._lifter.bad(self._bad, answer.values)

    def consecution(self, cube: Cube, level: int, whole: bool = False) -> Inductive | Cti:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′."""
        self.asked = cube
        answer, core = self._relative(cube, level, Patience.ENDLESS)
        if core is not None:
            return Inductive(core)
        assert isinstance(answer, Sat)
        return self._lifter.predecessor(cube, answer.values)

    def inductive(self, cube: Cube, level: int, patience: Patience = Patience.THOROUGH) -> Cube | None:
        """Consecution without a predecessor; what is too hard to show counts as not inductive."""
        return self._relative(cube, level, patience)[1]

    def meets(self, cube: Cube) -> WordState | None:
        """An initial state in the cube, if there is one."""
        return None if self._initial_core(cube) is not None else self.seen[-1]

    def after(self, values: WordState, some: Sequence[Term]) -> WordState:
        """The values of some variables one step later."""
        return dict(zip(some, evaluate([self.system.nexts[v] for v in some], values), strict=True))

    def step(self, cube: Cube, level: int) -> Cube | WordState | None:
        """Consecution whose failure is a whole state that steps into the cube, with the inputs; ``None`` = too hard."""
        answer, core = self._relative(cube, level, Patience.QUICK)
        return answer.values if isinstance(answer, Sat) else core

    def pushes(self, cube: Cube, level: int) -> Cube | WordState | None:
        """F_level ∧ C ∧ T ∧ cube′; ``None`` = too hard."""
        answer, core = self._stepping(cube, self._frame(level), Patience.THOROUGH)
        return answer.values if isinstance(answer, Sat) else core

    def block(self, cube: Cube, lower: int, upper: int) -> None:
        """¬cube holds in F_lower … F_upper."""
        clause = self.vocabulary.clause(cube)
        self._solver.add(clause if upper == INFINITY else disj([negate(_on(upper)), clause]))
        self._stated += 1
        if self._stated > _RENEW_STATEMENTS + 2 * len(self._frames):
            self._solver = self._fresh()

    def start(self, cube: Cube) -> WordState | None:
        """An initial state in the cube that some inputs allow, with all variables and these inputs."""
        answer = self._check([*self._frame(0), *[self.vocabulary.term(x) for x in cube]])
        return answer.values if isinstance(answer, Sat) else None

    # how they are asked

    def _frame(self, level: int) -> list[Term]:
        if level == INFINITY:
            return []
        return [_on(i) for i in range(level, self._levels)]

    def _check(self, assumptions: Sequence[Term]) -> Sat | Unsat:
        self.queries += 1
        answer = self._solver.ask(assumptions, self._wanted, self.until, Patience.ENDLESS)
        assert answer is not None
        return answer

    def _relative(self, cube: Cube, level: int, patience: Patience) -> tuple[Sat | Unsat | None, Cube | None]:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′: the core, or a model, or neither."""
        return self._stepping(cube, [*self._frame(level), self.vocabulary.clause(cube)], patience)

    def _stepping(self, cube: Cube, before: list[Term], patience: Patience) -> tuple[Sat | Unsat | None, Cube | None]:
        primed = self.vocabulary.primed
        back = {primed(x): x for x in cube}
        if patience is Patience.THOROUGH and cube in self._hard:
            patience = Patience.QUICK
        self.queries += 1
        answer = self._solver.ask([*before, *back], self._wanted, self.until, patience)
        if answer is None and patience is Patience.THOROUGH:
            self._hard.add(cube)
        if not isinstance(answer, Unsat):
            return answer, None
        needed = {back[term] for term in answer.core if term in back}
        return answer, self._away(tuple([x for x in cube if x in needed]), cube)

    def _away(self, core: Cube, cube: Cube) -> Cube:
        """The core with literals of ``cube``, which meets no initial state, added until it meets none either."""
        if self._initial_core(core) is not None:
            return core
        keep = self._initial_core(cube)
        return tuple(sorted({*core, *keep})) if keep is not None else cube

    def _initial_core(self, cube: Cube) -> Cube | None:
        """Literals that keep the cube away from the initial states, or ``None`` if it meets one."""
        for state in self.seen:
            if self.vocabulary.contains(cube, state):
                self.seen.remove(state)
                self.seen.append(state)
                return None
        back = {self.vocabulary.term(x): x for x in cube}
        answer = self._check([*self._frame(0), *back])
        if isinstance(answer, Sat):
            self.seen.append(answer.values)
            del self.seen[:-20]
            return None
        needed = {back[term] for term in answer.core if term in back}
        return tuple([x for x in cube if x in needed])

    def _fresh(self) -> PatientSolver:
        solver = PatientSolver(self._options.solver)
        solver.add(self.system.constraint)
        solver.add(disj([negate(_on(0)), self.system.init]))
        clause = self.vocabulary.clause
        for level, lemmas in enumerate(self._frames.levels):
            for lemma in lemmas:
                solver.add(disj([negate(_on(level)), clause(lemma.cube)]))
        solver.add(conj([clause(lemma.cube) for lemma in self._frames.forever]))
        self._stated = len(self._frames)
        return solver


def _on(level: int) -> Term:
    return var(f"⟨on {level}⟩", BOOL)  # no file has such a name
