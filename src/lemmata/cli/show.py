"""What ``lemmata check`` prints: the result in one of its formats, events as they come, the model that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lemmata import run
from lemmata.cli.choices import Format
from lemmata.cli.output import columns, complain, is_rich, rich_console, say
from lemmata.events import EventRecord
from lemmata.result import Result
from lemmata.verdict import Safe

if TYPE_CHECKING:
    from lemmata.report.drawing.control_flow import Pictures


class Stream:
    """A watcher that prints every event as a line of JSON; with ``file``, which of several files it is about."""

    def __init__(self, file: str | None = None) -> None:
        self._file = file

    def hear(self, record: EventRecord) -> None:
        """One line."""
        from lemmata.report.formats.jsonl import event_line

        say(event_line(record, self._file))

    def tick(self, memory_mb: float, time_s: float) -> None:
        """Nothing to print."""


def show_result(result: Result, form: Format, verbose: bool, pictures: Pictures | None = None) -> None:
    """Print the result; ``pictures`` are what its page shows beside it."""
    match form:
        case Format.text if is_rich():
            from lemmata.report.text import terminal

            terminal.show_on_terminal(result, rich_console(), verbose)
        case Format.text:
            from lemmata.report import text

            say(text.report(result, verbose, columns()))
        case Format.json | Format.jsonl:
            from lemmata.report.formats import json

            say(json.document(result) if form is Format.json else json.json_line(result))
        case Format.html:
            from lemmata.cli.pages import result_page

            say(result_page(result, pictures))
        case Format.hwmcc:
            from lemmata.report.formats import hwmcc

            say(hwmcc.hwmcc_word(result))
            _remark(result)
        case Format.junit | Format.sarif | Format.github:
            show_results([result], form)
        case Format.chc:
            from lemmata.report.formats import chc

            say(chc.chc_word(result))
            _remark(result)


def show_results(results: Sequence[Result], form: Format) -> None:
    """Print results of several files as one document for continuous integration."""
    match form:
        case Format.junit:
            from lemmata.report.formats import junit

            say(junit.junit(results))
        case Format.sarif:
            from lemmata.report.formats import sarif

            say(sarif.sarif(results))
        case _:
            from lemmata.report.formats import github

            say(github.workflow_commands(results))


def _remark(result: Result) -> None:
    """Where standard output has its one word only."""
    if result.remark:
        complain(result.remark)


def show_model(outcome: run.Outcome) -> None:
    """What ``sat`` or ``unsat`` rests on."""
    from lemmata.models.derivation import GraphInvariant
    from lemmata.report.formats import chc

    verdicts = [prop.verdict for prop in outcome.result.properties]
    if outcome.result.verdict == "unsafe":
        say(chc.refutation(outcome.result))
    elif all(isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant) for verdict in verdicts):
        for files in outcome.files.values():
            if files.certificate is not None:
                say(files.certificate.decode("utf-8", "surrogateescape").rstrip())
    elif outcome.result.verdict == "safe":
        complain("there is no model to show: the proof is by k-induction (engine auto finds other proofs with --model)")
