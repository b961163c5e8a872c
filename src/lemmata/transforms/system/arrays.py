"""Arrays become words: one word per index, where the arrays are small enough.

An array variable ``m`` with 2ⁿ elements becomes the words ``m[#0]`` … ``m[#2ⁿ-1]``. A read is pushed through writes first
(``arrays_reads``) and is then a tree of multiplexers over the index bits; a write is ``ite(index = i, value, old)`` for each
element; equations and ``ite`` go element by element. That is exact: invariants come back with ``select(m, i)`` for ``m[#i]``,
runs with array values.

What is small enough: ``MOST_ARRAY_BITS`` for all arrays together, ``MOST_ELEMENTS`` over all terms that are arrays or read one.
Both were chosen by measuring: at the limit a circuit has more than a million gates and takes a few seconds to build, and
PDR still finds bugs in it. What is larger raises ``TooLarge``; ``havoc_arrays`` in ``arrays_havoc`` is the way out for proofs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, equal, ite, truth
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, name_of, topological, value_of, var
from lemmata.logic.values import ArrayValue, default_value
from lemmata.logic.walk import substitute
from lemmata.models.system import System
from lemmata.models.words import Values, WordInvariant, WordTrace
from lemmata.transforms import Chain
from lemmata.transforms.system.arrays_reads import Reader
from lemmata.transforms.system.cone import WordReduction
from lemmata.values import dataclass

MOST_ARRAY_BITS = 1 << 17  # of all arrays together
MOST_ELEMENTS = 1 << 19  # of all terms that are arrays or read one


class TooLarge(GaveUp):
    """An array that cannot be spelled out; the reason names it, its index and its elements."""

    def __init__(self, array: str, sort: Sort) -> None:
        self.array, self.sort = array, sort
        super().__init__(
            f"the array {array} is too large to expand ({_shape(sort)}; arrays together may have {MOST_ARRAY_BITS} bits)"
        )


def _shape(sort: Sort) -> str:
    if isinstance(sort, Array) and is_flat(sort):
        return f"index of {_width(sort.index)} bits, elements of {_width(sort.element)} bits"
    return f"sort {sort}"


def _width(sort: Sort) -> int:
    return sort.width if isinstance(sort, BitVec) else 1


def is_flat(sort: Array) -> bool:
    """Does the array map words to words?"""
    return isinstance(sort.index, BitVec) and (isinstance(sort.element, BitVec) or sort.element is BOOL)


def roots_of(system: System) -> list[Term]:
    """Every term of a system."""
    starts = [start for start in system.starts.values() if start is not None]
    return [*system.variables, *system.inputs, *starts, *system.nexts.values(), system.constraint, *system.bads]


def large_sorts(system: System, bits: int = MOST_ARRAY_BITS, terms: int = MOST_ELEMENTS) -> frozenset[Sort]:
    """The array sorts that do not fit: the smaller ones are let in first."""
    holders = Counter(v.sort for v in (*system.variables, *system.inputs) if isinstance(v.sort, Array))
    uses: Counter[Array] = Counter()
    for term in topological(roots_of(system)):
        touched = term.args[0] if term.op == "select" else term
        if isinstance(touched.sort, Array):
            uses[touched.sort] += 1
    large: set[Sort] = {sort for sort in uses if not is_flat(sort)}
    for sort in sorted(uses.keys() - large, key=lambda sort: (_width(sort.index), _width(sort.element))):
        elements = 1 << min(_width(sort.index), 64)
        cost = elements * _width(sort.element) * max(1, holders[sort])
        if cost > bits or elements * uses[sort] > terms:
            large.add(sort)
        else:
            bits, terms = bits - cost, terms - elements * uses[sort]
    return frozenset(large)


def expand_arrays(system: System, bits: int = MOST_ARRAY_BITS, terms: int = MOST_ELEMENTS) -> WordReduction:
    """The same system without arrays."""
    every = topological(roots_of(system))
    sorts = frozenset(term.sort for term in every if isinstance(term.sort, Array))
    if not sorts:
        return WordReduction(system, Chain())
    large = large_sorts(system, bits, terms)
    if large:
        culprit = min((term for term in every if term.sort in large), key=lambda term: (not term.is_var, term.number))
        raise TooLarge(name_of(culprit) if culprit.is_var else "constant", culprit.sort)
    expansion = _Expansion(system, sorts)
    return WordReduction(expansion.system(), Expanded(system, expansion.words))


class _Expansion:
    """One expansion: ``words`` are the element variables of each array variable."""

    def __init__(self, old: System, sorts: frozenset[Sort]) -> None:
        self.old = old
        holders = (*old.variables, *old.inputs)
        taken = {name_of(v) for v in holders}
        self.words = {v: _element_variables(v, v.sort, taken) for v in holders if isinstance(v.sort, Array)}
        self._elements: dict[Term, tuple[Term, ...]] = dict(self.words)
        self._reader = Reader(sorts, self._read, self._compare)
        self._reader.rewrite(roots_of(old))

    def system(self) -> System:
        """The new system."""
        old, word = self.old, self._reader.new
        starts: dict[Term, Term | None] = {}
        nexts: dict[Term, Term] = {}
        for v in old.variables:
            start = old.starts[v]
            for place, element in enumerate(self._flat(v)):
                starts[element] = None if start is None else self._flat(start)[place]
                nexts[element] = self._flat(old.nexts[v])[place]
        inputs = tuple(word for v in old.inputs for word in self._flat(v))
        return System(tuple(nexts), inputs, starts, nexts, word[old.constraint], tuple(word[bad] for bad in old.bads))

    def _flat(self, term: Term) -> Sequence[Term]:
        """The words that a term has become."""
        return self._spelled(term) if isinstance(term.sort, Array) else (self._reader.new[term],)

    def _read(self, array: Term, index: Term) -> Term:
        """An element of an array variable: a tree of multiplexers, the lowest index bit first."""
        layer = list(self.words[array])
        if index.is_const:
            return layer[value_of(index)]
        for position in range(index.width):
            is_odd = truth(build("extract", (index,), (position, position)))
            layer = [ite(is_odd, odd, even) for even, odd in zip(layer[::2], layer[1::2], strict=True)]
        return layer[0]

    def _compare(self, left: Term, right: Term) -> Term:
        return conj([equal(a, b) for a, b in zip(self._spelled(left), self._spelled(right), strict=True)])

    def _spelled(self, array: Term) -> tuple[Term, ...]:
        """All elements of an array term, whose words are rewritten already."""
        for part in _array_parts(array, self._elements):
            self._elements[part] = self._spell(part)
        return self._elements[array]

    def _spell(self, part: Term) -> tuple[Term, ...]:
        new, sort = self._reader.new, part.sort
        assert isinstance(sort, Array)
        count = 1 << _width(sort.index)
        match part.op:
            case "store":
                return _written(self._elements[part.args[0]], new[part.args[1]], new[part.args[2]])
            case "ite":
                condition, yes, no = new[part.args[0]], self._elements[part.args[1]], self._elements[part.args[2]]
                return tuple([ite(condition, a, b) for a, b in zip(yes, no, strict=True)])
            case "filled":
                return (new[part.args[0]],) * count
            case _:
                value = value_of(part)
                return tuple([const(value.select(i), sort.element) for i in range(count)])


def _written(elements: tuple[Term, ...], index: Term, value: Term) -> tuple[Term, ...]:
    if index.is_const:
        at = value_of(index)
        return (*elements[:at], value, *elements[at + 1 :])
    return tuple([ite(equal(index, const(i, index.sort)), value, old) for i, old in enumerate(elements)])


def _array_parts(array: Term, known: Mapping[Term, object]) -> list[Term]:
    """The array terms below ``array`` that are not known yet, arguments first."""
    seen = set() if array in known else {array}
    stack = list(seen)
    while stack:
        for arg in stack.pop().args:
            if isinstance(arg.sort, Array) and arg not in known and arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return sorted(seen, key=lambda part: part.number)


def _element_variables(array: Term, sort: Array, taken: set[str]) -> tuple[Term, ...]:
    name = name_of(array)
    return tuple([var(fresh_name(f"{name}[#{i}]", taken), sort.element) for i in range(1 << _width(sort.index))])


def fresh_name(name: str, taken: set[str]) -> str:
    """A name that nothing else has, close to ``name``; it is taken from now on."""
    while name in taken:
        name += "~"
    taken.add(name)
    return name


@dataclass(frozen=True, slots=True)
class Expanded:
    """The way back from ``expand_arrays``."""

    old: System
    words: Mapping[Term, tuple[Term, ...]]

    def invariant(self, invariant: WordInvariant) -> WordInvariant:
        """``select(m, i)`` for each word ``m[#i]``."""
        reads = {
            word: make("select", (array, const(i, _sort(array).index)))
            for array, words in self.words.items()
            for i, word in enumerate(words)
        }
        return WordInvariant(tuple(substitute(invariant.lemmas, reads)))

    def trace(self, trace: WordTrace) -> WordTrace:
        """Array values for the words of each array."""
        lines = tuple(self._grouped(self.old.inputs, line) for line in trace.inputs)
        return WordTrace(trace.prop, self._grouped(self.old.variables, trace.initial), lines)

    def _grouped(self, wanted: Iterable[Term], values: Values) -> Values:
        known = dict(values)
        return tuple((v, self._array(v, known) if v in self.words else known[v]) for v in wanted)

    def _array(self, array: Term, known: Mapping[Term, Value]) -> ArrayValue:
        sort = _sort(array)
        return ArrayValue(sort, default_value(sort.element), enumerate(known[word] for word in self.words[array]))


def _sort(array: Term) -> Array:
    assert isinstance(array.sort, Array)
    return array.sort
