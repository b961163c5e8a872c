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

from collections.abc import Sequence
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
    """An edge from a state, before anything is forgotten: what it needs, and what the values are, over symbols."""

    needs: tuple[Term, ...]
    updates: tuple[Term, ...]


def leave(edge: Edge, state: SymbolicState | None, place: Location | None) -> list[Taken]:
    """The ways through ``edge`` from a state (none if it is initial); those that are plainly impossible are left out."""
    if state is None or place is None:
        return _split(distinct_conjuncts(edge.guard), edge.updates)
    symbols = dict(zip(place.variables, edge.sources[0].variables, strict=True))
    values = substitute(state.values, symbols)
    known = dict(zip(edge.sources[0].variables, values, strict=True))
    facts = substitute(state.facts, symbols)
    guard, *updates = substitute([edge.guard, *edge.updates], known)
    return [] if guard is FALSE else _split([*facts, *distinct_conjuncts(guard)], tuple(updates))


def _split(needs: Sequence[Term], updates: tuple[Term, ...]) -> list[Taken]:
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
            found.append(Taken(tuple(distinct_conjuncts(whole)), updates))
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
        """``v = s[i := x]`` for an array s that nobody needs: v has x at i, and elsewhere what s has."""
        for k, update in enumerate(self._updates):
            if isinstance(update.sort, Array) and update.op == "store":
                self._read_write(k, update)

    def _read_write(self, k: int, update: Term) -> None:
        writes = []
        while update.op == "store":
            writes.append(update.args[1:])
            update = update.args[0]
        if not self._is_doomed(update):
            return
        own = self._own[k]
        self._free.add(k)
        seen: dict[Term, None] = {}
        cells = []
        for index, value in writes:  # the last one first
            if all(_differ(index, other) for other in seen):
                cells.append(equal(build("select", (own, index)), value))
            seen[index] = None
        reads = [t for t in topological([*self._facts, *self._updates]) if t.op == "select" and t.args[0] is update]
        kept = {r: build("select", (own, r.args[1])) for r in reads if all(_differ(r.args[1], index) for index in seen)}
        self._facts += cells
        self._replace(kept, but=k)

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


def _differ(one: Term, other: Term) -> bool:
    return one.is_const and other.is_const and one is not other
