"""PDR as it is taught: figure 2.2 of Werner's thesis (2018), with the bookkeeping of Strejček's slides.

The run alternates three phases. *Next transition*: while ``F_k ∧ T ∧ ¬P′`` is satisfiable, the state that it finds becomes a
proof obligation. *Blocking*: the obligation (s, i) asks ``F_{i-1} ∧ T ∧ s′``; a predecessor t becomes the obligation (t, i-1),
and at level 0 the chain of obligations is a counterexample; without predecessor, ``¬s`` is added. *Propagation*: a new frame
starts as P and gets the clauses which still hold one step later; if two neighbours are equal, they are an inductive invariant.
Nothing is generalized, lifted or re-queued: the engine that does all that is ``engines.pdr.loop``.

Frames are compared as sets of clauses, as the thesis does: in its section 2.3.2 F_1 is P ∧ I, equivalent to F_0 = I,
and yet called different from it.

The figure strengthens only F_i when it blocks (s, i), and pushes only the clauses of the last frame. Taken literally it
is sound but may run for ever: with two unreachable states t → s → bad and no other way to s, the last frame learns ¬s,
cannot push it because of t, blocks t one frame below, and is then where it was. The slides keep ``F_{i+1} ⊆ F_i`` (they
add ¬s to F_1 … F_i), push from every frame and compare all neighbours, which terminates. So there are three variants;
on the thesis' own two examples all make the same run:

- ``slides`` (the one that is used): as just said;
- ``figure``: the figure to the letter;
- ``relative``: the slides' improvement, which asks ``F_{i-1} ∧ ¬s ∧ T ∧ s′``.

Why a blocked state s is never initial, although no query asks: (s, i) means that bad is k - i + 1 ≤ k steps away from s,
and the earlier rounds have shown that no bad state is reachable within k steps. One exception is about circuits: if a
reset function reads inputs, a state may be initial only under inputs that do not lead to bad. Therefore the invariant's
initiation is asked once at the end, and the engine gives up (``incomplete``) where it fails; and ``relative`` leaves out
``¬s`` for such a state.
"""

from __future__ import annotations

from typing import Literal

from lemmata.engines.names import TEXTBOOK
from lemmata.engines.pdr.textbook.bits_oracle import TextbookOracle
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, BoundReached, LemmaLearned, Listener
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.steps.given import Given
from lemmata.steps.textbook import (
    BitCube,
    BitFrame,
    Blocking,
    NextTransition,
    Posed,
    PosedObligation,
    Propagation,
    Push,
    Query,
    QueryAnswer,
    QuerySat,
    ZeroCheck,
)
from lemmata.verdict import Safe, Unsafe, Verdict

Variant = Literal["slides", "figure", "relative"]


class Textbook:
    """The textbook's engine. The same circuit always gives the same run."""

    def __init__(
        self,
        model: Aig,
        listener: Listener = NOBODY,
        *,
        record: bool = False,
        variant: Variant = "slides",
    ) -> None:
        self.name = TEXTBOOK
        self.bound = -1
        self._model = model
        self._listener = listener
        self._steps = listener if record else NOBODY
        self._variant = variant
        self._steps(Given(model))

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle ``model.properties()[prop]``; see ``Engine``."""
        self.bound = -1
        oracle = TextbookOracle(self._model, self._model.questions[prop], until)
        run = _Run(oracle, self._steps, self._variant)
        self._steps(Posed(oracle.bad_cubes, oracle.initial))
        if (answer := run.zero_check()) is not None:
            return Unsafe(self._trace(prop, [], answer.state, answer.inputs))
        while True:
            self._reached(len(run.frames) - 1)
            while (found := run.next_transition()) is not None:
                obligation, bad_state = found
                if (chain := self._block(run, obligation)) is not None:
                    return Unsafe(self._trace(prop, chain, bad_state, oracle.bad_inputs(bad_state)))
            if (fixpoint := run.propagate()) is not None:
                return Safe(self._invariant(oracle, run.frames[fixpoint + 1]))

    def _block(self, run: _Run, obligation: PosedObligation) -> list[PosedObligation] | None:
        """Block the obligation in its frame; or the chain of obligations from an initial state to it."""
        chain = [obligation]
        while chain:
            last = chain[-1]
            if last.level == 0:
                return chain[::-1]
            if (predecessor := run.block(last)) is not None:
                chain.append(predecessor)
            else:
                chain.pop()
                self._listener(LemmaLearned(self._evidence((last.state,)).describe(), last.level))
        return None

    def _reached(self, bound: int) -> None:
        self.bound = bound
        self._listener(BoundReached(self.name, bound))

    def _trace(self, prop: int, chain: list[PosedObligation], bad_state: BitCube, bad_inputs: tuple[int, ...]) -> Trace:
        model = self._model
        states = [*(obligation.state for obligation in chain), bad_state]
        return Trace(
            prop,
            initial=tuple(1 - (lit & 1) for lit in states[0]),
            inputs=(*(obligation.inputs for obligation in chain), bad_inputs),
            latch_names=tuple(map(model.latch_name, range(model.latches))),
            input_names=tuple(map(model.input_name, range(model.inputs))),
        )

    def _invariant(self, oracle: TextbookOracle, frame: BitFrame) -> Invariant:
        cubes = (*oracle.bad_cubes, *frame.cubes)
        if any(map(oracle.is_initial, cubes)):
            raise GaveUp("incomplete")
        return self._evidence(cubes)

    def _evidence(self, cubes: tuple[BitCube, ...]) -> Invariant:
        model = self._model
        return Invariant(cubes, tuple(map(model.latch_name, range(model.latches))), model.first_latch)


class _Run:
    """The frames of one run and the phases that change them; each phase tells its step."""

    def __init__(self, oracle: TextbookOracle, tell: Listener, variant: Variant) -> None:
        self._oracle = oracle
        self._tell = tell
        self._variant = variant
        self._obligations = 0
        self.frames: list[BitFrame] = []

    def zero_check(self) -> QuerySat | None:
        """``I ∧ ¬P``: a bad initial state, or F_0 = I."""
        initial = self._oracle.initial
        query = Query(0, initial, goal=None, primed=False)
        answer = self._oracle.ask(query)
        if isinstance(answer, QuerySat):
            self._tell(ZeroCheck(query, answer, ()))
            return answer
        self.frames = [initial]
        self._tell(ZeroCheck(query, answer, (initial,)))
        return None

    def next_transition(self) -> tuple[PosedObligation, BitCube] | None:
        """``F_k ∧ T ∧ ¬P′``: an obligation and the bad state behind it, or none."""
        query = Query(len(self.frames) - 1, self.frames[-1], goal=None)
        answer = self._oracle.ask(query)
        obligation = self._obligation(answer, query.level)
        self._tell(NextTransition(query, answer, obligation, tuple(self.frames)))
        return (obligation, answer.successor) if obligation is not None and isinstance(answer, QuerySat) else None

    def block(self, obligation: PosedObligation) -> PosedObligation | None:
        """``F_{i-1} [∧ ¬s] ∧ T ∧ s′``: a predecessor as an obligation one level below, or ``¬s`` is added to the frames."""
        level, state = obligation.level, obligation.state
        is_relative = self._variant == "relative" and not self._oracle.is_initial(state)
        query = Query(level - 1, self.frames[level - 1], state, relative=state if is_relative else None)
        answer = self._oracle.ask(query)
        predecessor = self._obligation(answer, level - 1)
        if predecessor is None:
            for i in range(level if self._variant == "figure" else 1, level + 1):
                self._strengthen(i, state)
        self._tell(Blocking(obligation, query, answer, predecessor, tuple(self.frames)))
        return predecessor

    def propagate(self) -> int | None:
        """Open a frame with P, push clauses with ``F_i ∧ T ∧ ¬c′``; the level of two equal neighbours, or none."""
        last = len(self.frames) - 1
        self.frames.append(BitFrame(has_property=True))
        levels = range(last if self._variant == "figure" else min(1, last), last + 1)
        pushes = tuple(push for level in levels for push in self._push_all(level))
        fixpoint = next((level for level in levels if self._is_fixpoint(level)), None)
        self._tell(Propagation(pushes, tuple(self.frames), fixpoint))
        return fixpoint

    def _push_all(self, level: int) -> list[Push]:
        above = (*self._oracle.bad_cubes, *self.frames[level + 1].cubes)
        return [self._push(cube, level) for cube in self.frames[level].cubes if cube not in above]

    def _push(self, cube: BitCube, level: int) -> Push:
        query = Query(level, self.frames[level], cube)
        answer = self._oracle.ask(query)
        if not isinstance(answer, QuerySat):
            self._strengthen(level + 1, cube)
        return Push(cube, query, answer, self.frames[level + 1])

    def _strengthen(self, level: int, cube: BitCube) -> None:
        frame = self.frames[level]
        if cube not in frame.cubes:
            self.frames[level] = BitFrame(frame.has_property, (*frame.cubes, cube))

    def _is_fixpoint(self, level: int) -> bool:
        """Are ``F_level`` and ``F_{level+1}`` the same set of clauses?"""
        if level == 0 and not self._oracle.is_initial_only_clauses:
            return False
        return self._clauses(level) == self._clauses(level + 1)

    def _clauses(self, level: int) -> set[BitCube]:
        frame = self.frames[level]
        return {*frame.cubes, *(self._oracle.bad_cubes if frame.has_property else ())}

    def _obligation(self, answer: QueryAnswer, level: int) -> PosedObligation | None:
        if not isinstance(answer, QuerySat):
            return None
        self._obligations += 1
        return PosedObligation(self._obligations, answer.state, level, answer.inputs)
