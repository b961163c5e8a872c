"""The tables of Werner's evaluation (2018, section 5.1): contestants side by side, category by category.

Table 5.1 has for each category what was solved, in which time, and why the rest was not. Table 5.2 has what only one
contestant solved. Where one contestant is made of others that has little to say, so they are also compared by pairs. The
*virtual best* is whoever was first on each file: what a perfect choice among the contestants would give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table

from lemmata.bench import grids
from lemmata.bench.records import Record
from lemmata.bench.scores import TOTAL, Score
from lemmata.escapes import in_markdown, in_markdown_code
from lemmata.values import dataclass

_TEXT = ("category", "measure", "contestant")


@dataclass(frozen=True, slots=True)
class Exclusive:
    """The files that one contestant solved and no other, and how many it solved that each other one did not."""

    contestant: str
    files: tuple[str, ...]
    beyond: dict[str, int]


@dataclass(frozen=True, slots=True)
class Best:
    """All contestants together, each file by the quickest of them."""

    files: int
    safe: int
    unsafe: int
    solved_s: float


def solved_by_one(records: Sequence[Record], contestants: Sequence[str]) -> tuple[Exclusive, ...]:
    """What each contestant solved alone."""
    has_several = len({one.suite for one in records}) > 1
    solved: dict[str, list[str]] = {label: [] for label in contestants}
    for one in records:
        if one.is_solved:
            solved[one.contestant].append(f"{one.suite}/{one.file}" if has_several else one.file)
    found = []
    for label, own in solved.items():
        others = {name: set(theirs) for name, theirs in solved.items() if name != label}
        alone = [file for file in own if not any(file in theirs for theirs in others.values())]
        beyond = {name: sum(file not in theirs for file in own) for name, theirs in others.items()}
        found.append(Exclusive(label, tuple(alone), beyond))
    return tuple(found)


def best(records: Sequence[Record]) -> Best:
    """The virtual best contestant."""
    files = {(one.suite, one.file) for one in records}
    quickest: dict[tuple[str, str], Record] = {}
    for one in records:
        if one.is_solved and one.cpu_s < getattr(quickest.get((one.suite, one.file)), "cpu_s", math.inf):
            quickest[one.suite, one.file] = one
    verdicts = [one.verdict for one in quickest.values()]
    seconds = math.fsum(one.cpu_s for one in quickest.values())
    return Best(len(files), verdicts.count("safe"), verdicts.count("unsafe"), round(seconds, 3))


def comparison_tables(scores: Sequence[Score], alone: Sequence[Exclusive], together: Best) -> list[Table]:
    """The tables for a terminal."""
    heads, rows = _categories(scores, together)
    tables = [grids.terminal("By category", heads, rows, _TEXT)]
    if len(alone) > 1:
        tables.append(grids.terminal("Solved by the one, not by the other", *_pairs(alone), _TEXT))
    return tables


def comparison_markdown(scores: Sequence[Score], alone: Sequence[Exclusive], together: Best) -> list[str]:
    """The parts of a page, with the names of files."""
    parts = ["## By category\n", grids.grid_page(*_categories(scores, together), _TEXT)]
    if len(alone) > 1:
        parts += ["## Solved exclusively\n"]
        parts += ["*only*: solved by no other contestant. Other columns: solved, but not by the contestant at the top.\n"]
        parts += [grids.grid_page(*_pairs(alone), _TEXT)]
        parts += [
            f"Only {in_markdown(one.contestant)}:\n\n" + "".join(f"- {in_markdown_code(file)}\n" for file in one.files)
            for one in alone
            if one.files
        ]
    return parts


def _categories(scores: Sequence[Score], together: Best) -> tuple[list[str], list[list[str]]]:
    """Table 5.1: the total first, a row per measure, a column per contestant, and the virtual best."""
    labels = list(dict.fromkeys(one.contestant for one in scores))
    names = sorted(dict.fromkeys(one.subset for one in scores), key=lambda name: name != TOTAL)
    rows = []
    for name in names:
        line = [one for label in labels for one in scores if (one.subset, one.contestant) == (name, label)]
        ideal = iter(_solved(together.files, together.safe, together.unsafe, together.solved_s) if name == TOTAL else ())
        heading = iter([name])
        rows += [[next(heading, ""), measure, *cells, next(ideal, "")] for measure, cells in _measures(line)]
    return ["category", "measure", *labels, "virtual best"], rows


def _measures(line: Sequence[Score]) -> list[tuple[str, list[str]]]:
    heads = ("solved", "safe", "unsafe", "solve time, s")
    solved = zip(*[_solved(one.files, one.safe, one.unsafe, one.solved_s) for one in line], strict=True)
    measures = [(head, list(cells)) for head, cells in zip(heads, solved, strict=True)]
    measures += [
        ("time-outs", [str(one.timeout) for one in line]),
        ("unknown", [str(one.unknown - one.timeout) for one in line]),
        ("errors", [str(one.error) for one in line]),
    ]
    doubtful = [one.wrong + one.uncertified for one in line]
    return [*measures, ("wrong or uncertified", list(map(str, doubtful)))] if any(doubtful) else measures


def _solved(files: int, safe: int, unsafe: int, seconds: float) -> tuple[str, str, str, str]:
    return f"{safe + unsafe}/{files}", str(safe), str(unsafe), f"{seconds:.0f}"


def _pairs(alone: Sequence[Exclusive]) -> tuple[list[str], list[list[str]]]:
    """Table 5.2, and the same by pairs."""
    labels = [one.contestant for one in alone]
    rows = [[one.contestant, str(len(one.files)), *[str(one.beyond.get(label, "–")) for label in labels]] for one in alone]
    return ["contestant", "only", *labels], rows
