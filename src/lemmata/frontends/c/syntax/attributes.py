"""Attributes of GNU C: those that do not change what a program computes are left out, all others are refused where they are.

The meanings are those of gcc's manual, "Attribute Syntax" and the sections that follow it there. Attributes about layout
('packed', 'aligned'), types ('vector_size'), symbols ('alias', 'weak') or hidden calls ('cleanup', 'constructor') are among
those refused, and so is every name that is not in ``_SILENT``. Two are honoured as far as headers of glibc and gcc need it:
'mode' of integers, and 'aligned' where it asks for what is so anyway.
"""

from __future__ import annotations

from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import LINE, NAME, CToken
from lemmata.frontends.c.syntax.lexemes import Lexemes
from lemmata.values import dataclass

NORETURN = "noreturn"
_SILENT = frozenset(
    # what optimisers and diagnostics may assume or say
    {"access", "alloc_align", "alloc_size", "always_inline", "artificial", "assume_aligned", "cold", "const", "deprecated"}
    | {"designated_init", "error", "externally_visible", "fallthrough", "flatten", "format", "format_arg", "gnu_inline", "hot"}
    | {"leaf", "malloc", "may_alias", "no_icf", "no_instrument_function", "no_profile_instrument_function", "no_reorder"}
    | {"no_sanitize", "no_sanitize_address", "no_sanitize_thread", "no_sanitize_undefined", "no_split_stack"}
    | {"no_stack_limit", "no_stack_protector", "noclone", "noinline", "noipa", "nonnull", "nonstring", "noplt", NORETURN}
    | {"nothrow", "pure", "returns_nonnull", "sentinel", "stack_protect", "unavailable", "unused", "used", "warning"}
    | {"warn_unused_result", "tainted_args", "optimize", "target", "zero_call_used_regs", "uninitialized"}
    # where code and data are put, and how calls pass arguments
    | {"cdecl", "common", "dllexport", "dllimport", "fastcall", "hidden", "ms_abi", "nocommon", "regparm", "section"}
    | {"stdcall", "sysv_abi", "tls_model", "visibility"}
)
_MODES = {"QI": "byte", "byte": "byte", "HI": "short", "SI": "int", "DI": "wide", "word": "word", "pointer": "word"}
_STORAGES = frozenset({"TYPEDEF", "EXTERN", "STATIC", "CONST", "VOLATILE"})


@dataclass(frozen=True, slots=True)
class GnuAttribute:
    """An attribute without the underscores around its name, and the tokens of its arguments."""

    name: str
    arguments: tuple[str, ...]
    at: int


def honoured(attribute: GnuAttribute, found: Lexemes, data_model: str) -> bool:
    """Does the declaration that is being read mean with the attribute what it means without, or can it be written so?"""
    if attribute.name == "mode":
        return _is_respelled(attribute, found, data_model)
    if attribute.name == "aligned":
        return _is_natural(attribute, found, data_model)
    return attribute.name in _SILENT


def _is_respelled(attribute: GnuAttribute, found: Lexemes, data_model: str) -> bool:
    """``typedef int name`` with a mode: an integer type of another width."""
    start = found.declaration()
    kinds = [kind for kind in found.kinds[start:] if kind not in _STORAGES]
    mode = _MODES.get(_bare(attribute.arguments[0]), "") if len(attribute.arguments) == 1 else ""
    if not mode or kinds not in (["INT", "ID"], ["UNSIGNED", "INT", "ID"], ["SIGNED", "INT", "ID"]):
        return False
    wide = "long" if data_model == "LP64" else "long long"
    name = {"wide": wide, "word": "long" if data_model == "LP64" else "int", "byte": "char"}.get(mode, mode)
    position = start + found.kinds[start:].index("INT")
    found.respell(position, [*(["signed"] if name == "char" and len(kinds) == 2 else []), *name.split()])
    return True


def _is_natural(attribute: GnuAttribute, found: Lexemes, data_model: str) -> bool:
    """``T name`` aligned as ``T`` is anyway; with ILP32 members of 64 bits are not."""
    own = found.values[found.declaration() : -1]
    if data_model != "LP64" and ("double" in own or own.count("long") > 1):
        return False
    given = list(attribute.arguments)
    return (
        given[:2] in (["__alignof__", "("], ["__alignof", "("], ["_Alignof", "("]) and given[2:-1] == own and given[-1] == ")"
    )


def _bare(name: str) -> str:
    return name[2:-2] if len(name) > 4 and name.startswith("__") and name.endswith("__") else name


def read_attributes(tokens: list[CToken], position: int, sources: Sources) -> tuple[int, list[GnuAttribute]]:
    """Behind the attributes that the word at ``position`` announces, and what they are."""
    start = position
    found: list[GnuAttribute] = []
    arguments: list[str] = []
    depth, name = 0, None
    wanted = 1 if tokens[position].text == "__declspec" else 2  # the parentheses around names
    position += 1
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.kind is LINE:
            continue
        if depth < wanted and token.text not in ("(", ")"):
            break
        depth -= token.text == ")"
        if depth == wanted and token.kind is NAME and name is None:
            name = token
        elif name is not None and (depth < wanted or (depth == wanted and token.text == ",")):
            found.append(GnuAttribute(_bare(name.text), tuple(arguments), name.at))
            name, arguments = None, []
        elif depth > wanted:
            arguments.append(token.text)
        depth += token.text == "("
        if not depth:
            return position, found
    raise sources.error(tokens[start].at, "there is no list in parentheses here")
