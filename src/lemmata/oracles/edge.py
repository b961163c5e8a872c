"""An edge of a graph and the solver that knows it: formulas about locations become questions about one step.

A formula of a source is put into the names that the edge has for that source's variables, one of the target into its updates;
then all questions about a step have one form, over the same names:

    guard ∧ facts(sources) ∧ assumptions ∧ goal[updates]

``EdgeTerms`` are the names, ``EdgeSolver`` adds a solver with the guard. What is asked is assumed, formula by formula, so that
cores come for free; what holds for ever is asserted (``learn``). Frames (``engines.pdr.graph.edges``), cells
(``engines.abstract.steps``), Hoare triples (``engines.traces.hoare``) and Houdini's candidates are different things to assume,
not different edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from lemmata.logic.build import build
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import Term
from lemmata.logic.walk import substitute
from lemmata.models.graph import Edge, Graph
from lemmata.oracles.fallback import FallbackSolver


class Renaming:
    """Formulas over one set of variables as formulas over another, remembered."""

    __slots__ = ("_construct", "_known", "_mapping")

    def __init__(self, old: Sequence[Term], new: Sequence[Term], construct: Callable[..., Term] = build) -> None:
        self._mapping = {a: b for a, b in zip(old, new, strict=True) if a is not b}
        self._construct = construct
        self._known: dict[Term, Term] = {}

    def __call__(self, formula: Term) -> Term:
        """The formula over the new variables."""
        if not self._mapping:
            return formula
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = substitute([formula], self._mapping, self._construct)[0]
        return found

    def all(self, formulas: Iterable[Term]) -> list[Term]:
        """Several at once."""
        wanted = list(formulas)
        if not self._mapping:
            return wanted
        known = self._known
        new = [formula for formula in wanted if formula not in known]
        if new:
            known.update(zip(new, substitute(new, self._mapping, self._construct), strict=True))
        return [known[formula] for formula in wanted]


class EdgeTerms:
    """The names of an edge: ``to_source[j]`` from its j-th source, ``to_here[j]`` back there, ``goal`` from its target.

    ``wanted`` are the leaves of a step: the sources' variables and the inputs. What changes is made by ``construct``.
    """

    def __init__(self, graph: Graph, edge: Edge, construct: Callable[..., Term] = build) -> None:
        own = [graph.locations[source.location].variables for source in edge.sources]
        self.edge = edge
        self.goal = Renaming(graph.locations[edge.target].variables, edge.updates, construct)
        self.to_source = [Renaming(v, s.variables, construct) for v, s in zip(own, edge.sources, strict=True)]
        self.to_here = [Renaming(s.variables, v, construct) for v, s in zip(own, edge.sources, strict=True)]
        self.wanted = (*[v for s in edge.sources for v in s.variables], *edge.inputs)

    @cached_property
    def updates(self) -> Program:
        """The values after a step, from those of ``wanted``."""
        return Program(self.edge.updates)


class EdgeSolver(EdgeTerms):
    """The names, and a ``FallbackSolver`` that knows the guard (or ``known``, which implies it)."""

    def __init__(
        self,
        graph: Graph,
        edge: Edge,
        solver: str,
        *,
        known: Term | None = None,
        construct: Callable[..., Term] = build,
        hard: float | None = None,
        renew: int | None = None,
    ) -> None:
        super().__init__(graph, edge, construct)
        self.solver = FallbackSolver(solver, [edge.guard if known is None else known], hard=hard, renew=renew)

    def learn(self, location: int, facts: Sequence[Term]) -> None:
        """Facts over the variables of ``location`` hold for ever."""
        for source, names in zip(self.edge.sources, self.to_source, strict=True):
            if source.location == location:
                for fact in names.all(facts):
                    self.solver.add(fact)
