"""Figure 3.2 of Werner's thesis (*Property Directed Reachability in Ultimate*, 2018): PDR lifted to control-flow graphs.

Every location has frames of its own. *Next level*: a new frame everywhere, and an obligation ``(t, ℓ, k)`` for each edge ``(ℓ,
t, ℓ_E)``. *Blocking*: take the obligation ``(t, ℓ, i)`` with the lowest i; for every edge into ℓ, if ``F_{i-1} ∧ T ∧ t′`` is
satisfiable, its weakest precondition becomes an obligation at level i - 1; if not, ``¬t`` is added to F_0 … F_i of ℓ. An
obligation that reaches ℓ_0 is a counterexample. *Propagation* only looks for a level i with ``F_{i-1} = F_i`` everywhere;
nothing is pushed forward. After Lange, Neuhäußer, Noll 2015.

Taken literally the text has these gaps; what is done here:

- *The search for a fix-point* (lines 16 to 20) compares level 0 with level -1, leaves only its inner loop, and then returns
  true, whatever it saw. Here i runs from 1, and the next i is tried where two frames differ. Whether frames are equal is asked
  of the solver: they are equivalent, not written alike.
- *Initial obligations* have level k in the text, after frame k + 1 was made; the examples have the new level, and so do we.
- *Obligations at ℓ_0* have no edge into them, so they would count as blocked at any level above 0: an error edge that leaves
  ℓ_0 would never be seen. All states are initial there, so any obligation at ℓ_0 that has a state is a counterexample.
- *Strengthening after each edge.* The examples add ¬t as soon as *one* edge is refuted, while another may still lead into t.
  That is harmless here: the states of t reach the error in k - i steps, and level k - 1 found no error, so none of them is
  reached in fewer than i steps; ¬t can be wrong at level i only, which no query looks at before all obligations up to i are
  done, and if it is wrong these end at ℓ_0. With interpolation (7.1.1) it is not harmless, since an interpolant of one edge
  says nothing of the others (``x = 2`` at figure 3.4's loop): there all edges are refuted first (``interpolation``).
- *Weakest preconditions* are pre-images (``preconditions``).
- *An obligation* stays in the queue while others below it are blocked, and is asked again then; the text does not say so, but
  "recursively block" needs it.

Before a level counts as done the edges to the error are asked once more in its frame; that finds something only where a
precondition was cut short. Procedures are left out (see ``cfg``). There is no promise to end.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata.engines.pdr.frames import Fixpoint
from lemmata.engines.pdr.thesis.blocking import Blocker
from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.equality import Equality
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.engines.pdr.thesis.obligations import CachingQueue, ThesisObligation
from lemmata.engines.pdr.thesis.oracle import Satisfiable, ThesisOracle, Unsatisfiable
from lemmata.engines.pdr.thesis.preconditions import Preconditions
from lemmata.engines.pdr.thesis.reporter import StepReporter
from lemmata.logic.terms import TRUE


class ThesisLoop:
    """One run. After a time-out ``run`` goes on where it was."""

    def __init__(
        self,
        cfg: Cfg,
        frames: ThesisFrames,
        oracle: ThesisOracle,
        preconditions: Preconditions,
        blocker: Blocker,
        queue: CachingQueue,
        equality: Equality,
        reporter: StepReporter,
        opened: Callable[[int], None],
    ) -> None:
        self._cfg = cfg
        self._frames = frames
        self._oracle = oracle
        self._preconditions = preconditions
        self._blocker = blocker
        self._queue = queue
        self._equality = equality
        self._reporter = reporter
        self._opened = opened
        self._initial: list[ThesisObligation] | None = None

    def run(self) -> Fixpoint | ThesisObligation | None:
        """A fix-point, an obligation that is met at ℓ_0, or ``None``: ℓ_0 is ℓ_E."""
        if self._initial is None:
            is_error = self._cfg.start == self._cfg.error
            self._reporter.zero_check(is_error)
            if is_error:
                return None
            self._initial = self._initial_obligations(None)
        while True:
            if not self._queue:
                self._next_level(self._initial)
            reached = self._block_all(self._initial)
            if reached is not None:
                self._reporter.reached(reached)
                return reached
            fixpoint = self._fixpoint()
            self._reporter.propagation(fixpoint)
            if fixpoint is not None:
                return Fixpoint(fixpoint)

    def _initial_obligations(self, level: int | None) -> list[ThesisObligation]:
        """``(t, ℓ)`` for every edge ``(ℓ, t, ℓ_E)`` that can be taken at all, or from F_level."""
        found = []
        for edge in self._cfg.into.get(self._cfg.error, ()):
            answer = self._oracle.ask(edge, level, ())
            if isinstance(answer, Satisfiable):
                formulas = self._preconditions.before(edge, level, TRUE, answer.values)
                found += [ThesisObligation(formula, self._cfg.source(edge), edge) for formula in formulas]
        return found

    def _next_level(self, initial: list[ThesisObligation]) -> None:
        self._opened(self._frames.level)
        self._frames.level += 1
        self._queue.begin(initial)
        self._reporter.next_level(self._queue)

    def _block_all(self, initial: list[ThesisObligation]) -> ThesisObligation | None:
        """Block until no edge to the error is open in the last frame; or the obligation that is met at ℓ_0."""
        while True:
            reached = self._block()
            if reached is not None:
                return reached
            missed = self._initial_obligations(self._frames.level)
            if not missed:
                return None
            initial += missed
            for obligation in missed:
                self._queue.push(obligation)

    def _block(self) -> ThesisObligation | None:
        """Block the obligations of the queue; or the one that is met at ℓ_0."""
        while self._queue:
            obligation = self._queue.next()
            if obligation.place == self._cfg.start:
                return obligation
            below = self._ask_edges(obligation)
            if below is None:
                self._queue.drop()
            for other in below or ():
                self._queue.push(other)
        return None

    def _ask_edges(self, obligation: ThesisObligation) -> list[ThesisObligation] | None:
        """The obligations one level below; ``None`` if there are none, since all edges are refuted."""
        level = self._frames.level - obligation.depth
        below: list[ThesisObligation] = []
        for edge in self._cfg.into.get(obligation.place, ()):
            self._reporter.asks(edge, level - 1)
            answer = self._oracle.ask(edge, level - 1, [obligation.formula])
            if isinstance(answer, Unsatisfiable):
                added = self._blocker.refuted(obligation, level)
                self._reporter.shut(obligation, edge, answer, added)
            else:
                found = self._before(obligation, edge, level - 1, answer)
                self._reporter.entered(obligation, edge, found)
                below += found
        if below:
            return below
        lemma = self._blocker.blocked(obligation, level)
        self._reporter.blocked(obligation, lemma)
        return None

    def _before(self, obligation: ThesisObligation, edge: int, level: int, answer: Satisfiable) -> list[ThesisObligation]:
        formulas = self._preconditions.before(edge, level, obligation.formula, answer.values)
        place, depth = self._cfg.source(edge), obligation.depth + 1
        return [ThesisObligation(formula, place, edge, obligation, depth) for formula in formulas]

    def _fixpoint(self) -> int | None:
        """The lowest i with F_{i-1} = F_i at every location."""
        levels = range(1, self._frames.level + 1)
        return next((level for level in levels if self._equality.holds(level)), None)
