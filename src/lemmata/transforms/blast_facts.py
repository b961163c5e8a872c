"""Facts about bits, said about words.

A cube over bits says something about a few words: the bits of one word that are next to each other are one fact. All bits of a
word give ``x = 5``, a run of bits ``x[7:4] = 3``, zeros at the top ``x < 16``, ones at the top ``x ≥ 240``, the top bit alone
(of a wide word) its sign. A lemma is the negation of a cube: some fact is wrong.

Cubes that differ in one bit of the same word are read together: under the condition that they share, each of them fixes a bit
for ever, and fixed bits are one fact again (``mode = 2 → x < 16`` is four cubes). So are pairs of cubes that make two bits
equal: they give ``x[3:0] = y[3:0]``. The formulas say what the cubes say, not more and not less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lemmata.logic.build import bit, build, disj, equal, negate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, bv
from lemmata.models.invariant import Cube

Place = tuple[Term, int]  # a word and a position in it
Bits = Mapping[int, int]  # position → 0 or 1
Run = tuple[int, int, int]  # high, low, value

SHORT = 12  # literals of cubes that are worth comparing with others
SIGNED = 8  # bits of a word whose top bit is likely to be a sign


def lemmas_of(cubes: Iterable[Cube], places: Sequence[Place], first: int) -> Iterator[Term]:
    """The formulas whose conjunction is that of the negated cubes; latch ``first + i`` is the bit ``places[i]``."""
    pairs, rest = _split(list(dict.fromkeys(cubes)))
    yield from _equations(pairs, places, first)
    for shared, lits in _grouped(rest, places, first):
        wrong = _wrong(shared, places, first)
        bits: dict[int, int] = {}
        for lit in lits:
            bits.setdefault(places[(lit >> 1) - first][1], lit & 1)
        if lits and len(bits) == len(lits):
            word = places[(lits[0] >> 1) - first][0]
            yield from (disj([*wrong, _fact(word, run)[0]]) for run in _runs(bits))
        else:  # nothing but the cube itself, or a bit that may be neither 0 nor 1
            yield disj(wrong)


def _grouped(cubes: list[Cube], places: Sequence[Place], first: int) -> Iterator[tuple[Cube, list[int]]]:
    """Cubes that are equal but for one literal, all of one word: the shared part and those literals; large groups first."""
    groups: defaultdict[tuple[Cube, Term], list[tuple[Cube, int]]] = defaultdict(list)
    for cube in cubes:
        for k, lit in enumerate(cube if len(cube) <= SHORT else ()):
            groups[cube[:k] + cube[k + 1 :], places[(lit >> 1) - first][0]].append((cube, lit))
    done: set[Cube] = set()
    for (shared, _), members in sorted(groups.items(), key=lambda group: -len(group[1])):
        left = [(cube, lit) for cube, lit in members if cube not in done]
        if len(left) > 1:
            done.update(cube for cube, _ in left)
            yield shared, [lit for _, lit in left]
    for cube in cubes:
        if cube not in done:
            yield cube, []


def _split(cubes: list[Cube]) -> tuple[list[tuple[int, int]], list[Cube]]:
    """Pairs of literals that are equal because two cubes say so, and the other cubes."""
    known = set(cubes)
    pairs, rest = [], []
    for cube in cubes:
        if len(cube) != 2 or _opposite(cube) not in known:
            rest.append(cube)
        elif not cube[0] & 1:
            pairs.append((cube[0], cube[1] ^ 1))
    return pairs, rest


def _opposite(cube: Cube) -> Cube:
    return tuple(lit ^ 1 for lit in cube)


def _equations(pairs: Iterable[tuple[int, int]], places: Sequence[Place], first: int) -> Iterator[Term]:
    """``x[h:l] = y[h:l]`` (or the complement) for bits that are equal one by one."""
    groups: defaultdict[tuple[Term, Term, int, int], dict[int, int]] = defaultdict(dict)
    for a, b in pairs:
        (left, i), (right, j) = places[(a >> 1) - first], places[(b >> 1) - first]
        groups[left, right, j - i, (a ^ b) & 1][i] = 1
    for (left, right, shift, is_opposite), bits in groups.items():
        for high, low, _ in _runs(bits):
            other = _slice(right, high + shift, low + shift)
            yield equal(_slice(left, high, low), build("bvnot", (other,)) if is_opposite else other)


def _wrong(cube: Cube, places: Sequence[Place], first: int) -> list[Term]:
    """The negations of the facts of which a cube consists."""
    words: defaultdict[Term, dict[int, int]] = defaultdict(dict)
    for lit in cube:
        word, position = places[(lit >> 1) - first]
        words[word][position] = lit & 1 ^ 1
    return [_fact(word, run)[1] for word, bits in words.items() for run in _runs(bits)]


def _runs(bits: Bits) -> Iterator[Run]:
    """Neighbouring bits together, the highest first."""
    positions = sorted(bits, reverse=True)
    while positions:
        length = 1
        while length < len(positions) and positions[length] == positions[0] - length:
            length += 1
        run, positions = positions[:length], positions[length:]
        yield run[0], run[-1], sum(bits[position] << position - run[-1] for position in run)


def _slice(word: Term, high: int, low: int) -> Term:
    if word.sort is BOOL:
        return bit(word)
    return word if high - low + 1 == word.width else build("extract", (word,), (high, low))


def _fact(word: Term, run: Run) -> tuple[Term, Term]:
    """``word[high:low] = value`` and its negation, in the shortest form."""
    if word.sort is BOOL:
        return (word, negate(word)) if run[2] else (negate(word), word)
    high, low, value = run
    width = word.width
    if high == width - 1 and low > 0:
        if high == low and width >= SIGNED:
            nothing = bv(0, width)
            negative, positive = build("bvslt", (word, nothing)), build("bvsle", (nothing, word))
            return (negative, positive) if value else (positive, negative)
        if value == 0:
            limit = bv(1 << low, width)
            return build("bvult", (word, limit)), build("bvule", (limit, word))
        if value == (1 << high - low + 1) - 1:
            limit = bv(value << low, width)
            return build("bvule", (limit, word)), build("bvult", (word, limit))
    same = equal(_slice(word, high, low), bv(value, high - low + 1))
    return same, negate(same)
