"""PDR over linear integer arithmetic as Naik and Reddy proposed it: the preset ``lia-textbook``.

Frames are lists of formulas, F_0 = I, each later one begins as P. *PDR(k)*: if ``F_k ∧ T ∧ ¬P′`` is unsatisfiable, *Propagate*
makes F_{k+1} of P and of the formulas of F_k that hold one step later, and the property is valid where both frames are the
same; otherwise every cube of the pre-image of ¬P in F_k is blocked, and PDR(k) is tried again. *Block(s, f)* looks for the
latest frame F_j, from f downwards, with ``F_j ∧ ¬s ∧ T ∧ s′`` unsatisfiable, drops the literals that the refutation did not
need, and adds the negation to F_1 … F_{j+1}; if j < f, the cubes of the pre-image of s in F_{f-1} are blocked there, depth
first. Pre-images are exact (see ``integers_system``).

Taken literally the pseudo-code has five gaps, which are closed here as follows:

- *No initial check.* Nothing asks ``I ∧ ¬P``, and later frames begin with P as if it held. Asked first (``LiaZeroCheck``).
- *A cube that meets I is "blocked" all the same.* PDR(0) finds s inside I; ``F_0 ∧ ¬s ∧ T ∧ s′`` may be unsatisfiable, ``r``
  is 0, no frame changes, and PDR(0) calls itself for ever. A cube that meets I is a counterexample: asked before the relative
  checks.
- *Generalization may reach into I*, which would make F_1 wrong. Literals are added back until the cube meets no initial state.
- *The note on pre-images* has ¬s′ where it means s′.
- *F_{k+1} = F_k* is not said to be equality of lists or of sets of states; here it is equivalence, asked of the solver, which
  ends sooner. (F_k implies F_{k+1} always.)

What is left as it is: after the pre-image of s was blocked, (s, f) itself is not tried again, since PDR(k) finds it anew;
formulas are pushed into the new frame only; and there is no promise to end: over integers the frames may grow for ever. That
is what the engine ``lifted`` is for.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.engines.names import LIA_TEXTBOOK
from lemmata.engines.pdr.textbook.integers_system import NoPredecessor, OneLocation, Predecessor
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, LemmaLearned, Listener
from lemmata.logic.build import conj, equal, negate
from lemmata.logic.terms import const
from lemmata.logic.text import infix
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.models.words import Values
from lemmata.oracles.derive import derived_fact
from lemmata.solvers.smt import Sat, open_solver, preferred
from lemmata.steps.given import Given
from lemmata.steps.lia import (
    InductiveCheck,
    LiaBlocking,
    LiaCube,
    LiaFrame,
    LiaPosed,
    LiaPropagation,
    LiaZeroCheck,
    PreImage,
)
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe, Verdict


@dataclass(slots=True)
class _Obligation:
    """``Block(<cube, level>)`` on the stack; ``rest`` are the predecessors that are still to be blocked."""

    cube: LiaCube
    level: int
    rest: Iterator[LiaCube] | None = None


class LiaTextbook:
    """The proposal's engine, on graphs with one location; others are given up (``incomplete``)."""

    name = LIA_TEXTBOOK

    def __init__(self, graph: Graph, listener: Listener = NOBODY, solver: str = "", *, record: bool = False) -> None:
        self.bound = -1
        self._graph = graph
        self._solver = solver or preferred()
        self._listener = listener
        self._tell = listener if record else NOBODY
        self._tell(Given(graph))

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle ``graph.properties()[prop]``; every call is a new run."""
        self.bound = -1
        system = OneLocation(self._graph, prop, self._solver, until)
        runs = _Replay(self._graph, prop, system, until)
        if (derivation := runs.at_once()) is not None:
            return Unsafe(derivation)
        run = _Run(system, self._tell, self._listener)
        if (state := run.zero_check()) is not None:
            return Unsafe(runs.along([_point(state)]))
        while True:
            self._reached(len(run.frames))
            while (cubes := run.inductive_check()) is not None:
                for cube in cubes:
                    if (chain := run.block(cube)) is not None:
                        return Unsafe(runs.along([*chain, (system.some_bad(),)]))
            if run.propagate():
                return Safe(self._invariant(run))

    def _reached(self, bound: int) -> None:
        self.bound = bound
        self._listener(BoundReached(self.name, bound))

    def _invariant(self, run: _Run) -> GraphInvariant:
        graph = self._graph
        errors = {question.location for question in graph.questions}
        places = [(place, location) for place, location in enumerate(graph.locations) if place not in errors]
        return GraphInvariant(
            tuple(Claim(place, location, run.frames[-1] if place == run.system.place else ()) for place, location in places)
        )


class _Run:
    """The frames of one run, and the procedures of the proposal."""

    def __init__(self, system: OneLocation, tell: Listener, listener: Listener) -> None:
        self.system = system
        self._tell = tell
        self._listener = listener
        self._safe = tuple([negate(conj(cube)) for cube in system.bad])  # P
        self.frames: list[LiaFrame] = [system.initial]
        tell(LiaPosed(system.initial, system.transition, system.bad))

    def zero_check(self) -> Values | None:
        """``I ∧ ¬P``."""
        state = self.system.bad_initially()
        self._tell(LiaZeroCheck(state))
        return state

    def inductive_check(self) -> tuple[LiaCube, ...] | None:
        """``F_k ∧ T ∧ ¬P′``: the cubes that lead to a bad state, or none."""
        level = len(self.frames) - 1
        state = self.system.bad_next(self.frames[-1])
        self._tell(InductiveCheck(level, state))
        return None if state is None else self._pre_image(level, None)

    def propagate(self) -> bool:
        """Make the next frame; is it the same as the last one?"""
        last = self.frames[-1]
        others = [formula for formula in last if formula not in self._safe]
        kept = tuple([formula for formula in others if self.system.holds_next(last, formula)])
        self.frames.append((*self._safe, *kept))
        is_fixpoint = self.system.implies(self.frames[-1], last)
        lost = tuple([formula for formula in others if formula not in kept])
        self._tell(LiaPropagation(kept, lost, tuple(self.frames), is_fixpoint))
        return is_fixpoint

    def block(self, cube: LiaCube) -> list[LiaCube] | None:
        """``Block(<cube, k>)``, with the calls that it makes; or the chain of cubes from I to it."""
        stack = [_Obligation(cube, len(self.frames) - 1)]
        while stack:
            top = stack[-1]
            if top.rest is None:
                start = self._try(top)
                if start is not None:
                    return [*start, *(obligation.cube for obligation in reversed(stack))]
            following = next(top.rest or iter(()), None)
            if following is None:
                stack.pop()
            else:
                stack.append(_Obligation(following, top.level - 1))
        return None

    def _try(self, obligation: _Obligation) -> list[LiaCube] | None:
        """Block in the latest frame and set ``rest``; or how a run that meets the cube begins before it."""
        cube, level = obligation.cube, obligation.level
        if self.system.is_initial(cube):
            self._tell(LiaBlocking(cube, level, (), None, (), True, tuple(self.frames)))
            return []
        failed: list[int] = []
        state: Values = ()
        for j in range(level, -1, -1):
            match self.system.relative(self.frames[j], cube):
                case Predecessor(state):
                    failed.append(j)
                case NoPredecessor(literals):
                    self._strengthen(obligation, tuple(failed), j, literals)
                    return None
        self._tell(LiaBlocking(cube, level, tuple(failed), None, (), False, tuple(self.frames)))
        return [_point(state)]

    def _strengthen(self, obligation: _Obligation, failed: tuple[int, ...], j: int, literals: LiaCube) -> None:
        """Add the negation of the generalized cube to F_1 … F_{j+1}, as far as they exist."""
        cube, level = obligation.cube, obligation.level
        lemma = self.system.with_initiation(literals, cube)
        formula = negate(conj(lemma))
        last = min(j + 1, len(self.frames) - 1)
        for i in range(1, last + 1):
            if formula not in self.frames[i]:
                self.frames[i] = (*self.frames[i], formula)
        self._listener(LemmaLearned(infix(formula), last))
        self._tell(LiaBlocking(cube, level, failed, j, lemma, False, tuple(self.frames)))
        obligation.rest = iter(self._pre_image(level - 1, cube) if j < level - 1 else ())

    def _pre_image(self, level: int, goal: LiaCube | None) -> tuple[LiaCube, ...]:
        cubes = self.system.pre_image(self.frames[level], goal)
        self._tell(PreImage(level, goal, cubes))
        return cubes


class _Replay:
    """Concrete runs along cubes: each step is one small question about the inputs of an edge."""

    def __init__(self, graph: Graph, prop: int, system: OneLocation, until: float | None) -> None:
        self._graph = graph
        self._prop = prop
        self._system = system
        self._until = until

    def at_once(self) -> Derivation | None:
        """An initial edge that leads to the error by itself."""
        ends = [number for number in self._system.ends if not self._graph.edges[number].sources]
        fact = self._step([], ends, ())
        return None if fact is None else Derivation(self._prop, (fact,))

    def along(self, chain: list[LiaCube]) -> Derivation:
        """From an initial state in the first cube through all others to the error."""
        system, facts = self._system, list[Fact]()
        for position, cube in enumerate(chain):
            facts.append(self._must(self._step(facts, system.loops if position else system.starts, cube)))
        ends = [number for number in system.ends if self._graph.edges[number].sources]
        facts.append(self._must(self._step(facts, ends, ())))
        return Derivation(self._prop, tuple(facts))

    def _must(self, fact: Fact | None) -> Fact:
        if fact is None:
            raise GaveUp("incomplete")
        return fact

    def _step(self, facts: list[Fact], edges: list[int], goal: LiaCube) -> Fact | None:
        """One of the edges, taken from the last fact into the goal."""
        for number in edges:
            edge = self._graph.edges[number]
            here = facts[-1].values if facts else ()
            known = {v: const(value, v.sort) for s in edge.sources for v, value in zip(s.variables, here, strict=True)}
            guard, *updates = substitute([edge.guard, *edge.updates], known)
            there = dict(zip(self._system.variables, updates, strict=True)) if goal else {}
            formula = conj([guard, *substitute(goal, there)])
            solver = open_solver("z3")
            answer = solver.check((formula,), [i for i in edge.inputs if i in variables([formula])], self._until)
            if isinstance(answer, Sat):
                return derived_fact(self._graph, number, (len(facts) - 1,) if edge.sources else (), facts, answer.values)
        return None


def _point(state: Values) -> LiaCube:
    return tuple([equal(v, const(value, v.sort)) for v, value in state])
