"""Tables: a report of a campaign, shown on a terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from rich.table import Table

from lemmata.bench import comparison, grids
from lemmata.bench.comparison import Best, Exclusive
from lemmata.bench.contestants import Contestant
from lemmata.bench.corrections import Correction
from lemmata.bench.records import Record
from lemmata.bench.runners import RunLimits
from lemmata.bench.scores import FLOOR_S, TOTAL, Disagreement, Ratio, Score, disagreements, ratio, score, subsets
from lemmata.escapes import in_json, in_markdown
from lemmata.values import dataclass

_SCORE_HEADS = (
    *("subset", "contestant", "files", "solved", "safe", "unsafe", "wrong", "uncertified", "unknown", "error"),
    *("PAR2 s", "mean s"),
)
_RATIO_HEADS = ("subset", "contestant", "reference", "files", "PAR2 ratio", "both solved", "time ratio")
_TEXT = ("subset", "contestant", "reference")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is worth saying about some records."""

    limits: RunLimits
    contestants: tuple[str, ...]
    references: tuple[str, ...]
    scores: tuple[Score, ...]
    ratios: tuple[Ratio, ...]
    alarms: tuple[Record, ...]  # wrong and uncertified
    disagreements: tuple[Disagreement, ...]
    starved: int  # time-outs by wall time, with CPU time left
    versions: dict[str, str]
    exclusive: tuple[Exclusive, ...]
    best: Best
    corrections: tuple[Correction, ...] = ()

    @property
    def is_alarming(self) -> bool:
        """Whether somebody must look: a wrong or uncertified verdict, or a contradiction."""
        return bool(self.alarms or self.disagreements)


def bench_report(
    records: Sequence[Record], contestants: Sequence[Contestant], limits: RunLimits, corrections: Sequence[Correction] = ()
) -> Report:
    """Compute a report. References are the peers and, if Lemmata takes part several times, the first of these."""
    labels = tuple(one.label for one in contestants)
    ours = tuple(one.label for one in contestants if not one.is_peer)
    references = (*(ours[:1] if len(ours) > 1 else ()), *(one.label for one in contestants if one.is_peer))
    parts = subsets(records)
    if len(parts) == 2:  # one subset is the total
        parts = {TOTAL: parts[TOTAL]}
    return Report(
        limits=limits,
        contestants=labels,
        references=references,
        scores=tuple(
            score(name, label, [one for one in part if one.contestant == label])
            for name, part in parts.items()
            for label in labels
        ),
        ratios=tuple(
            ratio(name, label, reference, part)
            for name, part in parts.items()
            for label in ours
            for reference in references
            if label != reference
        ),
        alarms=tuple(one for one in records if one.outcome in ("wrong", "uncertified")),
        disagreements=tuple(disagreements(records)),
        starved=sum(one.outcome == "timeout" and one.cpu_s < 0.95 * one.timeout_s for one in records),
        versions={one.contestant: one.version for one in records},
        exclusive=comparison.solved_by_one(records, labels),
        best=comparison.best(records),
        corrections=tuple(corrections),
    )


def rich_tables(shown: Report) -> list[Table]:
    """The score table and, where something compares, the ratio table and those that put contestants side by side."""
    limits = f"CPU limit {shown.limits.cpu_s:g} s, memory {shown.limits.memory_mb} MB"
    tables = [grids.terminal(limits, _SCORE_HEADS, _score_rows(shown), _TEXT, quiet=("uncertified", "error"))]
    if shown.ratios:
        title = "Ratios (below 1: better than the reference)"
        tables.append(grids.terminal(title, _RATIO_HEADS, _ratio_rows(shown), _TEXT))
    if len(shown.contestants) > 1:
        tables += comparison.comparison_tables(shown.scores, shown.exclusive, shown.best)
    return tables


def tables_markdown(shown: Report) -> str:
    """The same as a Markdown page."""
    parts = [
        "# Benchmark\n",
        f"Limits per run: {shown.limits.cpu_s:g} s CPU, {shown.limits.wall_s:g} s wall, {shown.limits.memory_mb} MB.",
        "Contestants: "
        + ", ".join(in_markdown(f"{label} ({version or 'unknown build'})") for label, version in shown.versions.items())
        + ".\n",
        grids.grid_page(_SCORE_HEADS, _score_rows(shown), _TEXT),
    ]
    if shown.ratios:
        explained = f"geometric mean over files that both solved, times below {FLOOR_S:g} s count as {FLOOR_S:g} s"
        parts += [f"Ratios to a reference in the same run; below 1 is better. *time*: {explained}.\n"]
        parts += [grids.grid_page(_RATIO_HEADS, _ratio_rows(shown), _TEXT)]
    if len(shown.contestants) > 1:
        parts += comparison.comparison_markdown(shown.scores, shown.exclusive, shown.best)
    remarks = [*alarms(shown), *remarks_of(shown)]
    parts += ["## Remarks\n"] * bool(remarks) + [f"- {in_markdown(line)}" for line in remarks]
    return "\n".join(parts).rstrip() + "\n"


def to_json(shown: Report) -> str:
    """The same as one JSON object."""
    return in_json(asdict(shown), indent=2)


def alarms(shown: Report) -> list[str]:
    """One line for each thing that somebody must look at."""
    lines = [
        f"{one.outcome.upper()}: {one.contestant} says {one.verdict} on {one.suite}/{one.file}, expected {one.expected}"
        + (f" ({one.reason})" if one.reason else "")
        for one in shown.alarms
    ]
    lines += [
        f"DISAGREE: {one.suite}/{one.file} is safe for {', '.join(one.safe)} and unsafe for {', '.join(one.unsafe)}"
        for one in shown.disagreements
    ]
    return lines


def remarks_of(shown: Report) -> list[str]:
    """What a reader of the numbers should know."""
    lines = [f"Corrected expectation: {one}" for one in shown.corrections]
    if shown.starved:
        slept = "they slept, or the machine is overloaded"
        lines.append(f"Note: {shown.starved} runs were ended by wall time with CPU time left: {slept}")
    return lines


def _score_rows(shown: Report) -> list[list[str]]:
    return [
        [one.subset, one.contestant]
        + [str(n) for n in (one.files, one.solved, one.safe, one.unsafe, one.wrong, one.uncertified, one.unknown, one.error)]
        + [f"{one.par2_s:.1f}", f"{one.par2_mean_s:.2f}"]
        for one in shown.scores
    ]


def _ratio_rows(shown: Report) -> list[list[str]]:
    return [
        [one.subset, one.contestant, one.reference, str(one.files), _factor(one.par2), str(one.both_solved), _factor(one.time)]
        for one in shown.ratios
    ]


def _factor(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
