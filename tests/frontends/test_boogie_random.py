"""Random programs mean to the front end and to ``check`` what they mean to explicit execution (``tests.soak.boogie``)."""

from __future__ import annotations

import pytest

from lemmata.frontends.boogie import parse_boogie
from tests.soak.boogie import RICH, complaints, is_wrong, program_of, truth, verdicts
from tests.support.boogie_programs import random_program

SUITE = 150
CHECKED = 12  # of them by engines


@pytest.mark.parametrize("first", range(0, SUITE, 25))
def test_the_graph_reaches_the_errors_that_runs_reach(first: int) -> None:
    assert [complaint for seed in range(first, first + 25) for complaint in complaints(seed, (seed % 2 == 0,))] == []


def test_the_same_with_maps() -> None:
    assert [complaint for seed in range(RICH, RICH + 12) for complaint in complaints(seed, (seed % 2 == 0,))] == []


def test_check_says_what_execution_says() -> None:
    for seed in (*range(CHECKED), *range(RICH, RICH + CHECKED // 2)):
        for name, word, fails in verdicts(seed):
            assert not is_wrong(word, fails), f"seed {seed}: {name} is {word}\n{program_of(seed)}"


def test_programs_are_varied_and_fixed_by_their_seed() -> None:
    texts = [random_program(seed) for seed in range(60)]
    assert [random_program(seed) for seed in range(6)] == texts[:6]
    for word in ("while (*)", "break", "goto", "return;", "call", "old(", "havoc", "invariant", "ensures", "requires", "else"):
        assert any(word in text for text in texts), word
    rich = [random_program(seed, is_rich=True) for seed in range(60)]
    for word in (
        "m[0]",
        "] := ",
        " := m[",
        "havoc m",
        "old(m)[",
        "free requires",
        "free ensures",
        "free invariant",
        "] == m",
        "b := ",
    ):
        assert any(word in text for text in rich), word
    graphs = [parse_boogie(text.encode(), "p.bpl") for text in texts]
    assert sum(any(len(edge.sources) > 1 for edge in graph.edges) for graph in graphs) >= 10  # recursion
    fails = [truth(seed) for seed in range(30)]
    assert any(fails) and any(len(graph.questions) > len(bad) for graph, bad in zip(graphs, fails, strict=False))
