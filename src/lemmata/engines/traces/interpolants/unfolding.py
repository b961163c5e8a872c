"""A trace as one formula: every step has variables of its own.

The formula of a step is a list of *parts*: the conjuncts of its guard, and an equation ``x@k = update`` per variable of its
target. A variable that is only handed on keeps its name, so it costs no equation; each name still stands for one variable of a
location only, since a second variable that takes the same value gets a name of its own. What is said with the names of a step
is therefore said of its target, by renaming.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.engines.traces.trace import EdgeTrace
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import equal
from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.values import dataclass

StepFormulas = tuple[tuple[Term, ...], ...]  # per step


@dataclass(frozen=True, slots=True)
class Unfolding:
    """``parts[k]`` is what step k demands; ``states[k]`` are the names of the variables of its target, in their order.

    ``inputs[k]`` are the names of its inputs, and ``under[k]`` the steps that it rests on, itself included.
    """

    graph: Graph
    trace: EdgeTrace
    parts: StepFormulas
    states: tuple[tuple[Term, ...], ...]
    inputs: tuple[dict[Term, Term], ...]
    under: tuple[frozenset[int], ...]

    def __len__(self) -> int:
        return len(self.parts)

    def edge(self, step: int) -> Edge:
        """The edge of a step."""
        return self.graph.edges[self.trace.steps[step].edge]

    def premises(self, step: int) -> tuple[int, ...]:
        """The steps before it."""
        return self.trace.steps[step].premises

    def told(self, step: int, formula: Term) -> Term:
        """A formula with the names of a step, said of the variables of its target."""
        location = self.graph.locations[self.edge(step).target]
        return substitute([formula], dict(zip(self.states[step], location.variables, strict=True)))[0]

    def named(self, step: int, formula: Term) -> Term:
        """A formula over the variables of the step's target, with the names of the step."""
        location = self.graph.locations[self.edge(step).target]
        return substitute([formula], dict(zip(location.variables, self.states[step], strict=True)))[0]


def unfold(graph: Graph, trace: EdgeTrace) -> Unfolding:
    """The formula of ``trace``."""
    parts: list[tuple[Term, ...]] = []
    states: list[tuple[Term, ...]] = []
    inputs: list[dict[Term, Term]] = []
    under: list[frozenset[int]] = []
    for number, step in enumerate(trace.steps):
        edge = graph.edges[step.edge]
        local = {i: var(f"{name_of(i)}@{number}", i.sort) for i in edge.inputs}
        names = dict(local)
        for source, premise in zip(edge.sources, step.premises, strict=True):
            names.update(zip(source.variables, states[premise], strict=True))
        guard, *updates = substitute([edge.guard, *edge.updates], names)
        state, equations = _assigned(graph.locations[edge.target].variables, updates, number)
        parts.append(tuple(dict.fromkeys([*asserted_conjuncts([guard]), *equations])))
        states.append(state)
        inputs.append(local)
        under.append(frozenset([number]).union(*[under[premise] for premise in step.premises]))
    return Unfolding(graph, trace, tuple(parts), tuple(states), tuple(inputs), tuple(under))


def _assigned(targets: Sequence[Term], updates: Sequence[Term], number: int) -> tuple[tuple[Term, ...], list[Term]]:
    """The names of the target's variables, and what makes them equal to the updates."""
    state: list[Term] = []
    equations: list[Term] = []
    for target, update in zip(targets, updates, strict=True):
        if update.is_var and update not in state:
            state.append(update)
        else:
            state.append(var(f"{name_of(target)}@{number}→", target.sort))
            equations.append(equal(state[-1], update))
    return tuple(state), equations


def spoken_of(parts: Iterable[Iterable[Term]]) -> dict[Term, None]:
    """The variables of some steps."""
    return dict.fromkeys(variables([part for formulas in parts for part in formulas]))
