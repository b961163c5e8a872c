"""Pictures of invariants on a plane: where it holds, which states are reached, which are bad.

An invariant is drawn at each location where it speaks of one or two words or integers, and of few bits besides. Bad states are
drawn where the edge to the error asks about these only; a point counts as inside, as bad, as reached if it is for some values
of the bits. The window has as many as it can of the numbers that the formulas mention and of the states that are reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import accumulate, product

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, disj
from lemmata.logic.sorts import BOOL, INT, BitVec
from lemmata.logic.terms import FALSE, Term, Value, name_of, topological, value_of
from lemmata.logic.walk import substitute, variables
from lemmata.models.derivation import GraphInvariant
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.models.words import WordInvariant
from lemmata.report.drawing.frames import Plane, value_range, where, window_of
from lemmata.report.recording.plane import digits
from lemmata.run.evidence.reached import SMALL_NUMBER, ReachedStates
from lemmata.verdict import Safe, Verdict
from lemmata.work import wall_left

_REGIONS = 4  # of one proof
_BITS = 2  # besides the axes
_SIGNED = ("bvslt", "bvsle", "sign_extend", "bvsdiv", "bvsrem", "bvashr")
_AT_LEAST_S = 3.0  # of the time limit that must be left: the verdict comes first

Region = dict[str, object]


def regions(graph: Graph, prop: int, verdict: Verdict) -> tuple[Region, ...]:
    """The pictures of a proof as data of a page; none where it speaks of too much, or where time is short."""
    left_s = wall_left()
    if not isinstance(verdict, Safe) or (left_s is not None and left_s < _AT_LEAST_S):
        return ()
    drawn = [(place, lemmas) for place, lemmas in _claims(graph, verdict) if _axes(lemmas)]
    drawn.sort(key=lambda one: -len(_axes(one[1])))
    if not drawn:
        return ()
    reached = _reached(graph)
    return tuple([_region(graph, prop, place, lemmas, reached) for place, lemmas in drawn[:_REGIONS]])


def _claims(graph: Graph, verdict: Safe) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """What is claimed, by location."""
    match verdict.invariant:
        case GraphInvariant(claims):
            yield from ((claim.location, claim.lemmas) for claim in claims if FALSE not in claim.lemmas)
        case WordInvariant() as invariant if system_of(graph) is not None:
            errors = {question.location for question in graph.questions}
            place = next(number for number in range(len(graph.locations)) if number not in errors)
            yield place, invariant.lemmas


def _axes(lemmas: Sequence[Term]) -> list[Term]:
    """The one or two words or integers of formulas that speak of few bits besides; else none."""
    spoken = variables(lemmas)
    if any(term.op == "apply" for term in topological(lemmas)):
        return []
    wide = [v for v in spoken if v.sort is INT or (isinstance(v.sort, BitVec) and v.width > 1)]
    others = [v for v in spoken if v not in wide]
    return wide if 1 <= len(wide) <= 2 and len(others) <= _BITS and all(map(_is_bit, others)) else []


def _is_bit(v: Term) -> bool:
    return v.sort is BOOL or (isinstance(v.sort, BitVec) and v.width == 1)


@lru_cache(maxsize=1)
def _reached(graph: Graph) -> ReachedStates | None:
    """The states that are reached, where the states of all locations are numbers and bits, and a solver can say so."""
    sorts = {v.sort for place in graph.locations for v in place.variables}
    if not all(sort is BOOL or sort is INT or isinstance(sort, BitVec) for sort in sorts):
        return None
    try:
        return ReachedStates(graph)
    except GaveUp:
        return None


def _region(graph: Graph, prop: int, place: int, lemmas: Sequence[Term], reached: ReachedStates | None) -> Region:
    location = graph.locations[place]
    axes = sorted(_axes(lemmas), key=location.variables.index)
    bad = _bad(graph, prop, place, axes)
    formulas = [*lemmas, *([] if bad is None else [bad])]
    signed = frozenset(v for term in topological(formulas) if term.op in _SIGNED for v in variables([term]) if v in axes)
    found = [] if reached is None else reached.at(place)
    columns = [location.variables.index(v) for v in axes]
    points = {tuple([_shown(values[k], v in signed, v) for k, v in zip(columns, axes, strict=True)]): None for values in found}
    mentioned = _numbers(formulas)
    marks = [_landmarks(mentioned, {point[k] for point in points}, v, v in signed) for k, v in enumerate(axes)]
    windows = [*(window_of(v, v in signed, near) for v, near in zip(axes, marks, strict=True)), (0, 0)]
    bits = [v for v in variables(formulas) if v not in axes]
    others = tuple([dict(zip(bits, choice, strict=True)) for choice in product((0, 1), repeat=len(bits))])
    plane = Plane(tuple(axes), signed, others, (windows[0], windows[1]))
    seen = {(*point, 0)[:2] for point in points}
    inside = [point in seen for point in plane.points()]
    return {
        "place": None if len(graph.locations) - len(graph.questions) == 1 else location.name,
        "names": [name_of(v) for v in axes],
        "window": plane.window,
        "invariant": digits(where(plane, conj(list(lemmas)), is_everywhere=False)),
        "bad": None if bad is None else digits(where(plane, bad, is_everywhere=False)),
        "reached": None if reached is None else digits(inside),
        "isAll": reached is not None and reached.is_all,
        "outside": len(seen) - sum(inside),
    }


def _bad(graph: Graph, prop: int, place: int, axes: Sequence[Term]) -> Term | None:
    """The states at a location from which an edge leads to the error; ``None`` if that depends on more than axes and bits."""
    error, here = graph.questions[prop].location, graph.locations[place].variables
    guards = []
    for edge in graph.edges:
        if edge.target == error and place in [source.location for source in edge.sources]:
            if len(edge.sources) != 1:
                return None
            guards += substitute([edge.guard], dict(zip(edge.sources[0].variables, here, strict=True)))
    others = [v for v in variables(guards) if v not in axes]
    has_functions = any(term.op == "apply" for term in topological(guards))
    is_drawn = guards and not has_functions and len(others) <= _BITS and all(v in here and _is_bit(v) for v in others)
    return disj(guards) if is_drawn else None


def _shown(value: Value, is_signed: bool, v: Term) -> int:
    """The value of a word or an integer as a number of the axis."""
    number = int(value)
    return number - (1 << v.width) if is_signed and number >> (v.width - 1) else number


def _numbers(formulas: Sequence[Term]) -> set[int]:
    """The numbers that formulas mention, in the signed and the unsigned reading."""
    found = set()
    for term in topological(formulas):
        if term.is_const and isinstance(term.sort, BitVec):
            found |= {value_of(term), value_of(term) - (1 << term.width)}
        elif term.is_const and term.sort is INT:
            found.add(int(value_of(term)))
    return found


def _landmarks(mentioned: Set[int], reached: Set[int], v: Term, is_signed: bool) -> list[int]:
    """The small ones of the numbers that formulas mention and of those that are reached, where these show enough.

    Else those of the window that shows most: something that is reached comes first, then what is mentioned, then more that is
    reached, then what is close to zero.
    """
    span = value_range(v, is_signed)
    numbers = sorted(n for n in mentioned | reached if span is None or span[0] <= n <= span[1])
    small = {n for n in numbers if abs(n) <= SMALL_NUMBER}
    if not (reached and small.isdisjoint(reached)) and 2 * len(small & mentioned) >= len(mentioned & set(numbers)) > 0:
        return sorted(small)
    first, best, shown = 0, (False, -1, 0, 0), slice(0, 0)
    seen = list(accumulate((n in reached for n in numbers), initial=0))
    told = list(accumulate((n in mentioned for n in numbers), initial=0))
    for last, high in enumerate(numbers, 1):
        while high - numbers[first] > 2 * SMALL_NUMBER:
            first += 1
        points = seen[last] - seen[first]
        score = points > 0, told[last] - told[first], points, -max(abs(numbers[first]), abs(high))
        if score > best:
            best, shown = score, slice(first, last)
    return numbers[shown] or [0]
