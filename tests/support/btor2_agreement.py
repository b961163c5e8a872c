"""The front end and the interpreter of plain integers read one BTOR2 text: do they compute the same values?"""

from __future__ import annotations

import random

from lemmata.logic.evaluate import Program, evaluate
from lemmata.models.graph import Graph
from lemmata.models.system import System
from tests.support.btor2_interpreter import Interpreter
from tests.support.btor2_terms import as_term_value, random_value, read

POINTS = 3


def compare(text: str, rng: random.Random) -> None:
    model = Interpreter(text)
    graph, system = read(text)
    states = graph.origin.states
    assert len(states) == len(model.states) and len(graph.origin.inputs) == len(model.inputs)
    following = [system.nexts.get(state, state) for state in states]
    program = Program([system.constraint, *system.bads, *following])
    loose = {leaf.node for leaf in model.loose()}
    for _ in range(POINTS):
        compare_start(model, graph, system, rng)
        here = tuple(random_value(rng, leaf) for leaf in model.states)
        inputs = tuple(random_value(rng, leaf) for leaf in model.inputs)
        chosen = {leaf.node: random_value(rng, leaf) for leaf in model.loose()}
        after, holds, bads = model.step(here, inputs, list(chosen.values()))
        values = {term: as_term_value(value, term) for term, value in zip(states, here, strict=True)}
        values |= {term: as_term_value(value, term) for term, value in zip(graph.origin.inputs, inputs, strict=True)}
        values |= {
            system.nexts[term]: as_term_value(chosen[leaf.node], term)
            for leaf, term in zip(model.states, states, strict=True)
            if leaf.node in loose and term in system.nexts
        }
        got_holds, *rest = program.run(values)
        assert got_holds == holds
        assert tuple(rest[: len(bads)]) == tuple(holds and bad for bad in bads)
        for leaf, term, wanted, got in zip(model.states, states, after, rest[len(bads) :], strict=True):
            if leaf.node in loose and term not in system.nexts:
                assert term in system.inputs
            else:
                assert got == as_term_value(wanted, term)


def compare_start(model: Interpreter, graph: Graph, system: System, rng: random.Random) -> None:
    free = {leaf.node: random_value(rng, leaf) for leaf in model.free()}
    start = model.initial(list(free.values()))
    values = {
        term: as_term_value(free[leaf.node], term)
        for leaf, term in zip(model.states, graph.origin.states, strict=True)
        if leaf.node in free
    }
    for term, wanted in zip(graph.origin.states, start, strict=True):
        source = system.starts.get(term)
        if source is not None:
            assert evaluate([source], values) == [as_term_value(wanted, term)]
        else:
            assert term in values
