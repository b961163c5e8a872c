"""Between the interpreter of plain integers and the terms of the front end."""

from __future__ import annotations

import random

from lemmata.frontends.btor2 import parse_btor2
from lemmata.logic.sorts import Array
from lemmata.logic.terms import Term
from lemmata.logic.terms import Value as TermValue
from lemmata.logic.values import ArrayValue
from lemmata.models.graph import Graph
from lemmata.models.system import System, system_of
from tests.support.btor2_interpreter import Leaf, Value


def random_value(rng: random.Random, leaf: Leaf) -> Value:
    """A value for a state or an input."""
    if isinstance(leaf.sort, int):
        return rng.randrange(1 << leaf.sort)
    index, element = leaf.sort
    return tuple(rng.randrange(1 << element) for _ in range(1 << index))


def as_term_value(value: Value, term: Term) -> TermValue:
    """A value of the interpreter as one of ``term``'s sort."""
    if isinstance(value, int):
        return value
    assert isinstance(term.sort, Array)
    return ArrayValue(term.sort, 0, enumerate(value))


def read(text: str) -> tuple[Graph, System]:
    """The graph in ``text``, and the same as a system."""
    graph = parse_btor2(text.encode(), "x.btor2")
    system = system_of(graph)
    assert system is not None
    return graph, system
