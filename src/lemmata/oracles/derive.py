"""From chosen edges and inputs to a ``Derivation``: every value is computed again by evaluation.

A solver may read a division by zero in its own way, or an engine may have a bug; a guard that does not hold under
evaluation makes the engine give up (``incomplete``) instead of telling a wrong run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from lemmata.errors import GaveUp
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import default_value
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Edge, Graph


@lru_cache(maxsize=256)
def program(edge: Edge) -> Program:
    """The guard and the updates of an edge, ready to run."""
    return Program([edge.guard, *edge.updates])


def derived_fact(
    graph: Graph, number: int, premises: Sequence[int], facts: Sequence[Fact], inputs: Mapping[Term, Value]
) -> Fact:
    """The fact that edge ``number`` gives from ``premises``; inputs without a value are zero."""
    edge = graph.edges[number]
    chosen = tuple([(i, inputs[i] if i in inputs else default_value(i.sort)) for i in edge.inputs])
    values = dict(chosen)
    for source, premise in zip(edge.sources, premises, strict=True):
        values.update(zip(source.variables, facts[premise].values, strict=True))
    guard, *updates = program(edge).run(values)
    if not guard:
        raise GaveUp("incomplete")
    return Fact(number, tuple(premises), chosen, graph.locations[edge.target], tuple(updates))


def run_of(graph: Graph, prop: int, steps: Sequence[tuple[int, Mapping[Term, Value]]]) -> Derivation:
    """The derivation of a linear run: edges with their inputs, the initial one first."""
    facts: list[Fact] = []
    for position, (number, inputs) in enumerate(steps):
        facts.append(derived_fact(graph, number, (position - 1,) if position else (), facts, inputs))
    return Derivation(prop, tuple(facts))
