"""What ``lemmata check`` says, without its processes: one engine after the other, in this one, with a short limit."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from unittest import mock

from lemmata.config import Config, EngineName
from lemmata.errors import GaveUp
from lemmata.events import NOBODY
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.messages import Settled
from lemmata.run.task import NOTHING_ELSE, Files, Task, Wanted
from lemmata.verdict import Verdict
from tests.fuzz.smt_values import wider
from tests.fuzz.world import Disagreement

SECONDS = 2.0  # per property


def settled(
    model: Aig | Graph, engine: EngineName = "auto", wanted: Wanted = NOTHING_ELSE, seconds: float = SECONDS
) -> list[tuple[Verdict, Files] | None]:
    """Each property's certified verdict with its files; None where it is unknown."""
    if not model.properties():
        return []
    flow = Flow(Task(model, Config(engine=engine), engine, monotonic() + 600, wanted), NOBODY)
    flow.prepare()
    found: list[tuple[Verdict, Files] | None] = []
    for position, _ in enumerate(flow.chosen):
        try:
            with mock.patch("lemmata.engines.interleave.FIRST_TURN", 0.05):
                answer = flow.settle(position, monotonic() + seconds)
        except GaveUp:
            found.append(None)
            continue
        if not isinstance(answer, Settled):
            raise Disagreement("evidence that certify rejects", answer.cause)
        found.append((answer.verdict, answer.files))
    return found


def verdicts(model: Aig | Graph, truth: list[bool], again: Callable[[], list[bool]] | None = None) -> None:
    """Compare with the truth: for each property, whether it is violated.

    Where the truth knows a few integers only, ``again`` finds it with those of the engine's witness, too.
    """
    for number, (answer, bad) in enumerate(zip(settled(model, wanted=Wanted(witness=True)), truth, strict=True)):
        if answer is None or (answer[0].word == "unsafe") == bad:
            continue
        if not bad and again is not None and answer[1].witness is not None:
            with wider(answer[1].witness):
                if again()[number]:
                    continue
        raise Disagreement("verdict", f"property {number}: {answer[0].word}, but it is {'unsafe' if bad else 'safe'}")
