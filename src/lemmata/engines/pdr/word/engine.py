"""``WordPdr``: the page, the oracle over words and the reasoning units put together, with evidence at the end."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.config import WordOptions
from lemmata.engines.names import WORD
from lemmata.engines.pdr.engine import PdrEngine
from lemmata.engines.pdr.loop import Counterexample, PdrLoop
from lemmata.engines.pdr.obligations import Obligation
from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.pdr.word.expand import Expand
from lemmata.engines.pdr.word.frames import WordFrames
from lemmata.engines.pdr.word.lift import WordLifter
from lemmata.engines.pdr.word.oracle import WordOracle
from lemmata.engines.pdr.word.readings import compared_directions, signed_variables, step_directions
from lemmata.engines.pdr.word.reshape import Reshape
from lemmata.engines.pdr.word.units import Vocabulary
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, LemmaLearned, Listener
from lemmata.logic.build import negate
from lemmata.logic.text import infix
from lemmata.logic.values import default_value
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.steps.given import Given
from lemmata.steps.words import Snapshot
from lemmata.verdict import Safe, Unsafe, Verdict

_NODES = 60  # of an obligation that is told


class WordPdr(PdrEngine):
    """Word-level PDR. One object serves all properties of a system; its lemmas hold for each of them."""

    name = WORD

    def __init__(
        self, system: System, listener: Listener = NOBODY, options: WordOptions | None = None, *, record: bool = False
    ) -> None:
        options = options or WordOptions()
        if system.has_arrays:
            raise GaveUp("incomplete")
        if record:
            listener(Given(system))
        super().__init__(listener)
        self.system = system
        self._is_recorded = record
        self._numbers: dict[Obligation, int] = {}  # of obligations that were told
        self.vocabulary = Vocabulary(system.nexts, signed_variables(system))
        self.frames = WordFrames(self.vocabulary)
        self._lifter = WordLifter(system, self.vocabulary, options)
        self.oracle = WordOracle(system, self.vocabulary, self.frames, self._lifter, options)
        reshape = None
        if options.reshape and options.unit != "integer-cube":
            is_mixed = options.unit == "mixed"
            sides = [*compared_directions(system), *step_directions(system)] if is_mixed else []
            reshape = Reshape(self.oracle, self.frames, options.arity, sides, diagonals=is_mixed)
        self.loop = PdrLoop(
            self.oracle,
            Expand(self.oracle, self.frames, options, reshape, self._tick),
            self.frames,
            tick=self._tick,
            opened=self._reach,
            learned=self._learned,
            attended=self._attended,
        )

    def _settle(self, prop: int, is_new: bool) -> Verdict:
        self.oracle.until = self._lifter.until = self._until
        if is_new:
            self.oracle.ask(prop)
        outcome = self.loop.run() if is_new else self.loop.go_on()
        if isinstance(outcome, Counterexample):
            return Unsafe(self._trace(prop, outcome.path))
        lemmas = self.frames.from_level(outcome.level)
        return Safe(WordInvariant(tuple([self.vocabulary.clause(lemma.cube) for lemma in lemmas])))

    def _shown(self, cube: Cube) -> str:
        return infix(self.vocabulary.cube(cube), _NODES)

    def _learned(self, cube: Cube, level: int) -> None:
        if self._listener is not NOBODY:
            self._listener(LemmaLearned(infix(self.vocabulary.clause(cube)), level))
        if self._is_recorded:
            self._show()

    def _attended(self, obligation: Obligation) -> None:
        if self._is_recorded:
            self._show(obligation)

    def _show(self, obligation: Obligation | None = None) -> None:
        cube = self.vocabulary.cube
        levels = range(1, self.frames.depth + 1)
        covers = [tuple([cube(lemma.cube) for lemma in self.frames.from_level(level)]) for level in levels]
        frames, signed = ((negate(self.system.init),), *covers), self.vocabulary.signed
        if obligation is None:
            self._listener(Snapshot(frames, signed))
        else:
            number = self._numbers.setdefault(obligation, len(self._numbers))
            parent = None if obligation.successor is None else self._numbers.get(obligation.successor)
            self._listener(Snapshot(frames, signed, cube(obligation.cube), obligation.level, number, parent))

    def _trace(self, prop: int, path: Sequence[Obligation]) -> WordTrace:
        """An initial state of the first cube, then the inputs of each step; what no step reads is 0."""
        start = self.oracle.start(path[0].cube)
        if start is None:
            raise GaveUp("incomplete")
        initial = tuple([(v, start[v]) for v in self.system.variables])
        lines = []
        for obligation in path:
            read = dict(obligation.inputs)
            lines.append(tuple([(i, read.get(i, default_value(i.sort))) for i in self.system.inputs]))
        return WordTrace(prop, initial, tuple(lines))
