"""What ``lemmata check`` says, without its processes: one engine after the other, in this one, with a short limit."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from lemmata.config import Config
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import NOTHING_ELSE, Files, Task, Wanted
from lemmata.verdict import Verdict
from lemmata.work import now
from tests.fuzz.smt_values import wider
from tests.fuzz.world import Disagreement

SECONDS = 2.0  # per property
try:
    read_again: Any = import_module("lemmata.certify.reading").read_again
except (ImportError, AttributeError):  # a version without second readers
    read_again = None


def settled(
    model: Aig | Graph, engine: str = "auto", wanted: Wanted = NOTHING_ELSE, seconds: float = SECONDS
) -> list[tuple[Verdict, Files] | None]:
    """Each property's certified verdict with its files; None where it is unknown."""
    if not model.properties():
        return []
    flow = Flow(Task(model, Config(engine=engine), wanted=wanted), NOBODY)
    flow.prepare()
    found: list[tuple[Verdict, Files] | None] = []
    for position, _ in enumerate(flow.chosen):
        try:
            with mock.patch("lemmata.engines.interleave.FIRST_TURN_S", 0.05):
                answer = flow.settle(position, now() + seconds)
        except GaveUp:
            found.append(None)
            continue
        if not isinstance(answer, Settled):
            raise Disagreement("evidence that certify rejects", answer.cause)
        found.append((answer.verdict, answer.files))
    return found


def verdicts(
    model: Aig | Graph, truth: list[bool], file: tuple[bytes, str], again: Callable[[], list[bool]] | None = None
) -> None:
    """Compare with the truth: for each property, whether it is violated; the second readers of ``certify`` must agree.

    Where the truth knows a few integers only, ``again`` finds it with those of the engine's witness, too.
    """
    for number, (answer, bad) in enumerate(zip(settled(model, wanted=Wanted(witness=True)), truth, strict=True)):
        if answer is None:
            continue
        verdict, files = answer
        _read_again(model, number, verdict, file)
        if (verdict.word == "unsafe") == bad:
            continue
        if not bad and again is not None and files.witness is not None:
            with wider(files.witness):
                if again()[number]:
                    continue
        raise Disagreement("verdict", f"property {number}: {verdict.word}, but it is {'unsafe' if bad else 'safe'}")


def _read_again(model: Aig | Graph, number: int, verdict: Verdict, file: tuple[bytes, str]) -> None:
    if read_again is None:
        return
    data, suffix = file
    with TemporaryDirectory() as folder:
        path = Path(folder, "x" + suffix)
        path.write_bytes(data)
        try:
            read_again(str(path), model, number, verdict, now() + SECONDS)
        except CertificateError as error:
            raise Disagreement("second reader", str(error)) from None
