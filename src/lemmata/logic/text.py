"""Terms and values as people read them: ``x ≤ 5 ∨ y[3:0] ≠ 2``.

Numbers are decimal, or hexadecimal from 2¹⁶ on. Plain ``<``, ``≤``, ``/``, ``%``, ``>>`` are unsigned on words; their signed
sisters carry ``ₛ``, and a constant beside a signed comparison is read with its sign (``x ≤ₛ -3``). ``x[7:0]`` is a slice,
``x[3]`` a bit, ``a[i]`` a cell, ``a[i := v]`` a write, ``a ++ b`` a concatenation; ``zext(x, 16)`` and ``sext(x, 16)`` extend
to 16 bits. A wide sum that cannot wrap is written over the integers, ``100·xₛ - y ≥ 0 in ℤ``, where ``xₛ`` is x with its sign.
Parentheses stand only where precedence does not say the same. A term larger than ``limit`` nodes (shared ones
count each time they are written) ends in ``…``.
"""

from __future__ import annotations

import re
from fractions import Fraction

from lemmata.logic.decimals import digits_of
from lemmata.logic.rewrite.exact_sums import SignedParts, exact_sum
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, name_of, value_of
from lemmata.logic.values import signed

# Precedences, loosest first.
_TOP, _ARROW, _OR, _AND, _NOT, _COMPARE, _BITOR, _BITXOR, _BITAND, _CONCAT, _SHIFT, _SUM, _PRODUCT, _PREFIX, _POSTFIX = range(
    15
)

_INFIX = {
    "=>": ("→", _ARROW),
    "xor": ("⊕", _ARROW),
    "or": ("∨", _OR),
    "and": ("∧", _AND),
    "bvor": ("|", _BITOR),
    "bvxor": ("^", _BITXOR),
    "bvand": ("&", _BITAND),
    "concat": ("++", _CONCAT),
    "bvshl": ("<<", _SHIFT),
    "bvlshr": (">>", _SHIFT),
    "bvashr": (">>ₛ", _SHIFT),
    "bvadd": ("+", _SUM),
    "bvsub": ("-", _SUM),
    "+": ("+", _SUM),
    "-": ("-", _SUM),
    "bvmul": ("·", _PRODUCT),
    "*": ("·", _PRODUCT),
    "bvudiv": ("/", _PRODUCT),
    "bvurem": ("%", _PRODUCT),
    "bvsdiv": ("/ₛ", _PRODUCT),
    "bvsrem": ("%ₛ", _PRODUCT),
    "bvsmod": ("modₛ", _PRODUCT),
    "div": ("div", _PRODUCT),
    "mod": ("mod", _PRODUCT),
    "/": ("/", _PRODUCT),
}
_LIKE_VALUE = re.compile(r"-?[0-9].*|#.*|true|false|")  # what a value could be written like
_JOINED = frozenset({"and", "or", "bvadd", "bvmul", "bvand", "bvor", "bvxor", "concat", "+", "*"})  # no parentheses needed
_PREFIXES = {"not": ("¬", _NOT), "bvnot": ("~", _PREFIX), "bvneg": ("-", _PREFIX), "neg": ("-", _PREFIX)}
_COMPARISONS = {
    "bvult": ("<", "≥", ">", "≤", ""),  # itself, its negation, and both with the sides exchanged
    "bvule": ("≤", ">", "≥", "<", ""),
    "bvslt": ("<", "≥", ">", "≤", "ₛ"),
    "bvsle": ("≤", ">", "≥", "<", "ₛ"),
    "<": ("<", "≥", ">", "≤", ""),
    "<=": ("≤", ">", "≥", "<", ""),
}
_Part = str | tuple[Term, int]  # text, or a term and the precedence that it must have to go without parentheses


def infix(term: Term, limit: int = 10_000) -> str:
    """The term for people."""
    tokens: list[str] = []
    stack: list[_Part] = [(term, _TOP)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            tokens.append(item)
            continue
        limit -= 1
        if limit < 0:
            tokens.append("…")
            continue
        precedence, parts = _parts(item[0])
        if precedence < item[1]:
            parts = ["(", *parts, ")"]
        stack += reversed(parts)
    return "".join(tokens)


def shown_name(v: Term) -> str:
    """The name of a variable, between bars where it could be taken for a value."""
    name = name_of(v)
    return f"|{name}|" if _LIKE_VALUE.fullmatch(name) else name


def _parts(term: Term) -> tuple[int, list[_Part]]:
    """How strongly the written term holds together, and what it consists of."""
    op, args = term.op, term.args
    if op == "var":
        return _POSTFIX, [shown_name(term)]
    if op == "const":
        text = value_text(value_of(term), term.sort)
        return _PRODUCT if "/" in text else _PREFIX if text.startswith("-") else _POSTFIX, [text]
    if op in _COMPARISONS or op == "=":
        return _comparison(term, is_negated=False)
    if op == "not" and (args[0].op in _COMPARISONS or args[0].op == "="):
        return _comparison(args[0], is_negated=True)
    if op == "bvadd" and (less := _subtracted(args[1])):
        return _SUM, [(args[0], _SUM), f" - {less}"]
    if op in _INFIX:
        return _joined(term)
    if op in _PREFIXES:
        sign, precedence = _PREFIXES[op]
        return precedence, [sign, (args[0], precedence)]
    return _special(term)


def _joined(term: Term) -> tuple[int, list[_Part]]:
    sign, precedence = _INFIX[term.op]
    if len(term.args) == 1:
        return _parts(term.args[0])
    parts: list[_Part] = []
    args = term.args
    if term.op == "*" and args[-1].is_const:  # factors come first
        args = (args[-1], *args[:-1])
    for position, arg in enumerate(args):
        if term.op == "+" and position and (less := _taken_away(arg)) is not None:
            parts += [" - ", (less, precedence + 1)]
            continue
        is_alike = arg.op == term.op and (term.op in _JOINED or (position == 0 and term.op != "=>"))
        parts += [f" {sign} ", (arg, precedence if is_alike or (position == 0 and precedence >= _SUM) else precedence + 1)]
    return precedence, parts[1:]


def _taken_away(term: Term) -> Term | None:
    """What is subtracted where this number is added."""
    if term.is_const and value_of(term) < 0:
        return const(-value_of(term), term.sort)
    if term.op == "neg":
        return term.args[0]
    if term.op == "*" and len(term.args) == 2:
        a, b = term.args if term.args[0].is_const else term.args[::-1]
        if a.is_const and value_of(a) < 0:
            return b if value_of(a) == -1 else make("*", (const(-value_of(a), a.sort), b))
    return None


def _subtracted(term: Term) -> str:
    """The number that adding this constant takes away, if it is large as an unsigned number and small as a signed one."""
    if term.op != "const" or term.width < 2:
        return ""
    number = signed(value_of(term), term.width)
    return _word(-number) if number < 0 and -number << 1 < 1 << term.width else ""


def _comparison(term: Term, is_negated: bool) -> tuple[int, list[_Part]]:
    a, b = term.args
    is_swapped = a.is_const and not b.is_const
    if is_swapped:
        a, b = b, a
    if term.op == "=":
        return _equation(a, b, is_negated)
    signs = _COMPARISONS[term.op]
    if signs[4] and b.is_const and (exact := exact_sum(a)):
        limit = signed(value_of(b), b.width)
        return _COMPARE, [_integers(exact, signs[2 * is_swapped + is_negated], limit)]
    sign = signs[2 * is_swapped + is_negated] + signs[4]
    return _COMPARE, [_side(a, signs[4]), f" {sign} ", _side(b, signs[4])]


def _integers(parts: SignedParts, sign: str, limit: int) -> str:
    """A comparison over the integers; ``<`` and ``>`` become ``≤`` and ``≥``."""
    limit, sign = {"<": (limit - 1, "≤"), ">": (limit + 1, "≥")}.get(sign, (limit, sign))
    text = ""
    for word, is_signed, factor in sorted(parts, key=lambda part: part[2] < 0):  # what is added first
        joint = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += f"{joint}{'' if abs(factor) == 1 else f'{_word(abs(factor))}·'}{shown_name(word)}{'ₛ' if is_signed else ''}"
    return f"{text} {sign} {_number(limit)} in ℤ"


def _equation(a: Term, b: Term, is_negated: bool) -> tuple[int, list[_Part]]:
    if a.sort is BOOL:
        return _ARROW, [(a, _OR), " ⊕ " if is_negated else " ↔ ", (b, _OR)]
    if is_negated and b.is_const and b.sort is BitVec(1):
        return _COMPARE, [(a, _BITOR), f" = {1 - value_of(b)}"]
    return _COMPARE, [(a, _BITOR), " ≠ " if is_negated else " = ", (b, _BITOR)]


def _side(term: Term, is_signed: str) -> _Part:
    if is_signed and term.is_const:
        return _number(signed(value_of(term), term.width))
    return term, _BITOR


def _special(term: Term) -> tuple[int, list[_Part]]:
    args = term.args
    match term.op:
        case "ite":
            return _TOP, ["if ", (args[0], _ARROW), " then ", (args[1], _ARROW), " else ", (args[2], _TOP)]
        case "extract":
            high, low = term.data
            return _POSTFIX, [(args[0], _POSTFIX), f"[{high}]" if high == low else f"[{high}:{low}]"]
        case "zero_extend" | "sign_extend":
            return _POSTFIX, [f"{term.op[0]}ext(", (args[0], _TOP), f", {term.width})"]
        case "select":
            return _POSTFIX, [(args[0], _POSTFIX), "[", (args[1], _TOP), "]"]
        case "store":
            return _POSTFIX, [(args[0], _POSTFIX), "[", (args[1], _TOP), " := ", (args[2], _TOP), "]"]
        case "filled":
            return _POSTFIX, ["{default ", (args[0], _TOP), "}"]
        case _:
            name = term.data[0] if term.op == "apply" else term.op
            inner = [part for arg in args for part in (", ", (arg, _TOP))][1:]
            return _POSTFIX, [f"{name}(", *inner, ")"]


def value_text(value: Value, sort: Sort) -> str:
    """A value: ``7``, ``0x12345``, ``true``, ``1/3``, ``{default 0, 3: 7}``."""
    if sort is BOOL:
        return "true" if value else "false"
    if isinstance(sort, BitVec):
        return _word(value)
    if isinstance(sort, Array):
        cells = [f"{value_text(i, sort.index)}: {value_text(v, sort.element)}" for i, v in value.items]
        return f"{{{', '.join([f'default {value_text(value.default, sort.element)}', *cells])}}}"
    return digits_of(Fraction(value))


def _word(number: int) -> str:
    return str(number) if number < 1 << 16 else f"0x{number:x}"


def _number(number: int) -> str:
    return _word(number) if number >= 0 else f"-{_word(-number)}"
