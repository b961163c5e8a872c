"""Which properties a call asks for: ``all``, an index, or a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lemmata.errors import InputError, Place, Unsupported, UsageError
from lemmata.models.aig import Aig, Property
from lemmata.result import NotChecked

if TYPE_CHECKING:
    from lemmata.models.graph import Graph, GraphProperty

_SHOWN_NAMES = 8  # names in an error message
_LIVENESS = "Lemmata answers safety: ask with a bad literal, or translate liveness to safety first, as ABC's l2s does"
_OF_PROGRAMS = "it needs an assertion, a contract or a loop invariant"
_NEEDED = {"boogie": _OF_PROGRAMS, "c": _OF_PROGRAMS, "verilog": "it needs an assert or a cover"}  # by the kind of the model

AnyProperty: TypeAlias = "Property | GraphProperty"


def select(model: Aig | Graph, wanted: str) -> tuple[AnyProperty, ...]:
    """The properties that ``wanted`` means, in file order; digits are an index, anything else is a name."""
    properties: tuple[AnyProperty, ...] = model.properties()
    if _is_justice(model, wanted):
        cause = f"'{wanted}' is a justice property: liveness is not supported yet"
        raise Unsupported(_first_justice(model), cause, _LIVENESS)
    if not properties:
        raise _nothing(model)
    if wanted == "all":
        return properties
    if wanted.isascii() and wanted.isdigit():
        return (_at(properties, wanted),)
    return (_named(properties, wanted),)


def not_checked(model: Aig | Graph) -> NotChecked:
    """What the file has beside its safety properties."""
    if not isinstance(model, Aig):
        return NotChecked(len(model.origin.liveness), len(model.origin.fairness))
    return NotChecked(len(model.justice), len(model.fairness))


def _at(properties: tuple[AnyProperty, ...], digits: str) -> AnyProperty:
    digits = digits.lstrip("0") or "0"
    if len(digits) > len(str(len(properties))) or int(digits) >= len(properties):
        raise UsageError(f"there is no property {digits[:20]}: the file has {len(properties)}, numbered from 0")
    return properties[int(digits)]


def _named(properties: tuple[AnyProperty, ...], name: str) -> AnyProperty:
    found = [p for p in properties if p.name == name] or [p for p in properties if name in (f"b{p.index}", f"o{p.index}")]
    if len(found) > 1:
        places = ", ".join(str(p.index) for p in found[:_SHOWN_NAMES])
        raise UsageError(f"{len(found)} properties are called '{name}': choose by index ({places})")
    if not found:
        names = ", ".join(p.name for p in properties[:_SHOWN_NAMES]) + (", …" if len(properties) > _SHOWN_NAMES else "")
        raise UsageError(f"there is no property '{name}': the file has {names}")
    return found[0]


def _justice(model: Aig | Graph) -> list[str]:
    """Every name of a justice property."""
    if not isinstance(model, Aig):
        return [f"j{i}" for i in range(len(model.origin.liveness))]
    count = range(len(model.justice))
    return [f"j{i}" for i in count] + [name for i in count if (name := model.symbols.get(("j", i))) is not None]


def _first_justice(model: Aig | Graph) -> Place:
    """Where the file speaks of liveness; in AIGER that is the header."""
    return Place(model.file, model.origin.liveness[0] if not isinstance(model, Aig) else 1)


def _is_justice(model: Aig | Graph, wanted: str) -> bool:
    is_safety = any(p.name == wanted for p in model.properties())
    return not is_safety and wanted in _justice(model)


def _nothing(model: Aig | Graph) -> InputError:
    place = Place(model.file)
    if _justice(model):
        cause = f"the file asks for liveness only ({not_checked(model).describe()}), which is not supported yet"
        return Unsupported(_first_justice(model), cause, _LIVENESS)
    remedy = "it needs a bad literal or an output"
    if not isinstance(model, Aig):
        remedy = _NEEDED.get(model.origin.kind, "it needs a bad line")
    return InputError(place, "the file has no property to check", remedy)
