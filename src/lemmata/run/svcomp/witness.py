"""Files in YAML that SV-COMP has: invariant sets of format 2.0, read as claims about a C program."""

from __future__ import annotations

from pathlib import Path

from lemmata.config import SourceClaim
from lemmata.errors import InputError, Place, Unsupported
from lemmata.frontends.c.tasks import read_yaml


def read_invariants(path: str | Path) -> list[SourceClaim]:
    """The entries of all invariant sets in a file, and those of older formats (``loop_invariant``)."""
    document = read_yaml(path)
    entries = document if isinstance(document, list) else [document]
    found: list[SourceClaim] = []
    for entry in entries:
        if not isinstance(entry, dict):
            raise InputError(Place(str(path)), "this is no witness of SV-COMP", "it is a list of entries")
        kind = entry.get("entry_type")
        if kind == "violation_sequence":
            raise Unsupported(Place(str(path)), "this is a violation sequence", "certify takes invariant sets")
        if kind != "invariant_set" or not isinstance(entry.get("content"), list | None):
            raise InputError(Place(str(path)), "this is no invariant set", "it has entries with entry_type: invariant_set")
        found += [_claim(item, str(path)) for item in entry.get("content") or []]
    return found


def _claim(item: object, file: str) -> SourceClaim:
    inner = item.get("invariant") if isinstance(item, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("location"), dict):
        raise InputError(Place(file), "an entry of an invariant set has an invariant with a location")
    kind, value, location = inner.get("type"), inner.get("value"), inner["location"]
    if kind not in ("loop_invariant", "location_invariant") or inner.get("format") != "c_expression":
        raise Unsupported(Place(file), f"invariants of type {kind} in format {inner.get('format')} are not supported")
    line, function = location.get("line"), location.get("function")
    if not isinstance(line, int) or isinstance(value, dict | list | None):
        raise InputError(Place(file), "an invariant has a line and a value")
    text = str(int(value)) if isinstance(value, bool) else str(value)
    return SourceClaim(kind, line, text, function if isinstance(function, str) else "")
