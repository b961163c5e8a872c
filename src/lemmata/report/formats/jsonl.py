"""Events as JSON Lines; the schema is documented in ``docs/json.md``."""

from __future__ import annotations

import re
from dataclasses import fields

from lemmata.escapes import in_json
from lemmata.events import Event, EventRecord


def event_line(record: EventRecord, file: str | None = None) -> str:
    """One line: what happened, when, in which engine's process, on which property; the event's fields; ``file`` if given."""
    own = {field.name: getattr(record.event, field.name) for field in fields(record.event)}
    head = {
        "event": event_name(type(record.event)),
        "time_s": round(record.time_s, 3),
        "engine": own.pop("engine", record.engine),
        "property": own.pop("name", record.name),
    }
    return in_json(({} if file is None else {"file": file}) | head | own)


def event_name(kind: type[Event]) -> str:
    """``BoundReached`` is called ``bound_reached``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
