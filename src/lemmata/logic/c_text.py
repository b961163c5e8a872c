"""Terms as expressions of C (C11 6.5), with exactly their values.

Numbers of a graph are integers without bounds, or words; expressions of C have types. So every part is written with what it
can be worth (an interval) and the type that C gives it, and a cast stands where C's own type would be too small or unsigned:
``(long long)x + y <= 10``. What needs more than 64 bits is cast to ``__int128``, as gcc has it. Without ranges (``--arithmetic
unbounded``) there is nothing to cast. Words are unsigned numbers of their width, and signed where they are compared so.

``None`` where C has no such expression, or where a variable is none of the source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lemmata.logic.rewrite.exact_sums import exact_sum
from lemmata.logic.sorts import BOOL, INT, BitVec
from lemmata.logic.terms import Term, topological, value_of
from lemmata.logic.values import signed
from lemmata.values import dataclass

_NODES = 400  # of one expression, shared ones counted once
_CHARACTERS = 2000
_OR, _AND, _EQUALITY, _RELATION, _SHIFT, _SUM, _PRODUCT, _PREFIX, _POSTFIX = range(9)  # precedences, loosest first
_LARGEST = {"int": 31, "long long": 63, "__int128": 127}
_UNSIGNED = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}
_SIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long long"}
_FLIPPED = {"<": ">=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class CName:
    """A variable of the source: its text, the range of its type (``None``: there is none), and whether the type is signed."""

    text: str
    low: int | None = None
    high: int | None = None
    is_signed: bool = True


@dataclass(frozen=True, slots=True)
class _Part:
    """An expression: its text, how strongly it holds together, its type in C, and what it can be worth."""

    text: str
    precedence: int
    type: str = "int"
    low: int | None = None
    high: int | None = None


class _NoText(Exception):
    pass


CNames = Mapping[Term, CName]
Cells = Callable[[Term], CName | None]


def c_expression(term: Term, names: CNames, cells: Cells = lambda term: None) -> str | None:
    """The expression, or ``None`` if there is none; ``cells`` names reads of memory."""
    order = topological([term])
    if len(order) > _NODES:
        return None
    try:
        text = _Writer(names, cells).part(term).text
    except (_NoText, RecursionError):
        return None
    return text if len(text) <= _CHARACTERS else None


class _Writer:
    def __init__(self, names: CNames, cells: Cells) -> None:
        self._names = names
        self._cells = cells
        self._known: dict[Term, _Part] = {}

    def part(self, term: Term) -> _Part:
        if term not in self._known:
            if isinstance(term.sort, BitVec):
                self._known[term] = self._word(term)
            elif term.sort is BOOL:
                self._known[term] = self._formula(term, is_negated=False)
            elif term.sort is INT:
                self._known[term] = self._number(term)
            else:
                raise _NoText
        return self._known[term]

    # Formulas.

    def _formula(self, term: Term, is_negated: bool) -> _Part:
        args = term.args
        match term.op:
            case "const":
                return _truth(str(int(bool(value_of(term)) != is_negated)), _POSTFIX)
            case "var" | "select":
                name = self._named(term)
                return _truth(f"!{name.text}" if is_negated else name.text, _PREFIX if is_negated else _POSTFIX)
            case "not":
                return self._formula(args[0], not is_negated)
            case "and" | "or":
                is_or = (term.op == "or") != is_negated
                precedence = _OR if is_or else _AND
                parts = [self._formula(arg, is_negated) for arg in args]
                return _truth(
                    (" || " if is_or else " && ").join([_closed(p, precedence, strict=is_or) for p in parts]), precedence
                )
            case "=>" if not is_negated:
                left, right = self._formula(args[0], True), self._formula(args[1], False)
                return _truth(f"{_closed(left, _OR, strict=True)} || {_closed(right, _OR, strict=True)}", _OR)
            case "=" | "xor" if args[0].sort is BOOL:
                sign = "==" if (term.op == "=") != is_negated else "!="
                left, right = (self._formula(arg, False) for arg in args)
                return _truth(f"{_closed(left, _RELATION)} {sign} {_closed(right, _RELATION)}", _EQUALITY)
            case "=" | "<" | "<=" if args[0].sort is INT:
                return self._compared("==" if term.op == "=" else term.op, args[0], args[1], is_negated)
            case "=" | "bvult" | "bvule" | "bvslt" | "bvsle":
                return self._compared_words(term, is_negated)
        if is_negated:
            return _truth(f"!{_closed(self._formula(term, False), _POSTFIX)}", _PREFIX)
        raise _NoText

    def _compared(self, sign: str, a: Term, b: Term, is_negated: bool) -> _Part:
        if a.is_const and not b.is_const:
            a, b, sign = b, a, {"<": ">", "<=": ">="}.get(sign, sign)
        if is_negated:
            sign = {">": "<=", ">=": "<"}.get(sign) or _FLIPPED[sign]
        left, right = self.part(a), self.part(b)
        return self._relation(sign, left, right)

    def _relation(self, sign: str, left: _Part, right: _Part) -> _Part:
        left, right = _compatible(left, right)
        precedence = _EQUALITY if sign in ("==", "!=") else _RELATION
        return _truth(f"{_closed(left, _SHIFT)} {sign} {_closed(right, _SHIFT)}", precedence)

    def _compared_words(self, term: Term, is_negated: bool) -> _Part:
        a, b = term.args
        sign = {"=": "==", "bvult": "<", "bvule": "<=", "bvslt": "<", "bvsle": "<="}[term.op]
        if not isinstance(a.sort, BitVec):
            raise _NoText
        is_swapped = a.is_const and not b.is_const
        if is_swapped:
            a, b, sign = b, a, {"<": ">", "<=": ">="}.get(sign, sign)
        if is_negated:
            sign = {">": "<=", ">=": "<"}.get(sign) or _FLIPPED[sign]
        if term.op in ("bvslt", "bvsle") and b.is_const and (exact := exact_sum(a)) is not None:
            total: _Part | None = None
            for word, is_signed, factor in sorted(exact, key=lambda part: part[2] < 0):
                total = _added(total, _scaled(self._as_signed(word) if is_signed else self.part(word), factor))
            assert total is not None
            return self._relation(sign, total, _literal(signed(value_of(b), b.width)))
        if term.op in ("bvslt", "bvsle") or (term.op == "=" and self._reads_signed(a, b)):
            return self._relation(sign, self._as_signed(a), self._as_signed(b))
        return self._relation(sign, self.part(a), self.part(b))

    def _reads_signed(self, a: Term, b: Term) -> bool:
        """Are both sides signed variables, or one is and the other a constant?"""
        return all(v.is_const or (v.op in ("var", "select") and self._named(v).is_signed) for v in (a, b))

    # Numbers.

    def _named(self, term: Term) -> CName:
        found = self._names.get(term) if term.is_var else self._cells(term)
        if found is None:
            raise _NoText
        return found

    def _number(self, term: Term) -> _Part:
        args = term.args
        match term.op:
            case "const":
                return _literal(value_of(term))
            case "var" | "select":
                return _variable(self._named(term))
            case "+":
                total: _Part | None = None
                for arg in sorted(args, key=_is_taken_away):
                    factor, inner = _factor(arg)
                    total = _added(total, _scaled(self.part(inner), factor))
                assert total is not None
                return total
            case "-" if len(args) == 2:
                factor, inner = _factor(args[1])
                return _added(self.part(args[0]), _scaled(self.part(inner), -factor))
            case "neg" | "-":
                return _scaled(self.part(args[0]), -1)
            case "*" if len(args) == 2:
                factor, inner = _factor(term)
                if factor != 1:
                    return _scaled(self.part(inner), factor)
                return _multiplied(self.part(args[0]), self.part(args[1]))
            case "div" | "mod" if args[1].is_const and value_of(args[1]) > 0:
                return _divided(term.op, self.part(args[0]), value_of(args[1]))
            case "ite":
                return self._conditional(term)
        raise _NoText

    def _conditional(self, term: Term) -> _Part:
        condition, then, other = (self.part(arg) for arg in term.args)
        then, other = _compatible(then, other)
        kind = max(then.type, other.type, key=_rank)
        low, high = _hull(then, other)
        return _Part(f"({_closed(condition, _OR)} ? {then.text} : {other.text})", _POSTFIX, kind, low, high)

    # Words.

    def _word(self, term: Term) -> _Part:
        """The unsigned number that the word is."""
        width, args = term.width, term.args
        if width not in _UNSIGNED:
            raise _NoText
        kind, most = _UNSIGNED[width], (1 << width) - 1
        match term.op:
            case "const":
                return _literal(value_of(term))
            case "var" | "select":
                name = self._named(term)
                if name.is_signed:
                    return _Part(f"({kind}){name.text}", _PREFIX, _promoted(kind), 0, most)
                return _Part(name.text, _POSTFIX, _promoted(kind), 0, most)
            case "bvadd" | "bvsub" | "bvmul" | "bvand" | "bvor" | "bvxor":
                sign = {"bvadd": "+", "bvsub": "-", "bvmul": "*", "bvand": "&", "bvor": "|", "bvxor": "^"}[term.op]
                parts = [_cast(self.part(arg), kind) for arg in args]
                inner = f" {sign} ".join([_closed(p, _PREFIX) for p in parts])
                return _Part(f"({kind})({inner})", _PREFIX, _promoted(kind), 0, most)
            case "bvneg" | "bvnot":
                inner = _closed(_cast(self.part(args[0]), kind), _PREFIX)
                return _Part(
                    f"({kind}){_minus(inner) if term.op == 'bvneg' else f'~{inner}'}", _PREFIX, _promoted(kind), 0, most
                )
            case "bvshl" | "bvlshr" if args[1].is_const and value_of(args[1]) < width:
                inner = _closed(_cast(self.part(args[0]), kind), _PREFIX)
                sign = "<<" if term.op == "bvshl" else ">>"
                return _Part(f"({kind})({inner} {sign} {value_of(args[1])})", _PREFIX, _promoted(kind), 0, most)
            case "zero_extend":
                inside = self.part(args[0])
                return _Part(f"({kind}){_closed(inside, _PREFIX)}", _PREFIX, _promoted(kind), 0, inside.high)
            case "sign_extend":
                return _Part(f"({kind}){_closed(self._as_signed(args[0]), _PREFIX)}", _PREFIX, _promoted(kind), 0, most)
            case "extract" if term.data[1] == 0:
                return _Part(f"({kind}){_closed(self.part(args[0]), _PREFIX)}", _PREFIX, _promoted(kind), 0, most)
            case "ite":
                return self._conditional(term)
        raise _NoText

    def _as_signed(self, term: Term) -> _Part:
        """The signed number that the word is."""
        width = term.width
        if width not in _SIGNED:
            raise _NoText
        if term.is_const:
            return _literal(signed(value_of(term), width))
        kind, half = _SIGNED[width], 1 << (width - 1)
        if term.op in ("var", "select") and (name := self._named(term)).is_signed:
            return _Part(name.text, _POSTFIX, _promoted(kind), -half, half - 1)
        return _Part(f"({kind}){_closed(self.part(term), _PREFIX)}", _PREFIX, _promoted(kind), -half, half - 1)


def _truth(text: str, precedence: int) -> _Part:
    return _Part(text, precedence, "int", 0, 1)


def _closed(part: _Part, least: int, strict: bool = False) -> str:
    """In parentheses, where precedence does not say the same; with ``strict`` gcc would warn otherwise."""
    is_weak = part.precedence < least or (strict and part.precedence == _AND)
    return f"({part.text})" if is_weak else part.text


def _promoted(kind: str) -> str:
    """6.3.1.1p2."""
    return "int" if kind in ("unsigned char", "unsigned short", "signed char", "short") else kind


def _rank(kind: str) -> int:
    return ("int", "unsigned int", "long long", "unsigned long long", "__int128").index(kind)


def _type_of(low: int, high: int) -> str:
    """The smallest signed type that has the values."""
    for kind, bits in _LARGEST.items():
        if -(1 << bits) <= low and high < 1 << bits:
            return kind
    raise _NoText


def _wide(low: int, high: int, *parts: _Part) -> str:
    """The smallest signed type that has the values, and in which C computes where one of the parts is of it."""
    return next(
        kind for kind in _LARGEST if _rank(kind) >= max(_rank(k) for k in (_type_of(low, high), *[p.type for p in parts]))
    )


def _literal(value: int) -> _Part:
    """Of the first type that has it, as C does it (6.4.4.1)."""
    kind = _type_of(value, value)
    if kind == "__int128":
        if not 0 <= value < 1 << 64:
            raise _NoText
        return _Part(f"{value}ULL", _POSTFIX, "unsigned long long", value, value)
    text = f"{value}{'LL' if kind == 'long long' else ''}"
    if value in (-(1 << 31), -(1 << 63)):  # the number without its sign would be of a larger type, or of none
        text = f"({value + 1}{'LL' if kind == 'long long' else ''} - 1)"
        return _Part(text, _POSTFIX, kind, value, value)
    return _Part(text, _POSTFIX if value >= 0 else _PREFIX, kind, value, value)


def _variable(name: CName) -> _Part:
    if name.low is None or name.high is None:
        return _Part(name.text, _POSTFIX)
    if name.low >= 0 and name.high >= 1 << 31:
        kind = "unsigned int" if name.high < 1 << 32 else "unsigned long long"
    else:
        kind = _type_of(name.low, name.high)
    return _Part(name.text, _POSTFIX, kind, name.low, name.high)


def _hull(*parts: _Part) -> tuple[int | None, int | None]:
    lows, highs = [p.low for p in parts], [p.high for p in parts]
    if None in lows or None in highs:
        return None, None
    return min([low for low in lows if low is not None]), max([high for high in highs if high is not None])


def _cast(part: _Part, kind: str) -> _Part:
    if part.type == kind:
        return part
    return _Part(f"({kind}){_closed(part, _PREFIX)}", _PREFIX, kind, part.low, part.high)


def _compatible(a: _Part, b: _Part) -> tuple[_Part, _Part]:
    """Both in a type that keeps their values."""
    low, high = _hull(a, b)
    if low is None or high is None:
        return a, b
    wide = max(a.type, b.type, key=_rank)
    if a.type == b.type or not wide.startswith("unsigned") or low >= 0:
        return a, b  # a larger signed type has all values; what is converted to an unsigned one is not negative
    kind = _wide(low, high, a, b)
    return (_cast(a, kind), b) if a.precedence >= b.precedence else (a, _cast(b, kind))


def _is_taken_away(term: Term) -> bool:
    return _factor(term)[0] < 0 or (term.is_const and value_of(term) < 0)


def _factor(term: Term) -> tuple[int, Term]:
    """A number times a term."""
    if term.op == "neg":
        factor, inner = _factor(term.args[0])
        return -factor, inner
    if term.op == "*" and len(term.args) == 2:
        a, b = term.args
        if b.is_const:
            a, b = b, a
        if a.is_const and not b.is_const:
            return value_of(a), b
    return 1, term


def _scaled(part: _Part, factor: int) -> _Part:
    if factor == 1:
        return part
    if part.low is None or part.high is None:
        inner = _closed(part, _PREFIX)
        text = _minus(inner) if factor == -1 else f"{factor} * {inner}"
        return _Part(text, _PREFIX if factor == -1 else _PRODUCT)
    low, high = sorted((factor * part.low, factor * part.high))
    if part.low == part.high:
        return _literal(low)
    kind = _wide(min(low, part.low), max(high, part.high), part)
    inner = _closed(_cast(part, kind), _PREFIX)
    if factor == -1:
        return _Part(_minus(inner), _PREFIX, kind, low, high)
    return _Part(f"{_literal(factor).text} * {inner}", _PRODUCT, kind, low, high)


def _minus(text: str) -> str:
    return f"-({text})" if text.startswith("-") else f"-{text}"


def _added(total: _Part | None, part: _Part) -> _Part:
    if total is None:
        return part
    sign, text = "+", _closed(part, _PRODUCT)
    if text.startswith("-"):
        sign, text = "-", text[1:]
    if total.low is None or total.high is None or part.low is None or part.high is None:
        return _Part(f"{_closed(total, _SUM)} {sign} {text}", _SUM)
    low, high = total.low + part.low, total.high + part.high
    kind = _wide(min(low, total.low, part.low), max(high, total.high, part.high), total, part)
    left = total if kind in (total.type, part.type) else _cast(total, kind)
    return _Part(f"{_closed(left, _SUM)} {sign} {text}", _SUM, kind, low, high)


def _multiplied(a: _Part, b: _Part) -> _Part:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return _Part(f"{_closed(a, _PRODUCT)} * {_closed(b, _PREFIX)}", _PRODUCT)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = min(corners), max(corners)
    kind = _wide(min(low, a.low, b.low), max(high, a.high, b.high), a, b)
    return _Part(f"{_closed(_cast(a, kind), _PREFIX)} * {_closed(b, _PREFIX)}", _PRODUCT, kind, low, high)


def _divided(op: str, part: _Part, divisor: int) -> _Part:
    """Rounded down, where C rounds towards zero (6.5.5p6)."""
    is_signed = part.low is None or part.low < 0
    if part.low is None or part.high is None:
        low, high, kind = None, None, "int"
    else:
        low, high = (part.low // divisor, part.high // divisor) if op == "div" else (0, min(divisor - 1, max(0, part.high)))
        if is_signed:
            high = high if op == "div" else divisor - 1
        kind = _wide(min(part.low, low) - divisor, max(part.high, divisor) + divisor, part) if is_signed else part.type
    number = _literal(divisor)
    if not is_signed:
        if _rank(number.type) > _rank(part.type):
            kind = number.type
        return _Part(f"{_closed(part, _PRODUCT)} {'/' if op == 'div' else '%'} {number.text}", _PRODUCT, kind, low, high)
    inner = _closed(_cast(part, kind) if low is not None else part, _PREFIX)
    rest = f"({inner} % {number.text} + {number.text}) % {number.text}"
    if op == "mod":
        return _Part(rest, _PRODUCT, kind, low, high)
    return _Part(f"({inner} - {rest}) / {number.text}", _PRODUCT, kind, low, high)
