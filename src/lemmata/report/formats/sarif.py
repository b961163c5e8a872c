"""Results as SARIF 2.1.0 (OASIS), the format that code hosts show beside the source: a result per property that is not safe."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.escapes import in_json, printable
from lemmata.report.formats.junit import is_failure
from lemmata.report.text.evidence import evidence_lines
from lemmata.result import PropertyResult, Result
from lemmata.verdict import Safe, Unknown, Unsafe

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "unsafe": "A bad state can be reached.",
    "unreachable": "A state that shall be reachable is not.",
    "unknown": "The property was not settled.",
}
_SHOWN_LINES = 40  # lines of a trace


def sarif(results: Sequence[Result]) -> str:
    """The whole document."""
    version = results[0].version if results else ""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in _RULES.items()]
    found = [_result(result, prop) for result in results for prop in result.properties if prop.word in _RULES]
    driver = {"name": "Lemmata", "version": version, "rules": rules}
    return in_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": found}]}, indent=2)


def _result(result: Result, prop: PropertyResult) -> dict[str, object]:
    file = result.file if prop.place is None else str(prop.place.file)
    line = 1 if prop.place is None else prop.place.line or 1
    place = {"artifactLocation": {"uri": printable(file)}, "region": {"startLine": line}}
    return {
        "ruleId": prop.word,
        "level": "error" if is_failure(prop) else "warning",
        "message": {"text": message(prop)},
        "locations": [{"physicalLocation": place}],
    }


def message(prop: PropertyResult) -> str:
    """The verdict, and the beginning of its evidence."""
    match prop.verdict:
        case Unknown(reason):
            return printable(f"{prop.name}: unknown ({reason})") + (f": {printable(prop.why)}" if prop.why else "")
        case Safe(found) | Unsafe(found):
            lines = [printable(line) for line in evidence_lines(found)]
            more = [f"… {len(lines) - _SHOWN_LINES} more lines"] if len(lines) > _SHOWN_LINES else []
            return "\n".join([printable(f"{prop.name}: {prop.word} ({prop.engine})"), *lines[:_SHOWN_LINES], *more])
