"""Edges as things to execute: from the values of a source, find inputs under which the guard holds, and the values after it.

Inputs that the guard defines are computed (``logic.rewrite.solved``). The free ones are guessed a few times, from the constants
of the graph, their neighbours, and values nearby; where no guess fits, a solver is asked, for it finds what nobody guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from lemmata.logic.evaluate import Program
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, TRUE, Term, Value, const, topological, value_of
from lemmata.logic.values import default_value
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.fallback import FallbackSolver
from lemmata.values import dataclass

_GUESSES = 6  # for the inputs of an edge
_LARGEST_CONSTANT = 1 << 40  # constants beyond this are not guessed


@dataclass(frozen=True, slots=True)
class Move:
    """An edge that can be taken: its inputs and the values that it leads to."""

    edge: int
    inputs: tuple[tuple[Term, Value], ...]
    values: tuple[Value, ...]


class Guesses:
    """Where free inputs come from."""

    def __init__(self, graph: Graph, random: Random) -> None:
        self._random = random
        roots = [term for edge in graph.edges for term in (edge.guard, *edge.updates)]
        numbers = {value_of(t) for t in topological(roots) if t.is_const and t.sort in (INT, REAL)}
        near = {n + d for n in numbers if abs(n) < _LARGEST_CONSTANT for d in (-1, 0, 1)}
        self._numbers = sorted({Fraction(n) for n in near} | {Fraction(n) for n in (-1, 0, 1, 2)})

    def value(self, sort: Sort, nearby: Sequence[Value]) -> Value:
        """A value of this sort; ``nearby`` are values of the state."""
        random = self._random
        if sort is BOOL:
            return random.random() < 0.5
        if isinstance(sort, BitVec):
            return random.choice((0, 1, (1 << sort.width) - 1, random.getrandbits(sort.width)))
        if isinstance(sort, Array):
            return default_value(sort)
        around = [v for v in nearby if isinstance(v, int | Fraction) and not isinstance(v, bool)]
        picked = Fraction(
            random.choice(around) + random.choice((-1, 0, 1)) if around and random.random() < 0.3 else self._any()
        )
        return picked if sort is REAL else picked.numerator // picked.denominator

    def _any(self) -> Fraction:
        return self._random.choice(self._numbers)


class EdgePlan:
    """One edge, ready to be executed many times."""

    def __init__(self, number: int, edge: Edge, guesses: Guesses, backend: str) -> None:
        solved = solve_inputs(edge.guard, edge.inputs)
        self.number = number
        self.edge = edge
        self.is_determined = not solved.free
        self._free = solved.free
        self._defined = tuple(solved.definitions)
        self._guesses = guesses
        self._backend = backend
        self._guard = solved.guard
        self._names = tuple([v for source in edge.sources for v in source.variables])
        moved = substitute(edge.updates, solved.definitions)
        self._program = Program([solved.guard, *solved.definitions.values(), *moved])
        self._test = Program([edge.guard])

    def move(self, state: Sequence[Value], until: float | None, is_thorough: bool = True) -> Move | None:
        """The edge taken from ``state``, the values of its sources; None if it cannot be, or if nobody has found how."""
        here = dict(zip(self._names, state, strict=True))
        for _ in range(_GUESSES if self._free else 1):
            guess = {i: self._guesses.value(i.sort, state) for i in self._free}
            if (move := self._attempt(here, guess)) is not None:
                return move
        return self._ask(here, until) if self._free and is_thorough else None

    def _attempt(self, here: Mapping[Term, Value], free: Mapping[Term, Value]) -> Move | None:
        values = {**here, **free}
        guard, *rest = self._program.run(values)
        if not guard:
            return None
        defined = dict(zip(self._defined, rest, strict=False))
        if not self._test.run({**values, **defined})[0]:
            return None  # a division by zero that two forms of one guard read differently
        inputs = tuple([(i, free[i] if i in free else defined[i]) for i in self.edge.inputs])
        return Move(self.number, inputs, tuple(rest[len(defined) :]))

    def _ask(self, here: Mapping[Term, Value], until: float | None) -> Move | None:
        (guard,) = substitute([self._guard], {v: const(value, v.sort) for v, value in here.items()})
        if guard in (TRUE, FALSE):
            return None
        solver = FallbackSolver(self._backend)
        solver.add(guard)
        answer = solver.check((), self._free, until)
        values = getattr(answer, "values", None)
        return None if values is None else self._attempt(here, values)
