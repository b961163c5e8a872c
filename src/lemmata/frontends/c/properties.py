"""What is asked of a C program: assertions as they stand in it, or a property file as SV-COMP writes them.

SV-COMP's property is one line, ``CHECK( init(main()), LTL(G ! call(reach_error())) )``. Calls of that function are errors
then, and nothing else is; with ``overflow`` it is signed arithmetic that leaves its type.
"""

from __future__ import annotations

import re
from pathlib import Path

from lemmata.config import COptions
from lemmata.errors import InputError, Place, Unsupported
from lemmata.frontends.files import read_bytes
from lemmata.values import dataclass

ERRORS = ("reach_error", "__VERIFIER_error")
_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*(LTL|FQL)\s*\((.*)\)\s*\)\s*$", re.DOTALL)
_CALL = re.compile(r"G\s*!\s*call\s*\(\s*(\w+)\s*\(\s*\)\s*\)")
_KNOWN = {
    "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "no-overflow.prp": "CHECK( init(main()), LTL(G ! overflow) )",
}  # what these names mean without a folder, where there is no such file
_SUPPORTED = "Lemmata answers unreach-call and no-overflow"


@dataclass(frozen=True, slots=True)
class Asked:
    """``errors`` are functions that must not be called."""

    errors: tuple[str, ...] = ERRORS
    asserts: bool = True  # assertions and labels ERROR
    overflow: bool = False
    memory: bool = False
    entry: str | None = None
    name: str = ""  # of what was asked for, where the program alone does not say it


def wanted(options: COptions) -> Asked:
    """What the options ask."""
    memory = "memory" in options.check
    if options.property_file is None:
        return Asked(memory=memory, name="memory" if memory else "")
    file = options.property_file
    known = None if Path(file).is_file() else _KNOWN.get(file)
    text = known or read_bytes(file).decode("utf-8", "replace").strip()
    match = _CHECK.fullmatch(text)
    if match is None:
        raise InputError(
            Place(file, 1, 1), "this is no property of SV-COMP", "it looks like CHECK( init(main()), LTL(G ! overflow) )"
        )
    entry, formula, name = match[1], match[3].strip(), Path(file).stem
    if call := _CALL.fullmatch(formula):
        return Asked((call[1],), asserts=False, memory=memory, entry=entry, name=name)
    if re.fullmatch(r"G\s*!\s*overflow", formula):
        return Asked((), asserts=False, overflow=True, memory=memory, entry=entry, name=name)
    raise Unsupported(Place(file, 1, 1), f"the property {name} ({formula[:40]}) is not supported", _SUPPORTED)
