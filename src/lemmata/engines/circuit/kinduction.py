"""k-induction on circuits: the step (``engines/bounded.py`` has the induction; Sheeran, Singh, Stålmarck 2000).

The step asks ``C(0..k) ∧ T^k ∧ ¬bad(0..k-1) ∧ bad(k)`` on a second unrolling that
starts in any state; unsatisfiable means proved. It speaks of finite paths only, so neither a constraint that leaves a state
without a successor nor a bad state that has none can mislead it.

To end on every finite system the k+1 states must be pairwise different: a shortest counterexample repeats no state. A state is
the latches in the cone of influence of bad and C. Pairs are told apart only when a model has them equal (Eén, Sörensson 2003),
under one assumption, so that a proof that does not use it is reported as plain. From k = 2 on; smaller steps rarely profit and
need only the near part of the cone. If a reset reads an input, a shortest counterexample may come back to its first state (the
inputs of step 0 choose it); base covers bound k, not only k-1, so that state is never among the last k+1.

A caller whose checker counts more latches to a state (all bits of a word, where one of them is in the cone) names them in
``states``: different states are then different to the checker in the same cases.

Two proofs are invariants rather than k-inductive: nothing is bad under the constraints (no lemma at all), and no initial state
satisfies them (the lemma "false"). Left out: the forward variant (no simple path from an initial state), whose proofs are
neither k-inductive nor clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.budgets import KINDUCTION_CHEAP_PROPAGATIONS
from lemmata.engines.bounded import Breathe, Induction, repeated_states
from lemmata.engines.circuit.bmc import Bmc
from lemmata.engines.circuit.clauses import NodeClauses
from lemmata.engines.circuit.netlist import Netlist
from lemmata.engines.circuit.unroll import AigNode, LayeredCone, Unroller
from lemmata.engines.names import KINDUCTION
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.solvers.limited import Cadical, Core, SatModel
from lemmata.verdict import Evidence

_FIRST_SIMPLE = 2  # steps, from which on paths are simple


class KInduction(Induction[Trace]):
    """k-induction on one circuit."""

    def __init__(
        self,
        model: Aig,
        listener: Listener = NOBODY,
        seed: int = 0,
        states: Sequence[Iterable[int]] = (),
        name: str = KINDUCTION,
    ) -> None:
        """``states`` has, per property, latches (positions) that belong to a state besides those in the cone."""
        base = Bmc(model, listener, seed, name=name)
        super().__init__(base, listener, self._step)
        self._net = base.net
        self._states = states
        self._model = model
        self._unroller = Unroller(self._net, initial=False)
        self._seed = seed
        self._void: bool | None = None  # does no initial state satisfy the constraints?

    def _step(self, prop: int) -> _Step:
        more = self._states[prop] if self._states else ()
        return _Step(self._model, self._net, self._unroller, prop, self._seed, more)

    def _vacuous(self, until: float | None) -> Invariant | None:
        return _invariant(self._model, ((),)) if self._is_void(until) else None

    def _is_void(self, until: float | None) -> bool:
        """``I ∧ C(0)`` is unsatisfiable."""
        if self._void is None:
            net, solver, unroller = self._net, Cadical(self._seed), Unroller(self._net, initial=True)
            unroller.extend(LayeredCone(net, net.constraints), 0)
            clauses = NodeClauses(unroller.definitions, solver.add)
            for lit in net.constraints:
                clauses.fact(unroller.at(lit, 0))
            self._void = isinstance(solver.solve((), until), Core)
        return self._void


def _invariant(model: Aig, cubes: tuple[tuple[int, ...], ...]) -> Invariant:
    return Invariant(cubes, tuple([model.latch_name(i) for i in range(model.latches)]), model.first_latch)


class _Step:
    """The inductive step of one property, for k = 0, 1, 2, …"""

    def __init__(self, model: Aig, net: Netlist, unroller: Unroller, prop: int, seed: int, more: Iterable[int]) -> None:
        self.k = 0
        self._model = model
        self.is_simple = False  # did the last proof need different states?
        self._bad = net.bads[prop]
        self._constraints = net.constraints
        self._unroller = unroller
        self._near = LayeredCone(net, (self._bad, *net.constraints))
        positions = sorted({*self._near.latches(), *more})
        self._latches = tuple([2 * (net.first_latch + position) for position in positions])
        self._whole = LayeredCone(net, (self._bad, *net.constraints, *self._latches))
        self._solver = Cadical(seed)
        self._clauses = NodeClauses(unroller.definitions, self._solver.add)
        self._states: list[tuple[AigNode, ...]] = []
        self._differ = unroller.fresh()  # assume it and the pairs that were told apart differ
        self._constrained = 0  # constraints are facts at times below this

    @property
    def base(self) -> int:
        """Bound k, not only k-1: a reset may read an input."""
        return self.k

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def evidence(self) -> Evidence:
        """Nothing is bad under the constraints, or k."""
        return KInductive(self.k, self.is_simple) if self.k else _invariant(self._model, ())

    def holds(self, until: float | None, breathe: Breathe) -> bool:
        """Is ``C(0..k) ∧ T^k ∧ ¬bad(0..k-1) ∧ bad(k)`` unsatisfiable, with different states if need be?"""
        self._extend()
        bad = self._unroller.at(self._bad, self.k)
        self._clauses.need(bad)
        while True:
            answer = self._solver.solve((bad, self._differ), until, breathe)
            if isinstance(answer, Core):
                self.is_simple = self._differ in answer.failed and self._needs_differ(bad)
                return True
            if not self._tell_apart(answer):
                return False

    def widen(self) -> None:
        """Go on to k+1: step k is good from now on."""
        self._clauses.fact(-self._unroller.at(self._bad, self.k))
        self.k += 1

    def _needs_differ(self, bad: AigNode) -> bool:
        """Is the plain question not easily unsatisfiable, too?"""
        return not isinstance(self._solver.attempt((bad,), KINDUCTION_CHEAP_PROPAGATIONS), Core)

    def _extend(self) -> None:
        """Bring the unrolling, the constraints and the states up to time k."""
        unroller, k = self._unroller, self.k
        if k < _FIRST_SIMPLE:
            unroller.extend(self._near, k)
        else:
            for t in range(len(self._states), k + 1):
                unroller.extend(self._whole, t)
                self._states.append(tuple([unroller.at(lit, t) for lit in self._latches]))
                for node in self._states[t]:
                    self._clauses.need(node)
        for t in range(self._constrained, k + 1):
            for lit in self._constraints:
                self._clauses.fact(unroller.at(lit, t))
        self._constrained = k + 1

    def _tell_apart(self, model: SatModel) -> bool:
        """Demand that states which are equal in ``model`` differ; were there any?"""
        pairs = repeated_states([tuple([model.holds(node) for node in state]) for state in self._states])
        for i, j in pairs:
            self._separate(i, j)
        return bool(pairs)

    def _separate(self, i: int, j: int) -> None:
        """``differ → ⋁ s_i(l) ⊕ s_j(l)``."""
        differences = [self._unroller.difference(a, b) for a, b in zip(self._states[i], self._states[j], strict=True)]
        for node in differences:
            self._clauses.need(node)
        self._solver.add((-self._differ, *differences))
