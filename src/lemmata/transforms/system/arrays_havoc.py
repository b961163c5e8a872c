"""Arrays vanish: a system with more runs, for proofs about designs whose memories are too large to spell out.

Reads are pushed through writes (``arrays_reads``); what is left reads array variables, and each such read becomes a fresh
input: the memory may answer anything. Two reads of one array in the same step are tied together, ``i = j → equal values``
(Ackermann 1954), up to ``READ_PAIRS`` of them; equations between arrays become fresh Booleans. What was written in earlier
steps is forgotten.

Every run of the old system is one of the new one, so an invariant carries over as it is. A run of the new system is only a
suggestion; ``with_contents`` looks for contents of the arrays that make it true. Both systems run side by side: where a read of
an array that started free gets another answer than the array gives, and that place was not read before, the answer becomes its
initial content. In the end the run is checked step by step: what was guessed wrong (the place had been written, the array
started with given contents) is no run, and nothing is returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations, islice

from lemmata.errors import GaveUp
from lemmata.logic.build import conj, equal, implies
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, Array, Sort
from lemmata.logic.terms import TRUE, Term, Value, name_of, topological, var
from lemmata.logic.values import default_value
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.transforms import Chain
from lemmata.transforms.system.arrays import TooLarge, fresh_name, is_flat, roots_of
from lemmata.transforms.system.arrays_reads import Reader
from lemmata.transforms.system.cone import WordReduction, initial_values, is_run, leaves_that_matter, restricted
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class HavocRead:
    """``answer`` is the input that stands for ``select(array, index)``; the index speaks about the new system."""

    array: Term
    index: Term
    answer: Term


def with_contents(old: System, new: System, reads: Sequence[HavocRead], trace: WordTrace) -> WordTrace | None:
    """The run ``trace`` of ``new`` as a run of ``old``, if contents of the arrays are found that allow it."""
    initial = dict(initial_values(old, dict(trace.initial)))
    now = dict(initial)
    contents = _Contents({v for v in old.variables if old.starts[v] is None})
    indices = Program([read.index for read in reads])
    step = Program([old.nexts[v] for v in old.variables])
    state = dict(trace.initial)
    follow = Program([new.nexts[v] for v in new.variables])
    lines = []
    for values in trace.inputs:
        given = {**state, **dict(values)}
        line = {v: given.get(v, default_value(v.sort)) for v in old.inputs}
        for read, index in zip(reads, indices.run(given), strict=True):
            contents.answer(read.array, index, given[read.answer], initial, now, line)
        lines.append(tuple(line.items()))
        now = dict(zip(old.variables, step.run({**now, **line}), strict=True))
        state = dict(zip(new.variables, follow.run(given), strict=True))
    run = WordTrace(trace.prop, tuple(initial.items()), tuple(lines))
    return run if is_run(old, run) else None


class _Contents:
    """Which places of which arrays have been looked at."""

    def __init__(self, free: set[Term]) -> None:
        self._free = free
        self._seen: set[tuple[Term, Value]] = set()

    def answer(
        self,
        array: Term,
        index: Value,
        value: Value,
        initial: dict[Term, Value],
        now: dict[Term, Value],
        line: dict[Term, Value],
    ) -> None:
        """Let ``array`` hold ``value`` at ``index`` now, if that is still open."""
        if array in line:
            line[array] = line[array].store(index, value)
        elif array in self._free and (array, index) not in self._seen and now[array].select(index) != value:
            initial[array] = initial[array].store(index, value)
            now[array] = now[array].store(index, value)
        self._seen.add((array, index))


READ_PAIRS = 256  # of reads that are tied together


def havoc_arrays(system: System, sorts: Set[Sort] | None = None) -> WordReduction:
    """The system without arrays (of the given ``sorts``, or of all), over-approximated."""
    every = topological(roots_of(system))
    gone = frozenset(t.sort for t in every if isinstance(t.sort, Array) and (sorts is None or t.sort in sorts))
    if not gone:
        return WordReduction(system, Chain())
    for term in every:
        if isinstance(term.sort, Array) and not is_flat(term.sort):
            raise TooLarge(name_of(term) if term.is_var else "of arrays", term.sort)
    havoc = _Havoc(system, gone)
    new = havoc.system()
    return WordReduction(new, Havoced(system, new, tuple(havoc.reads)), is_exact=False)


class _Havoc:
    """One abstraction: the reads of array variables and the equations of arrays become inputs."""

    def __init__(self, old: System, gone: frozenset[Sort]) -> None:
        self.old, self.gone = old, gone
        self.reads: list[HavocRead] = []
        self._tests: dict[tuple[Term, Term], Term] = {}
        self._taken = {name_of(v) for v in (*old.variables, *old.inputs)}

    def system(self) -> System:
        """The new system: the cone of what is left, with the ties between its reads."""
        old = self.old
        kept = tuple(v for v in old.variables if v.sort not in self.gone)
        reader = Reader(self.gone, self._read, self._compare)
        reader.rewrite([*(old.nexts[v] for v in kept), old.constraint, *old.bads])
        word = reader.new
        inputs = (*(v for v in old.inputs if v.sort not in self.gone), *(r.answer for r in self.reads), *self._tests.values())
        starts = {v: self._start(old.starts[v]) for v in kept}
        bads = tuple(word[bad] for bad in old.bads)
        whole = System(kept, inputs, starts, {v: word[old.nexts[v]] for v in kept}, word[old.constraint], bads)
        used = leaves_that_matter(whole, [*bads, whole.constraint], {read.answer: read.index for read in self.reads})
        self.reads = [read for read in self.reads if read.answer in used]
        part = restricted(whole, used, bads)
        constraint = conj([part.constraint, *islice(_ties(self.reads), READ_PAIRS)])
        return System(part.variables, part.inputs, part.starts, part.nexts, constraint, bads)

    def _start(self, start: Term | None) -> Term | None:
        """The start value, unless an array that goes has a part in it: free then."""
        if start is None or any(term.sort in self.gone for term in topological([start])):
            return None
        return start

    def _read(self, array: Term, index: Term) -> Term:
        assert isinstance(array.sort, Array)
        answer = var(fresh_name(f"{name_of(array)}[read {len(self.reads)}]", self._taken), array.sort.element)
        self.reads.append(HavocRead(array, index, answer))
        return answer

    def _compare(self, left: Term, right: Term) -> Term:
        pair = (left, right) if left.number < right.number else (right, left)
        if pair not in self._tests:
            self._tests[pair] = var(fresh_name(f"arrays are equal {len(self._tests)}", self._taken), BOOL)
        return self._tests[pair]


def _ties(reads: list[HavocRead]) -> Iterator[Term]:
    """``i = j → equal values`` for reads of the same array."""
    for a, b in combinations(reads, 2):
        if a.array is b.array:
            tie = implies(equal(a.index, b.index), equal(a.answer, b.answer))
            if tie is not TRUE:
                yield tie


@dataclass(frozen=True, slots=True)
class Havoced:
    """The way back from ``havoc_arrays``."""

    old: System
    new: System
    reads: tuple[HavocRead, ...]

    def invariant(self, invariant: WordInvariant) -> WordInvariant:
        """The same formulas: they speak about the variables that are left."""
        return invariant

    def trace(self, trace: WordTrace) -> WordTrace:
        """A run of the old system with contents for the arrays; ``GaveUp`` if none were found."""
        found = with_contents(self.old, self.new, self.reads, trace)
        if found is None:
            raise GaveUp("arrays were abstracted")
        return found
