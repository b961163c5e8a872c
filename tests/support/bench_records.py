"""Records of a bench, written by hand."""

from __future__ import annotations

from dataclasses import replace

from lemmata.bench.records import Record

BASE = Record(
    contestant="a",
    options="",
    version="1",
    suite="s",
    file="x/1.aig",
    subset="x",
    digest="d",
    expected="safe",
    verdict="safe",
    outcome="solved",
    reason="",
    certified=True,
    cpu_s=1.0,
    wall_s=1.0,
    memory_mb=10.0,
    exit_code=0,
    timeout_s=10.0,
    memory_limit_mb=100,
)


TIMED_OUT = replace(BASE, verdict="unknown", outcome="timeout", cpu_s=10.02, certified=None)
