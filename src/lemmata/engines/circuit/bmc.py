"""Bounded model checking on circuits: how one bound is asked (``engines/bounded.py`` has the search).

One solver holds the circuit unrolled from its initial states. Bound k asks ``I ∧ T^k ∧ C(0..k) ∧ bad(k)``: the constraints hold
at every step, the last one included, and the last state needs no successor. A refuted bound leaves ``¬bad(k)`` behind as a
fact. Bounds whose bad literal the unrolling already knows to be false cost no query. MiniSat begins; when it has had its share
of propagations, CaDiCaL takes over with the same clauses. Measured: easy bugs come up to twice as fast so, and hard ones as
fast as with CaDiCaL alone. Several bounds in one query (a disjunction of 2, 4 or 8) cost up to six times as much and helped
nowhere.

A constraint at step k is a fact for bounds from k on, and would cut off the shorter runs of another property: the next property
gets a new solver (and the old unrolling) if the circuit has constraints.
"""

from __future__ import annotations

from functools import partial

from lemmata.budgets import BMC_EASY_PROPAGATIONS, BMC_EASY_PROPAGATIONS_PER_NODE
from lemmata.engines.bounded import BoundedSearch, Breathe
from lemmata.engines.circuit.clauses import NodeClauses
from lemmata.engines.circuit.netlist import Netlist, netlist
from lemmata.engines.circuit.unroll import TRUE_NODE, AigNode, LayeredCone, Unroller
from lemmata.engines.names import BMC
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig
from lemmata.models.trace import Trace
from lemmata.solvers.limited import Cadical, Core, Limited, Minisat, SatModel
from lemmata.work import is_over


class Bmc(BoundedSearch[Trace]):
    """BMC on one circuit."""

    def __init__(
        self, model: Aig, listener: Listener = NOBODY, seed: int = 0, max_bound: int | None = None, name: str = BMC
    ) -> None:
        self.net = netlist(model)  # the circuit as it is unrolled
        super().__init__(name, listener, partial(_UnrolledProperty, _Unrolled(model, self.net, seed)), max_bound)


class _UnrolledProperty:
    """How far one property has been taken."""

    def __init__(self, unrolled: _Unrolled, prop: int) -> None:
        self.prop = prop
        self.exhausted = False
        self.refuted: list[AigNode] = []  # bad at times 0, 1, …
        self._unrolled = unrolled
        self._cone = LayeredCone(unrolled.net, (unrolled.net.bads[prop], *unrolled.net.constraints))

    @property
    def bound(self) -> int:
        """No bad state within this many steps."""
        return len(self.refuted) - 1

    @property
    def queries(self) -> int:
        """Questions to the solver that all properties share."""
        return self._unrolled.queries

    def deepen(self, until: float | None, breathe: Breathe) -> Trace | None:
        """Ask the next bound."""
        k = self.bound + 1
        bad = self._unrolled.bad(self, self._cone, k)
        answer = self._unrolled.ask(self, bad, k, until, breathe)
        if isinstance(answer, SatModel):
            return self._unrolled.trace(self.prop, k, answer)
        self.refuted.append(bad)
        self.exhausted = not answer.failed or not self._cone.layers(0)[0].latches
        return None


class _Unrolled:
    """The circuit from its initial states on, in a solver that the properties share."""

    def __init__(self, model: Aig, net: Netlist, seed: int) -> None:
        self.net = net
        self._model = model
        self._seed = seed
        self._unroller = Unroller(net, initial=True)
        self._constraints: list[list[AigNode]] = []  # at times 0, 1, …
        self._owner = -1  # the property that the constraints in the solver serve
        self._renew(Minisat(), [])

    @property
    def queries(self) -> int:
        """How many questions this solver was asked."""
        return self._solver.queries

    def bad(self, asked: _UnrolledProperty, cone: LayeredCone, k: int) -> AigNode:
        """``bad(k)``, with everything that it needs unrolled, and ``C(0..k)`` as facts."""
        self._unroller.extend(cone, k)
        self._constrain(asked, k)
        return self._unroller.at(self.net.bads[asked.prop], k)

    def ask(self, asked: _UnrolledProperty, bad: AigNode, k: int, until: float | None, breathe: Breathe) -> SatModel | Core:
        """``I ∧ T^k ∧ C(0..k) ∧ bad(k)``."""
        if is_over(until):
            raise GaveUp("timeout")
        if bad == -TRUE_NODE:
            return Core((bad,))
        answer = self._try(bad, until, breathe)
        if answer is None:
            self._renew(Cadical(self._seed), asked.refuted)
            self._constrain(asked, k)
            answer = self._try(bad, until, breathe)
            assert answer is not None
        if isinstance(answer, Core):
            self._clauses.fact(-bad)
        return answer

    def _renew(self, solver: Limited, refuted: list[AigNode]) -> None:
        """Go on with an empty solver. What the trace reads must be defined, so reset functions are there from the start."""
        self._solver = solver
        self._clauses = NodeClauses(self._unroller.definitions, solver.add)
        self._constrained = 0  # constraints are facts at times below this
        for position, reset in enumerate(self.net.resets):
            if reset > 1 and reset != self._model.latch_lit(position):
                self._clauses.need(self._unroller.at(self._model.latch_lit(position), 0))
        for bad in refuted:
            self._clauses.fact(-bad)

    def _constrain(self, asked: _UnrolledProperty, k: int) -> None:
        """``C(0..k)`` become facts."""
        if len(self._constraints) == k:
            self._constraints.append([self._unroller.at(lit, k) for lit in self.net.constraints])
        if self.net.constraints and self._owner not in (asked.prop, -1):
            self._renew(Minisat(), asked.refuted)
        self._owner = asked.prop
        for nodes in self._constraints[self._constrained : k + 1]:
            for node in nodes:
                self._clauses.fact(node)
        self._constrained = max(self._constrained, k + 1)

    def _try(self, bad: AigNode, until: float | None, breathe: Breathe) -> SatModel | Core | None:
        """The answer, or None if MiniSat has worked long enough."""
        self._clauses.need(bad)
        if isinstance(self._solver, Minisat):
            limit = BMC_EASY_PROPAGATIONS + BMC_EASY_PROPAGATIONS_PER_NODE * len(self._unroller.definitions)
            return self._solver.attempt((bad,), limit - self._solver.effort, until, breathe)
        return self._solver.solve((bad,), until, breathe)

    def trace(self, prop: int, k: int, values: SatModel) -> Trace:
        """The run of length k that the solver found."""
        model, at = self._model, self._unroller.at

        def bit(node: AigNode) -> int:
            return int(node != 0 and values.holds(node))

        starts = [(at(model.latch_lit(i), 0), reset) for i, reset in enumerate(model.resets)]
        return Trace(
            prop,
            initial=tuple([bit(node) if node else int(reset == 1) for node, reset in starts]),
            inputs=tuple([tuple([bit(at(model.input_lit(i), t)) for i in range(model.inputs)]) for t in range(k + 1)]),
            latch_names=tuple([model.latch_name(i) for i in range(model.latches)]),
            input_names=tuple([model.input_name(i) for i in range(model.inputs)]),
        )
