"""``Abstract``: proofs by abstract interpretation, with a solver as the abstract transformer.

Level after level of predicates the strongest facts of the domains are computed (``Ascent``), narrowed by one or two more
applications of the transformer, and kept for ever: every level starts from what the earlier ones know. If no edge into the
error is possible under the facts, the property is proved. Affine equations need n+1 joins per cell whatever the bounds of loops
are, which is what PDR cannot do with the literals of its obligations; the facts are also there for others to start from.

Polynomial equations come first (``algebra``). Where the graph itself has no products they are a secret: only the edges into
errors hear of them, through a solver that knows products, since they would make every other question harder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from lemmata.engines.abstract.algebra import polynomial_facts
from lemmata.engines.abstract.ascent import Ascent
from lemmata.engines.abstract.directions import template_directions
from lemmata.engines.abstract.predicates import levels
from lemmata.engines.abstract.products import has_products
from lemmata.engines.abstract.shape import LocationShape
from lemmata.engines.abstract.steps import Steps
from lemmata.engines.names import ABSTRACT
from lemmata.engines.pulse import Pulse
from lemmata.errors import GaveUp
from lemmata.events import NOBODY, Listener
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.oracles.fallback import FALLBACK
from lemmata.oracles.support import support
from lemmata.solvers.smt import preferred
from lemmata.values import dataclass
from lemmata.verdict import Safe, Verdict

_FEW_BOOLEANS = 16


@dataclass(frozen=True, slots=True)
class AbstractOptions:
    """How much is tried."""

    solver: str = ""  # empty: the preferred one
    delay: int = 3  # how often a bound may move before it is widened
    most_cells: int = 64
    narrowings: int = 2


class Abstract:
    """Facts about every location; built once per graph and asked for several properties."""

    name = ABSTRACT

    def __init__(self, graph: Graph, listener: Listener = NOBODY, options: AbstractOptions | None = None) -> None:
        self.bound = -1
        self._graph = graph
        self._options = options or AbstractOptions()
        self._pulse = Pulse(listener)
        self._facts: list[dict[Term, None]] = [{} for _ in graph.locations]
        self._errors = {question.location for question in graph.questions}
        self._backend = self._options.solver or preferred()
        self._secrets: list[list[Term]] = [[] for _ in graph.locations]
        equations = polynomial_facts(graph)
        self._last = FALLBACK if any(map(has_products, equations)) else self._backend  # it knows products
        if self._last == FALLBACK and not has_products(_terms(graph)):
            self._secrets = [[fact for fact in found if has_products([fact])] for found in equations]
        order = _order(graph)
        self._into_errors = [Steps(graph, e, self._last) for e in order if graph.edges[e].target in self._errors]
        self._inner = [Steps(graph, e, self._backend) for e in order if graph.edges[e].target not in self._errors]
        self._begin(equations)
        self._ascents = self._plan()
        self._current: Ascent | None = None

    @property
    def invariant(self) -> GraphInvariant | None:
        """The facts found so far, inductive together; ``None`` as long as there are none."""
        return self._evidence([list(known) for known in self._facts]) if any(self._facts) else None

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Prove property ``prop`` or give up: after "timeout" it goes on when asked again, "incomplete" is the end."""
        while not self._is_proved(prop, until):
            if self._current is None:
                self._current = next(self._ascents, None)
            if self._current is None:
                raise GaveUp("incomplete")
            self._current.run(until, self._beat)
            self._keep(self._current)
            self._current = None
        error = self._graph.questions[prop].location
        return Safe(self._evidence(support(self._graph, self._lists, error, self._last, until)))

    def _begin(self, equations: list[list[Term]]) -> None:
        """Equations hold for ever."""
        for location, found in enumerate(equations):
            secrets = self._secrets[location]
            self._facts[location].update(dict.fromkeys(fact for fact in found if fact not in secrets))
            for step in self._into_errors:
                step.learn(location, found)
            for step in self._inner:
                step.learn(location, list(self._facts[location]))

    def _plan(self) -> Iterator[Ascent]:
        """What is computed, in order; each when the one before is done and kept."""
        templates = template_directions(self._graph)
        for level in levels(self._graph):
            shapes = [
                LocationShape(location.variables, templates[i], level[i], _pairs(location.variables), self._options.delay)
                for i, location in enumerate(self._graph.locations)
            ]
            yield self._ascent([replace(shape, bounds=False) for shape in shapes], follows=True)
            shapes = [replace(shape, remainders=False) for shape in shapes]
            yield self._ascent(shapes, follows=True)
            for _ in range(self._options.narrowings):
                count = self._count
                yield self._ascent(shapes, follows=False)
                if count == self._count:
                    break

    def _ascent(self, shapes: list[LocationShape], follows: bool) -> Ascent:
        ascent = Ascent(shapes, self._inner, follows, self._options.most_cells)
        for error in self._errors:
            ascent.partitions[error].give_up()
        return ascent

    @property
    def _count(self) -> int:
        """How many facts there are."""
        return sum(len(facts) for facts in self._facts)

    def _keep(self, ascent: Ascent) -> None:
        """What was found holds for ever."""
        for location, known in enumerate(self._facts):
            fresh = [fact for fact in ascent.facts(location) if fact not in known]
            known.update(dict.fromkeys(fresh))
            for step in (*self._inner, *self._into_errors):
                step.learn(location, fresh)

    def _is_proved(self, prop: int, until: float | None) -> bool:
        """Is no edge into the error possible under the facts?"""
        error = self._graph.questions[prop].location
        return all(self._is_impossible(step, until) for step in self._into_errors if step.edge.target == error)

    def _beat(self) -> None:
        self._pulse.beat(self.name, self.bound, 0, sum(step.queries for step in self._inner))

    def _is_impossible(self, step: Steps, until: float | None) -> bool:
        """``facts(sources) ∧ guard`` is unsatisfiable."""
        try:
            return step.ask((), until) is None
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                raise
            return False

    @property
    def _lists(self) -> list[list[Term]]:
        """Facts of every location, the secret ones last."""
        return [[*known, *secrets] for known, secrets in zip(self._facts, self._secrets, strict=True)]

    def _evidence(self, facts: list[list[Term]]) -> GraphInvariant:
        return GraphInvariant(
            tuple(
                Claim(index, place, tuple(facts[index]))
                for index, place in enumerate(self._graph.locations)
                if index not in self._errors
            )
        )


def _terms(graph: Graph) -> list[Term]:
    return [term for edge in graph.edges for term in (edge.guard, *edge.updates)]


def _order(graph: Graph) -> list[int]:
    """The edges from the initial ones on: those that stay near the start come before those that lead on."""
    rank: dict[int, int] = {}
    waiting = list(range(len(graph.edges)))
    while waiting:
        ready = [e for e in waiting if all(source.location in rank for source in graph.edges[e].sources)]
        if not ready:
            break
        for e in ready:
            rank.setdefault(graph.edges[e].target, len(rank))
        done = set(ready)
        waiting = [e for e in waiting if e not in done]
    last = len(rank)

    def key(e: int) -> tuple[int, int, int]:
        edge = graph.edges[e]
        places = [rank.get(source.location, last) for source in edge.sources]
        return max([*places, rank.get(edge.target, last)], default=last), rank.get(edge.target, last), e

    return sorted(range(len(graph.edges)), key=key)


def _pairs(variables: tuple[Term, ...]) -> tuple[tuple[int, int], ...]:
    """All pairs of Booleans, where there are not too many."""
    booleans = [i for i, v in enumerate(variables) if v.sort is BOOL]
    return tuple(combinations(booleans, 2)) if len(booleans) <= _FEW_BOOLEANS else ()
