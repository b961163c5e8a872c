"""The queries ``F_{i-1} ∧ T ∧ t′``: one solver per edge, formulas of the frame and of the goal as assumptions.

A refuted query says which formulas it needed. *Memory* (4.3.2) keeps them: the same goal over the same edge is refuted again,
without a solver, whenever the frame still has those formulas. (The thesis keeps whole queries; a frame that has grown since is
a new query there.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.budgets import HARD_QUESTION_S
from lemmata.engines.pdr.thesis.cfg import Cfg
from lemmata.engines.pdr.thesis.frames import ThesisFrames
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.oracles.edge import EdgeTerms
from lemmata.oracles.fallback import FallbackSolver
from lemmata.solvers.smt import Sat
from lemmata.values import dataclass

_RENEW_TERMS = 3000  # assumed terms after which a solver is built anew

Refutation = tuple[frozenset[Term], tuple[Term, ...]]  # formulas of the frame, and of the goal, that suffice


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """Satisfiable, with these values of the source's variables and the inputs (under the names that the edge has for them)."""

    values: dict[Term, Value]


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """Unsatisfiable; these formulas of the goal suffice."""

    core: tuple[Term, ...]
    is_remembered: bool = False


def patient(solver: str, formula: Term) -> FallbackSolver:
    """A solver that knows one formula and is asked about many others."""
    return FallbackSolver(solver, [formula], hard=HARD_QUESTION_S, renew=_RENEW_TERMS)


class ThesisOracle:
    """Answers queries about the frames."""

    def __init__(self, cfg: Cfg, frames: ThesisFrames, solver: str, tick: Callable[[], float | None], remembers: bool) -> None:
        self.queries = 0
        self.terms = {n: EdgeTerms(cfg.graph, cfg.graph.edges[n]) for numbers in cfg.into.values() for n in numbers}
        self._cfg = cfg
        self._frames = frames
        self._solver = solver
        self._tick = tick
        self._remembers = remembers
        self._refuted: dict[tuple[int, tuple[Term, ...]], list[Refutation]] = {}
        self._solvers: dict[int, FallbackSolver] = {}
        self._still = patient(solver, TRUE)

    def ask(
        self, number: int, level: int | None, goal: Sequence[Term], extra: Sequence[Term] = ()
    ) -> Satisfiable | Unsatisfiable:
        """``F_level(source) ∧ T ∧ ⋀ goal′``; without a level no frame; ``extra`` is over the names at the edge."""
        terms, source = self.terms[number], self._cfg.source(number)
        (here,) = terms.to_source
        asked = {terms.goal(part): part for part in goal}
        if FALSE in asked:
            return Unsatisfiable((asked[FALSE],))
        if level is not None and self._frames.is_false(source, level):
            return Unsatisfiable(())
        lemmas = {} if level is None else {here(lemma): lemma for lemma in self._frames.at(source, level)}
        memory = self._refuted.setdefault((number, tuple(goal)), []) if self._remembers and not extra else []
        for needed, core in memory:
            if needed <= lemmas.keys():
                return Unsatisfiable(core, True)
        assumed = [term for term in dict.fromkeys([*lemmas, *extra, *asked]) if term is not TRUE]
        self.queries += 1
        if number not in self._solvers:
            self._solvers[number] = patient(self._solver, terms.edge.guard)
        answer = self._solvers[number].check(assumed, terms.wanted, self._tick())
        if isinstance(answer, Sat):
            return Satisfiable(dict(answer.values))
        core = tuple([asked[term] for term in answer.core if term in asked])
        memory.append((frozenset(term for term in answer.core if term in lemmas), core))
        return Unsatisfiable(core)

    def satisfies(self, formulas: Sequence[Term], wanted: Sequence[Term]) -> dict[Term, Value] | None:
        """Values of a state that satisfies the formulas."""
        self.queries += 1
        answer = self._still.check([term for term in formulas if term is not TRUE], wanted, self._tick())
        return dict(answer.values) if isinstance(answer, Sat) else None
