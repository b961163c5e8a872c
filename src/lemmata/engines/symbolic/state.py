"""``SymbolicState``: a set of states at a location, as symbolic execution knows them.

Each variable has a value: a term over the variables that are *free*, whose value is they themselves. ``facts`` say what is
known of these. So a state is a formula without quantifiers, and most of it is substitution: a guard over known values folds to
true or false, and nobody asks a solver. (King 1976.)

``leave`` and ``arrive`` take an edge. The variables of its source and its inputs are symbols meanwhile, and those that no new
value is made of must go: equations define some (``logic.rewrite.solved``), a new value ``x + s`` is solved for s, an array
under writes is read through what it became. Facts about any symbol that is left are dropped. The result may therefore be too
large, never too small.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import product

from lemmata.logic.build import build, conj, equal
from lemmata.logic.linear import linearize
from lemmata.logic.rewrite.solved import solve_inputs
from lemmata.logic.sorts import INT, REAL, Array
from lemmata.logic.terms import FALSE, TRUE, Term, name_of, topological, var
from lemmata.logic.walk import conjuncts, substitute, variables
from lemmata.models.graph import Edge, Location
from lemmata.values import dataclass

_WAYS = 8  # disjuncts of a guard that become states of their own


@dataclass(frozen=True, slots=True)
class SymbolicState:
    """``values[k]`` is the value of the location's k-th variable."""

    location: int
    values: tuple[Term, ...]
    facts: tuple[Term, ...] = ()

    def equations(self, place: Location) -> list[Term]:
        """What the values say."""
        return [equal(v, value) for v, value in zip(place.variables, self.values, strict=True) if v is not value]

    def formula(self, place: Location) -> Term:
        """The states that it stands for."""
        return conj([*self.equations(place), *self.facts])


def distinct_conjuncts(formula: Term) -> list[Term]:
    """The parts of a conjunction, in their order."""
    return list(dict.fromkeys(part for part in conjuncts(formula) if part is not TRUE))


@dataclass(frozen=True, slots=True)
class Taken:
    """An edge from a state, before anything is forgotten: what it needs, and what the values are, over symbols.

    ``known`` is what was a fact before the edge.
    """

    needs: tuple[Term, ...]
    updates: tuple[Term, ...]
    known: frozenset[Term] = frozenset()

    def doubtful(self) -> list[Term]:
        """The needs that decide whether the edge can be taken: those that are new, and those that they share symbols with."""
        found = [need for need in self.needs if need not in self.known]
        rest = [(need, set(variables([need]))) for need in self.needs if need in self.known]
        symbols = set(variables(found))
        while touched := [pair for pair in rest if not symbols.isdisjoint(pair[1])]:
            rest = [pair for pair in rest if symbols.isdisjoint(pair[1])]
            found += [need for need, _ in touched]
            symbols.update(*[own for _, own in touched])
        return found


def leave(edge: Edge, state: SymbolicState | None, place: Location | None) -> list[Taken]:
    """The ways through ``edge`` from a state (none if it is initial); those that are plainly impossible are left out."""
    if state is None or place is None:
        return _split(distinct_conjuncts(edge.guard), edge.updates)
    symbols = dict(zip(place.variables, edge.sources[0].variables, strict=True))
    values = substitute(state.values, symbols)
    known = dict(zip(edge.sources[0].variables, values, strict=True))
    facts = substitute(state.facts, symbols)
    guard, *updates = _with_known_cells(substitute([edge.guard, *edge.updates], known), facts)
    return [] if guard is FALSE else _split([*facts, *distinct_conjuncts(guard)], tuple(updates), frozenset(facts))


def _with_known_cells(terms: list[Term], facts: Sequence[Term]) -> list[Term]:
    """Cells of arrays that the facts have a number for are that number; also those that are found by way of such cells."""
    equations = [way for fact in facts if fact.op == "=" for way in (fact.args, fact.args[::-1])]
    cells = {cell: value for cell, value in equations if cell.op == "select" and value.is_const}
    rows = {row: value for row, value in equations if row.op == "select" and value.op == "store"}
    while cells or rows:
        known = cells | _read_from(rows, terms) if rows else cells
        if (changed := substitute(terms, known)) == terms:
            break
        terms = changed
    return terms


def _read_from(rows: Mapping[Term, Term], terms: Sequence[Term]) -> dict[Term, Term]:
    """Reads in terms of rows that are known as writes, where the writes say a number; however many they are."""
    found = {}
    for read in topological(terms):
        if read.op == "select" and read.args[0] in rows and read.args[1].is_const:
            index = read.args[1]
            writes, array = _writes(rows[read.args[0]])
            at, value = next((write for write in writes if write[0] is index or not write[0].is_const), (index, None))
            if value is None:
                value = build("select", (array, index))
            if at is index and value.is_const:
                found[read] = value
    return found


def _split(needs: Sequence[Term], updates: tuple[Term, ...], known: frozenset[Term] = frozenset()) -> list[Taken]:
    """Small disjunctions become ways of their own."""
    needs = list(dict.fromkeys(needs))
    choices: list[tuple[Term, ...]] = []
    count = 1
    for need in needs:
        ways = need.args if need.op == "or" and count * len(need.args) <= _WAYS else (need,)
        count *= len(ways)
        choices.append(ways)
    found = []
    for chosen in product(*choices):
        whole = conj([part for way in chosen for part in distinct_conjuncts(way)])
        if whole is not FALSE:
            found.append(Taken(tuple(distinct_conjuncts(whole)), updates, known))
    return found


def arrive(taken: Taken, symbols: Sequence[Term], target: int, place: Location) -> SymbolicState | None:
    """The states after an edge; ``symbols`` are the variables and inputs of its source."""
    solved = solve_inputs(conj(taken.needs), symbols)
    if solved.guard is FALSE:
        return None
    work = _Arrival(substitute(taken.updates, solved.definitions), distinct_conjuncts(solved.guard), place)
    work.name_bare()
    work.solve_sums()
    work.read_writes()
    return work.state(target)


class _Arrival:
    """The symbols of the last step are replaced by variables of the place."""

    def __init__(self, updates: list[Term], facts: list[Term], place: Location) -> None:
        self._updates = updates
        self._facts = facts
        self._place = place
        self._own = [var(f"{name_of(v)}⟨new⟩", v.sort) for v in place.variables]
        self._named: dict[Term, Term] = {}  # symbols that are the value of a variable, by then
        self._free: set[int] = set()  # variables that stand for themselves

    def name_bare(self) -> None:
        """A symbol that is somebody's new value goes by that name."""
        for k, update in enumerate(self._updates):
            if update.is_var and update not in self._named:
                self._named[update] = self._own[k]
                self._free.add(k)

    def solve_sums(self) -> None:
        """``v = s + t`` for a symbol s that nobody needs: s is ``v - t``."""
        for k in range(len(self._updates)):
            if not self._updates[k].is_const and k not in self._free and self._updates[k].sort in (INT, REAL):
                self._solve_sum(k)

    def _solve_sum(self, k: int) -> None:
        form = linearize(self._updates[k])
        for symbol, factor in form.terms:
            if not self._is_doomed(symbol) or not (factor in (1, -1) or form.sort is REAL):
                continue
            rest = form.without(symbol)
            if symbol in variables(rest.unknowns):
                continue
            value = (linearize(self._own[k]) - rest).scale(Fraction(1) / factor).to_term()
            self._free.add(k)
            self._replace({symbol: value}, but=k)
            return

    def _is_doomed(self, symbol: Term) -> bool:
        return symbol.is_var and symbol not in self._named and symbol not in self._own

    def _replace(self, mapping: dict[Term, Term], but: int) -> None:
        updates = substitute(self._updates, mapping)
        updates[but] = self._own[but]
        self._updates = updates
        self._facts = [part for fact in substitute(self._facts, mapping) for part in distinct_conjuncts(fact)]

    def read_writes(self) -> None:
        """``v = s[i := x]`` for an array s that nobody needs: v has x at i, and elsewhere what s has.

        If x is ``s[i][j := y]``, the row ``v[i]`` has y at j, and elsewhere what ``s[i]`` has.
        """
        for k, update in enumerate(self._updates):
            if isinstance(update.sort, Array) and update.op == "store":
                self._read_write(k, update)

    def _read_write(self, k: int, update: Term) -> None:
        writes, array = _writes(update)
        if not self._is_doomed(array):
            return
        own = self._own[k]
        self._free.add(k)
        seen: set[Term] = set()
        rows: dict[Term, set[Term]] = {}  # where in which rows something was written, if that is all that changed there
        for index, value in writes:
            if _is_elsewhere(index, seen):
                row = build("select", (own, index))
                cells, before = _writes(value)
                if cells and before is build("select", (array, index)):
                    rows[index] = set()
                    self._tell_cells(row, cells, rows[index])
                else:
                    self._facts.append(equal(row, value))
            seen.add(index)
        kept = {}
        for read in topological([*self._facts, *self._updates]):
            if read.op == "select" and read.args[0] is array and _is_elsewhere(read.args[1], seen):
                kept[read] = build("select", (own, read.args[1]))
            elif read.op == "select" and read.args[0].op == "select" and read.args[0].args[0] is array:
                index = read.args[0].args[1]
                if index in rows and _is_elsewhere(read.args[1], rows[index]):
                    kept[read] = build("select", (build("select", (own, index)), read.args[1]))
        self._replace(kept, but=k)

    def _tell_cells(self, row: Term, cells: list[tuple[Term, Term]], seen: set[Term]) -> None:
        for index, value in cells:
            if _is_elsewhere(index, seen):
                self._facts.append(equal(build("select", (row, index)), value))
            seen.add(index)

    def state(self, target: int) -> SymbolicState | None:
        """What can be said of the variables."""
        back = dict(zip(self._own, self._place.variables, strict=True))
        names = back | {symbol: back[own] for symbol, own in self._named.items()}
        known = set(names)
        values = []
        for k, update in enumerate(self._updates):
            is_said = k not in self._free and all(v in known for v in variables([update]))
            values.append(update if is_said else self._own[k])
        facts = [fact for fact in self._facts if all(v in known for v in variables([fact]))]
        renamed = [part for fact in substitute(facts, names) for part in distinct_conjuncts(fact)]
        if FALSE in renamed:
            return None
        return SymbolicState(target, tuple(substitute(values, names)), tuple(dict.fromkeys(renamed)))


def _writes(array: Term) -> tuple[list[tuple[Term, Term]], Term]:
    """What is written where, the last write first, and the array underneath."""
    writes = []
    while array.op == "store":
        writes.append((array.args[1], array.args[2]))
        array = array.args[0]
    return writes, array


def _is_elsewhere(index: Term, others: Collection[Term]) -> bool:
    return all(index.is_const and other.is_const and index is not other for other in others)
