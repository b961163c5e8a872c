"""A result as one JSON object; the schema is documented in ``docs/json.md``. ASCII only, so that every pipe carries it."""

from __future__ import annotations

from lemmata.escapes import in_json
from lemmata.result import Result


def document(result: Result) -> str:
    """The object over several lines."""
    return in_json(result.to_json(), indent=2)


def json_line(result: Result) -> str:
    """The object on one line, as the last line of ``jsonl``."""
    return in_json(result.to_json())
