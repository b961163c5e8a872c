"""A result as one JSON object; the schema is documented in ``docs/json.md``. ASCII only, so that every pipe carries it."""

from __future__ import annotations

import json

from lemmata.result import Result


def document(result: Result) -> str:
    """The object over several lines."""
    return json.dumps(result.to_json(), indent=2)


def line(result: Result) -> str:
    """The object on one line, as the last line of ``jsonl``."""
    return json.dumps(result.to_json())
