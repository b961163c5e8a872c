"""What is known of a file as the document of ``--format json``: put together of a site's result and the driver's opinion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lemmata.result import PropertyResult
from lemmata.run.cluster.jobs import Answer, Found, Judged, Opinion, WorkItem
from lemmata.run.processes.messages import Abandoned, Settled, Uncertified
from lemmata.verdict import Unknown

Document = dict[str, Any]


def refused_document(file: str, cause: str) -> Document:
    """A file about which there is no result, as in tables of several files."""
    return {"tool": "lemmata", "file": file, "verdict": "error", "error": cause}


def unreached(file: str, reason: str) -> Document:
    """A file that nobody has begun."""
    return {"tool": "lemmata", "file": file, "verdict": "unknown", "reason": reason, "time_s": 0.0, "properties": []}


def concluded(item: WorkItem, answer: Answer, judged: Judged) -> Document:
    """The answer of a site, with the verdicts that the driver has certified; the others are unknown."""
    if answer.result is None or judged.refusal:
        return refused_document(item.file, answer.refusal or judged.refusal)
    opinions = iter(zip(answer.found, judged.opinions, strict=True))
    properties, bugs = [], list(answer.bugs)
    for one in answer.result.properties:
        if not one.certified:
            properties.append(one)
            continue
        found, opinion = next(opinions)
        properties.append(_in_the_light_of(opinion, one, found))
        if isinstance(opinion, Uncertified):
            bugs.append(f"the evidence of {opinion.engine} for {one.name} did not survive its check: {opinion.cause}")
    document: Document = replace(answer.result, properties=tuple(properties)).to_json()
    first = int(item.prop) if item.prop.isdigit() else 0
    numbered = [entry | {"index": index} for index, entry in enumerate(document["properties"], first)]
    return document | {"properties": numbered, "bugs": bugs}


def _in_the_light_of(opinion: Opinion, one: PropertyResult, found: Found) -> PropertyResult:
    match opinion:
        case Settled():
            return replace(one, verdict=opinion.verdict, by=opinion.by, read_by=opinion.read_by, time_s=found.time_s)
        case Uncertified():
            return replace(one, verdict=Unknown("uncertified"), certified=False, by="", read_by=())
        case Abandoned(reason=reason):
            return replace(one, verdict=Unknown(reason), certified=False, by="", read_by=())


def is_settled(document: Document) -> bool:
    """Is there nothing more to find out?"""
    return not open_properties(document)


def open_properties(document: Document) -> list[int]:
    """The properties without a verdict, by position; of a file that was refused there are none."""
    return [number for number, one in enumerate(document.get("properties", ())) if one["verdict"] == "unknown"]


def merged_documents(first: Document, second: Document) -> Document:
    """What two documents about a file know together; the verdicts of the first count where both have one."""
    if "properties" not in second:
        return first
    if "properties" not in first:
        return second
    others = {one["index"]: one for one in second["properties"]}
    properties = [_better(one, others.get(one["index"], one)) for one in first["properties"]]
    spent = {name: first[name] + second[name] for name in ("time_s", "cpu_s")}
    peak = {"memory_mb": max(first["memory_mb"], second["memory_mb"])}
    bugs = {"bugs": [*first["bugs"], *second["bugs"]]}
    return first | spent | peak | bugs | {"properties": properties, "verdict": _verdict(properties)}


def _better(first: Document, second: Document) -> Document:
    if first["verdict"] != "unknown" or (second["verdict"] == "unknown" and second["bound"] <= first["bound"]):
        return first
    return second


def _verdict(properties: list[Document]) -> str:
    """That of the whole file, as ``Result.verdict``."""
    words = {one["verdict"] for one in properties if one["kind"] == "assert"}
    if not words:
        return covers_of({"properties": properties}) or "unknown"
    return next((word for word in ("unsafe", "unknown") if word in words), "safe")


def covers_of(document: Document) -> str:
    """That of its covers, as ``Result.covers``; empty without any."""
    words = {one["verdict"] for one in document["properties"] if one["kind"] != "assert"}
    return next((word for word in ("unreachable", "unknown") if word in words), "covered") if words else ""
