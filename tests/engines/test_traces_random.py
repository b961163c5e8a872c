"""Random programs through trace abstraction, with both checkers, copies and summaries: explicit execution says the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

from lemmata.config import Config, TraceOptions
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.work import now
from tests.soak.boogie import truth
from tests.support.boogie_programs import random_program
from tests.support.clock import in_time

SECONDS = 5.0  # per property


def verdicts(seed: int, options: TraceOptions) -> Iterator[tuple[str, str]]:
    """What is said of each property, and what is true; what is said was certified."""
    graph = parse_boogie(random_program(seed).encode(), "p.bpl", inline=seed % 2 == 0)
    if not graph.questions:
        return
    wanted = truth(seed)
    flow = Flow(Task(graph, Config(engine="traces", traces=options), in_time()), NOBODY)
    flow.prepare()
    for position, prop in enumerate(flow.chosen):
        try:
            settled = flow.settle(position, now() + SECONDS)
        except GaveUp:
            continue
        assert isinstance(settled, Settled), f"seed {seed}, {prop.name}: {settled.cause}"
        yield settled.verdict.word, "unsafe" if prop.name in wanted else "safe"


@pytest.mark.parametrize("checker", ["interpolants", "pdr"])
@pytest.mark.parametrize("blocks", ["large", "statement"])
def test_random_programs_do_what_is_said_of_them(
    checker: Literal["interpolants", "pdr"], blocks: Literal["large", "statement"]
) -> None:
    said = set()
    for seed in range(4):
        for word, true in verdicts(seed, TraceOptions(checker, blocks)):
            assert word == true, f"seed {seed}:\n{random_program(seed)}"
            said.add(word)
    assert said == {"safe", "unsafe"}
