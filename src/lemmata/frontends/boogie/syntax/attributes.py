"""Attributes that change what a program means, and are not supported: they are refused where they stand.

Boogie takes an attribute that it does not know for a note, and so do we. But some have a meaning (Boogie's language reference;
the help of its command line): a reader that takes them for notes reads another program.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.tree import Attribute, Literal

_DECLARATIONS = {"ignore": "Boogie does not read a declaration with it"}
_MEANINGS = {
    "type": {
        "datatype": "it makes a data type",
        "builtin": "it names a type of SMT-LIB",
        "bvbuiltin": "it names a type of SMT-LIB",
    },
    "function": {"constructor": "it belongs to a data type", "identity": "it says that the function gives its argument back"},
    "procedure": {
        "selective_checking": "it turns assertions into assumptions",
        "verify": "it keeps assertions unchecked",
    },
    "statement": {
        "subsumption": "it decides whether an assertion is assumed afterwards",
        "start_checking_here": "it turns assertions before it into assumptions",
        "verified_under": "it makes an assertion weaker",
    },
}
_HARMLESS = {"verify": (True,), "subsumption": (1, 2)}


def refuse_meanings(kind: str, attributes: Sequence[Attribute], source: SourceText) -> None:
    """``Unsupported`` if an attribute of a declaration or a statement means something that is not understood here."""
    known = _MEANINGS.get("procedure" if kind == "implementation" else kind, {})
    for attribute in attributes:
        cause = known.get(attribute.name) or (_DECLARATIONS.get(attribute.name) if kind != "statement" else None)
        if cause is not None and not _is_harmless(attribute):
            raise source.unsupported(attribute.at, f"the attribute '{attribute.name}' is not supported: {cause}", "take it out")


def _is_harmless(attribute: Attribute) -> bool:
    match attribute.arguments:
        case (Literal(value=value),):
            return value in _HARMLESS.get(attribute.name, ())
    return False
