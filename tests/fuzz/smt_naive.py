"""A second reading of SMT-LIB: from text to tokens to lists to values, straight from the standard (2.6, sections 3.1–3.6).

Nothing of ``lemmata`` is used. Terms are never sorted, they are evaluated: a Bool is a ``bool``, an Int an ``int``, a Real a
``Fraction``, a word a ``Word``, an array a ``Cells``. What the standard leaves open (division by zero) raises ``Open``; text
that is not SMT-LIB raises ``Malformed``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from tests.fuzz.world import Beyond


class Malformed(Exception):
    """This is not SMT-LIB, or means nothing."""


class Open(Exception):
    """The standard does not say what the value is."""


class Token(NamedTuple):
    """``kind``: symbol, keyword, reserved, string, or value (then ``text`` is the value)."""

    kind: str
    text: Any


Tree = Token | list["Tree"]


class Word(NamedTuple):
    """A bit-vector."""

    width: int
    bits: int


@dataclass(frozen=True)
class Cells:
    """An array: ``default`` but at ``items``."""

    default: Any
    items: Mapping[Any, Any]

    def at(self, index: Any) -> Any:
        return self.items.get(index, self.default)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return NotImplemented
        if self.default != other.default:
            raise Open
        return all(self.at(i) == other.at(i) for i in {*self.items, *other.items})

    def __hash__(self) -> int:
        return hash(self.default)


_WORD = re.compile(
    r"""(?P<space>[ \t\r\n]+|;[^\r\n]*)
      | (?P<open>\() | (?P<close>\))
      | \|(?P<quoted>[^|\\]*)\|
      | (?P<string>"(?:[^"]|"")*")
      | \#x(?P<hex>[0-9a-fA-F]+) | \#b(?P<bin>[01]+)
      | (?P<decimal>[0-9]+\.[0-9]+) | (?P<numeral>[0-9]+)
      | (?P<keyword>:[A-Za-z0-9~!@$%^&*_+=<>.?/-]+)
      | (?P<symbol>[^\s()|";:\#0-9][^\s()|";]*)""",  # more than the standard has, such as x'
    re.VERBOSE,
)  # leading zeros are more than the standard allows, too
RESERVED = frozenset(
    ["BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "_", "!", "as", "let", "exists", "forall", "match", "par"]
)


def tokens(text: str) -> Iterator[Token | str]:
    """The words of a text; parentheses are strings."""
    at = 0
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise Malformed(f"at {at}")
        kind, word = match.lastgroup or "", match[match.lastgroup or 0]
        at = match.end()
        match kind:
            case "space":
                continue
            case "open" | "close":
                yield word
            case "hex":
                yield Token("value", Word(4 * len(word), int(word, 16)))
            case "bin":
                yield Token("value", Word(len(word), int(word, 2)))
            case "decimal":
                yield Token("value", Fraction(word))
            case "numeral":
                yield Token("value", int(word))
            case "quoted":
                yield Token("symbol", word)
            case "symbol" if word in RESERVED:
                yield Token("reserved", word)
            case _:
                yield Token(kind, word)


def trees(text: str) -> list[Tree]:
    """All s-expressions of a text."""
    stack: list[list[Tree]] = [[]]
    for token in tokens(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise Malformed("a closing parenthesis too many")
            done = stack.pop()
            stack[-1].append(done)
            if len(stack) == 1 and len(done) == 1 and is_word(done[0], "exit"):
                return stack[0]  # what comes after is not read
        else:
            assert isinstance(token, Token)
            stack[-1].append(token)
    if len(stack) > 1:
        raise Malformed("an open parenthesis")
    return stack[0]


def is_word(tree: Tree, word: str, kind: str = "symbol") -> bool:
    """Is this that one word?"""
    return isinstance(tree, Token) and tree == (kind, word)


def name(tree: Tree) -> str:
    """The name that a symbol spells."""
    if isinstance(tree, Token) and tree.kind == "symbol":
        return str(tree.text)
    raise Malformed(f"{tree} is no symbol")


Sort = str | tuple[str, int] | tuple[str, Any, Any]  # "Int", ("BitVec", 4), ("Array", index, element)
Function = tuple[list[str], Tree]


class Script:
    """The declarations and definitions of a script, command by command."""

    def __init__(self, text: str) -> None:
        self.sorts: dict[str, tuple[list[str], Tree]] = {}
        self.constants: dict[str, Sort] = {}
        self.predicates: dict[str, list[Sort]] = {}
        self.functions: dict[str, Function] = {}
        self.asserted: list[Tree] = []
        self.is_asked = False
        for command in trees(text):
            if not isinstance(command, list) or not command:
                raise Malformed("no command")
            self._command(name(command[0]), command[1:])

    def _command(self, word: str, rest: list[Tree]) -> None:
        match word, rest:
            case "declare-fun", [symbol, list(domain), sort]:
                self._declare(name(symbol), [self.sort(d) for d in domain], self.sort(sort))
            case "declare-const", [symbol, sort]:
                self._declare(name(symbol), [], self.sort(sort))
            case "define-fun", [symbol, list(parameters), _, body]:
                self._fresh(name(symbol))
                self.functions[name(symbol)] = [name(p[0]) for p in parameters if isinstance(p, list)], body
            case "define-sort", [symbol, list(parameters), sort]:
                self.sorts[name(symbol)] = [name(p) for p in parameters], sort
            case "assert", [formula]:
                self.asserted.append(formula)
            case "set-logic" | "get-info" | "echo", [_]:
                pass
            case "set-info" | "set-option", [_] | [_, _]:
                pass
            case "check-sat", []:
                self.is_asked = True
            case "exit" | "get-model", []:
                pass
            case "set-logic" | "get-info" | "echo" | "set-info" | "set-option" | "check-sat" | "exit" | "get-model", _:
                raise Malformed(f"{word} takes something else")
            case _:
                raise Beyond(f"the oracle does not know {word}")

    def _fresh(self, symbol: str) -> None:
        if symbol in self.constants or symbol in self.predicates or symbol in self.functions:
            raise Malformed(f"{symbol} is declared twice")

    def _declare(self, symbol: str, domain: list[Sort], sort: Sort) -> None:
        self._fresh(symbol)
        if domain and sort != "Bool":
            raise Beyond("functions that are not predicates")
        if domain:
            self.predicates[symbol] = domain
        else:
            self.constants[symbol] = sort

    def sort(self, tree: Tree, given: Mapping[str, Sort] | None = None) -> Sort:
        """A sort, with ``define-sort`` written out."""
        given = given or {}
        match tree:
            case Token("symbol", "Bool" | "Int" | "Real" as plain):
                return str(plain)
            case Token("symbol", word) if word in given:
                return given[word]
            case Token("symbol", word) if word in self.sorts and not self.sorts[word][0]:
                return self.sort(self.sorts[word][1])
            case [Token("reserved", "_"), Token("symbol", "BitVec"), Token("value", int(width))]:
                return "BitVec", width
            case [Token("symbol", "Array"), index, element]:
                return "Array", self.sort(index, given), self.sort(element, given)
            case [Token("symbol", word), *args] if word in self.sorts:
                parameters, body = self.sorts[word]
                return self.sort(body, dict(zip(parameters, [self.sort(a, given) for a in args], strict=True)))
        raise Malformed(f"{tree} is no sort")


Values = Mapping[str, Any]


class Evaluator:
    """``holds(predicate, arguments)`` says which facts are true; ``domain(sort)`` is what quantifiers range over."""

    def __init__(
        self,
        script: Script,
        domain: Callable[[Sort], Sequence[Any]] | None = None,
        holds: Callable[[str, tuple[Any, ...]], bool] | None = None,
    ) -> None:
        self._script = script
        self._domain = domain
        self._holds = holds

    def value(self, tree: Tree, local: Values, world: Values) -> Any:
        """The value of a term where bound names are ``local`` and declared ones are as ``world`` says."""
        match tree:
            case Token("value", value):
                return value
            case Token("symbol", word):
                return self._symbol(word, local, world)
            case [Token("reserved", "let"), list(bindings), body]:
                new = {name(pair[0]): self.value(pair[1], local, world) for pair in bindings}  # type: ignore[index]
                if len(new) < len(bindings):
                    raise Malformed("let binds a name twice")
                return self.value(body, {**local, **new}, world)
            case [Token("reserved", "!"), body, *_]:
                return self.value(body, local, world)
            case [Token("reserved", "forall" | "exists" as word), list(variables), body]:
                return self._quantified(word, variables, body, local, world)
            case [Token("reserved", "_"), Token("symbol", word), Token("value", int(width))] if re.fullmatch(
                r"bv(0|[1-9]\d*)", word
            ):
                return _word(width, int(word[2:])) if int(word[2:]) < 1 << width else _malformed("a literal is too large")
            case [[Token("reserved", "_"), Token("symbol", word), *numbers], *args]:
                values = [self.value(arg, local, world) for arg in args]
                return _indexed(word, [number.text for number in numbers if isinstance(number, Token)], values)
            case [[Token("reserved", "as"), Token("symbol", "const"), _], element]:
                return Cells(self.value(element, local, world), {})
            case [Token("symbol", word), *args] if args:
                return self._applied(word, args, local, world)
        raise Malformed(f"{tree} is no term")

    def _symbol(self, word: str, local: Values, world: Values) -> Any:
        if word in local:
            return local[word]
        if word in self._script.functions and not self._script.functions[word][0]:
            return self.value(self._script.functions[word][1], {}, world)
        if word in world:
            return world[word]
        if word in self._script.constants and self._holds is not None:
            return self._holds(word, ())
        if word in ("true", "false"):
            return word == "true"
        raise Malformed(f"{word} is unknown")

    def _applied(self, word: str, args: list[Tree], local: Values, world: Values) -> Any:
        if word in local:
            raise Malformed(f"{word} is no function here")
        values = [self.value(arg, local, world) for arg in args] if word not in ("ite", "and", "or", "=>") else []
        if word in self._script.functions:
            parameters, body = self._script.functions[word]
            return self.value(body, dict(zip(parameters, values, strict=True)), world)
        if word in self._script.predicates:
            assert self._holds is not None
            return self._holds(word, tuple(values))
        match word:
            case "ite":
                condition, then, otherwise = args
                return self.value(then if self.value(condition, local, world) else otherwise, local, world)
            case "and":
                return all(self.value(arg, local, world) for arg in args)
            case "or":
                return any(self.value(arg, local, world) for arg in args)
            case "=>":
                *premises, conclusion = [self.value(arg, local, world) for arg in args]
                return not all(premises) or conclusion
        if word not in _OPERATORS:
            raise Beyond(f"the oracle does not know {word}")
        return _OPERATORS[word](*values)

    def _quantified(self, word: str, variables: list[Tree], body: Tree, local: Values, world: Values) -> bool:
        if self._domain is None:
            raise Beyond("quantifiers")
        if not variables:
            return bool(self.value(body, local, world))
        first, *rest = variables
        assert isinstance(first, list)
        found = (
            self._quantified(word, rest, body, {**local, name(first[0]): value}, world)
            for value in self._domain(self._script.sort(first[1]))
        )
        return all(found) if word == "forall" else any(found)


def _malformed(why: str) -> Any:
    raise Malformed(why)


def _word(width: int, value: int) -> Word:
    return Word(width, value % (1 << width))


def signed(word: Word) -> int:
    """Two's complement."""
    return word.bits - (1 << word.width) if word.bits >> (word.width - 1) else word.bits


def _div(a: int, *rest: int) -> int:
    for b in rest:
        if b == 0:
            raise Open
        a = (a - a % abs(b)) // b
    return a


def _mod(a: int, b: int) -> int:
    if b == 0:
        raise Open
    return a % abs(b)


def _over(a: Any, *rest: Any) -> Fraction:
    for b in rest:
        if b == 0:
            raise Open
        a = Fraction(a) / b
    return Fraction(a)


def _fold(step: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def run(first: Any, *rest: Any) -> Any:
        for value in rest:
            first = step(first, value)
        return first

    return run


def _chain(relation: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    return lambda *values: all(relation(a, b) for a, b in pairwise(values))


def _distinct(*values: Any) -> bool:
    return all(a != b for i, a in enumerate(values) for b in values[:i])


def _bv(step: Callable[[int, int, int], int]) -> Callable[[Word, Word], Word]:
    def run(a: Word, b: Word) -> Word:
        if a.width != b.width:
            raise Malformed("words of different widths")
        return _word(a.width, step(a.bits, b.bits, a.width))

    return run


def _udiv(a: int, b: int, width: int) -> int:
    return a // b if b else (1 << width) - 1


def _urem(a: int, b: int, width: int) -> int:
    return a % b if b else a


def _sdiv(a: Word, b: Word) -> Word:
    """By the signs of the arguments, as the standard defines it (bvsdiv)."""
    size, na, nb = 1 << a.width, signed(a) < 0, signed(b) < 0
    quotient = _udiv(-a.bits % size if na else a.bits, -b.bits % size if nb else b.bits, a.width)
    return _word(a.width, -quotient if na != nb else quotient)


def _srem(a: Word, b: Word) -> Word:
    size, na, nb = 1 << a.width, signed(a) < 0, signed(b) < 0
    rest = _urem(-a.bits % size if na else a.bits, -b.bits % size if nb else b.bits, a.width)
    return _word(a.width, -rest if na else rest)


def _smod(a: Word, b: Word) -> Word:
    size, na, nb = 1 << a.width, signed(a) < 0, signed(b) < 0
    u = _urem(-a.bits % size if na else a.bits, -b.bits % size if nb else b.bits, a.width)
    if u == 0 or (not na and not nb):
        return _word(a.width, u)
    if na and not nb:
        return _word(a.width, -u + b.bits)
    return _word(a.width, u + b.bits) if not na else _word(a.width, -u)


def _compare(relation: Callable[[int, int], bool], sign: bool = False) -> Callable[[Word, Word], bool]:
    return lambda a, b: relation(signed(a), signed(b)) if sign else relation(a.bits, b.bits)


def _minus(first: Any, *rest: Any) -> Any:
    return _fold(lambda a, b: a - b)(first, *rest) if rest else -first


def _indexed(word: str, numbers: list[int], args: list[Any]) -> Any:
    match word, numbers, args:
        case "extract", [high, low], [Word(width, bits)] if width > high >= low >= 0:
            return _word(high - low + 1, bits >> low)
        case "zero_extend", [more], [Word(width, bits)]:
            return Word(width + more, bits)
        case "sign_extend", [more], [Word(width, bits) as a]:
            return _word(width + more, signed(a))
        case "rotate_left", [turn], [Word(width, bits)]:
            turn %= width
            return _word(width, bits << turn | bits >> (width - turn))
        case "rotate_right", [turn], [Word(width, bits)]:
            turn %= width
            return _word(width, bits >> turn | bits << (width - turn))
        case "repeat", [times], [Word(width, bits)] if times > 0:
            return Word(width * times, sum(bits << width * i for i in range(times)))
        case "divisible", [n], [a] if n > 0:
            return a % n == 0
    raise Malformed(f"{word} {numbers}")


_OPERATORS: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "xor": _fold(lambda a, b: a != b),
    "=": _chain(lambda a, b: a == b),
    "distinct": _distinct,
    "+": _fold(lambda a, b: a + b),
    "-": _minus,
    "*": _fold(lambda a, b: a * b),
    "div": _div,
    "mod": _mod,
    "/": _over,
    "abs": abs,
    "<": _chain(lambda a, b: a < b),
    "<=": _chain(lambda a, b: a <= b),
    ">": _chain(lambda a, b: a > b),
    ">=": _chain(lambda a, b: a >= b),
    "to_real": Fraction,
    "to_int": lambda a: Fraction(a).__floor__(),
    "is_int": lambda a: Fraction(a).denominator == 1,
    "select": lambda a, i: a.at(i),
    "store": lambda a, i, v: Cells(a.default, {**a.items, i: v}),
    "concat": _fold(lambda a, b: Word(a.width + b.width, a.bits << b.width | b.bits)),
    "bvnot": lambda a: _word(a.width, ~a.bits),
    "bvneg": lambda a: _word(a.width, -a.bits),
    "bvand": _fold(_bv(lambda a, b, w: a & b)),
    "bvor": _fold(_bv(lambda a, b, w: a | b)),
    "bvxor": _fold(_bv(lambda a, b, w: a ^ b)),
    "bvnand": _bv(lambda a, b, w: ~(a & b)),
    "bvnor": _bv(lambda a, b, w: ~(a | b)),
    "bvxnor": _bv(lambda a, b, w: ~(a ^ b)),
    "bvcomp": lambda a, b: Word(1, int(a == b)),
    "bvadd": _fold(_bv(lambda a, b, w: a + b)),
    "bvsub": _bv(lambda a, b, w: a - b),
    "bvmul": _fold(_bv(lambda a, b, w: a * b)),
    "bvudiv": _bv(_udiv),
    "bvurem": _bv(_urem),
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvsmod": _smod,
    "bvshl": _bv(lambda a, b, w: a << min(b, w)),
    "bvlshr": _bv(lambda a, b, w: a >> min(b, w)),
    "bvashr": lambda a, b: _word(a.width, signed(a) >> min(b.bits, a.width)),
    "bvult": _compare(lambda a, b: a < b),
    "bvule": _compare(lambda a, b: a <= b),
    "bvugt": _compare(lambda a, b: a > b),
    "bvuge": _compare(lambda a, b: a >= b),
    "bvslt": _compare(lambda a, b: a < b, True),
    "bvsle": _compare(lambda a, b: a <= b, True),
    "bvsgt": _compare(lambda a, b: a > b, True),
    "bvsge": _compare(lambda a, b: a >= b, True),
}
