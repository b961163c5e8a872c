"""The native oracle: the questions of PDR go down to compiled code once and come back with an answer.

What the core (``native/oracle.c``) does is told there: one solver for all frames, whose clauses are tagged with levels;
decisions inside the cone of a query; lifting by cores; dropping literals and going around counterexamples to generalization
without coming back in between. The lemmas that it learns meanwhile are told to the frames and the listeners afterwards.

A limit (of propagations) holds inside a query: ``consecution``, ``bad`` and ``pushes`` raise ``GaveUp`` then; ``inductive``
says no, and ``generalize`` answers with what it has, which are sound answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lemmata.config import PdrOptions
from lemmata.engines.pdr.bit.initiation import Initiation
from lemmata.engines.pdr.frames import Frames, Lemma
from lemmata.engines.pdr.oracle import Cti, Cube, Inductive
from lemmata.errors import GaveUp
from lemmata.models.aig import Aig
from lemmata.solvers.native import PURE, native_core
from lemmata.solvers.relation import Relation
from lemmata.work import GATE, NATIVE_PROPAGATION, tally, units

_QUERY_PROPAGATIONS = 40  # propagations that could be made in the time that is spent around a query


class NativeOracle:
    """PDR's questions about one circuit, answered by the native core."""

    def __init__(self, model: Aig, options: PdrOptions) -> None:
        self._model = model
        self._keeps_core = options.generalize != "none"
        self._made = 0  # propagations that the work clock knows about
        tally[GATE] += 8 * model.gates
        self.core: Any = native_core().Oracle(
            model.inputs,
            model.lefts,
            model.rights,
            model.nexts,
            model.resets,
            model.constraints,
            model.questions,
            options.eliminate,
            options.relative,
            options.lift,
            options.order == "index",
        )

    @property
    def queries(self) -> int:
        """How many questions a solver was asked."""
        return self.core.counts()["queries"]  # type: ignore[no-any-return]

    @property
    def initiation(self) -> Initiation:
        """For the start of a trace."""
        return Initiation(Relation(self._model, eliminate=False), PURE)

    def ask(self, prop: int) -> None:
        """From now on ``bad`` is about this property."""
        self.core.ask(self._model.questions[prop])

    def limit(self, until: float | None) -> None:
        """When queries must end."""
        self.core.limit(units(until, NATIVE_PROPAGATION))

    def note_effort(self) -> None:
        """Tell the work clock what the core has done since the last time."""
        counts = self.core.counts()
        made = counts["propagations"] + _QUERY_PROPAGATIONS * counts["queries"]
        tally[NATIVE_PROPAGATION] += made - self._made
        self._made = made

    def open(self) -> None:
        """Levels need no room."""

    def initial(self, cube: Cube) -> bool:
        """Is I ∧ C ∧ cube satisfiable?"""
        try:
            return self.core.initial(cube)  # type: ignore[no-any-return]
        except TimeoutError:
            raise GaveUp("timeout") from None

    def bad(self, level: int) -> Cti | None:
        """F_level ∧ C ∧ bad."""
        try:
            found = self.core.bad(level)
        except TimeoutError:
            raise GaveUp("timeout") from None
        return None if found is None else Cti(found[0], found[1])

    def consecution(self, cube: Cube, level: int, whole: bool = False) -> Inductive | Cti:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′."""
        try:
            core, cti = self.core.consecution(cube, level, whole)
        except TimeoutError:
            raise GaveUp("timeout") from None
        if cti is None:
            return Inductive(core if self._keeps_core else cube)
        return Cti(cti[0], cti[1], frozenset(cti[2]))

    def inductive(self, cube: Cube, level: int) -> Cube | None:
        """Consecution without a predecessor."""
        return self.core.inductive(cube, level)  # type: ignore[no-any-return]

    def pushes(self, cube: Cube, level: int) -> Cube | None:
        """F_level ∧ C ∧ T ∧ cube′; the core keeps the state that is in the way, ``NativeFrames`` asks it."""
        try:
            return self.core.pushes(cube, level)  # type: ignore[no-any-return]
        except TimeoutError:
            raise GaveUp("timeout") from None

    def block(self, cube: Cube, lower: int, upper: int) -> None:
        """¬cube holds in F_1 … F_upper; that it holds below ``lower`` is known."""
        self.core.block(cube, upper)


class NativeFrames(Frames):
    """Frames whose lemmas the core knows, too: it looks them up, and remembers what stopped their pushes."""

    def __init__(self, oracle: NativeOracle) -> None:
        super().__init__()
        self._core = oracle.core

    def blocks(self, cube: Cube, level: int) -> bool:
        """Does a lemma of F_level exclude the whole cube?"""
        return self._core.blocks(cube, level)  # type: ignore[no-any-return]

    def unstick(self, level: int) -> list[Lemma]:
        """The lemmas at ``level`` that may move: the core knows the states that stopped them."""
        may_push = self._core.may_push
        return [lemma for lemma in self.levels[level] if may_push(lemma.cube, level)]

    def _note(self, lemma: Lemma) -> None:
        """The core has the history; here it would keep every lemma that ever was."""


class NativeGeneralizer:
    """``Drop`` (depth 0) or ``Ctg``, in one call."""

    def __init__(
        self,
        oracle: NativeOracle,
        learned: Callable[[Cube, int], None],
        frontier: Callable[[], int],
        depth: int,
        most: int = 3,
        patience: int = 0,
    ) -> None:
        """``learned`` is told the lemmas on the way, after the fact; obligations that came back less than ``patience``
        times get depth 0."""
        self._core = oracle.core
        self._learned = learned
        self._frontier = frontier
        self._depth = depth
        self._most = most
        self._patience = patience

    def generalize(self, cube: Cube, level: int, attempts: int) -> Cube:
        """Drop what can be dropped."""
        depth = self._depth if attempts >= self._patience else 0
        cube, lemmas = self._core.generalize(cube, level, self._frontier(), depth, self._most)
        for lemma, reached in lemmas:
            self._learned(lemma, reached)
        return cube

    def reward(self, cube: Cube) -> None:
        """The core has counted it."""
