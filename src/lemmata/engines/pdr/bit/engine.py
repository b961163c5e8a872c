"""``Pdr``: the page, the SAT oracle and the chosen techniques put together, with evidence at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lemmata.config import PdrOptions
from lemmata.engines.names import PDR
from lemmata.engines.pdr.bit.native import NativeFrames, NativeGeneralizer, NativeOracle
from lemmata.engines.pdr.engine import PdrEngine
from lemmata.engines.pdr.frames import Frames
from lemmata.engines.pdr.generalize import Activity, Ctg, Drop, Dynamic, Generalizer, Index, Keep, LiteralOrder
from lemmata.engines.pdr.loop import Counterexample, PdrLoop
from lemmata.engines.pdr.obligations import Obligation
from lemmata.engines.pdr.oracle import Cube
from lemmata.events import NOBODY, LemmaLearned, Listener
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.solvers.native import NATIVE, preferred_backend
from lemmata.steps.bits import BitObligation
from lemmata.steps.given import Given
from lemmata.verdict import Safe, Unsafe, Verdict

if TYPE_CHECKING:  # loaded where the native core does not do its work
    from lemmata.engines.pdr.bit.oracle import BitOracle

_SHOWN_LITERALS = 12  # literals of an obligation


class Pdr(PdrEngine):
    """Bit-level PDR. One object serves all properties of a circuit; its lemmas hold for each of them."""

    name = PDR

    def __init__(
        self, model: Aig, listener: Listener = NOBODY, options: PdrOptions | None = None, *, record: bool = False
    ) -> None:
        if record:
            listener(Given(model))
        super().__init__(listener)
        self.model = model
        self._is_recorded = record
        self._numbers: dict[Obligation, int] = {}  # of obligations that were told
        self._told_levels: dict[Obligation, int] = {}
        self._names = _names(model)
        options = options or PdrOptions()
        if options.backend == "auto":
            options = replace(options, backend=preferred_backend())
        order: LiteralOrder = Activity(model.first_gate) if options.order == "activity" else Index()
        self.oracle: BitOracle | NativeOracle
        if options.backend == NATIVE:
            self.oracle = NativeOracle(model, options)
            self.frames: Frames = NativeFrames(self.oracle)
        else:
            self.frames = Frames()
            self.oracle = _bit_oracle(model, options, self.frames, order)
        self.loop = PdrLoop(
            self.oracle,
            Keep(),
            self.frames,
            requeue=options.requeue,
            forever=options.infinity,
            tick=self._tick,
            opened=self._reach,
            learned=self._learned,
            attended=self._attended,
        )
        self.loop.generalizer = self._generalizer(options, order)

    def _generalizer(self, options: PdrOptions, order: LiteralOrder) -> Generalizer:
        if isinstance(self.oracle, NativeOracle) and options.generalize not in ("none", "core"):
            depth, patience = (options.generalize != "drop"), (10 if options.generalize == "dynamic" else 0)
            return NativeGeneralizer(self.oracle, self._found, lambda: self.loop.frontier, int(depth), patience=patience)
        drop = Drop(self.oracle, order)
        match options.generalize:
            case "none" | "core":
                return Keep()
            case "drop":
                return drop
            case "ctg":
                return Ctg(self.oracle, order, self.loop.carry)
            case "dynamic":
                return Dynamic(drop, Ctg(self.oracle, order, self.loop.carry))

    def _settle(self, prop: int, is_new: bool) -> Verdict:
        if isinstance(self.oracle, NativeOracle):
            self.oracle.limit(self._until)
        if is_new:
            self.oracle.ask(prop)
        outcome = self.loop.run() if is_new else self.loop.go_on()
        if isinstance(outcome, Counterexample):
            self._attended(outcome.path[0], is_initial=True)
            return Unsafe(self._trace(prop, outcome.path))
        lemmas = self.frames.from_level(outcome.level)
        return Safe(Invariant(tuple(_lits(lemma.cube) for lemma in lemmas), first_latch=self.model.first_latch))

    def _tick(self) -> None:
        if isinstance(self.oracle, NativeOracle):
            self.oracle.note_effort()
        super()._tick()

    def _shown(self, cube: Cube) -> str:
        return " ∧ ".join([self._names[x] for x in cube[:_SHOWN_LITERALS]]) + (" ∧ …" if len(cube) > _SHOWN_LITERALS else "")

    def _found(self, cube: Cube, level: int) -> None:
        """A lemma that the oracle has learnt, and knows."""
        self.frames.add(cube, level)
        self._learned(cube, level)

    def _learned(self, cube: Cube, level: int) -> None:
        self._listener(LemmaLearned(" ∨ ".join([self._names[-x] for x in cube]), level))

    def _attended(self, obligation: Obligation, is_initial: bool = False) -> None:
        """Tell an obligation when its turn comes first on its level."""
        if not self._is_recorded or (self._told_levels.get(obligation) == obligation.level and not is_initial):
            return
        self._told_levels[obligation] = obligation.level
        number = self._numbers.setdefault(obligation, len(self._numbers))
        parent = None if obligation.successor is None else self._numbers.get(obligation.successor)
        literals = tuple([self._names[x] for x in obligation.cube])
        self._listener(BitObligation(literals, obligation.level, number, parent, is_initial))

    def _trace(self, prop: int, path: Sequence[Obligation]) -> Trace:
        """An initial state of the first cube, then the inputs of each step; what no step reads is 0."""
        model = self.model
        start = self.oracle.initiation.state(path[0].cube, path[0].inputs)
        lines = []
        for step, obligation in enumerate(path):
            values = {abs(x): x > 0 for x in obligation.inputs}
            if step == 0:
                values = start | values
            lines.append(tuple(int(values.get(1 + i, False)) for i in range(model.inputs)))
        initial = tuple(int(start.get(model.first_latch + i, False)) for i in range(model.latches))
        return Trace(prop, initial, tuple(lines))


def _bit_oracle(model: Aig, options: PdrOptions, frames: Frames, order: LiteralOrder) -> BitOracle:
    from lemmata.engines.pdr.bit.oracle import BitOracle

    return BitOracle(model, options, frames, order)


def _names(model: Aig) -> list[str]:
    """Names of latch literals, by signed variable."""
    names = [""] * (2 * model.first_gate)
    for position in range(model.latches):
        v = model.first_latch + position
        names[v] = model.latch_name(position)
        names[-v] = "¬" + names[v]
    return names


def _lits(cube: Cube) -> tuple[int, ...]:
    return tuple(sorted(2 * abs(x) | (x < 0) for x in cube))
