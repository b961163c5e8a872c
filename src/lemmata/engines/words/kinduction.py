"""k-induction over words: the step (``engines/bounded.py`` has the induction; Sheeran et al. 2000).

The base is BMC, up to bound k-1. The step asks ``C(0..k) ∧ T^k ∧ ¬bad(0..k-1) ∧ bad(k)`` on a second unrolling that
starts in any state; unsatisfiable means proved. It speaks of finite paths only, so neither a constraint that leaves a state
without a successor nor a bad state that has none can mislead it.

To end on every finite system the k+1 states must be pairwise different: a shortest counterexample repeats no state. A state is
all variables in the cone of influence of bad and C, memories included: states that differ in one word of a memory are
different. Pairs are told apart only when a model has them equal (Eén, Sörensson 2003), under one assumption, so that a proof
that does not use it is reported as plain. The values of the states come from simulating the model's inputs: asking the solver
for them took longer than all queries together.

Two proofs are invariants rather than k-inductive: nothing is bad under the constraints (no lemma at all), and no initial state
satisfies them (the lemma "false").
"""

from __future__ import annotations

from functools import partial

from lemmata.budgets import KINDUCTION_SECOND_LOOK_S
from lemmata.engines.bounded import Breathe, Induction, repeated_states
from lemmata.engines.names import KINDUCTION
from lemmata.engines.words.bmc import WordBmc
from lemmata.engines.words.unroll import Unrolling
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import disj, equal, implies, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, var
from lemmata.models.invariant import KInductive
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.oracles.fallback import FallbackSolver
from lemmata.solvers.smt import Sat, Unsat
from lemmata.verdict import Evidence
from lemmata.work import is_over, now

_FIRST_SIMPLE = 2  # smaller steps rarely profit
_DIFFERENT = var("different", BOOL)  # assume it and the pairs that were told apart differ; no name of a step ends so


class WordKInduction(Induction[WordTrace]):
    """k-induction on one system."""

    def __init__(self, system: System, listener: Listener = NOBODY, solver: str = "bitwuzla", name: str = KINDUCTION) -> None:
        super().__init__(WordBmc(system, listener, solver, name), listener, partial(_Step, system, solver))
        self._system = system
        self._backend = solver
        self._void: bool | None = None  # does no initial state satisfy the constraints?

    def _vacuous(self, until: float | None) -> WordInvariant | None:
        return WordInvariant((FALSE,)) if self._is_void(until) else None

    def _is_void(self, until: float | None) -> bool:
        """``I ∧ C(0)`` is unsatisfiable."""
        if self._void is None:
            solver = FallbackSolver(self._backend)
            (constraint,) = Unrolling(self._system, (self._system.constraint,), initial=True).roots(0)
            solver.add(constraint)
            self._void = constraint is not TRUE and isinstance(solver.check(until=until), Unsat)
        return self._void


class _Step:
    """The inductive step of one property, for k = 0, 1, 2, …"""

    def __init__(self, system: System, backend: str, prop: int) -> None:
        self.k = 0
        self.is_simple = False  # did the last proof need different states?
        self._unrolling = Unrolling(system, (system.constraint, system.bads[prop]), initial=False)
        self._solver = FallbackSolver(backend)
        self._constrained = 0  # constraints are facts at steps below this

    @property
    def base(self) -> int:
        """Bound k-1."""
        return self.k - 1

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def evidence(self) -> Evidence:
        """Nothing is bad under the constraints, or k."""
        return KInductive(self.k, self.is_simple) if self.k else WordInvariant(())

    def holds(self, until: float | None, breathe: Breathe) -> bool:
        """Is ``C(0..k) ∧ T^k ∧ ¬bad(0..k-1) ∧ bad(k)`` unsatisfiable, with different states if need be?"""
        bad = self._extend(until)
        leaves = self._unrolling.leaves(self.k) if self.k >= _FIRST_SIMPLE else []
        while True:
            answer = self._solver.check((bad, _DIFFERENT), leaves, until)
            if isinstance(answer, Unsat):
                self.is_simple = _DIFFERENT in answer.core and self._needs_different(bad, until)
                return True
            if self.k < _FIRST_SIMPLE or not self._tell_apart(answer):
                return False

    def widen(self) -> None:
        """Go on to k+1: step k is good from now on."""
        _, bad = self._unrolling.roots(self.k)
        self._solver.add(negate(bad))
        self.k += 1

    def _extend(self, until: float | None) -> Term:
        """Bring the unrolling and the constraints up to step k; bad at step k."""
        if is_over(until):
            raise GaveUp("timeout")
        constraint, bad = self._unrolling.roots(self.k)
        if self._constrained == self.k:
            self._solver.add(constraint)
            self._constrained += 1
        return bad

    def _needs_different(self, bad: Term, until: float | None) -> bool:
        """Is the plain question not easily unsatisfiable, too?"""
        soon = now() + KINDUCTION_SECOND_LOOK_S
        try:
            return isinstance(self._solver.check((bad,), until=soon if until is None else min(soon, until)), Sat)
        except GaveUp:
            return True

    def _tell_apart(self, model: Sat) -> bool:
        """Demand that states which are equal in ``model`` differ; were there any?"""
        pairs = repeated_states(self._unrolling.simulate(model.values, self.k))
        for i, j in pairs:
            self._separate(i, j)
        return bool(pairs)

    def _separate(self, i: int, j: int) -> None:
        """``different → x_i ≠ x_j``."""
        pairs = zip(self._unrolling.state(i), self._unrolling.state(j), strict=True)
        self._solver.add(implies(_DIFFERENT, disj([negate(equal(a, b)) for a, b in pairs])))
