"""The part of JSON Schema that ours use: what is wrong with a value, as a list of complaints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def complaints(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, at: str = "$") -> Iterator[str]:
    """Whatever the schema does not allow."""
    root = schema if root is None else root
    assert set(schema) <= {
        *("$ref", "$schema", "$defs", "title", "type", "enum", "anyOf", "required", "properties"),
        *("additionalProperties", "items", "minimum"),
    }, f"the validator does not know all of {sorted(schema)}"
    if "$ref" in schema:
        yield from complaints(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(isinstance(value, _TYPES[n]) and (n == "boolean" or not isinstance(value, bool)) for n in names):
            yield f"{at} is no {' or '.join(names)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is {value!r}"
    if "anyOf" in schema and all(any(complaints(value, part, root, at)) for part in schema["anyOf"]):
        yield f"{at} fits none of its alternatives"
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        yield f"{at} is too small"
    if isinstance(value, dict):
        yield from (f"{at} lacks {name}" for name in schema.get("required", ()) if name not in value)
        known, rest = schema.get("properties", {}), schema.get("additionalProperties")
        for name, part in value.items():
            if (found := known.get(name, rest)) is not None:
                yield from complaints(part, found, root, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for position, part in enumerate(value):
            yield from complaints(part, schema["items"], root, f"{at}[{position}]")
