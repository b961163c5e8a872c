"""``LiftedPdr``: the page, the SMT oracle and the strategies put together, with evidence at the end."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.budgets import WALK_ATTEMPTS, WALK_QUERIES
from lemmata.config import LiftedOptions
from lemmata.engines.names import LIFTED
from lemmata.engines.pdr.frames import Fixpoint
from lemmata.engines.pdr.graph.cube import GraphCube, cube_of
from lemmata.engines.pdr.graph.evidence import DerivationBuilder, invariant_of_frames
from lemmata.engines.pdr.graph.facts import ReachFact
from lemmata.engines.pdr.graph.frames import GraphFrames
from lemmata.engines.pdr.graph.generalize import Decided, Strong
from lemmata.engines.pdr.graph.global_guidance import GlobalGuide, NoGuide
from lemmata.engines.pdr.graph.houdini_lemmas import HoudiniLemmas
from lemmata.engines.pdr.graph.loop import GraphPdrLoop
from lemmata.engines.pdr.graph.obligations import GraphObligation, GraphQueue
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.graph.walks import Explorer
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.engines.turns import InTurns
from lemmata.events import NOBODY, LemmaLearned, Listener, Progress
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.linear import canonical
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.steps.given import Given
from lemmata.steps.graph import FixpointMet, Learned, ObligationMet, Tried, WalkEnded
from lemmata.verdict import Safe, Unsafe, Verdict

_TOLD_LEVELS = 12  # of a run that is told: PDR finds errors up to here itself, walks what is deeper
_LONGER_LEVELS = 4  # levels up to which walks become longer
_TOLD_NODES = 60  # of an obligation that is told


class LiftedPdr(InTurns):
    """PDR modulo theories. One object serves all properties of a graph; its lemmas hold for each of them.

    ``known`` is asked whenever a level opens: claims of others that hold for ever.
    """

    name = LIFTED

    def __init__(
        self,
        graph: Graph,
        listener: Listener = NOBODY,
        options: LiftedOptions | None = None,
        known: Callable[[], GraphInvariant | None] = lambda: None,
        *,
        record: bool = False,
    ) -> None:
        if record:
            listener(Given(graph))
        options = options or LiftedOptions()
        super().__init__(listener)
        self.graph = graph
        self.options = options
        self._is_recorded = record
        self._met: dict[tuple[GraphCube, int], int] = {}  # obligations that were told, by their numbers
        self._numbers: dict[GraphObligation, int] = {}
        self._known = known
        self._told: set[tuple[int, Term]] = set()
        self.frames = GraphFrames()
        self._solver = preferred() if options.solver == "auto" else options.solver
        self.oracle = SmtOracle(graph, self.frames, self._solver, self._tick)
        strong = Strong(self.oracle, self._tried if record else None)
        self.loop = GraphPdrLoop(
            self.oracle,
            strong,
            HoudiniLemmas(graph, self.oracle, GlobalGuide(self.frames, strong.halfspaces) if options.guidance else NoGuide()),
            self.frames,
            tick=self._tick,
            opened=self._opened,
            learned=self._learned,
            pushed=self._pushed,
            closed=self._closed,
            queue=GraphQueue(self._meet if record else None),
        )

    @property
    def used(self) -> frozenset[str]:
        """The solvers that were asked; who certifies takes others."""
        return frozenset([self._solver, *self.oracle.used])

    def _settle(self, prop: int, is_new: bool) -> Verdict:
        self.oracle.until = self._until
        error = GraphCube(self.graph.questions[prop].location)
        if is_new:
            self._listen_to_others()
            self._explorer = Explorer(self.graph, self.oracle.observed, self.oracle.spare, error.location)
            outcome = self._walk(0, WALK_ATTEMPTS) or self.loop.run(error)
        else:
            outcome = self.loop.go_on(error)
        if isinstance(outcome, Fixpoint):
            return Safe(invariant_of_frames(self.graph, self.frames, outcome.level))
        return Unsafe(DerivationBuilder(self.graph, self.oracle.solvers, self.oracle.spare, self._until).tell(prop, outcome))

    def _tell(self) -> None:
        loop, returned = self.loop, self.loop.returned
        counts = self.bound, loop.frontier, len(self.frames), len(loop.queue), self.oracle.queries
        told = ("", 0) if returned is None else (self._shown(returned.cube), returned.returns)
        self._listener(Progress(self.name, *counts, *told))

    def _shown(self, cube: GraphCube) -> str:
        """A cube for people, cut short."""
        return f"{self._place(cube)} with {infix(conj(list(cube.literals)), _TOLD_NODES)}"

    def _opened(self, level: int) -> ReachFact | None:
        self._listen_to_others()
        if level <= self.bound:
            return None
        self._reach(level)
        return self._walk(level, min(level, _LONGER_LEVELS) * WALK_ATTEMPTS)

    def _walk(self, level: int, attempts: int) -> ReachFact | None:
        """The error, if a walk meets it; the first levels of a run that is told are left to PDR."""
        if self._is_recorded and level <= _TOLD_LEVELS:
            return None
        found = self._explorer.go(attempts, WALK_QUERIES)
        if self._is_recorded and found is not None:
            self._listener(WalkEnded(found.steps))
        return found

    def _listen_to_others(self) -> None:
        """What others found for certain holds for ever."""
        found = self._known()
        for claim in found.claims if found is not None else ():
            for lemma in claim.lemmas:
                if (claim.location, lemma) not in self._told:
                    self._told.add((claim.location, lemma))
                    self._take(claim.location, lemma)

    def _take(self, location: int, lemma: Term) -> None:
        parts = lemma.args if lemma.op == "and" else (lemma,)
        for part in parts:
            sides = part.args if part.op == "or" else (part,)
            self.frames.add(cube_of(location, [canonical(negate(side)) for side in sides]), INFINITY)

    def _learned(self, cube: GraphCube, level: int) -> None:
        if self._listener is not NOBODY:
            self._listener(LemmaLearned(infix(disj([negate(x) for x in cube.literals])), level))
        if self._is_recorded:
            self._listener(Learned(self._place(cube), tuple(cube.literals), None if level >= INFINITY else level))

    def _pushed(self, cube: GraphCube, level: int) -> None:
        if self._is_recorded:
            known = None if level >= INFINITY else level
            self._listener(Learned(self._place(cube), tuple(cube.literals), known, is_pushed=True))

    def _closed(self, level: int) -> None:
        if self._is_recorded:
            self._listener(FixpointMet(level))

    def _tried(self, cube: GraphCube, level: int, is_blocked: bool, how: Decided) -> None:
        known = None if level >= INFINITY else level
        self._listener(Tried(self._place(cube), tuple(cube.literals), known, is_blocked, how))

    def _meet(self, obligation: GraphObligation) -> None:
        """Tell an obligation below the root, the first time that it is met at its level."""
        cube, level, parent = obligation.cube, obligation.level, obligation.parent
        if parent is None:
            return
        earlier = self._numbers.get(obligation)
        number = self._numbers[obligation] = self._met.setdefault((cube, level), len(self._met))
        if number == len(self._met) - 1 and number != earlier:
            above = self._numbers.get(parent)
            self._listener(
                ObligationMet(self._place(cube), tuple(cube.literals), level, obligation.is_may, number, above, earlier)
            )

    def _place(self, cube: GraphCube) -> str:
        return self.graph.locations[cube.location].name
