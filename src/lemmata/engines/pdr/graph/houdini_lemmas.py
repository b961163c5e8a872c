"""Lemmas learned at a few locations, tried at all of them at once.

Where a graph has many locations with the same variables (the product of some threads, a machine whose modes are locations), a
lemma that one location needs holds at most others as well; but PDR would learn it again at each of them, from a counterexample
of its own. Every now and then the clauses that were learned are therefore supposed to hold wherever their variables live, and
so is what comes of exchanging two threads. What some edge refutes is dropped until nothing changes (Houdini: Flanagan, Leino
2001); the rest is inductive, and holds for ever. A question is about all candidates at the target of an edge:

    F_∞(source) ∧ candidates(source) ∧ guard ∧ ⋁ (cubes of the candidates at the target)[updates]

States that are known to be reached drop candidates before anything is asked. As long as nothing comes of it, the pauses become
longer.

Which threads may be exchanged is a guess from names that differ in a number only, such as ``end_0`` and ``end_1``: ``swaps``
finds two such numbers, ``exchanged`` swaps them in all names of a clause. What comes out is one more candidate, and is asked
like any other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from lemmata.budgets import HOUDINI_CLAUSES, HOUDINI_CUBES
from lemmata.engines.pdr.graph.cube import GraphCube, cube_of
from lemmata.engines.pdr.graph.edges import FramedEdge
from lemmata.engines.pdr.graph.frames import GraphLemma
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.graph.questions import Guide
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.build import conj, disj
from lemmata.logic.linear import canonical
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, name_of
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Graph
from lemmata.oracles.houdini import keep_inductive
from lemmata.solvers.smt import Unsat

_NUMBER = re.compile(r"(.*?)(\d+)(\D*)")
_LIKE_NAMES = 2  # names that differ in the same two numbers, at least
_EXCHANGES = 6  # exchanges that are tried

Literals = tuple[Term, ...]
Swap = dict[Term, Term]


def swaps(named: Iterable[Term]) -> list[Swap]:
    """Exchanges of two numbers in all names of these variables."""
    families: defaultdict[tuple[str, str, Sort], dict[int, Term]] = defaultdict(dict)
    for variable in dict.fromkeys(named):
        if match := _NUMBER.fullmatch(name_of(variable)):
            head, number, tail = match.groups()
            families[head, tail, variable.sort][int(number)] = variable
    found: defaultdict[tuple[int, int], dict[Term, Term]] = defaultdict(dict)
    for family in families.values():
        for i, j in combinations(sorted(family), 2):
            found[i, j] |= {family[i]: family[j], family[j]: family[i]}
    return [swap for swap in found.values() if len(swap) >= 2 * _LIKE_NAMES][:_EXCHANGES]


def exchanged(clauses: Sequence[Literals], swaps: Sequence[Swap]) -> list[Literals]:
    """The clauses, each with what one exchange makes of it."""
    found: dict[Literals, None] = {}
    for literals in clauses:
        found[literals] = None
        own = variables(literals)
        for swap in swaps:
            if any(v in swap for v in own):
                found[tuple([canonical(x) for x in substitute(literals, swap)])] = None
    return list(found)


_LOCATIONS = 4  # locations that make it worth while
_PAUSE_LEMMAS = 40  # lemmas between two attempts, at first
_NEW_PART = 10  # of that part of all lemmas are new, at least
_LITERALS = 3  # literals of a clause, at most

LemmaCandidates = dict[int, list[GraphCube]]


class HoudiniLemmas:
    """A guide that, besides what another one guesses, tries lemmas everywhere."""

    def __init__(self, graph: Graph, oracle: SmtOracle, guide: Guide) -> None:
        self._graph = graph
        self._oracle = oracle
        self._guide = guide
        self._errors = {question.location for question in graph.questions}
        self._is_idle = len(graph.locations) - len(self._errors) < _LOCATIONS
        self._pause = self._left = _PAUSE_LEMMAS
        self._swaps = swaps(v for place in graph.locations for v in place.variables)

    def guesses(self, lemma: GraphLemma, obligation: GraphObligation) -> Iterable[GraphObligation]:
        """Those of the other guide."""
        found = list(self._guide.guesses(lemma, obligation))
        self._left -= 1
        if self._left <= 0 and not self._is_idle:
            self._rest(2 * self._pause)  # also if the time is over before the end
            if self.transfer():
                self._rest(_PAUSE_LEMMAS)
        return found

    def _rest(self, pause: int) -> None:
        """The more lemmas there are, the longer it takes to try them, and the more of them must be new."""
        count = len(self._oracle.frames)
        self._pause = self._left = max(min(pause, count // 2), count // _NEW_PART, _PAUSE_LEMMAS)

    def transfer(self) -> int:
        """Try; how many lemmas hold for ever that were not known to."""
        alive = self._candidates()
        keep_inductive(self._oracle.solvers, alive, lambda edge, cubes: self._judge(edge, cubes, alive))
        frames = self._oracle.frames
        count = 0
        for cubes in alive.values():
            for cube in cubes:
                if not frames.blocks(cube, INFINITY):
                    frames.add(cube, INFINITY)
                    count += 1
        return count

    def _candidates(self) -> LemmaCandidates:
        """The clauses that most locations want, wherever their variables are and no reached state speaks against them.

        Those that hold for ever where they were learned come last.
        """
        frames, observed = self._oracle.frames, self._oracle.observed
        wanted: defaultdict[tuple[Term, ...], int] = defaultdict(int)
        for lemma in frames.all():
            if len(lemma.cube.literals) <= _LITERALS:
                wanted[lemma.cube.literals] += lemma.level < INFINITY
        popular = sorted(wanted, key=lambda literals: (-wanted[literals], len(literals)))[:HOUDINI_CLAUSES]
        clauses = exchanged(popular, self._swaps)[: HOUDINI_CUBES // len(self._graph.locations)]
        needs = {literals: set(variables(literals)) for literals in clauses}
        alive: LemmaCandidates = {}
        for number, place in enumerate(self._graph.locations):
            own = set(place.variables)
            cubes = [cube_of(number, literals) for literals in clauses if needs[literals] <= own]
            cubes = [c for c in cubes if not frames.blocks(c, INFINITY) and not observed.is_reached(c)]
            alive[number] = [] if number in self._errors else cubes
        return alive

    def _judge(self, edge: FramedEdge, cubes: Sequence[GraphCube], alive: LemmaCandidates) -> list[bool] | None:
        """Which cubes a step along the edge misses; all are given up where that is too hard to say."""
        given = [edge.clause(j, cube) for j, s in enumerate(edge.edge.sources) for cube in alive[s.location]]
        goal = disj([conj(edge.goal.all(cube.literals)) for cube in cubes])
        state = self._oracle.witness(edge, goal, given)
        if isinstance(state, Unsat):
            return None
        return [state is not None and not cube.contains(state.after) for cube in cubes]
