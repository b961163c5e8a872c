"""``follow``: the facts of a stretch, where each variable has the value that all those rounds give it.

Rounds in which every variable moves by a constant step are told at once: that they do so is shown by induction on the round,
with ``logic.domains.affine_iteration``. If round k begins at ``x + k·d`` for some k below the count, its guards hold and it
ends at ``x + (k+1)·d``; one look at a line decides it for all k. A stretch within a stretch is one more counter. The first
round tells what d must be, and the longest piece for which the proof works is found by bisection; rounds that fit no piece are
told one by one. So a variable that lags behind, a branch that changes sides or a remainder that wraps costs a few facts more,
and what bends in every round is given up beyond ``WRITTEN_FACTS`` facts.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.errors import GaveUp
from lemmata.logic.domains.affine_iteration import NOT_AFFINE, AffineEvaluator, AffineValue, distance, moved, plus_constant
from lemmata.logic.terms import Term, Value
from lemmata.models.derivation import Fact, Stretch, Turn
from lemmata.models.graph import Graph

WRITTEN_FACTS = 200_000  # facts that are written down
SHORT_STRETCH = 1_000  # edges that are told one by one
_TOLD_ROUNDS = 4  # rounds that are told at once, at least
_UNLIKE_ROUNDS = 3  # first rounds of an inner stretch that may differ from the others

_State = tuple[AffineValue, ...]
_Step = Turn | Stretch


def follow(graph: Graph, facts: list[Fact], premise: int, stretch: Stretch) -> int:
    """Append the facts of a stretch that begins at fact ``premise``; the position of the last one.

    ``GaveUp("incomplete")`` if an edge cannot be taken, or if there are too many facts.
    """
    return _Follower(graph, facts).rounds(premise, stretch)


class _Follower:
    def __init__(self, graph: Graph, facts: list[Fact]) -> None:
        self._graph = graph
        self._facts = facts
        self._lines = _Lines(graph)

    def rounds(self, at: int, stretch: Stretch) -> int:
        left, is_short = stretch.count, stretch.length <= SHORT_STRETCH
        while left:
            if len(self._facts) > WRITTEN_FACTS:
                raise GaveUp("incomplete")
            piece = None if is_short else self._piece(at, stretch.steps, left)
            if piece is None:
                at, left = self._round(at, stretch.steps), left - 1
            else:
                state, told = piece
                at, left = (
                    self._add(Fact(_last(told), (at,), (), self._facts[at].place, state, stretch=told)),
                    left - told.count,
                )
        return at

    def _piece(self, at: int, steps: tuple[_Step, ...], left: int) -> tuple[_State, Stretch] | None:
        """As many rounds as are straight from this fact on."""
        place, state = self._place(at), self._facts[at].values
        low, high = _TOLD_ROUNDS, left
        best = None if left < _TOLD_ROUNDS else self._lines.repeat(place, state, (), Stretch(low, steps), 0)
        if best is None:
            return None
        if (whole := self._lines.repeat(place, state, (), Stretch(high, steps), 0)) is not None:
            return whole[0], whole[1][0]
        while high - low > 1:
            middle = (low + high) // 2
            found = self._lines.repeat(place, state, (), Stretch(middle, steps), 0)
            low, high, best = (low, middle, best) if found is None else (middle, high, found)
        return best[0], best[1][0]

    def _round(self, at: int, steps: Sequence[_Step]) -> int:
        """One round, edge by edge."""
        mark = self._known(at)
        for step in steps:
            if isinstance(step, Turn):
                found = self._lines.turn(self._place(at), self._facts[at].values, mark, (), step)
                if found is None:
                    raise GaveUp("incomplete")
                target, inputs, values = found
                chosen = tuple([(v, value) for (v, _), value in zip(step.inputs, inputs, strict=True)])
                at = self._add(Fact(step.edge, (at,), chosen, self._graph.locations[target], values))
            else:
                at = self.rounds(at, step)
                mark = self._known(at)
        return at

    def _add(self, fact: Fact) -> int:
        self._facts.append(fact)
        return len(self._facts) - 1

    def _place(self, at: int) -> int:
        return self._graph.edges[self._facts[at].edge].target

    def _known(self, at: int) -> dict[Term, Value]:
        return dict(zip(self._facts[at].place.variables, self._facts[at].values, strict=True))


class _Lines:
    """Edges taken along lines."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ready: dict[Turn, tuple[AffineEvaluator, AffineEvaluator]] = {}

    def repeat(
        self, place: int, state: _State, counts: tuple[int, ...], stretch: Stretch, unlike: int
    ) -> tuple[_State, tuple[Stretch, ...]] | None:
        """The state after all rounds, and stretches in which every variable moves by a constant step; ``None``: not straight.

        ``counts`` belong to the stretches around; the first ``unlike`` rounds may differ from the others.
        """
        first = self._through(place, state, counts, stretch.steps)
        if first is None:
            return None
        after, steps = first
        if stretch.count == 1:
            return after, (Stretch(1, steps),)
        gaps = [distance(a, b) for a, b in zip(state, after, strict=True)]
        known = [gap for gap in gaps if gap is not None]
        if len(known) == len(gaps):
            ahead = tuple([moved(v, gap, len(counts)) for v, gap in zip(state, known, strict=True)])
            found = self._through(place, ahead, (*counts, stretch.count), stretch.steps)
            if found is not None and found[0] == tuple([plus_constant(v, gap) for v, gap in zip(ahead, known, strict=True)]):
                end = tuple([plus_constant(v, gap * stretch.count) for v, gap in zip(state, known, strict=True)])
                return end, (Stretch(stretch.count, found[1]),)
        rest = self.repeat(place, after, counts, Stretch(stretch.count - 1, stretch.steps), unlike - 1) if unlike else None
        return None if rest is None else (rest[0], (Stretch(1, steps), *rest[1]))

    def _through(
        self, place: int, state: _State, counts: tuple[int, ...], steps: Sequence[_Step]
    ) -> tuple[_State, tuple[_Step, ...]] | None:
        """One round."""
        start, told = place, list[_Step]()
        mark = self._known(place, state)
        for step in steps:
            if isinstance(step, Turn):
                taken = self.turn(place, state, mark, counts, step)
                if taken is None:
                    return None
                place, _, state = taken
                told.append(step)
            else:
                found = self.repeat(place, state, counts, step, _UNLIKE_ROUNDS)
                if found is None:
                    return None
                state, stretches = found
                mark = self._known(place, state)
                told += stretches
        return (state, tuple(told)) if place == start else None

    def turn(
        self, place: int, state: _State, mark: dict[Term, AffineValue], counts: tuple[int, ...], turn: Turn
    ) -> tuple[int, list[AffineValue], _State] | None:
        """Where the edge leads, its inputs, and the state there; ``None`` if it cannot be taken everywhere."""
        edge = self._graph.edges[turn.edge]
        if [source.location for source in edge.sources] != [place]:
            return None
        if turn not in self._ready:
            self._ready[turn] = AffineEvaluator([term for _, term in turn.inputs]), AffineEvaluator([edge.guard, *edge.updates])
        chosen, moves = self._ready[turn]
        inputs = chosen.run(mark, counts)
        here = dict(zip([v for v, _ in turn.inputs], inputs, strict=True))
        guard, *updates = moves.run(here | dict(zip(edge.sources[0].variables, state, strict=True)), counts)
        if guard is not True or any(value is NOT_AFFINE for value in (*inputs, *updates)):
            return None
        return edge.target, inputs, tuple(updates)

    def _known(self, place: int, state: _State) -> dict[Term, AffineValue]:
        return dict(zip(self._graph.locations[place].variables, state, strict=True))


def _last(stretch: Stretch) -> int:
    return list(stretch.turns())[-1].edge
