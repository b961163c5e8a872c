"""Trace abstraction: refute error traces until none is left (Heizmann, Hoenicke, Podelski 2013).

Pick a trace that the automaton accepts; check it. Either it can be run: unsafe. Or there is a proof that it cannot; its
predicates make an interpolant automaton, which refutes this trace and all others for which the same predicates suffice. Take
those away. Nothing is left: safe, and the labels of what was taken away are the invariant.

Every trace that is refuted is gone for good, so the same trace is never picked twice, unless Hoare triples of its proof were
too hard to be seen as valid; then they are asked again with all the time there is.

Left out of the original: several automata per trace, and automata that are not total. Here an automaton follows every valid
triple (its *eager* generalization), and all proofs of a trace go into one. Up to 40 predicates of earlier proofs in each
automaton were tried on one program only, with many threads: an iteration took about five times as long, and the program was
not settled in time with them or without, so whether they pay is open.
"""

from __future__ import annotations

from lemmata.budgets import HOARE_TRIPLE_S
from lemmata.config import TraceOptions
from lemmata.engines.names import TRACES
from lemmata.engines.traces.automaton import Automaton, Removed, automaton_of
from lemmata.engines.traces.difference import automaton_difference
from lemmata.engines.traces.hoare import Triples
from lemmata.engines.traces.minimise import minimise
from lemmata.engines.traces.pick import order_of, pick
from lemmata.engines.traces.predicates import Predicates
from lemmata.engines.traces.proof import invariant_of_proofs
from lemmata.engines.traces.statistics import Statistics
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible, TraceChecker
from lemmata.engines.turns import InTurns
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener, Measured, Progress
from lemmata.models.graph import Graph
from lemmata.oracles.shape import has_linear_runs, leading_to
from lemmata.solvers.smt import preferred
from lemmata.steps.given import Given
from lemmata.steps.traces import Refuted, RemainingTraces, TracePicked
from lemmata.verdict import Safe, Unsafe, Verdict

_FEW_STATES = 30  # states that are not worth minimising
_GROWTH_FACTOR = 1.3  # since the last time that is worth it


class Traces(InTurns):
    """The loop; ``checker`` decides single traces."""

    name = TRACES

    def __init__(
        self,
        graph: Graph,
        checker: TraceChecker,
        listener: Listener = NOBODY,
        options: TraceOptions | None = None,
        solver: str = "auto",
        record: bool = False,
    ) -> None:
        super().__init__(listener)
        self._graph = graph
        self._checker = checker
        self._options = options or TraceOptions()
        self._solver = preferred() if solver == "auto" else solver
        self._is_linear = has_linear_runs(graph)
        self._is_recorded = record

    def _settle(self, prop: int, is_new: bool) -> Verdict:
        if is_new:
            self._begin(prop)
        self._triples.limit.until = self._until
        try:
            return self._run(prop)
        finally:
            self._listener(Measured(self.name, self.statistics()))

    def statistics(self) -> dict[str, object]:
        """How far it came on the property last asked."""
        asked = self._triples.limit
        counts = {"steps": asked.steps, "remembered": asked.remembered, "questions": asked.questions, "hard": asked.hard}
        return {
            "engine": self.name,
            "checker": self._checker.name,
            **self._tally.to_json(),
            "predicates": len(self._predicates),
            "triples": counts,
        }

    def _begin(self, prop: int) -> None:
        graph = self._graph
        self._tally = Statistics()
        self._predicates = Predicates(graph)
        self._triples = Triples(graph, self._predicates, self._solver, self._tick)
        self._removed = Removed()
        self._order = order_of(self._options.order, len(graph.edges))
        self._trace: EdgeTrace | None = None  # whose proof is not used yet, or was used last
        self._proof: Infeasible | None = None  # that is not used yet
        self._is_refined = False  # was the proof of the trace used?
        self._enough = _FEW_STATES  # states from which on minimising is worth it
        whole = automaton_of(graph, graph.questions[prop].location)
        self._automaton = automaton_difference(whole, lambda edge, known: 0, self._removed, lambda: None)
        self._tally.note_automaton(self._automaton)
        if self._is_recorded:
            self._listener(Given(graph))
            self._listener(_left(self._automaton))

    def _run(self, prop: int) -> Verdict:
        """Pick, check, take away."""
        while True:
            self._tick()
            if self._proof is None:
                with self._tally.phase("picking"):
                    trace = pick(self._automaton, prop, self._order.costs())
                if trace is None:
                    break
                self._note(trace)
                with self._tally.phase("checking"):
                    answer = self._checker.check(trace, self._until)
                if self._is_recorded:
                    self._listener(_picked(trace, isinstance(answer, Feasible)))
                if isinstance(answer, Feasible):
                    return Unsafe(answer.derivation)
                self._proof = answer
            self._refine(self._proof)
            self._proof = None
        error = self._graph.questions[prop].location
        return Safe(invariant_of_proofs(self._graph, self._predicates, self._removed, leading_to(self._graph, error)))

    def _note(self, trace: EdgeTrace) -> None:
        """A trace was picked; if it is the one of last time, its proof was too hard to follow."""
        if trace == self._trace and self._is_refined:
            if self._triples.limit.patience is None:
                raise GaveUp("incomplete")
            self._triples.limit.patience = None
        elif trace != self._trace:
            self._triples.limit.patience = HOARE_TRIPLE_S
            self._tally.note_trace(trace)
            self._order.note(trace)
            if self._is_linear and self._options.order == "shortest":
                self._reach(len(trace) - 2)
        self._trace, self._is_refined = trace, False

    def _refine(self, proof: Infeasible) -> None:
        """Take away what the predicates of the proof refute."""
        tally = self._tally
        numbers = self._predicates.of([formula for formulas in proof.proofs for formula in formulas])
        self._triples.begin(numbers)
        removed = Removed()
        with tally.phase("difference"):
            automaton = automaton_difference(self._automaton, self._post, removed, self._tick)
        tally.note_automaton(automaton)
        if self._options.minimise and len(automaton) > self._enough:
            with tally.phase("minimising"):
                automaton = minimise(automaton, self._tick)
            self._enough = max(_FEW_STATES, int(_GROWTH_FACTOR * len(automaton)))
        for place, masks in removed.masks.items():
            self._removed.add(place, tuple(masks))
        self._automaton = automaton
        self._is_refined = True
        tally.note_automaton(automaton)
        if self._is_recorded:
            self._listener(Refuted(proof.proofs[0], _left(automaton)))

    def _post(self, edge: int, known: tuple[int, ...]) -> int:
        with self._tally.phase("triples"):
            return self._triples.post(edge, known)

    def _tell(self) -> None:
        tally, asked = self._tally, self._triples.limit
        lemmas = len(self._predicates)
        self._listener(Progress(self.name, self.bound, tally.iterations, lemmas, tally.states, asked.questions))
        self._listener(Measured(self.name, self.statistics()))


def _left(automaton: Automaton) -> RemainingTraces:
    return RemainingTraces(automaton.places, automaton.transitions)


def _picked(trace: EdgeTrace, is_feasible: bool) -> TracePicked:
    return TracePicked(tuple([step.edge for step in trace.steps]), tuple([step.premises for step in trace.steps]), is_feasible)
