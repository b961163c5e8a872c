"""Numbers as SMT-LIB writes them: ``12``, ``1.5``, ``#b101``, ``#xff``, ``(_ bv5 8)``."""

from __future__ import annotations

from fractions import Fraction

from lemmata.logic.smtlib.operators import MOST_BITS
from lemmata.logic.smtlib.scope import SymbolScope
from lemmata.logic.smtlib.sexprs import Listing, SexprAtom
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import Term, bv, const


def numeral(scope: SymbolScope, atom: SexprAtom) -> Term:
    """An Int, or a Real if there is a decimal point; the scope remembers it."""
    word = atom.text
    whole, dot, rest = word.partition(".")
    if dot and not rest:
        raise scope.text.error(atom.at, f"'{word[:40]}' is not a number")
    value = scope.digits(atom, whole + rest)
    term = const(Fraction(value, 10 ** len(rest)), REAL) if dot else const(value, INT)
    scope.literals[word] = term
    return term


def bits(scope: SymbolScope, atom: SexprAtom) -> Term:
    """A word in binary or hexadecimal; the scope remembers it."""
    word = atom.text
    digits, base = word[2:], 2 if word[1:2] == "b" else 16
    if word[1:2] not in ("b", "x") or not digits or not set(digits.lower()) <= set("0123456789abcdef"[:base]):
        raise scope.text.error(atom.at, f"'{word[:40]}' is not a number")
    width = len(digits) * (1 if base == 2 else 4)
    if width > MOST_BITS:
        raise scope.text.error(atom.at, f"{width} bits are too many")
    term = bv(int(digits, base), width)
    scope.literals[word] = term
    return term


def indexed_word(scope: SymbolScope, literal: Listing) -> Term:
    """``bv5 8``: a word in decimal."""
    match literal.items:
        case (SexprAtom(value) as word, SexprAtom() as width) if value[:2] == "bv":
            if value[2:3] == "0" and value != "bv0":
                raise scope.text.error(word.at, f"'{value[:40]}' is not a number: it begins with 0")
            number, size = scope.digits(word, value[2:]), scope.number(width, least=1)
            if number.bit_length() > size:
                raise scope.text.error(word.at, f"{value[2:42]} does not fit into {size} bits")
            return bv(number, size)
    raise scope.text.error(literal.at, "this is not a term")
