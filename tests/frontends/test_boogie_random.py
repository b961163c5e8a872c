"""Random programs against explicit execution: the graph reaches exactly the errors that some run reaches, and ``check`` agrees.

The truth comes from ``boogie_interpreter``, which executes the syntax tree. Graphs are compared by enumeration, with copies of
called bodies or with summaries only; ``lemmata check`` is compared on a few programs.
``python -m tests.frontends.test_boogie_random 5000 [FIRST]`` takes as many programs as one likes through all of it, and
counts verdicts; from 1000000 on they have maps.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from unittest import mock

import pytest

from lemmata.config import Config
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.boogie.reader import read_program
from lemmata.run.flow import Flow
from lemmata.run.messages import Settled
from lemmata.run.task import Task
from tests.support.boogie_interpreter import DOMAIN, violated
from tests.support.boogie_programs import random_program
from tests.support.graph_states import reached

SUITE = 300
CHECKED = 12  # of them by engines
SECONDS = 3.0  # per property
RICH = 1_000_000  # the first seed of programs with maps


def program_of(seed: int) -> str:
    """Seeds from ``RICH`` on are for rich programs."""
    return random_program(seed, is_rich=seed >= RICH)


def truth(seed: int) -> set[str]:
    return violated(read_program(program_of(seed).encode(), "p.bpl"))


def complaints(seed: int, ways: tuple[bool, ...]) -> Iterator[str]:
    """What is wrong with the graphs of a program."""
    text = program_of(seed)
    wanted = truth(seed)
    for inline in ways:
        found = reached(parse_boogie(text.encode(), "p.bpl", inline=inline), DOMAIN)
        if found != wanted:
            yield f"seed {seed}, inline={inline}: missing {wanted - found}, too many {found - wanted}\n{text}"


def verdicts(seed: int) -> Iterator[tuple[str, str, bool]]:
    """Each property with what ``check`` says, and whether it fails in truth."""
    text, wanted = program_of(seed), truth(seed)
    graph = parse_boogie(text.encode(), "p.bpl", inline=seed % 2 == 0)
    if not graph.questions:
        return
    flow = Flow(Task(graph, Config(), time.monotonic() + 600), NOBODY)
    flow.prepare()
    for position, prop in enumerate(flow.chosen):
        try:
            with mock.patch("lemmata.engines.interleave.FIRST_TURN", 0.1):
                settled = flow.settle(position, time.monotonic() + SECONDS)
        except GaveUp as gave_up:
            yield prop.name, f"unknown ({gave_up.reason})", prop.name in wanted
            continue
        assert isinstance(settled, Settled), f"seed {seed}, {prop.name}: {settled.cause}\n{text}"
        yield prop.name, settled.verdict.word, prop.name in wanted


def is_wrong(word: str, fails: bool) -> bool:
    return not word.startswith("unknown") and (word == "unsafe") != fails


@pytest.mark.parametrize("first", range(0, SUITE, 50))
def test_the_graph_reaches_the_errors_that_runs_reach(first: int) -> None:
    assert [complaint for seed in range(first, first + 50) for complaint in complaints(seed, (seed % 2 == 0,))] == []


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


def main(count: int, first: int) -> int:
    """Many programs; the number of complaints."""
    found, words = 0, Counter[str]()
    for seed in range(first, first + count):
        answers = list(verdicts(seed))
        wrong = [f"seed {seed}: {name} is {word}\n{program_of(seed)}" for name, word, f in answers if is_wrong(word, f)]
        for complaint in (*complaints(seed, (True, False)), *wrong):
            found += 1
            print(complaint)
        words.update(f"{word}, {'fails' if fails else 'holds'}" for _, word, fails in answers)
        if (seed - first + 1) % 100 == 0:
            print(f"{seed - first + 1} programs: {found} complaints, {dict(words)}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0) > 0)
