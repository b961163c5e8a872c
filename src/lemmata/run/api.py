"""The Python interface: ``lemmata.check``; see ``docs/api.md``."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from lemmata import run
from lemmata.config import COptions, DesignOptions
from lemmata.engines.registry import AUTO
from lemmata.events import EventRecord
from lemmata.report.live.line import LiveLine
from lemmata.result import Result
from lemmata.run.options import make_config
from lemmata.run.task import Model, Wanted


def check(
    source: str | Path | Model,
    *,
    engine: str = AUTO,
    property: str | int = "all",  # noqa: A002 (the word of the command line)
    timeout: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    technique: Mapping[str, object] | None = None,
    unit: str | None = None,
    entry: str | None = None,
    dialect: str | None = None,
    checker: str | None = None,
    second_reader: bool = True,
    design: DesignOptions | None = None,
    c: COptions | None = None,
    reuse: str | Path | None = None,
    portfolio: str | Path | None = None,
    on_event: Callable[[EventRecord], None] | None = None,
) -> Result:
    """Check the properties of a file or a model; the work happens in processes of its own.

    ``timeout`` is in seconds, ``memory`` in megabytes; ``property`` is an index, a name or ``"all"``; ``technique`` sets
    fields of ``lemmata.config.PdrOptions``, ``WordOptions``, ``LiftedOptions`` and ``TraceOptions``, ``unit`` is that of the
    word engine, ``checker`` that of trace abstraction, ``entry`` the procedure that a program starts with, ``dialect`` its kind
    of Boogie, ``design`` how a hardware description is read (``lemmata.config.DesignOptions``), ``c`` how a C program is
    (``lemmata.config.COptions``); ``second_reader`` says whether evidence is checked against another reading of the file, too.
    ``reuse`` names a folder that keeps what is proved, for the next time; ``portfolio`` a file with the engines of each worker.
    ``on_event`` is called with every event as it comes, in this thread.
    Wrong input raises ``InputError``, a wrong call ``UsageError``; a bug of ours is an unknown verdict and a warning that names
    the bug bundle. ``KeyboardInterrupt`` has the partial result as its argument.
    """
    config = make_config(
        engine=engine,
        prop=property,
        timeout=timeout,
        memory=memory,
        seed=seed,
        workers=workers,
        technique=technique,
        unit=unit,
        entry=entry,
        dialect=dialect,
        checker=checker,
        second_reader=second_reader,
        design=design,
        c=c,
        reuse=None if reuse is None else str(reuse),
        portfolio=None if portfolio is None else str(portfolio),
    )
    line = LiveLine(sys.stderr, limit_s=config.timeout, limit_mb=config.memory_mb) if progress else None
    watchers: list[run.Watcher] = [line] if line else []
    if on_event is not None:
        watchers.append(_Caller(on_event))
    wanted = Wanted(lemmas=on_event is not None)
    try:
        outcome = run.supervise(
            str(source) if isinstance(source, str | Path) else source, config, wanted=wanted, watchers=tuple(watchers)
        )
    finally:
        if line:
            line.close()
    return _result(outcome)


class _Caller:
    """A watcher that hands events on."""

    def __init__(self, on_event: Callable[[EventRecord], None]) -> None:
        self.hear = on_event

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Nothing to hand on."""


def _result(outcome: run.Outcome) -> Result:
    if outcome.ending == "interrupted":
        raise KeyboardInterrupt(outcome.result)
    for bug, bundle in outcome.bugs:
        warnings.warn(bug.request(bundle), RuntimeWarning, stacklevel=3)
    return outcome.result
