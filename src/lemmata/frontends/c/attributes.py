"""Attributes of GNU C: those that do not change what a program computes are left out, all others are refused where they are.

The meanings are those of gcc's manual, "Attribute Syntax" and the sections that follow it there. Attributes about layout
('packed', 'aligned'), types ('mode', 'vector_size'), symbols ('alias', 'weak') or hidden calls ('cleanup', 'constructor')
are among those refused, and so is every name that is not in ``_SILENT``.
"""

from __future__ import annotations

from lemmata.frontends.c.preprocessor.sources import Sources
from lemmata.frontends.c.preprocessor.tokens import LINE, NAME, CToken

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
_REMEDY = "take it out; if it does not matter here, -D '__attribute__(x)=' defines all attributes away"


def attributes(tokens: list[CToken], position: int, sources: Sources) -> tuple[int, bool]:
    """Behind the attributes that the word at ``position`` announces, and whether ``noreturn`` is among them."""
    start = position
    is_noreturn, depth, is_name = False, 0, True
    wanted = 1 if tokens[position].text == "__declspec" else 2  # the parentheses around names
    position += 1
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if not depth:
                return position, is_noreturn
        elif depth < wanted and token.kind is not LINE:
            break
        elif depth == wanted and token.kind is NAME and is_name:
            name = token.text
            name = name[2:-2] if len(name) > 4 and name.startswith("__") and name.endswith("__") else name
            if name not in _SILENT:
                raise sources.unsupported(token.at, f"the attribute '{name}' is not supported", _REMEDY)
            is_noreturn = is_noreturn or name == NORETURN
        is_name = depth == wanted and token.text in ("(", ",")
    raise sources.error(tokens[start].at, "there is no list in parentheses here")
