"""Generalization of a blocked cube: what else can be blocked with it.

First half-spaces around the obligation that hold for ever (``halfspaces``): such a lemma needs no others. Otherwise literals of
the core are dropped as long as what remains is inductive relative to the frame below (``drop``), and bounds that must stay are
moved (``Bounds``): ``t ≤ c`` becomes ``t ≤ c′`` with a larger c′, so that the lemma excludes more. What is tried are the limits
that the graph itself has for the form, the farthest first; then one step, in case the form is counted. A bound that only one
state of a loop makes true moves with the loop otherwise, one step per level.

A failed attempt leaves a transition into the larger cube; within one generalization the frame stays as it is, so a candidate
that has the target of such a transition but not its source needs no question (``Trial``). Nor does one with a state that is
reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Literal

from lemmata.engines.pdr.graph.cube import GraphCube, bound
from lemmata.engines.pdr.graph.halfspaces import Halfspaces
from lemmata.engines.pdr.graph.obligations import GraphObligation
from lemmata.engines.pdr.graph.observed_transitions import ObservedTransition
from lemmata.engines.pdr.graph.oracle import SmtOracle
from lemmata.engines.pdr.oracle import INFINITY
from lemmata.logic.linear import Atom, comparison, normal
from lemmata.logic.sorts import BOOL, INT
from lemmata.logic.terms import Term, topological
from lemmata.logic.walk import substitute
from lemmata.models.graph import Graph

Decided = Literal["asked", "seen", "reached"]
TellTrial = Callable[
    [GraphCube, int, bool, Decided], None
]  # the cube, its level, whether it is blocked, and how that was decided


class Trial:
    """Tries cubes at one level, and remembers why they failed."""

    def __init__(self, oracle: SmtOracle, level: int, tried: TellTrial | None = None) -> None:
        self.oracle = oracle
        self.level = level
        self.ways: list[ObservedTransition] = []
        self._tried = tried

    def inductive(self, cube: GraphCube) -> GraphCube | None:
        """The core of the cube if it is blocked at the level, else ``None``."""
        if any(way.leads_into(cube) for way in self.ways):
            self._tell(cube, False, "seen")
            return None
        if self.oracle.observed.is_reached(cube):
            self._tell(cube, False, "reached")
            return None
        answer = self.oracle.transition(cube, self.level)
        if isinstance(answer, GraphCube):
            self._tell(cube, True, "asked")
            return answer
        if answer is not None:
            self.ways.append(answer)
        self._tell(cube, False, "asked")
        return None

    def _tell(self, cube: GraphCube, is_blocked: bool, how: Decided) -> None:
        if self._tried is not None:
            self._tried(cube, self.level, is_blocked, how)


_LIMITS = 4  # limits that are tried for one bound


class Bounds:
    """Moves bounds outwards."""

    def __init__(self, graph: Graph) -> None:
        self._limits: defaultdict[Any, set[Any]] = defaultdict(set)  # constants of the graph, by the terms of a form
        for atom in _atoms(graph):
            if atom.kind in ("eq", "ne"):
                sides = [normal("le", atom.form), normal("le", -atom.form)]
            elif atom.kind == "le":
                sides = [atom]
            else:
                continue
            for side in sides:
                for what in (side, side.negated()):
                    self._limits[what.form.terms].add(what.form.constant)

    def move(self, cube: GraphCube, trial: Trial) -> GraphCube:
        """A larger cube."""
        for literal in cube.literals:
            what = bound(literal)
            names = trial.oracle.symbolic_constants.names[cube.location]
            if literal in cube.literals and what is not None and what.form.sort is INT and names.isdisjoint(what.form.unknowns):
                cube = self._widen(cube, literal, what, trial)
        return cube

    def _widen(self, cube: GraphCube, literal: Term, what: Atom, trial: Trial) -> GraphCube:
        for constant in self._farther(what):
            moved = normal("le", what.form.shift(constant - what.form.constant)).to_term()
            core = trial.inductive(cube.without(literal).joined(moved))
            if core is not None:
                return core
        return cube

    def _farther(self, what: Atom) -> Iterator[Any]:
        """Constants that make the bound weaker, the farthest first."""
        here = what.form.constant
        near = sorted([c for c in self._limits[what.form.terms] if c < here])
        yield from near[-_LIMITS:]
        if here - 1 not in near:
            yield here - 1


def _atoms(graph: Graph) -> list[Atom]:
    """The comparisons of the graph, over the variables of locations."""
    found: dict[Atom, None] = {}
    for edge in graph.edges:
        names = {
            w: v
            for source in edge.sources
            for v, w in zip(graph.locations[source.location].variables, source.variables, strict=True)
        }
        for term in topological([edge.guard, *edge.updates]):
            if term.sort is BOOL and (atom := comparison(substitute([term], names)[0])) is not None:
                found[atom] = None
    return list(found)


class Strong:
    """All of it."""

    def __init__(self, oracle: SmtOracle, tried: TellTrial | None = None) -> None:
        self._oracle = oracle
        self._tried = tried
        self.halfspaces = Halfspaces(oracle)
        self._bounds = Bounds(oracle.graph)

    def generalize(self, core: GraphCube, obligation: GraphObligation) -> GraphCube:
        """A cube that contains ``core`` and is blocked at the obligation's level, too."""
        found = self.halfspaces.around(obligation.cube)
        if found is not None:
            return self._for_ever(found)
        trial = Trial(self._oracle, obligation.level, self._tried)
        cube = drop(core, trial)
        merged = self.halfspaces.merge(cube) if len(cube.literals) > 2 else None
        return self._bounds.move(cube, trial) if merged is None else self._for_ever(merged)

    def _for_ever(self, halfspace: GraphCube) -> GraphCube:
        """Half-spaces that are found hold for ever."""
        if self._tried is not None:
            self._tried(halfspace, INFINITY, True, "asked")
        return halfspace


def drop(cube: GraphCube, trial: Trial) -> GraphCube:
    """The cube without every literal that it can do without."""
    for literal in cube.literals:
        if literal in cube.literals:
            core = trial.inductive(cube.without(literal))
            if core is not None:
                cube = core
    return cube
