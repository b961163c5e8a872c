"""Bounded model checking: is a bad state reachable in 0 steps, in 1 step, in 2 …? (Biere, Cimatti, Clarke, Zhu 1999.)

One solver holds the circuit unrolled from its initial states. Bound k asks ``I ∧ T^k ∧ C(0..k) ∧ bad(k)``: the constraints hold
at every step, the last one included, and the last state needs no successor. Every bound is asked, in order, so the first
counterexample is a shortest one; a refuted bound leaves ``¬bad(k)`` behind as a fact. Bounds whose bad literal the unrolling
already knows to be false cost no query. MiniSat begins; when it has had its share of propagations, CaDiCaL takes over with the
same clauses. Measured: easy bugs come up to twice as fast so, and hard ones as fast as with CaDiCaL alone. Several bounds in
one query (a disjunction of 2, 4 or 8) cost up to six times as much and helped nowhere.

A constraint at step k is a fact for bounds from k on, and would cut off the shorter runs of another property: the next property
gets a new solver (and the old unrolling) if the circuit has constraints. BMC proves nothing: it ends without a counterexample
only at ``max_bound``, where no run is longer, or where all bounds are alike because no latch matters: always ``incomplete``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lemmata.budgets import BMC_EASY_PROPAGATIONS, BMC_EASY_PROPAGATIONS_PER_NODE
from lemmata.engines.circuit.clauses import NodeClauses
from lemmata.engines.circuit.netlist import Netlist, netlist
from lemmata.engines.circuit.unroll import TRUE_NODE, AigNode, LayeredCone, Unroller
from lemmata.engines.pulse import Pulse
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, Listener
from lemmata.models.aig import Aig
from lemmata.models.trace import Trace
from lemmata.solvers.limited import Cadical, Core, Limited, Minisat, SatModel
from lemmata.verdict import Unknown, Unsafe, Verdict
from lemmata.work import SAT, is_over, tally


@dataclass(slots=True)
class _Hunt:
    """How far one property has been taken."""

    cone: LayeredCone
    refuted: list[AigNode] = field(default_factory=list)  # bad at times 0, 1, …
    trace: Trace | None = None
    exhausted: bool = False  # no deeper bound can find more

    @property
    def bound(self) -> int:
        return len(self.refuted) - 1


class Bmc:
    """Counterexamples, shortest first; built once per model and asked for several properties."""

    def __init__(
        self, model: Aig, listener: Listener = NOBODY, seed: int = 0, max_bound: int | None = None, name: str = "bmc"
    ) -> None:
        self.name = name
        self.bound = -1
        self._model = model
        self._net = netlist(model)
        self._listener = listener
        self._pulse = Pulse(listener)
        self._seed = seed
        self._max_bound = max_bound
        self._hunts: dict[int, _Hunt] = {}
        self._unroller = Unroller(self._net, initial=True)
        self._constraints: list[list[AigNode]] = []  # at times 0, 1, …
        self._owner = -1  # the property that the constraints in the solver serve
        self._renew(Minisat(), [])

    @property
    def net(self) -> Netlist:
        """The circuit as it is unrolled."""
        return self._net

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """A shortest counterexample of property ``prop``, or ``Unknown("incomplete")``."""
        hunt = self._hunt(prop)
        while not hunt.exhausted and (self._max_bound is None or hunt.bound < self._max_bound):
            trace = self.deepen(prop, until)
            if trace is not None:
                return Unsafe(trace)
        return Unknown("incomplete")

    def deepen(self, prop: int, until: float | None = None) -> Trace | None:
        """Ask the next bound: a counterexample of that length, or none and ``bound`` goes up."""
        hunt = self._hunt(prop)
        if hunt.trace is not None or hunt.exhausted:
            return hunt.trace
        k = hunt.bound + 1
        self._unroller.extend(hunt.cone, k)
        self._constrain(prop, k)
        bad = self._unroller.at(self._net.bads[prop], k)
        answer = self._ask(prop, bad, k, until)
        if isinstance(answer, SatModel):
            hunt.trace = self._trace(prop, k, answer)
            return hunt.trace
        hunt.refuted.append(bad)
        self.bound = k
        hunt.exhausted = not answer.failed or not hunt.cone.layers(0)[0].latches
        self._listener(BoundReached(self.name, k))
        return None

    def is_exhausted(self, prop: int) -> bool:
        """Is it known that no deeper bound finds a counterexample?"""
        return self._hunt(prop).exhausted

    def _hunt(self, prop: int) -> _Hunt:
        if prop not in self._hunts:
            self._hunts[prop] = _Hunt(LayeredCone(self._net, (self._net.bads[prop], *self._net.constraints)))
        hunt = self._hunts[prop]
        self.bound = hunt.bound
        return hunt

    def _renew(self, solver: Limited, refuted: list[AigNode]) -> None:
        """Go on with an empty solver. What the trace reads must be defined, so reset functions are there from the start."""
        self._solver = solver
        self._clauses = NodeClauses(self._unroller.definitions, solver.add)
        self._constrained = 0  # constraints are facts at times below this
        for position, reset in enumerate(self._net.resets):
            if reset > 1 and reset != self._model.latch_lit(position):
                self._clauses.need(self._unroller.at(self._model.latch_lit(position), 0))
        for bad in refuted:
            self._clauses.fact(-bad)

    def _constrain(self, prop: int, k: int) -> None:
        """``C(0..k)`` become facts."""
        if len(self._constraints) == k:
            self._constraints.append([self._unroller.at(lit, k) for lit in self._net.constraints])
        if self._net.constraints and self._owner not in (prop, -1):
            self._renew(Minisat(), self._hunts[prop].refuted)
        self._owner = prop
        for nodes in self._constraints[self._constrained : k + 1]:
            for node in nodes:
                self._clauses.fact(node)
        self._constrained = max(self._constrained, k + 1)

    def _ask(self, prop: int, bad: AigNode, k: int, until: float | None) -> SatModel | Core:
        """``I ∧ T^k ∧ C(0..k) ∧ bad(k)``."""
        if is_over(until):
            raise GaveUp("timeout")
        if bad == -TRUE_NODE:
            tally[SAT] += 1  # as if there were something to ask
            return Core((bad,))
        answer = self._try(bad, k, until)
        if answer is None:
            self._renew(Cadical(self._seed), self._hunts[prop].refuted)
            self._constrain(prop, k)
            answer = self._try(bad, k, until)
            assert answer is not None
        if isinstance(answer, Core):
            self._clauses.fact(-bad)
        return answer

    def _try(self, bad: AigNode, k: int, until: float | None) -> SatModel | Core | None:
        """The answer, or None if MiniSat has worked long enough."""

        def breathe() -> None:
            self._pulse.beat(self.name, k - 1, k + 1, self._solver.queries)

        self._clauses.need(bad)
        if isinstance(self._solver, Minisat):
            limit = BMC_EASY_PROPAGATIONS + BMC_EASY_PROPAGATIONS_PER_NODE * len(self._unroller.definitions)
            return self._solver.attempt((bad,), limit - self._solver.effort, until, breathe)
        return self._solver.solve((bad,), until, breathe)

    def _trace(self, prop: int, k: int, values: SatModel) -> Trace:
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
