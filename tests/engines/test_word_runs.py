"""Random runs of large systems over words."""

from __future__ import annotations

import pytest

from lemmata.certify.words.replay import replay_words
from lemmata.engines.words.random_runs import RandomWordRuns
from lemmata.frontends.btor2 import parse_btor2
from lemmata.models.system import system_of
from lemmata.models.words import WordTrace
from lemmata.verdict import Unknown, Unsafe

# A counter that grows by an odd input each step; what is bad, and what is demanded of the input, differs.
COUNTER = """\
1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 one 1
5 state 1 count
6 init 1 5 3
7 input 1 by
8 or 1 7 4
9 add 1 5 8
10 next 1 5 9
11 slice 2 5 0 0
12 redor 2 7
"""


def _runs(text: str) -> tuple[RandomWordRuns, object]:
    graph = parse_btor2(text.encode(), "counter.btor2")
    system = system_of(graph)
    assert system is not None
    return RandomWordRuns(system), graph


def test_an_error_that_many_inputs_lead_to_is_met_and_replays():
    engine, graph = _runs(COUNTER + "13 constraint 12\n14 bad 11\n")
    verdict = engine.check(0)
    assert isinstance(verdict, Unsafe)
    assert isinstance(verdict.trace, WordTrace)
    assert verdict.trace.depth == 1
    replay_words(graph, verdict.trace)


@pytest.mark.parametrize("more", ["13 zero 2\n14 bad 13\n", "13 zero 2\n14 constraint 13\n15 bad 11\n"])
def test_who_meets_nothing_knows_nothing(more):
    engine, _ = _runs(COUNTER + more)
    assert engine.check(0) == Unknown("incomplete")
