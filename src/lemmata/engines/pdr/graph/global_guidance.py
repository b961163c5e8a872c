"""Global guidance: lemmas that follow a pattern are made one (Vediramana Krishnan, Chen, Shoham, Gurfinkel 2020).

PDR looks at one obligation at a time and may block a family of cubes one by one for ever: x ≤ 0 ∧ 1 ≤ y, then x ≤ 1 ∧ 2 ≤ y,
and so on. Here cubes of a location that bound the same forms are kept together. When the constants of the newest ones lie on
a line a + k·d, the whole family k ≥ 0 is guessed to be blocked: the union over all real k is written down with k as one more
unknown, which Fourier's elimination removes. Bounds that move against each other are combined (*subsume*: x < y), bounds that
only become weaker go (*conjecture*), the others keep the first constant. A form that has one value in each cube keeps its step
as a congruence. The guess becomes a *may* obligation, whose lemma, if there is one, replaces the family. So do the half-spaces
around an obligation that were neither refuted nor proved.

Left out: *concretize*, which splits obligations whose literals cannot be told apart by constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import gcd
from typing import Any

from lemmata.engines.pdr.graph.cube import GraphCube, bound, cube_of, limit_of
from lemmata.engines.pdr.graph.frames import GraphFrames, GraphLemma
from lemmata.engines.pdr.graph.halfspaces import Halfspaces
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.linear import Atom, Linear, combine, from_coefficients, normal
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, var

_MEMBERS = 64  # members of a family that are remembered
_HALFSPACES = 2  # half-spaces that are looked at per lemma
_ATTEMPTS = 4  # attempts at the same guess

Pattern = tuple[Any, ...]
_Point = tuple[Any, ...]


class NoGuide:
    """No guesses."""

    def guesses(self, lemma: GraphLemma, obligation: GraphObligation) -> Iterable[GraphObligation]:
        """None."""
        return ()


class GlobalGuide:
    """Families of lemmas, by location and pattern."""

    def __init__(self, frames: GraphFrames, halfspaces: Halfspaces) -> None:
        self._frames = frames
        self._halfspaces = halfspaces
        self._families: defaultdict[tuple[int, Pattern], list[_Point]] = defaultdict(list)
        self._tried: defaultdict[GraphCube, int] = defaultdict(int)

    def guesses(self, lemma: GraphLemma, obligation: GraphObligation) -> Iterable[GraphObligation]:
        """May obligations that would make many lemmas one."""
        if lemma.level >= INFINITY:
            return []
        found = self._family(lemma.cube)
        cubes = [*([] if found is None else [found]), *self._halfspaces.open[:_HALFSPACES]]
        return [
            GraphObligation(cube, lemma.level, depth=obligation.depth, is_may=True)
            for cube in cubes
            if self._is_new(cube, lemma.level)
        ]

    def _family(self, cube: GraphCube) -> GraphCube | None:
        """The union of the family that the cube belongs to, if there is one."""
        cube = GraphCube(cube.location, tuple(sorted(cube.literals, key=_by_form)))
        keys = [limit_of(literal) for literal in cube.literals]
        family = self._families[cube.location, tuple([form for form, _ in keys])]
        point = tuple([limit[0] for _, limit in keys])
        if point in family:
            return None
        family.append(point)
        del family[:-_MEMBERS]
        guess = _union(cube, _line(family))
        return None if guess is None or set(guess.literals) == set(cube.literals) else guess

    def _is_new(self, guess: GraphCube, level: int) -> bool:
        if self._frames.blocks(guess, level):
            return False
        self._tried[guess] += 1
        return self._tried[guess] <= _ATTEMPTS


def _by_form(literal: Term) -> tuple[bool, list[tuple[int, Any]]]:
    """An order in which cubes of one family have their forms at the same places, whatever the constants are."""
    form = limit_of(literal)[0]
    return (True, [(v.number, c) for v, c in form]) if isinstance(form, tuple) else (False, [(literal.number, 0)])


def _line(family: list[_Point]) -> tuple[_Point, _Point] | None:
    """A point and a direction, if the newest three or more are on one line; the point is the oldest of them."""
    if len(family) < 3:
        return None
    newest = family[-1]
    for other in reversed(family[:-1]):
        step = tuple([a - b for a, b in zip(newest, other, strict=True)])
        on_line = [p for p in family[:-1] if p != other and _is_multiple(newest, p, step)]
        if on_line:
            return on_line[0], step
    return None


def _is_multiple(newest: _Point, point: _Point, step: _Point) -> bool:
    """Is newest - point a multiple of the step, and a larger one?"""
    away = [a - b for a, b in zip(newest, point, strict=True)]
    at = next(i for i, s in enumerate(step) if s)
    return (
        away[at] * step[at] > 0
        and abs(away[at]) > abs(step[at])
        and all(x * step[at] == s * away[at] for x, s in zip(away, step, strict=True))
    )


def _union(cube: GraphCube, line: tuple[_Point, _Point] | None) -> GraphCube | None:
    """The cubes at first + k·step for all k ≥ 0 together."""
    if line is None:
        return None
    first, step = line
    common = gcd(*[abs(s) for s in step]) if all(isinstance(s, int) for s in step) else 1
    kept, moving, more = [], [], []
    for literal, constant, s in zip(cube.literals, first, step, strict=True):
        what = bound(literal)
        if what is None or s == 0:
            kept.append(literal)
            continue
        placed = Linear(what.form.terms, constant, what.form.sort)
        moving.append((placed, s // common if isinstance(s, int) else s, what.kind))
        more += _congruence(placed, s, first, step, cube)
    if not moving:
        return None
    parameter = var("⟨k⟩", moving[0][0].sort)
    if any(form.sort is not parameter.sort for form, _, _ in moving):
        return None
    rows = [normal(kind, form + from_coefficients({parameter: s}, 0, form.sort)) for form, s, kind in moving]
    rows.append(normal("le", from_coefficients({parameter: -1}, 0, parameter.sort)))
    parts = [row.to_term() for row in _fourier_motzkin(rows, parameter)]
    return cube_of(cube.location, [*kept, *parts, *more])


def _congruence(form: Linear, s: Any, first: _Point, step: _Point, cube: GraphCube) -> list[Term]:
    """A form with one value in each cube, which moves by s: its value modulo s."""
    if form.sort is not INT or abs(s) < 2 or form.terms[0][1] < 0:
        return []
    opposite = form.scale(-1).terms
    for literal, constant, t in zip(cube.literals, first, step, strict=True):
        if limit_of(literal)[0] == opposite and constant == -form.constant and t == -s:
            return [normal("mod", form, abs(s)).to_term()]
    return []


def _fourier_motzkin(rows: list[Atom], unknown: Term) -> list[Atom]:
    """Fourier's elimination of one unknown over the reals."""
    upper = [row for row in rows if row.form.coefficient(unknown) > 0]
    lower = [row for row in rows if row.form.coefficient(unknown) < 0]
    rest = [row for row in rows if row.form.coefficient(unknown) == 0]
    for a in upper:
        for b in lower:
            joined = combine(a, b, -b.form.coefficient(unknown), a.form.coefficient(unknown))
            if not joined.is_true:
                rest.append(joined)
    return rest
