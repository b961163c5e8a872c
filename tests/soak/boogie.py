"""Random programs against explicit execution: the graph reaches exactly the errors that some run reaches, and ``check`` agrees.

The truth comes from ``boogie_interpreter``, which executes the syntax tree. Graphs are compared by enumeration, with copies of
called bodies or with summaries only; ``lemmata check`` is compared on a few programs.
``python -m tests.soak.boogie 5000 [FIRST]`` takes as many programs as one likes through all of it, and
counts verdicts; from 1000000 on they have maps.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from unittest import mock

from lemmata.config import Config
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.boogie.reader import read_program
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.work import now
from tests.support.boogie_interpreter import DOMAIN, violated
from tests.support.boogie_programs import random_program
from tests.support.clock import in_time
from tests.support.graph_states import reached

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
    flow = Flow(Task(graph, Config(), in_time()), NOBODY)
    flow.prepare()
    for position, prop in enumerate(flow.chosen):
        try:
            with mock.patch("lemmata.engines.interleave.FIRST_TURN_S", 0.1):
                settled = flow.settle(position, now() + SECONDS)
        except GaveUp as gave_up:
            yield prop.name, f"unknown ({gave_up.reason})", prop.name in wanted
            continue
        assert isinstance(settled, Settled), f"seed {seed}, {prop.name}: {settled.cause}\n{text}"
        yield prop.name, settled.verdict.word, prop.name in wanted


def is_wrong(word: str, fails: bool) -> bool:
    return not word.startswith("unknown") and (word == "unsafe") != fails


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
