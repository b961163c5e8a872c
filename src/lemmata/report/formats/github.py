"""Results as workflow commands, which GitHub Actions shows as annotations of the source."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.escapes import in_workflow
from lemmata.report.formats.junit import is_failure
from lemmata.report.formats.sarif import message
from lemmata.result import PropertyResult, Result


def workflow_commands(results: Sequence[Result]) -> str:
    """One command per property: errors for what is not as hoped, warnings for unknowns, notices for the rest."""
    return "\n".join(_command(result, prop) for result in results for prop in result.properties)


def _command(result: Result, prop: PropertyResult) -> str:
    kind = "error" if is_failure(prop) else "warning" if prop.word == "unknown" else "notice"
    file = result.file if prop.place is None else str(prop.place.file)
    line = 1 if prop.place is None else prop.place.line or 1
    text = message(prop) if kind != "notice" else f"{prop.name}: {prop.word} ({prop.engine})"
    title = in_workflow(f"Lemmata: {prop.word}", is_property=True)
    return f"::{kind} file={in_workflow(file, is_property=True)},line={line},title={title}::{in_workflow(text)}"
