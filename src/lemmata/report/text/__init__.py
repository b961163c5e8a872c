"""A result as plain text: the verdict, a table of the properties, and the evidence in the file's own names.

The first line is the verdict of the whole file and nothing else, so that a script may read it. Names of the file are shown with
escapes for what is not printable: a name must not be able to talk to the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from lemmata.escapes import printable
from lemmata.models.timeline import PAGE_WIDTH
from lemmata.report.text.evidence import evidence_lines
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe

_NARROW_COLUMNS = 80  # columns, below which a page leaves things out
_SHORT_NAME = 8  # characters of a name that are always shown
_DROPPED = ("seconds", "reason", "bound", "certified", "engine", "depth")  # by a narrow page, the first ones first
_HINTS = 5  # properties with advice
COLUMNS = ("property", "verdict", "reason", "engine", "bound", "depth", "certified", "seconds")
_SHOWN_LINES = 20  # lines of evidence
_SHOWN_LINES_OF_ALL = 40  # of all properties together
_LEAST_LINES = 5  # of one of several properties
_LAST_LINES = 5  # of them, the last ones of a trace


def report(result: Result, verbose: bool = False, width: int = PAGE_WIDTH) -> str:
    """The whole report, with tables that are at most so wide."""
    rows = table([row(p) for p in result.properties], width)
    told = [
        *remarks(result),
        *advice_lines(result, width),
        *checks(result, verbose),
        *statistics(result, verbose),
        *evidence(result, verbose, width),
    ]
    return "\n".join([result.verdict, *rows, *told, footer(result, width)])


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


def table(rows: Sequence[tuple[str, ...]], width: int = PAGE_WIDTH) -> list[str]:
    """Aligned columns under their names, as many as a narrow page has room for."""
    kept = kept_columns(rows, width)
    lines = [tuple(line[k] for k in kept) for line in (COLUMNS, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if width < _NARROW_COLUMNS:  # names are cut, verdicts are not
        widths[0] = max(min(widths[0], width - sum(widths[1:]) - 2 * (len(widths) - 1)), _SHORT_NAME)
        lines = [(_cut(line[0], widths[0]), *line[1:]) for line in lines]
    return ["  ".join(cell.ljust(size) for cell, size in zip(line, widths, strict=True)).rstrip() for line in lines]


def kept_columns(rows: Sequence[tuple[str, ...]], width: int) -> list[int]:
    """Which columns are shown: no reasons where there are none; a narrow page also leaves out what is least missed."""
    reason = COLUMNS.index("reason")
    kept = [k for k in range(len(COLUMNS)) if k != reason or any(row[k] != "-" for row in rows)]
    for name in _DROPPED if width < _NARROW_COLUMNS else ():
        widths = [max(map(len, [COLUMNS[k], *(row[k] for row in rows)])) for k in kept]
        if sum(widths) + 2 * (len(widths) - 1) <= width:
            break
        kept = [k for k in kept if COLUMNS[k] != name]
    return kept


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def advice_lines(result: Result, width: int = PAGE_WIDTH) -> list[str]:
    """How far the run came on what is not settled, and what to try."""
    if all(prop.word != "unknown" for prop in result.properties):
        return []
    from lemmata.report.text.advice import advice

    told = advice(result)
    more = [f"… and {len(told) - _HINTS} more properties are not settled"] if len(told) > _HINTS else []
    lines = [line for hint in [*map(printable, told[:_HINTS]), *more] for line in wrap(hint, max(width, _NARROW_COLUMNS // 2))]
    return ["", *lines] if lines else []


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


def evidence(result: Result, verbose: bool = False, width: int = PAGE_WIDTH) -> list[str]:
    """Invariants and traces, cut to a page, with a hint; with ``verbose`` all of them, uncut. Equal ones are told once."""
    told: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    texts: dict[int, tuple[str, ...]] = {}  # by the identity of the evidence, which properties may share
    for prop in result.properties:
        match prop.verdict:
            case Safe(found) | Unsafe(found):
                if id(found) not in texts:
                    texts[id(found)] = tuple([f"  {printable(line)}" for line in evidence_lines(found, width - 2, verbose)])
                told.setdefault((isinstance(prop.verdict, Unsafe), texts[id(found)]), []).append(prop.name)
    most = many = sum(len(lines) for _, lines in told)
    if not verbose and (len(told) < 2 or most > _SHOWN_LINES_OF_ALL):
        most = _SHOWN_LINES if len(told) < 2 else max(_SHOWN_LINES_OF_ALL // len(told), _LEAST_LINES)
        many = _SHOWN_LINES_OF_ALL // most
    groups = list(told.items())
    shown = [line for (is_trace, lines), names in groups[:many] for line in _evidence(names, is_trace, lines, most)]
    if more := sum(len(names) for _, names in groups[many:]):
        shown += ["", f"… and {more} more propert{'y' if more == 1 else 'ies'}: -v shows why"]
    return shown


def _evidence(names: Sequence[str], is_trace: bool, told: Sequence[str], most: int) -> list[str]:
    """A heading and at most so many lines; of a trace also the last ones."""
    lines = list(told)
    if (more := len(lines) - most) > 0:
        last = min(_LAST_LINES, most // 2) if is_trace else 0
        option = "--witness FILE" if is_trace else "--certificate FILE.txt"
        note = f"  … {more} more line{'s' if more > 1 else ''}: -v shows them, {option} writes them"
        lines[most - last : len(lines) - last] = [note]
    return ["", printable(f"{'trace to' if is_trace else 'invariant of'} {', '.join(names)}:"), *lines]


def footer(result: Result, width: int = PAGE_WIDTH) -> str:
    """What the run cost."""
    name, cost = printable(result.file), f"{result.time_s:.2f} s, {result.memory_mb:.0f} MB"
    return f"\n{name}: {cost}" if len(name) + len(cost) + 2 <= width or width >= _NARROW_COLUMNS else f"\n{name}:\n{cost}"
