"""From words to bits: a system becomes a circuit, and evidence about the circuit becomes evidence about the system.

``blast`` restricts a system to the cone of the chosen properties, spells its arrays out, and builds the gates with
``logic.blast``. Bit 3 of the word ``x`` is the input or latch ``x[3]``; a word of one bit keeps its name. A start function
becomes a reset function, a free variable becomes free latches. Everything is exact and goes both ways: cubes over bits become
formulas over words, bits of a run become values. That a property is k-inductive needs no translation.

With ``abstract``, arrays that are too large are havocked first; ``is_exact`` is false then, and ``trace`` may give up. For
proofs that can pay where arrays are small, too: seventeen thousand latches became four hundred in one of our benchmarks.

*Cubes as formulas* (``_lemmas_of``). The bits of one word that are next to each other are one fact: all bits of a word give
``x = 5``, a run of bits ``x[7:4] = 3``, zeros at the top ``x < 16``, ones at the top ``x ≥ 240``, the top bit alone (of a wide
word) its sign. A lemma is the negation of a cube: some fact is wrong. Cubes that differ in one bit of the same word are read
together: under the condition that they share, each of them fixes a bit for ever, and fixed bits are one fact again
(``mode = 2 → x < 16`` is four cubes). So are pairs of cubes that make two bits equal: they give ``x[3:0] = y[3:0]``. The
formulas say what the cubes say, not more and not less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lemmata.errors import Place, Unsupported
from lemmata.logic.blast import Blaster, CannotBlast
from lemmata.logic.build import bit, build, disj, equal, negate
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import TRUE, Term, bv, name_of
from lemmata.models.aig import Aig, Lit
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.system import System, system_of
from lemmata.models.trace import Trace
from lemmata.models.words import Values, WordInvariant, WordTrace
from lemmata.transforms import Chain
from lemmata.transforms.circuit.rebuild import AigBuilder
from lemmata.transforms.system.arrays import MOST_ARRAY_BITS, expand_arrays, large_sorts
from lemmata.transforms.system.arrays_havoc import havoc_arrays
from lemmata.transforms.system.cone import WordBack, WordReduction, reduce_system_cone
from lemmata.values import dataclass

BitPlace = tuple[Term, int]  # a word and a position in it
_Bits = Mapping[int, int]  # position → 0 or 1
_Run = tuple[int, int, int]  # high, low, value

_SHORT_TRACE = 12  # literals of cubes that are worth comparing with others
SIGNED_BITS = 8  # bits of a word whose top bit is likely to be a sign


def _lemmas_of(cubes: Iterable[LatchCube], places: Sequence[BitPlace], first: int) -> Iterator[Term]:
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


def _grouped(cubes: list[LatchCube], places: Sequence[BitPlace], first: int) -> Iterator[tuple[LatchCube, list[int]]]:
    """Cubes that are equal but for one literal, all of one word: the shared part and those literals; large groups first."""
    groups: defaultdict[tuple[LatchCube, Term], list[tuple[LatchCube, int]]] = defaultdict(list)
    for cube in cubes:
        for k, lit in enumerate(cube if len(cube) <= _SHORT_TRACE else ()):
            groups[cube[:k] + cube[k + 1 :], places[(lit >> 1) - first][0]].append((cube, lit))
    done: set[LatchCube] = set()
    for (shared, _), members in sorted(groups.items(), key=lambda group: -len(group[1])):
        left = [(cube, lit) for cube, lit in members if cube not in done]
        if len(left) > 1:
            done.update(cube for cube, _ in left)
            yield shared, [lit for _, lit in left]
    for cube in cubes:
        if cube not in done:
            yield cube, []


def _split(cubes: list[LatchCube]) -> tuple[list[tuple[int, int]], list[LatchCube]]:
    """Pairs of literals that are equal because two cubes say so, and the other cubes."""
    known = set(cubes)
    pairs, rest = [], []
    for cube in cubes:
        if len(cube) != 2 or _opposite(cube) not in known:
            rest.append(cube)
        elif not cube[0] & 1:
            pairs.append((cube[0], cube[1] ^ 1))
    return pairs, rest


def _opposite(cube: LatchCube) -> LatchCube:
    return tuple(lit ^ 1 for lit in cube)


def _equations(pairs: Iterable[tuple[int, int]], places: Sequence[BitPlace], first: int) -> Iterator[Term]:
    """``x[h:l] = y[h:l]`` (or the complement) for bits that are equal one by one."""
    groups: defaultdict[tuple[Term, Term, int, int], dict[int, int]] = defaultdict(dict)
    for a, b in pairs:
        (left, i), (right, j) = places[(a >> 1) - first], places[(b >> 1) - first]
        groups[left, right, j - i, (a ^ b) & 1][i] = 1
    for (left, right, shift, is_opposite), bits in groups.items():
        for high, low, _ in _runs(bits):
            other = _slice(right, high + shift, low + shift)
            yield equal(_slice(left, high, low), build("bvnot", (other,)) if is_opposite else other)


def _wrong(cube: LatchCube, places: Sequence[BitPlace], first: int) -> list[Term]:
    """The negations of the facts of which a cube consists."""
    words: defaultdict[Term, dict[int, int]] = defaultdict(dict)
    for lit in cube:
        word, position = places[(lit >> 1) - first]
        words[word][position] = lit & 1 ^ 1
    return [_fact(word, run)[1] for word, bits in words.items() for run in _runs(bits)]


def _runs(bits: _Bits) -> Iterator[_Run]:
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


def _fact(word: Term, run: _Run) -> tuple[Term, Term]:
    """``word[high:low] = value`` and its negation, in the shortest form."""
    if word.sort is BOOL:
        return (word, negate(word)) if run[2] else (negate(word), word)
    high, low, value = run
    width = word.width
    if high == width - 1 and low > 0:
        if high == low and width >= SIGNED_BITS:
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


@dataclass(frozen=True, slots=True)
class Blasted:
    """A circuit and the way back to words; not exact means that the circuit has more runs than the system."""

    aig: Aig
    system: System  # what the bits are bits of
    back: WordBack  # from there to the system that was given
    is_exact: bool = True

    def invariant(self, invariant: Invariant) -> WordInvariant:
        """The cubes over latches as formulas over variables."""
        places = [(v, position) for v in self.system.variables for position in range(width_of(v))]
        lemmas = _lemmas_of(invariant.cubes, places, self.aig.first_latch)
        return self.back.invariant(WordInvariant(tuple(lemmas)))

    def trace(self, trace: Trace) -> WordTrace:
        """The bits of a run as values; ``GaveUp`` if arrays were abstracted and the run cannot be made true."""
        lines = tuple(_words(self.system.inputs, line) for line in trace.inputs)
        return self.back.trace(WordTrace(trace.prop, _words(self.system.variables, trace.initial), lines))


def width_of(variable: Term) -> int:
    """How many bits a Boolean or a word has."""
    return 1 if variable.sort is BOOL else variable.width


def _words(variables: Sequence[Term], bits: Sequence[int]) -> Values:
    values = []
    at = 0
    for v in variables:
        end = at + width_of(v)
        value = int("".join(map(str, bits[at:end][::-1])), 2)
        values.append((v, bool(value) if v.sort is BOOL else value))
        at = end
    return tuple(values)


def blast(
    model: Graph | System, props: Sequence[int] | None = None, *, abstract: bool = False, bits: int = MOST_ARRAY_BITS
) -> Blasted:
    """The circuit of the chosen properties (all, if ``None``); ``TooLarge`` for arrays that are, unless ``abstract``.

    Arrays are too large if they have more than ``bits`` together; with 0 all of them are.
    """
    file = model.file if isinstance(model, Graph) else "<memory>"
    system = system_of(model) if isinstance(model, Graph) else model
    if system is None:
        raise Unsupported(Place(file), "only a transition system can be turned into a circuit", "it has one loop, no calls")
    chosen = range(len(system.bads)) if props is None else props
    names = [model.properties()[p].name if isinstance(model, Graph) else f"b{p}" for p in chosen]
    small = without_arrays(system, chosen, abstract, bits)
    try:
        aig = circuit_of(small.model, names, file)
    except CannotBlast as error:
        raise Unsupported(Place(file), str(error), "bits can be made of Booleans and bit-vectors only") from None
    return Blasted(aig, small.model, small.back, small.is_exact)


def without_arrays(system: System, props: Sequence[int], abstract: bool, bits: int = MOST_ARRAY_BITS) -> WordReduction:
    """The cone of the chosen properties with words only; ``TooLarge`` for arrays that are, unless ``abstract``."""
    steps: list[Callable[[System], WordReduction]] = [lambda s: reduce_system_cone(s, props)]
    if abstract:
        steps += [lambda s: havoc_arrays(s, large_sorts(s, bits)), reduce_system_cone]
    steps.append(lambda s: expand_arrays(s, bits))
    links: list[WordBack] = []
    is_exact = True
    for step in steps:
        reduction = step(system)
        links.append(reduction.back)
        system, is_exact = reduction.model, is_exact and reduction.is_exact
    return WordReduction(system, Chain(tuple(links)), is_exact)


def circuit_of(system: System, names: Sequence[str], file: str) -> Aig:
    """The circuit of a system without arrays; ``names`` are those of its properties."""
    for v in (*system.variables, *system.inputs):
        if not (v.sort is BOOL or isinstance(v.sort, BitVec)):
            raise CannotBlast(v)
    inputs, latches = _bit_names(system.inputs), _bit_names(system.variables)
    leaves = _leaves((*system.inputs, *system.variables))
    gates = AigBuilder(1 + len(inputs) + len(latches))
    blaster = Blaster(gates, leaves.__getitem__)

    def bits(terms: Iterable[Term]) -> tuple[Lit, ...]:
        return tuple(lit for term in terms for lit in blaster.bits(term))

    parts = system.constraint.args if system.constraint.op == "and" else (system.constraint,)
    symbols = {("i", i): name for i, name in enumerate(inputs)} | {("l", i): name for i, name in enumerate(latches)}
    return Aig(
        inputs=len(inputs),
        nexts=bits(system.nexts[v] for v in system.variables),
        resets=bits(v if (start := system.starts[v]) is None else start for v in system.variables),
        bads=bits(system.bads),
        constraints=tuple(dict.fromkeys(lit for lit in bits(part for part in parts if part is not TRUE) if lit != 1)),
        lefts=tuple(gates.lefts),  # now that all bits are there
        rights=tuple(gates.rights),
        symbols=symbols | {("b", i): name for i, name in enumerate(names)},
        file=file,
    )


def _bit_names(variables: Iterable[Term]) -> list[str]:
    return [
        name_of(v) if width_of(v) == 1 else f"{name_of(v)}[{position}]" for v in variables for position in range(width_of(v))
    ]


def _leaves(variables: Iterable[Term]) -> dict[Term, Sequence[Lit]]:
    """The literals of each variable: numbered one after another."""
    leaves: dict[Term, Sequence[Lit]] = {}
    lit = 2
    for v in variables:
        end = lit + 2 * width_of(v)
        leaves[v] = range(lit, end, 2)
        lit = end
    return leaves
