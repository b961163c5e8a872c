"""k-induction on graphs: no short run reaches the error, and no path from anywhere does after k - 1 edges that miss it.

The base is BMC (``engines/bounded.py`` has the induction). The step asks for k edges in a row, the last into the error, from
any state of any location; every state on the way satisfies what is known of its location, and none but the last has an edge
into the error that can be taken (Sheeran, Singh, Stålmarck 2000, on graphs; auxiliary invariants as in Kahsai, Tinelli 2011).
``known`` gives such facts while they are found: anything inductive, whatever the property; each version is kept, since the
conjunction of inductive facts is inductive.

An edge into the error may have inputs, and then "cannot be taken" speaks of all their values. Inputs that an equation of the
guard defines are put in; for those that are left the guard is denied for some values only, which says less and is sound.

For k = 1 the facts alone exclude the error, and for k = 2 the facts with the property do: if no input is left these proofs are
plain invariants. Otherwise the evidence is ``GraphKInductive``. Paths are not asked to be without repetition: over integers
that rarely ends a proof.

A graph that was made simpler may have lost inputs of edges into the error, so that more can be denied there than in the graph
as it was read: ``survives`` asks whether a proof is one there, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lemmata.engines.bounded import Breathe, Induction
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.graph.layers import Layers, LayerSpot
from lemmata.engines.names import KINDUCTION
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.build import conj, disj, implies, negate
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.terms import TRUE, Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import Claim, Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.oracles.fallback import FallbackSolver
from lemmata.oracles.shape import has_linear_runs
from lemmata.solvers.smt import Unsat, preferred
from lemmata.verdict import Verdict

KnownInvariant = Callable[[], GraphInvariant | None]


class GraphKInduction(Induction[Derivation]):
    """k-induction on one graph whose edges have at most one source."""

    def __init__(
        self,
        graph: Graph,
        listener: Listener = NOBODY,
        solver: str = "",
        known: KnownInvariant = lambda: None,
        name: str = KINDUCTION,
    ) -> None:
        backend = solver or preferred()
        super().__init__(GraphBmc(graph, listener, backend, name), listener, partial(_Step, graph, backend, known=known))
        self._is_linear = has_linear_runs(graph)

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle property ``prop``; ``GaveUp("incomplete")`` where derivations are trees."""
        if not self._is_linear:
            raise GaveUp("incomplete")
        return super().check(prop, until)


def survives(graph: Graph, prop: int, evidence: GraphKInductive, solver: str, until: float | None = None) -> bool:
    """Is the step of ``evidence``, found on a simpler graph with runs of the same lengths, one of ``graph``?"""
    step = _Step(graph, solver, prop)
    if step.is_exact:
        return True  # nothing was lost
    step.learn(evidence.invariant)
    while step.k < evidence.k:
        step.deepen()
        step.widen()
    return step.is_inductive(until)


class _Step:
    """The inductive step of one property for k = 1, 2, …"""

    def __init__(self, graph: Graph, backend: str, prop: int, known: KnownInvariant = lambda: None) -> None:
        self.k = 1
        self._graph = graph
        self._known = known
        error = graph.questions[prop].location
        self._error = error
        self._layers = Layers.from_anywhere(graph, error)
        self._solver = FallbackSolver(backend)
        self._lemmas: dict[int, dict[Term, None]] = {place: {} for place in range(len(graph.locations))}
        self.is_exact = True  # does ``missed`` speak of the variables only?
        self._missed = self._missing()

    @property
    def base(self) -> int:
        """Bound k-1."""
        return self.k - 1

    @property
    def queries(self) -> int:
        """How many questions were asked."""
        return self._solver.queries

    def learn(self, facts: GraphInvariant | None) -> None:
        """Demand new facts of all states but the last."""
        for claim in facts.claims if facts is not None else ():
            known = self._lemmas[claim.location]
            fresh = [lemma for lemma in claim.lemmas if lemma not in known]
            known.update(dict.fromkeys(fresh))
            for layer in range(self._layers.depth + 1 if fresh else 0):
                for spot in self._layers.spots(layer):
                    if spot.location == claim.location:
                        self._demand(spot, fresh)

    def holds(self, until: float | None, breathe: Breathe) -> bool:
        """``is_inductive`` with what others know by now."""
        self.learn(self._known())
        return self.is_inductive(until)

    def is_inductive(self, until: float | None) -> bool:
        """``known(0..k-1) ∧ missed(0..k-2) ∧ k edges ∧ the last one leads to the error`` is unsatisfiable."""
        self.deepen()
        for fact in self._layers.fresh_facts():
            self._solver.add(fact)
        goals = self._layers.goals(self.k)
        return not goals or isinstance(self._solver.check((disj([way.taken for way in goals]),), until=until), Unsat)

    def deepen(self) -> None:
        """Paths of k edges."""
        if self._layers.depth < self.k:
            self._layers.deepen()
            for spot in self._layers.spots(self.k):
                self._demand(spot, list(self._lemmas[spot.location]))

    def widen(self) -> None:
        """Go on to k + 1: the states after k - 1 edges miss the error from now on."""
        for spot in self._layers.spots(self.k - 1):
            self._demand(spot, self._missed.get(spot.location, []), f"?{self.k}")
        self.k += 1

    def evidence(self) -> GraphInvariant | GraphKInductive:
        """What the last proof rests on."""
        facts = self._invariant({})
        if self.k == 1:
            return facts
        if self.k == 2 and self.is_exact:
            return self._invariant(self._missed)
        return GraphKInductive(self.k, facts)

    def _invariant(self, more: dict[int, list[Term]]) -> GraphInvariant:
        errors = {question.location for question in self._graph.questions}
        return GraphInvariant(
            tuple(
                Claim(place, location, (*self._lemmas[place], *more.get(place, ())))
                for place, location in enumerate(self._graph.locations)
                if place not in errors
            )
        )

    def _missing(self) -> dict[int, list[Term]]:
        """Per location, formulas over its variables and free inputs: no edge into the error can be taken."""
        missed: dict[int, list[Term]] = {}
        for edge in self._graph.edges:
            if edge.target == self._error and edge.sources:
                (source,) = edge.sources
                solved = solve_inputs(edge.guard, edge.inputs)
                self.is_exact = self.is_exact and not solved.free
                own = self._graph.locations[source.location].variables
                names = dict(zip(source.variables, own, strict=True))
                missed.setdefault(source.location, []).append(negate(substitute([solved.guard], names)[0]))
        return missed

    def _demand(self, spot: LayerSpot, formulas: list[Term], mark: str = "") -> None:
        """Demand formulas of the state of a spot; free inputs in them are renamed with ``mark``."""
        own = self._graph.locations[spot.location].variables
        names = {v: var(f"{name_of(v)}{mark}", v.sort) for v in variables(formulas)}
        names |= dict(zip(own, spot.state, strict=True))
        if (formula := conj(substitute(formulas, names))) is not TRUE:
            self._solver.add(implies(spot.reached, formula))
