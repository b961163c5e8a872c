"""Is this property of a system over words k-inductive?

The two questions of ``certify.circuit.kinduction``, over words:

- base  no run x₀ … xⱼ with I(x₀), C on every step and bad(xⱼ, iⱼ), for j < k
- step  no path x₀ … xₖ from anywhere with C on every step, ¬bad(xₜ, iₜ) for t < k, and bad(xₖ, iₖ); with ``simple`` the k + 1
  states are pairwise different

The argument is the one given there. A state is the variables in the cone of influence of bad and C; an initial state of a
system does not read the inputs of the first step, so a shortest counterexample repeats no state at all, its first included.
States are made different one pair at a time, when a model has them equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lemmata.certify.journal import Journal
from lemmata.certify.query import WORD_SOLVERS, Panel
from lemmata.certify.words.question import question, variables_of_interest, word_state_text
from lemmata.errors import CertificateError
from lemmata.logic.terms import TRUE, Term, make
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.models.system import System, at
from lemmata.proof_obligations import ProofObligation
from lemmata.solvers.smt import Sat


def check_word_kinductive(
    graph: Graph,
    prop: int,
    evidence: KInductive,
    solvers: Sequence[str] = WORD_SOLVERS,
    until: float | None = None,
    journal: Journal | None = None,
) -> str:
    """Who checked that property ``prop`` is k-inductive as ``evidence`` says; ``CertificateError`` if it is not.

    ``GaveUp`` if no solver gets through until ``until``.
    """
    system, bad = question(graph, prop)
    if evidence.k < 0:
        raise CertificateError(f"k-induction with k = {evidence.k}")
    panel = Panel(solvers, until, journal)
    paths = _Paths(system, bad)
    _check_base(system, paths, evidence.k, panel)
    _check_step(paths, evidence, panel)
    return ", ".join(panel.answered)


class _Paths:
    """The formulas of a step, at any time."""

    def __init__(self, system: System, bad: Term) -> None:
        self._system = system
        self._bad = bad
        self.state = variables_of_interest(system, [bad])

    def at(self, terms: Sequence[Term], time: int) -> list[Term]:
        """The terms at ``time``."""
        system = self._system
        return substitute(terms, {v: at(v, time) for v in (*system.variables, *system.inputs)})

    def bad(self, time: int) -> Term:
        """``C ∧ bad`` at ``time``."""
        return self.at([self._bad], time)[0]

    def constraint(self, time: int) -> Term:
        """``C`` at ``time``."""
        return self.at([self._system.constraint], time)[0]

    def moves(self, time: int) -> list[Term]:
        """The transition from ``time`` to the state after it."""
        nexts = self.at([self._system.nexts[v] for v in self.state], time)
        return [make("=", (at(v, time + 1), after)) for v, after in zip(self.state, nexts, strict=True)]


def _check_base(system: System, paths: _Paths, k: int, panel: Panel) -> None:
    """``I(x₀) ∧ T ∧ … ∧ ⋁ (C(0) ∧ … ∧ C(j - 1) ∧ bad(xⱼ, iⱼ))``, for j < k, is unsatisfiable.

    Every state has a successor under T alone, so a run that ends early is no less a run here.
    """
    formulas = paths.at([system.init], 0)
    reached, lawful = list[Term](), TRUE
    for j in range(k):
        panel.look_at_the_clock()
        reached.append(make("and", (lawful, paths.bad(j))))
        lawful = make("and", (lawful, paths.constraint(j)))
        formulas += paths.moves(j)
    if not reached:
        return
    answer = panel.discharge(ProofObligation("base"), [*formulas, make("or", tuple(reached))], reached)
    if isinstance(answer, Sat):
        j = next(j for j, term in enumerate(reached) if answer.values[term])
        raise CertificateError(f"base fails: a bad state is reachable in {j} steps")


def _check_step(paths: _Paths, evidence: KInductive, panel: Panel) -> None:
    """``C ∧ ¬bad`` on k steps of a path, then ``C ∧ bad``, is unsatisfiable."""
    k = evidence.k
    formulas = [paths.bad(k)]
    for time in range(k):
        panel.look_at_the_clock()
        formulas += [paths.constraint(time), make("not", (paths.bad(time),)), *paths.moves(time)]
    wanted = [at(v, time) for time in range(k + 1) for v in paths.state]
    while isinstance(answer := panel.discharge(ProofObligation("step"), formulas, wanted), Sat):
        apart = _told_apart(paths.state, k, answer) if evidence.simple else []
        if not apart:
            first = {v: answer.values[at(v, 0)] for v in paths.state}
            how = " on a path without repeated states" if evidence.simple else ""
            raise CertificateError(f"step fails: {k} good steps from {word_state_text(first)} lead to a bad state{how}")
        formulas += apart


def _told_apart(state: Sequence[Term], k: int, answer: Sat) -> list[Term]:
    """For every pair of states that is equal in the model: they differ."""
    values = [tuple(answer.values[at(v, time)] for v in state) for time in range(k + 1)]
    return [
        make("not", (make("and", tuple(make("=", (at(v, i), at(v, j))) for v in state)),))
        for i, j in combinations(range(k + 1), 2)
        if state and values[i] == values[j]
    ]
