"""Is this a witness of SV-COMP's format 2.0? Written from the facts of the published schema."""

from __future__ import annotations

import re
from typing import Any

_METADATA = {"format_version", "uuid", "creation_time", "producer", "task"}
_TASK = {"input_files", "input_file_hashes", "specification", "data_model", "language"}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")
_WAYPOINTS = {"assumption", "target", "function_enter", "function_return", "branching"}


def complaints(document: Any) -> list[str]:
    """What the schema has against a document."""
    try:
        return list(_document(document))
    except (KeyError, TypeError, AttributeError) as error:
        return [f"{type(error).__name__}: {error}"]


def _document(document: Any) -> Any:
    if not isinstance(document, list) or not document:
        yield "the document is no list of entries"
        return
    for entry in document:
        if set(entry) != {"entry_type", "metadata", "content"}:
            yield f"an entry has {sorted(entry)}"
        yield from _metadata(entry["metadata"])
        match entry["entry_type"]:
            case "invariant_set":
                for item in entry["content"]:
                    yield from _invariant(item)
            case "violation_sequence":
                yield from _sequence(entry["content"])
            case other:
                yield f"there is no entry type {other}"


def _metadata(metadata: Any) -> Any:
    if not set(metadata) >= _METADATA:
        yield f"metadata lack {sorted(_METADATA - set(metadata))}"
    if metadata["format_version"] != "2.0":
        yield "the version is not the text 2.0"
    if not _UUID.fullmatch(metadata["uuid"]):
        yield "the uuid is none"
    if not _TIME.fullmatch(metadata["creation_time"]):
        yield "the time is not that of ISO 8601"
    if not {"name", "version"} <= set(metadata["producer"]):
        yield "the producer lacks name or version"
    task = metadata["task"]
    if not set(task) >= _TASK:
        yield f"the task lacks {sorted(_TASK - set(task))}"
    if set(task["input_file_hashes"]) != set(task["input_files"]) or not task["input_files"]:
        yield "not every input file has a hash"
    if not all(re.fullmatch("[0-9a-f]{64}", text) for text in task["input_file_hashes"].values()):
        yield "a hash is not of SHA-256"
    if task["data_model"] not in ("ILP32", "LP64") or task["language"] != "C":
        yield "the data model or the language is unknown"
    if not isinstance(task["specification"], str):
        yield "the specification is no text"


def _location(location: Any) -> Any:
    if not {"file_name", "line"} <= set(location) <= {"file_name", "line", "column", "function"}:
        yield f"a location has {sorted(location)}"
    if not (isinstance(location["line"], int) and location["line"] >= 1 and location.get("column", 1) >= 1):
        yield "a line or a column is not positive"


def _invariant(item: Any) -> Any:
    inner = item["invariant"]
    if set(item) != {"invariant"} or set(inner) != {"type", "location", "value", "format"}:
        yield f"an invariant has {sorted(inner)}"
    if inner["type"] not in ("loop_invariant", "location_invariant") or inner["format"] != "c_expression":
        yield "the type or the format of an invariant is unknown"
    if not isinstance(inner["value"], str):
        yield "the value of an invariant is no text"
    yield from _location(inner["location"])


def _sequence(content: Any) -> Any:
    kinds = []
    for item in content:
        if set(item) != {"segment"} or not item["segment"]:
            yield "a segment is empty"
        for number, outer in enumerate(item["segment"], 1):
            waypoint = outer["waypoint"]
            kinds.append(waypoint["type"])
            if waypoint["type"] not in _WAYPOINTS or waypoint["action"] not in ("follow", "avoid"):
                yield "the type or the action of a waypoint is unknown"
            if (waypoint["action"] == "follow") != (number == len(item["segment"])):
                yield "a segment ends with the one waypoint that is followed"
            if ("constraint" in waypoint) == (waypoint["type"] in ("target", "function_enter")):
                yield f"a waypoint of type {waypoint['type']} has a constraint, or none"
            if waypoint["type"] in ("assumption", "function_return"):
                wanted = "c_expression" if waypoint["type"] == "assumption" else "ext_c_expression"
                if waypoint["constraint"]["format"] != wanted:
                    yield "the format of a constraint is wrong"
            yield from _location(waypoint["location"])
    if kinds.count("target") != 1 or kinds[-1] != "target":
        yield "the last waypoint is the only target"
