"""A second reading of Boogie: a recursive-descent parser after the grammar of *This is Boogie 2*, and all runs of a program.

Nothing of ``lemmata`` is used. A procedure becomes a list of instructions, and every state of it is visited. An arbitrary
number is one of ``ints()``; a map is read only where it was written, else the oracle does not know (``Beyond``).
``Malformed`` where the grammar is left; what the grammar has and the oracle does not is ``Beyond``, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from tests.fuzz.smt_naive import Word
from tests.fuzz.smt_values import ints
from tests.fuzz.world import Beyond


class Malformed(Exception):
    """This is not Boogie."""


class Token(NamedTuple):
    """``kind``: name, number, bits, real, string, op, end."""

    kind: str
    text: str
    line: int


_WORD = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<comment>/\*)
      |(?P<bits>\d+bv\d+)|(?P<real>\d+\.\d+(?:e-?\d+)?|\d+e-?\d+)|(?P<number>\d+)
      |(?P<name>\\?(?:[^\W\d]|['~\#$^_.?`])[\w'~\#$^.?`]*)|(?P<string>"(?:\\"|[^"\n])*")
      |(?P<op><==>|==>|<==|&&|\|\||==|!=|<=|>=|<:|\+\+|\*\*|:=|::|\{:|[-+*/<>!(){}\[\],;:|=⇔⇒⇐∧∨¬≠≤≥•])""",
    re.VERBOSE,
)
_SAME = {"⇔": "<==>", "⇒": "==>", "⇐": "<==", "∧": "&&", "∨": "||", "¬": "!", "≠": "!=", "≤": "<=", "≥": ">=", "•": "::"}
_FAR = ["forall", "exists", "lambda", "struct", "yield", "par", "async", "then_", "datatype"]


def tokens(text: str) -> list[Token]:
    """The words of a program, with an end."""
    found, at, line = [], 0, 1
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise Malformed(f"line {line}")
        kind, word = match.lastgroup or "", match[0]
        end = match.end()
        if kind == "comment":
            end = _comment(text, end)
        elif kind != "space":
            found.append(Token(kind, _SAME.get(word, word), line))
        line += text.count("\n", at, end)
        at = end
    return [*found, Token("end", "", line)]


def _comment(text: str, at: int) -> int:
    """Comments nest."""
    depth = 1
    while depth:
        match = re.compile(r"/\*|\*/").search(text, at)
        if match is None:
            raise Malformed("a comment without end")
        depth += 1 if match[0] == "/*" else -1
        at = match.end()
    return at


Values = dict[str, Any]
Expression = Callable[[Values, Values], Any]  # of the values now and at the start of the procedure
UNKNOWN = object()


@dataclass(frozen=True)
class Map:
    """What is known of a map."""

    items: tuple[tuple[Any, Any], ...] = ()

    def at(self, key: Any) -> Any:
        for known, value in self.items:
            if known == key:
                return value
        raise Beyond("a cell that nobody wrote")

    def put(self, key: Any, value: Any) -> Map:
        return Map(tuple(sorted([*(item for item in self.items if item[0] != key), (key, value)], key=repr)))


Type = Any  # "int", "bool", "real", ("bv", n), ("map", …)


@dataclass
class Procedure:
    """``code``: instructions ``(kind, …)``; targets are positions."""

    name: str
    parameters: list[tuple[str, Type]]
    results: list[tuple[str, Type]]
    requires: list[tuple[Expression, int]] = field(default_factory=list)
    ensures: list[tuple[Expression, int]] = field(default_factory=list)
    modifies: list[str] = field(default_factory=list)
    locals: list[tuple[str, Type]] = field(default_factory=list)
    wheres: list[tuple[str, Expression]] = field(default_factory=list)
    code: list[list[Any]] | None = None


class Parser:
    """One program."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._at = 0
        self.globals: list[tuple[str, Type]] = []
        self.wheres: list[tuple[str, Expression]] = []
        self.constants: list[tuple[str, Type]] = []
        self.unique: list[str] = []
        self.axioms: list[Expression] = []
        self.functions: dict[str, tuple[list[str], Expression | None]] = {}
        self.synonyms: dict[str, Type] = {}
        self.procedures: dict[str, Procedure] = {}
        self._bodies: list[tuple[str, list[tuple[str, Type]], list[tuple[str, Type]], Any]] = []
        while self._peek.kind != "end":
            self._declaration()
        for name, ins, outs, (variables, wheres, code) in self._bodies:
            self._implement(name, ins, outs, variables, wheres, code)

    # Words.

    @property
    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _is(self, *words: str) -> bool:
        return self._peek.kind in ("op", "name") and self._peek.text in words

    def _take(self) -> Token:
        token = self._peek
        self._at += token.kind != "end"
        return token

    def _has(self, *words: str) -> bool:
        if self._is(*words):
            self._at += 1
            return True
        return False

    def _want(self, word: str) -> Token:
        if not self._is(word):
            raise Malformed(f"{word} is wanted at line {self._peek.line}, not {self._peek.text}")
        return self._take()

    def _name(self) -> str:
        token = self._take()
        if token.kind != "name" or token.text in _KEYWORDS:
            raise Malformed(f"a name is wanted at line {token.line}, not {token.text}")
        return token.text.removeprefix("\\")

    def _names(self) -> list[str]:
        names = [self._name()]
        while self._has(","):
            names.append(self._name())
        return names

    def _attributes(self) -> None:
        while self._has("{:"):
            if self._take().text in ("assumption", "builtin", "bvbuiltin", "overapproximation"):
                raise Beyond("an attribute with a meaning")
            while not self._has("}"):
                if self._peek.kind == "end":
                    raise Malformed("an attribute without end")
                self._take()

    # Declarations.

    def _declaration(self) -> None:
        word = self._take()
        if word.kind != "name":
            raise Malformed(f"line {word.line}")
        match word.text:
            case "var":
                self._attributes()
                self._variables(self.globals, self.wheres)
                self._want(";")
            case "const":
                self._attributes()
                is_unique = self._has("unique")
                names = self._names()
                self._want(":")
                self.constants += [(name, kind) for kind in [self._type()] for name in names]
                self.unique += names if is_unique else []
                self._want(";")
            case "axiom":
                self._attributes()
                self.axioms.append(self._expression())
                self._want(";")
            case "function":
                self._function()
            case "type":
                self._attributes()
                name = self._name()
                self.synonyms[name] = self._type() if self._has("=") else "int"
                self._want(";")
            case "procedure":
                self._procedure()
            case "implementation":
                self._attributes()
                name, ins, outs = self._signature()
                self._bodies.append((name, ins, outs, self._body()))
            case _:
                raise Malformed(f"{word.text} at line {word.line}")

    def _variables(self, into: list[tuple[str, Type]], wheres: list[tuple[str, Expression]]) -> None:
        while True:
            self._attributes()
            names = self._names()
            self._want(":")
            kind = self._type()
            into += [(name, kind) for name in names]
            if self._has("where"):
                condition = self._expression()
                wheres += [(name, condition) for name in names]
            if not self._has(","):
                return

    def _type(self) -> Type:
        if self._has("("):
            kind = self._type()
            self._want(")")
            return kind
        if self._has("["):
            domain = [self._type()]
            while self._has(","):
                domain.append(self._type())
            self._want("]")
            return ("map", tuple(domain), self._type())
        if self._is("<"):
            raise Beyond("polymorphism")
        token = self._take()
        if token.kind != "name":
            raise Malformed("a type is wanted")
        if token.text in ("int", "bool", "real"):
            return token.text
        if (match := re.fullmatch(r"bv(\d+)", token.text)) is not None:
            return ("bv", int(match[1]))
        if token.text.removeprefix("\\") in self.synonyms:
            return self.synonyms[token.text.removeprefix("\\")]
        raise Beyond("a type that comes later")

    def _formals(self) -> list[tuple[str, Type]]:
        found: list[tuple[str, Type]] = []
        wheres: list[tuple[str, Expression]] = []
        self._want("(")
        if not self._is(")"):
            self._variables(found, wheres)
        self._want(")")
        if wheres:
            raise Beyond("where of a parameter")
        return found

    def _signature(self) -> tuple[str, list[tuple[str, Type]], list[tuple[str, Type]]]:
        name = self._name()
        ins = self._formals()
        return name, ins, self._formals() if self._has("returns") else []

    def _function(self) -> None:
        self._attributes()
        name = self._name()
        self._want("(")
        parameters = []
        while not self._is(")"):
            parameters.append(self._name())
            if not self._has(":"):
                raise Beyond("a parameter without name")
            self._type()
            if not self._has(","):
                break
        self._want(")")
        if self._has("returns"):
            self._want("(")
            if self._tokens[self._at + 1].text == ":":
                self._name()
                self._want(":")
            self._type()
            self._want(")")
        else:
            self._want(":")
            self._type()
        if self._has("{"):
            self.functions[name] = parameters, self._expression()
            self._want("}")
        else:
            self._want(";")
            self.functions[name] = parameters, None

    def _procedure(self) -> None:
        self._attributes()
        procedure = Procedure(*self._signature())
        if procedure.name in self.procedures:
            raise Malformed("a procedure twice")
        self.procedures[procedure.name] = procedure
        is_bodiless = self._has(";")
        while self._is("requires", "ensures", "modifies", "free"):
            if self._has("free"):
                raise Beyond("free clauses")
            word = self._take()
            self._attributes()
            if word.text == "modifies":
                procedure.modifies += [] if self._is(";") else self._names()
            else:
                clause = self._expression(), word.line
                (procedure.requires if word.text == "requires" else procedure.ensures).append(clause)
            self._want(";")
        if not is_bodiless:
            self._bodies.append((procedure.name, procedure.parameters, procedure.results, self._body()))

    def _implement(self, name: str, ins: Any, outs: Any, variables: Any, wheres: Any, code: Any) -> None:
        if name not in self.procedures:
            raise Malformed("an implementation of nothing")
        procedure = self.procedures[name]
        if procedure.code is not None:
            raise Beyond("several implementations")
        if [n for n, _ in (*ins, *outs)] != [n for n, _ in (*procedure.parameters, *procedure.results)]:
            raise Beyond("formals with other names")
        procedure.locals, procedure.wheres, procedure.code = variables, wheres, code

    # Statements.

    def _body(self) -> Any:
        self._want("{")
        variables: list[tuple[str, Type]] = []
        wheres: list[tuple[str, Expression]] = []
        while self._has("var"):
            self._attributes()
            self._variables(variables, wheres)
            self._want(";")
        code = _Code()
        self._statements(code)
        code.put("return")
        return variables, wheres, code.finished()

    def _statements(self, code: _Code) -> None:
        labels: list[str] = []
        while not self._has("}"):
            if self._peek.kind == "end":
                raise Malformed("a block without end")
            if self._tokens[self._at + 1].text == ":" and self._peek.text not in _KEYWORDS:
                labels.append(self._name())
                self._want(":")
                code.label(labels[-1])
                continue
            self._statement(code, labels)
            labels = []

    def _statement(self, code: _Code, labels: list[str]) -> None:
        word = self._take()
        if word.text in ("assert", "assume") and word.kind == "name":
            self._attributes()
            code.put(word.text, self._expression(), f"assert at line {word.line}")
        elif word.text == "havoc":
            code.put("havoc", self._names())
        elif word.text == "goto":
            code.put("goto", [("label", name) for name in self._names()])
        elif word.text == "return":
            code.put("return")
        elif word.text == "break":
            code.leave(None if self._is(";") else self._name())
        elif word.text == "call":
            self._call(code, word.line)
        elif word.text == "if":
            return self._if(code, labels)
        elif word.text == "while":
            return self._while(code, labels)
        else:
            self._at -= 1
            self._assign(code)
        self._want(";")
        return None

    def _guard(self) -> Expression | None:
        self._want("(")
        guard = None if self._has("*") else self._expression()
        self._want(")")
        return guard

    def _if(self, code: _Code, labels: list[str]) -> None:
        guard, end = self._guard(), code.open(labels, loop=False)
        yes, no = code.fresh(), code.fresh()
        code.fork(guard, yes, no)
        code.place(yes)
        self._want("{")
        self._statements(code)
        code.put("goto", [end])
        code.place(no)
        if self._has("else"):
            if self._has("if"):
                self._if(code, [])
            else:
                self._want("{")
                self._statements(code)
        code.close(end)

    def _while(self, code: _Code, labels: list[str]) -> None:
        guard = self._guard()
        invariants = []
        while self._is("invariant", "free"):
            if self._has("free"):
                raise Beyond("free clauses")
            line = self._want("invariant").line
            self._attributes()
            invariants.append((self._expression(), line))
            self._want(";")
        end, head, body, done = code.open(labels, loop=True), code.fresh(), code.fresh(), code.fresh()
        code.place(head)
        for condition, line in invariants:
            code.put("assert", condition, f"invariant at line {line}")
        code.fork(guard, body, done)
        code.place(body)
        self._want("{")
        self._statements(code)
        code.put("goto", [head])
        code.place(done)
        code.close(end)

    def _call(self, code: _Code, line: int) -> None:
        self._attributes()
        if self._is("forall"):
            raise Beyond("call forall")
        names = self._names()
        results: list[str] = []
        if self._has(":="):
            results, names = names, [self._name()]
        self._want("(")
        arguments = [] if self._is(")") else self._listed()
        self._want(")")
        if len(names) != 1:
            raise Malformed("call")
        code.put("call", names[0], arguments, results, line)

    def _assign(self, code: _Code) -> None:
        targets: list[tuple[str, list[list[Expression]]]] = []
        while True:
            name, indices = self._name(), []
            while self._has("["):
                indices.append(self._listed())
                self._want("]")
            targets.append((name, indices))
            if not self._has(","):
                break
        self._want(":=")
        values = self._listed()
        if len(values) != len(targets) or len({name for name, _ in targets}) < len(targets):
            raise Malformed("an assignment")
        code.put("assign", targets, values)

    # Expressions: section 3 of the manual; weakest operators first.

    def _listed(self) -> list[Expression]:
        found = [self._expression()]
        while self._has(","):
            found.append(self._expression())
        return found

    def _expression(self) -> Expression:
        left = self._implication()
        while self._has("<==>"):
            left = _apply(lambda a, b: a == b, left, self._implication())
        return left

    def _implication(self) -> Expression:
        left = self._logical()
        if self._has("==>"):
            right = self._implication_right()
            return _lazy(lambda a, b: not a() or b(), left, right)
        while self._has("<=="):
            right = self._logical()
            left = _lazy(lambda a, b: a() or not b(), left, right)
        return left

    def _implication_right(self) -> Expression:
        left = self._logical()
        if self._has("==>"):
            right = self._implication_right()
            return _lazy(lambda a, b: not a() or b(), left, right)
        return left

    def _logical(self) -> Expression:
        left = self._relation()
        if self._is("&&"):
            while self._has("&&"):
                left = _lazy(lambda a, b: a() and b(), left, self._relation())
        elif self._is("||"):
            while self._has("||"):
                left = _lazy(lambda a, b: a() or b(), left, self._relation())
        if self._is("&&", "||"):
            raise Malformed("&& and || without parentheses")
        return left

    def _relation(self) -> Expression:
        left = self._concatenation()
        if self._is("==", "!=", "<", "<=", ">", ">="):
            relation = _RELATIONS[self._take().text]
            left = _apply(relation, left, self._concatenation())
            if self._is("==", "!=", "<", "<=", ">", ">="):
                raise Malformed("relations are not associative")
        return left

    def _concatenation(self) -> Expression:
        left = self._sum()
        while self._has("++"):
            left = _apply(lambda a, b: Word(a.width + b.width, a.bits << b.width | b.bits), left, self._sum())
        return left

    def _sum(self) -> Expression:
        left = self._product()
        while self._is("+", "-"):
            op = self._take().text
            left = _apply((lambda a, b: a + b) if op == "+" else (lambda a, b: a - b), left, self._product())
        return left

    def _product(self) -> Expression:
        left = self._unary()
        while self._is("*", "div", "mod", "/", "%"):
            op = self._take().text
            if op in ("/", "%"):
                raise Beyond("division of reals")
            left = _apply(_PRODUCTS[op], left, self._unary())
        if self._is("**"):
            raise Beyond("powers")
        return left

    def _unary(self) -> Expression:
        if self._has("!"):
            return _apply(_no, self._unary())
        if self._has("-"):
            return _apply(lambda a: -a, self._unary())
        return self._postfix()

    def _postfix(self) -> Expression:
        base = self._atom()
        while self._has("["):
            base = self._bracket(base)
        return base

    def _bracket(self, base: Expression) -> Expression:
        if self._peek.kind == "number" and self._tokens[self._at + 1].text == ":":
            high = int(self._take().text)
            self._want(":")
            low = int(self._take().text)
            self._want("]")
            return _apply(lambda a: Word(high - low, a.bits >> low & (1 << high - low) - 1), base)
        indices = self._listed()
        if self._has(":="):
            value = self._expression()
            self._want("]")
            return lambda now, old: base(now, old).put(_key(indices, now, old), value(now, old))
        self._want("]")
        return lambda now, old: base(now, old).at(_key(indices, now, old))

    def _atom(self) -> Expression:
        token = self._take()
        match token.kind, token.text:
            case "op", "(":
                if self._is("forall", "exists", "lambda", "∀", "∃"):
                    raise Beyond("quantifiers")
                inner = self._expression()
                self._want(")")
                return inner
            case "number", digits:
                return _constant(int(digits))
            case "bits", digits:
                value, width = map(int, digits.split("bv"))
                if value >= 1 << width:
                    raise Malformed("a literal that does not fit")
                return _constant(Word(width, value))
            case "real", digits:
                return _constant(Fraction(digits))
            case "name", ("true" | "false") as word:
                return _constant(word == "true")
            case "name", "if":
                condition = self._expression()
                self._want("then")
                then = self._expression()
                self._want("else")
                otherwise = self._expression()
                return lambda now, old: (then if condition(now, old) else otherwise)(now, old)
            case "name", "old":
                self._want("(")
                inner = self._expression()
                self._want(")")
                return lambda now, old: inner({**now, **old}, old)
            case "name", ("int" | "real"):
                raise Beyond("conversions")
            case "name", word if word not in _KEYWORDS:
                name = word.removeprefix("\\")
                if self._has("("):
                    arguments = [] if self._is(")") else self._listed()
                    self._want(")")
                    return lambda now, old: self._called(name, [argument(now, old) for argument in arguments], now)
                return lambda now, old: _look(now, name)
        raise Malformed(f"{token.text or token.kind} at line {token.line} is no expression")

    def _called(self, name: str, values: list[Any], now: Values) -> Any:
        if name not in self.functions:
            raise Malformed(f"{name} is no function")
        parameters, body = self.functions[name]
        if body is None:
            raise Beyond("a function without body")
        constants = {c: now[c] for c, _ in self.constants if c in now}
        return body(constants | dict(zip(parameters, values, strict=True)), {})


_KEYWORDS = frozenset(
    [
        "assert",
        "assume",
        "axiom",
        "break",
        "bool",
        "call",
        "const",
        "else",
        "ensures",
        "exists",
        "false",
        "forall",
        "free",
        "function",
        "goto",
        "havoc",
        "if",
        "implementation",
        "int",
        "invariant",
        "modifies",
        "old",
        "procedure",
        "real",
        "requires",
        "return",
        "returns",
        "then",
        "true",
        "type",
        "unique",
        "var",
        "where",
        "while",
        "div",
        "mod",
        "lambda",
    ]
)


class _Code:
    """Instructions in the making; a target is a list with the position, once it is known."""

    def __init__(self) -> None:
        self._rows: list[list[Any]] = []
        self._labels: dict[str, list[int]] = {}
        self._open: list[tuple[list[str], bool, list[int]]] = []

    def put(self, *row: Any) -> None:
        self._rows.append(list(row))

    def fresh(self) -> list[int]:
        return []

    def place(self, target: list[int]) -> None:
        target.append(len(self._rows))

    def label(self, name: str) -> None:
        if name in self._labels:
            raise Malformed("a label twice")
        self._labels[name] = [len(self._rows)]

    def fork(self, guard: Expression | None, yes: list[int], no: list[int]) -> None:
        self.put("fork", guard, yes, no)

    def open(self, labels: list[str], loop: bool) -> list[int]:
        end: list[int] = []
        self._open.append((labels, loop, end))
        return end

    def close(self, end: list[int]) -> None:
        self._open.pop()
        self.place(end)

    def leave(self, label: str | None) -> None:
        for labels, loop, end in reversed(self._open):
            if loop if label is None else label in labels:
                return self.put("goto", [end])
        raise Malformed("break leads nowhere")

    def finished(self) -> list[list[Any]]:
        for row in self._rows:
            if row[0] == "goto":
                row[1] = [self._target(target) for target in row[1]]
        return self._rows

    def _target(self, target: Any) -> list[int]:
        if not isinstance(target, tuple):
            return list(target) if target else target
        if target[1] not in self._labels:
            raise Malformed("goto leads nowhere")
        return self._labels[target[1]]


def _constant(value: Any) -> Expression:
    return lambda now, old: value


def _look(now: Values, name: str) -> Any:
    if name not in now:
        raise Malformed(f"{name} is unknown")
    return now[name]


def _key(indices: list[Expression], now: Values, old: Values) -> Any:
    return tuple(index(now, old) for index in indices)


def _apply(function: Callable[..., Any], *arguments: Expression) -> Expression:
    return lambda now, old: function(*[argument(now, old) for argument in arguments])


def _lazy(function: Callable[..., Any], left: Expression, right: Expression) -> Expression:
    return lambda now, old: function(lambda: _truth(left(now, old)), lambda: _truth(right(now, old)))


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Malformed("a truth value is wanted")
    return value


def _no(value: Any) -> bool:
    return not _truth(value)


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, Map) or isinstance(b, Map):
        raise Beyond("maps compared")
    return bool(a == b)


def _div(a: int, b: int) -> int:
    if b == 0:
        raise Beyond("division by zero")
    return (a - a % abs(b)) // b


def _mod(a: int, b: int) -> int:
    if b == 0:
        raise Beyond("division by zero")
    return a % abs(b)


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": _equal,
    "!=": lambda a, b: not _equal(a, b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {"*": lambda a, b: a * b, "div": _div, "mod": _mod}
_STATES = 20_000  # of all procedures together


class Runs:
    """All runs of a program."""

    def __init__(self, text: str) -> None:
        self._program = Parser(text)
        self.found: set[str] = set()
        self._states = 0
        self._stack: list[Any] = []
        self._known: dict[Any, set[Any]] = {}

    def violated(self) -> set[str]:
        """The names of the properties that fail."""
        program = self._program
        for constants in self._arbitrary(program.constants):
            values = [constants[name] for name in program.unique]
            if len(set(values)) == len(values) and all(_truth(axiom(constants, {})) for axiom in program.axioms):
                self._known.clear()
                self._all(constants)
        return self.found

    def _all(self, constants: Values) -> None:
        bodies = [p for p in self._program.procedures.values() if p.code is not None]
        for procedure in [p for p in bodies if p.name == "ULTIMATE.start"] or bodies:
            for state in self._arbitrary(self._program.globals):
                now = constants | state
                if not all(_truth(where(now, now)) for _, where in self._program.wheres):
                    continue
                for arguments in self._arbitrary(procedure.parameters):
                    if all(_truth(condition(now | arguments, state)) for condition, _ in procedure.requires):
                        self._run(procedure, constants, state, arguments)

    def _arbitrary(self, variables: list[tuple[str, Type]]) -> Iterator[Values]:
        for values in product(*[_domain(kind) for _, kind in variables]):
            yield dict(zip([name for name, _ in variables], values, strict=True))

    def _run(self, procedure: Procedure, constants: Values, state: Values, arguments: Values) -> set[Any]:
        """The ends of a body: results and globals."""
        key = procedure.name, tuple(state.items()), tuple(arguments.items())
        if key in self._known:
            return self._known[key]
        if key in self._stack or len(self._stack) > 20:
            raise Beyond("recursion")
        self._stack.append(key)
        ends: set[Any] = set()
        starts = [constants | state | arguments | extra for extra in self._arbitrary([*procedure.results, *procedure.locals])]
        starts = [start for start in starts if all(_truth(where(start, state)) for _, where in procedure.wheres)]
        if starts:
            self._walk(procedure, starts, state, ends)
        self._stack.pop()
        self._known[key] = ends
        return ends

    def _walk(self, procedure: Procedure, starts: list[Values], old: Values, ends: set[Any]) -> None:
        names = list(starts[0])
        todo = [(0, tuple(start.values())) for start in starts]
        seen = set(todo)
        while todo:
            self._states += 1
            if self._states > _STATES:
                raise Beyond("many states")
            at, values = todo.pop()
            for new in self._step(procedure, at, dict(zip(names, values, strict=True)), old, ends):
                item = new[0], tuple(new[1][name] for name in names)
                if item not in seen:
                    seen.add(item)
                    todo.append(item)

    def _step(self, procedure: Procedure, at: int, now: Values, old: Values, ends: set[Any]) -> Iterator[tuple[int, Values]]:
        assert procedure.code is not None
        match procedure.code[at]:
            case ["assert", condition, name]:
                if _truth(condition(now, old)):
                    yield at + 1, now
                else:
                    self.found.add(name)
            case ["assume", condition, _]:
                if _truth(condition(now, old)):
                    yield at + 1, now
            case ["havoc", names]:
                kinds = dict([*self._program.globals, *procedure.results, *procedure.locals])
                if not set(names) <= kinds.keys():
                    raise Malformed("havoc of something that cannot change")
                for new in self._arbitrary([(name, kinds[name]) for name in dict.fromkeys(names)]):
                    after = now | new
                    wheres = [*self._program.wheres, *procedure.wheres]
                    if all(_truth(where(after, old)) for name, where in wheres if name in names):
                        yield at + 1, after
            case ["goto", targets]:
                yield from ((target[0], now) for target in targets)
            case ["fork", guard, yes, no]:
                for target, wanted in ((yes, True), (no, False)):
                    if guard is None or _truth(guard(now, old)) == wanted:
                        yield target[0], now
            case ["assign", targets, values]:
                yield at + 1, now | _assigned(targets, [value(now, old) for value in values], now, old)
            case ["return"]:
                self._end(procedure, now, old, ends)
            case ["call", name, arguments, results, line]:
                values = [argument(now, old) for argument in arguments]
                for new in self._call(name, values, results, line, now):
                    yield at + 1, now | new

    def _end(self, procedure: Procedure, now: Values, old: Values, ends: set[Any]) -> None:
        for condition, line in procedure.ensures:
            if not _truth(condition(now, old)):
                self.found.add(f"ensures at line {line}")
                return
        state = tuple(now[name] for name, _ in self._program.globals)
        ends.add((tuple(now[name] for name, _ in procedure.results), state))

    def _call(self, name: str, values: list[Any], results: list[str], line: int, now: Values) -> Iterator[Values]:
        program = self._program
        if name not in program.procedures:
            raise Malformed(f"{name} is no procedure")
        callee = program.procedures[name]
        state = {g: now[g] for g, _ in program.globals}
        if any(g in dict([*callee.parameters, *callee.results, *callee.locals]) for g in state):
            raise Beyond("globals that are hidden")
        constants = {c: now[c] for c, _ in program.constants}
        arguments = dict(zip([p for p, _ in callee.parameters], values, strict=True))
        for condition, _ in callee.requires:
            if not _truth(condition(constants | state | arguments, state)):
                self.found.add(f"requires of {name} at line {line}")
                return
        if callee.code is None:
            raise Beyond("a procedure without body")
        for outcomes, after in self._run(callee, constants, state, arguments):
            new = dict(zip(state, after, strict=True))
            yield new | dict(zip(results, outcomes, strict=True))


def _assigned(targets: Any, values: list[Any], now: Values, old: Values) -> Values:
    new = {}
    for (name, indices), value in zip(targets, values, strict=True):
        new[name] = _stored(now[name], [_key(index, now, old) for index in indices], value)
    return new


def _stored(base: Any, keys: list[Any], value: Any) -> Any:
    if not keys:
        return value
    first, *rest = keys
    return base.put(first, _stored(base.at(first) if rest else None, rest, value))


def _domain(kind: Type) -> list[Any]:
    match kind:
        case "int":
            return list(ints())
        case "bool":
            return [False, True]
        case ("bv", width) if width <= 2:
            return [Word(width, bits) for bits in range(1 << width)]
        case ("map", _, _):
            return [Map()]
    raise Beyond(f"many values of {kind}")
