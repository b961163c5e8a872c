"""Which properties a call asks for: ``all``, an index, or a name."""

from __future__ import annotations

from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.models.aig import Aig, Property

_SHOWN = 8  # names in an error message


def select(model: Aig, wanted: str) -> tuple[Property, ...]:
    """The properties that ``wanted`` means, in file order; digits are an index, anything else is a name."""
    properties = model.properties()
    if _is_justice(model, wanted):
        raise Unsupported(Place(model.file), f"'{wanted}' is a justice property: liveness is not supported yet")
    if not properties:
        raise _nothing(model)
    if wanted == "all":
        return properties
    if wanted.isascii() and wanted.isdigit():
        return (_at(properties, wanted),)
    return (_named(properties, wanted),)


def _at(properties: tuple[Property, ...], digits: str) -> Property:
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(len(properties))) or int(digits) >= len(properties):
        raise UsageError(f"there is no property {digits[:20]}: the file has {len(properties)}, numbered from 0")
    return properties[int(digits)]


def _named(properties: tuple[Property, ...], name: str) -> Property:
    found = [p for p in properties if p.name == name] or [p for p in properties if name in (f"b{p.index}", f"o{p.index}")]
    if len(found) > 1:
        places = ", ".join(str(p.index) for p in found[:_SHOWN])
        raise UsageError(f"{len(found)} properties are called '{name}': choose by index ({places})")
    if not found:
        names = ", ".join(p.name for p in properties[:_SHOWN]) + (", …" if len(properties) > _SHOWN else "")
        raise UsageError(f"there is no property '{name}': the file has {names}")
    return found[0]


def _is_justice(model: Aig, wanted: str) -> bool:
    names = {model.symbols.get(("j", i)) for i in range(len(model.justice))}
    is_safety = any(p.name == wanted for p in model.properties())
    return not is_safety and (wanted in names or wanted in {f"j{i}" for i in range(len(model.justice))})


def _nothing(model: Aig) -> InputError:
    place = Place(model.file)
    if model.justice:
        return Unsupported(place, "the file has justice properties only: liveness is not supported yet")
    return InputError(place, "the file has no property to check", "it needs a bad literal or an output")
