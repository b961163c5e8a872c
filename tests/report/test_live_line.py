"""The live line: limits, singular and plural, and counts that do not go back."""

from __future__ import annotations

import io

from lemmata.events import BoundReached, EventRecord, Progress
from lemmata.report.live.line import LiveLine, _fitting


def drawn(*events: EventRecord, limit_s: float | None = None, limit_mb: int | None = None) -> str:
    stream = io.StringIO()
    line = LiveLine(stream, limit_s=limit_s, limit_mb=limit_mb)
    for record in events:
        line.hear(record)
    line.tick(12.0, 3.25)
    return stream.getvalue().strip()


def record(event, name: str | None = "p", engine: str = "pdr") -> EventRecord:
    return EventRecord(1.0, engine, name, event)


def test_limits_are_shown():
    assert drawn() == "3.2 s | 12 MB | reading"
    assert drawn(limit_s=60.0, limit_mb=500) == "3.2 of 60 s | 12 of 500 MB | reading"


def test_one_is_no_plural():
    told = drawn(record(Progress("pdr", 1, 1, 1, 1, 1)))
    assert told.endswith("pdr: bound 1, 1 frame, 1 lemma, 1 obligation, 1 query")
    assert drawn(record(Progress("pdr", 2, 2, 2, 2, 20_000))).endswith("2 frames, 2 lemmas, 2 obligations, 20k queries")


def test_counts_do_not_go_back():
    assert drawn(record(Progress("pdr", 7, 7, 9)), record(Progress("pdr", 3, 2, 4))).endswith(
        "pdr: bound 7, 7 frames, 9 lemmas"
    )
    assert drawn(record(Progress("pdr", 7, 7, 9)), record(BoundReached("pdr", 2))).endswith("pdr: bound 7, 7 frames, 9 lemmas")


def test_another_property_is_named():
    told = drawn(record(Progress("pdr", 7), "p"), record(Progress("pdr", 0, 1), "q"))
    assert told.endswith("pdr: q, bound 0, 1 frame")


def test_an_engine_without_a_bound_is_at_work():
    assert drawn(record(Progress("abstract", -1))).endswith("pdr: at work")


def test_a_count_that_does_not_fit_is_left_out_whole():
    line = "1.0 s | 12 MB | pdr: bound 7, 8 frames, 9 lemmas, 20k queries"
    assert _fitting(line, len(line)) == line
    assert _fitting(line, len(line) - 1) == "1.0 s | 12 MB | pdr: bound 7, 8 frames, 9 lemmas"
    assert _fitting(line, len("1.0 s | 12 MB | pdr: bou")) == "1.0 s | 12 MB"
    assert _fitting("pdr", 2) == "pd"
