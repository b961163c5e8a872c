"""A result as plain text: the verdict, a table of the properties, and the evidence in the file's own names.

The first line is the verdict of the whole file and nothing else, so that a script may read it. Names of the file are shown with
escapes for what is not printable: a name must not be able to talk to the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.escapes import printable
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe

COLUMNS = ("property", "verdict", "reason", "engine", "bound", "depth", "certified", "seconds")
_SHOWN = 20  # lines of evidence
_LAST = 5  # of them, the last ones of a trace


def report(result: Result, verbose: bool = False) -> str:
    """The whole report."""
    rows = table([row(p) for p in result.properties])
    told = [*remarks(result), *checks(result, verbose), *statistics(result, verbose), *evidence(result, verbose)]
    return "\n".join([result.verdict, *rows, *told, footer(result)])


def remarks(result: Result) -> list[str]:
    """What the verdict is not about, and what has to be known about the file, if there is anything."""
    lines = [*([result.remark] if result.remark else []), *[printable(note) for note in result.notes]]
    return ["", *lines] if lines else []


def row(prop: PropertyResult) -> tuple[str, ...]:
    """One property's line of the table."""
    reason = prop.verdict.reason if isinstance(prop.verdict, Unknown) else "-"
    bound = "-" if prop.bound < 0 else str(prop.bound)
    depth = "-" if prop.depth is None else str(prop.depth)
    certified = "yes" if prop.certified else "no"
    return printable(prop.name), prop.word, reason, prop.engine, bound, depth, certified, f"{prop.time_s:.2f}"


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Aligned columns under their names."""
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in (COLUMNS, *rows)
    ]


def checks(result: Result, verbose: bool = False) -> list[str]:
    """With ``verbose`` who checked the evidence, and who read the file."""
    told = [p for p in result.properties if p.by and verbose]
    return ["", *(_check(p) for p in told)] if told else []


def _check(prop: PropertyResult) -> str:
    again = f", and by {', '.join(prop.read_by[1:])} again" if prop.read_by[1:] else " only"
    return printable(f"{prop.name}: checked by {prop.by}; the file was read by {prop.read_by[0]}{again}")


def statistics(result: Result, verbose: bool = False) -> list[str]:
    """How far the engine came where that is all there is to say; with ``verbose`` what every answer took."""
    told = [p for p in result.properties if p.statistics and (verbose or isinstance(p.verdict, Unknown))]
    return [line for prop in told for line in _statistics(prop.name, prop.statistics or {})]


def _statistics(name: str, numbers: Mapping[str, object]) -> list[str]:
    """What belongs together on one line."""
    groups = {key: value for key, value in numbers.items() if isinstance(value, Mapping)}
    alone = ", ".join(f"{key} {value}" for key, value in numbers.items() if key not in groups)
    lines = [f"  {key}: {', '.join(f'{part} {value}' for part, value in group.items())}" for key, group in groups.items()]
    return ["", printable(f"statistics of {name}:"), f"  {alone}", *lines]


def evidence(result: Result, verbose: bool = False) -> list[str]:
    """The invariant or the trace of a single property; with ``verbose`` of all of them, and uncut."""
    if len(result.properties) > 1 and not verbose:
        return []
    return [line for prop in result.properties for line in _evidence(prop, verbose)]


def _evidence(prop: PropertyResult, verbose: bool) -> list[str]:
    match prop.verdict:
        case Safe(invariant):
            head, body, option = f"invariant of {prop.name}:", invariant.describe(), "--certificate FILE.txt"
        case Unsafe(trace):
            head, body, option = f"trace to {prop.name}:", trace.describe(), "--witness FILE"
        case Unknown():
            return []
    lines = [f"  {printable(line)}" for line in body.split("\n")]
    if (more := len(lines) - _SHOWN) > 0 and not verbose:
        last = _LAST if isinstance(prop.verdict, Unsafe) else 0
        note = f"  … {more} more line{'s' if more > 1 else ''}: -v shows them, {option} writes them"
        lines[_SHOWN - last : len(lines) - last] = [note]
    return ["", printable(head), *lines]


def footer(result: Result) -> str:
    """What the run cost."""
    return f"\n{printable(result.file)}: {result.time_s:.2f} s, {result.memory_mb:.0f} MB"
