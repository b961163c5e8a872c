"""Terms over words as expressions of SystemVerilog (IEEE 1800-2017, section 11), with exactly their values.

Widths and signs of an expression depend on its context there, so nothing is left to it: constants have sizes, operands of one
operator have one width here and there, signed operations are shut in by ``$signed`` and ``$unsigned``, extensions are size
casts. ``x + 1`` on four bits is ``x + 4'd1`` and wraps. Division by zero, which is ``x`` there, is spelled out.

``None`` where the language has no such expression: slices of what is no name, writes to arrays, arrays as a whole, and names
that are none of the source (what a register held before its asynchronous reset, values that the source leaves open,
registers of rewritten assertions).
"""

from __future__ import annotations

import re

from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import Term, name_of, topological, value_of

_NAME = re.compile(r"[A-Za-z_][\w$]*(?:\[\d+\])?(?:\.[A-Za-z_][\w$]*(?:\[\d+\])?)*(?:\[(?P<high>\d+)(?::(?P<low>\d+))?\])?")
_INFIX = {
    "and": "&&", "or": "||", "=": "==", "bvand": "&", "bvor": "|", "bvxor": "^", "bvadd": "+", "bvsub": "-", "bvmul": "*",
    "bvult": "<", "bvule": "<=", "bvshl": "<<", "bvlshr": ">>",
}  # fmt: skip
_SIGNED = {"bvslt": "<", "bvsle": "<="}
_PLAIN = re.compile(r"[\w$.']+(?:\[[^\[\]]*\])*|\([^()]*\)")
_NODES = 2000  # of one expression, shared ones counted once


def systemverilog(term: Term) -> str | None:
    """The expression, or ``None`` if there is none."""
    order = topological([term])
    if len(order) > _NODES:
        return None
    texts: dict[Term, str] = {}
    for one in order:
        text = _text(one, [texts.get(arg, "") for arg in one.args])
        if text is None or len(text) > 10 * _NODES:
            return None
        texts[one] = text
    return texts[term]


def is_source_name(name: str) -> bool:
    """May an expression use this name?"""
    is_ours = name.endswith((".stored", ".start")) or name.rpartition(".")[2].startswith("lemmata_")
    return _NAME.fullmatch(name) is not None and not is_ours


def _text(term: Term, args: list[str]) -> str | None:
    op = term.op
    if op == "var":
        name = name_of(term)
        return name if is_source_name(name) else None
    if op == "const":
        if term.sort is BOOL:
            return "1'b1" if value_of(term) else "1'b0"
        return f"{term.width}'d{value_of(term)}" if isinstance(term.sort, BitVec) else None
    if isinstance(term.sort, Array) or (op == "=" and isinstance(term.args[0].sort, Array)):
        return None
    if op == "=" and term.args[1].is_const and term.args[0].sort is BitVec(1):
        return args[0] if value_of(term.args[1]) else f"!{_closed(args[0])}"
    if (
        op == "not"
        and term.args[0].op == "="
        and " == " in args[0]
        and args[0].count("==") == 1
        and not args[0].startswith("!")
    ):
        return args[0].replace(" == ", " != ")
    if op == "not":
        return args[0][1:] if args[0].startswith("!") and _PLAIN.fullmatch(args[0][1:]) else f"!{_closed(args[0])}"
    if op in _INFIX:
        return f" {_INFIX[op]} ".join(map(_closed, args)) if len(args) > 1 else args[0]
    if op in _SIGNED:
        return f"$signed({args[0]}) {_SIGNED[op]} $signed({args[1]})"
    return _other(term, args)


def _other(term: Term, args: list[str]) -> str | None:
    match term.op:
        case "=>":
            return f"!{_closed(args[0])} || {_closed(args[1])}"
        case "xor":
            return f"{_closed(args[0])} != {_closed(args[1])}"
        case "ite":
            return f"{_closed(args[0])} ? {_closed(args[1])} : {_closed(args[2])}"
        case "bvnot":
            return f"~{_closed(args[0])}"
        case "bvneg":
            return f"-{_closed(args[0])}"
        case "bvashr":
            return f"$unsigned($signed({args[0]}) >>> {_closed(args[1])})"
        case "bvudiv":
            return f"({args[1]}) == 0 ? ~{term.width}'d0 : {_closed(args[0])} / {_closed(args[1])}"
        case "bvurem":
            return f"({args[1]}) == 0 ? {_closed(args[0])} : {_closed(args[0])} % {_closed(args[1])}"
        case "concat":
            return f"{{{', '.join(args)}}}"
        case "zero_extend":
            return _cast(term.width, args[0])
        case "sign_extend":
            return f"$unsigned({term.width}'($signed({args[0]})))"
        case "extract":
            return _slice(term, args[0])
        case "select" if term.args[0].is_var:
            return f"{args[0]}[{args[1]}]"
    return None


def _slice(term: Term, text: str) -> str | None:
    """Some bits of a name. (Of another expression, a cast would cut them out; Yosys 0.70 takes such a cast for wider.)"""
    high, low = term.data
    inner = term.args[0]
    found = _NAME.fullmatch(text) if inner.is_var else None
    if found is None:
        return None
    first = int(found["low"] or found["high"] or 0)
    base = text[: found.start("high") - 1] if found["high"] else text
    return f"{base}[{first + high}]" if high == low else f"{base}[{first + high}:{first + low}]"


def _cast(width: int, text: str) -> str:
    """Extended; in braces an expression has its own width for every tool (Yosys looks through casts)."""
    return f"{width}'({text})" if _PLAIN.fullmatch(text) and "(" not in text else f"{width}'({{{text}}})"


def _closed(text: str) -> str:
    """In parentheses, unless it is a name, a number or closed already."""
    return text if _PLAIN.fullmatch(text) else f"({text})"
