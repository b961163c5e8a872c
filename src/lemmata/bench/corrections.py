"""Corrections: expectations of a suite that are known to be wrong, and why.

A correction is a row of a file with the columns ``file`` (its path within the suite), ``expected`` and ``why``. It replaces
what the suite's index says, and the report lists it: whoever reads a table sees which expectations it does not take from the
suite. Some come with Lemmata, in the folder ``known``; these are named without path and suffix.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from lemmata.bench.suites import VERDICTS, Case
from lemmata.errors import InputError, Place, UsageError
from lemmata.values import dataclass

_KNOWN = Path(__file__).with_name("known")
_COLUMNS = ("file", "expected", "why")


@dataclass(frozen=True, slots=True)
class Correction:
    """The suite expects ``listed``; in truth it is ``expected``."""

    suite: str
    file: str
    listed: str
    expected: str
    why: str

    def __str__(self) -> str:
        return f"{self.suite}/{self.file} is {self.expected}, not {self.listed}: {self.why}"


def correct(cases: Iterable[Case], sources: Sequence[str]) -> tuple[list[Case], tuple[Correction, ...]]:
    """The cases with what the ``sources`` expect, and what that changed."""
    truths = {file: truth for source in sources for file, truth in _read(_found(source)).items()}
    corrected: list[Case] = []
    corrections: list[Correction] = []
    for case in cases:
        expected, why = truths.get(case.file, (case.expected, ""))
        corrected.append(replace(case, expected=expected))
        if expected != case.expected:
            corrections.append(Correction(case.suite, case.file, case.expected, expected, why))
    return corrected, tuple(corrections)


def _found(source: str) -> Path:
    path, shipped = Path(source), _KNOWN / f"{source}.csv"
    if path.is_file() or not shipped.is_file():
        return path
    return shipped


def _read(path: Path) -> dict[str, tuple[str, str]]:
    """The rows by file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        names = ", ".join(sorted(known.stem for known in _KNOWN.glob("*.csv")))
        raise UsageError(f"--expected {path}: no such file, and no corrections that Lemmata has (these are: {names})") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Place(path), f"cannot read: {error}", f"needs text with the columns {', '.join(_COLUMNS)}") from None
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True)
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(Place(path, 1), f"no column {' and no column '.join(missing)}", f"needs {', '.join(_COLUMNS)}")
    return dict(_truth(path, reader.line_num, [(row[name] or "").strip() for name in _COLUMNS]) for row in reader)


def _truth(path: Path, line: int, row: Sequence[str]) -> tuple[str, tuple[str, str]]:
    file, expected, why = row
    if not file or not why or expected not in VERDICTS:
        raise InputError(Place(path, line), "not a correction", "needs a file, safe, unsafe or unknown, and the reason")
    return file, (expected, why)
