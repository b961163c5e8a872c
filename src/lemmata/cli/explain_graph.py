"""``lemmata explain`` on graphs over numbers: what PDR on graphs does, or the proposal's algorithm step by step.

The strong run is told by its levels, the obligations that it meets and the lemmas that it learns, each with its location; it
works on the simplified graph, as ``lemmata check`` does. ``lia-textbook`` runs on the graph as it was read.
"""

from __future__ import annotations

from lemmata.cli.explain_words import conclude
from lemmata.engines import Engine
from lemmata.engines.pdr.graph.cube import Cube
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.pdr.graph.frames import INFINITY
from lemmata.engines.pdr.graph.obligations import Obligation, Queue
from lemmata.engines.pdr.textbook.integers import LiaTextbook
from lemmata.errors import GaveUp
from lemmata.escapes import printable
from lemmata.events import BoundReached, Event
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.text import infix
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.report.explain_lia import LiaExplainer
from lemmata.report.lines import Line, Tell, count
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import GraphBack, simplify_graph
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

_NODES = 200  # of a formula that is written out


def explain_lia_textbook(graph: Graph, prop: int, max_steps: int, until: float, tell: Tell) -> str:
    """Tell the proposal's run and the verdict; the verdict's word."""
    explainer = LiaExplainer(tell, max_steps)
    verdict = _settle(LiaTextbook(graph, steps=explainer), prop, until)
    _tell_hidden(explainer.hidden, tell)
    if verdict == Unknown("incomplete"):
        tell(
            Line("(the preset is for graphs with one location and edges with one source, and formulas of a few cubes)", "faint")
        )
    return conclude(graph, prop, verdict, until, tell, preferred())


def explain_graph(graph: Graph, prop: int, max_steps: int, until: float, tell: Tell) -> str:
    """Tell the strong run and the verdict; the verdict's word."""
    reduction = simplify_graph(graph, prop)
    smaller = reduction.graph
    tell(Line(f"simplified: {_size(graph)} → {_size(smaller)}", "faint"))
    digest = GraphDigest(smaller, tell, max_steps)
    engine = LiftedPdr(smaller, digest.heard)
    engine.loop.queue = digest.queue
    engine.loop.learned = digest.learned
    verdict = _original(reduction.back, _settle(engine, 0, until))
    _tell_hidden(digest.hidden, tell)
    return conclude(graph, prop, verdict, until, tell, preferred())


class GraphDigest:
    """Levels, obligations and lemmas as lines; after ``most_steps`` of them it only counts."""

    def __init__(self, graph: Graph, tell: Tell, most_steps: int) -> None:
        self._graph = graph
        self._tell = tell
        self._most = most_steps
        self._met: set[tuple[Cube, int]] = set()
        self.steps = 0
        self.queue = _Watched(self)

    @property
    def hidden(self) -> int:
        """How many lines were counted but not told."""
        return max(0, self.steps - self._most)

    def heard(self, event: Event) -> None:
        """Tell a level that is done."""
        if isinstance(event, BoundReached):
            self._say(Line(f"Level {event.bound}: no derivation of the error is so deep.", "title"))

    def met(self, obligation: Obligation) -> None:
        """Tell an obligation, the first time that it is met at its level."""
        key = obligation.cube, obligation.level
        if key not in self._met and obligation.parent is not None:
            self._met.add(key)
            kind = "a guess" if obligation.is_may else "obligation"
            self._say(Line(f"  {kind} at level {obligation.level}: {self._state(obligation.cube)}", "query"))

    def learned(self, cube: Cube, level: int) -> None:
        """Tell a lemma."""
        how = "for ever" if level >= INFINITY else f"up to level {level}"
        clause = printable(infix(disj([negate(x) for x in cube.literals]), _NODES))
        self._say(Line(f"  lemma, {how}, at {self._place(cube)}: {clause}", "frame"))

    def _state(self, cube: Cube) -> str:
        return f"{self._place(cube)} with {printable(infix(conj(cube.literals), _NODES))}"

    def _place(self, cube: Cube) -> str:
        return printable(self._graph.locations[cube.location].name)

    def _say(self, line: Line) -> None:
        self.steps += 1
        if self.steps <= self._most:
            self._tell(line)


class _Watched(Queue):
    """A queue that tells what is put into it."""

    def __init__(self, digest: GraphDigest) -> None:
        super().__init__()
        self._digest = digest

    def push(self, obligation: Obligation) -> None:
        self._digest.met(obligation)
        super().push(obligation)


def _settle(engine: Engine, prop: int, until: float) -> Verdict:
    try:
        return engine.check(prop, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _original(back: GraphBack, verdict: Verdict) -> Verdict:
    match verdict:
        case Safe(GraphInvariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(Derivation() as derivation):
            return Unsafe(back.derivation(derivation))
        case _:
            return verdict


def _size(graph: Graph) -> str:
    return f"{count(len(graph.locations), 'location', 'locations')}, {count(len(graph.edges), 'edge', 'edges')}"


def _tell_hidden(hidden: int, tell: Tell) -> None:
    if hidden:
        tell(Line())
        tell(Line(f"… and {count(hidden, 'more step', 'more steps')}, which --max-steps would show", "faint"))
