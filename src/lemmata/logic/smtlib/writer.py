"""Terms as SMT-LIB 2 text.

Subterms that are used more than once, and are not leaves, are bound by ``let``; bindings that do not depend on each other share
one, so that lets nest only as deep as sharing does. The text is written token by token from a stack: a term may be as
deep as it likes.

A symbol that SMT-LIB would not read as one word is put between bars. Bars, backslashes and what is not printable do not stand
there: each of their bytes in UTF-8 becomes ``%`` and two hexadecimal digits (``a|b`` is ``a%7Cb``). So does the first character
of a name that SMT-LIB or a solver has taken (``and`` is ``%61nd``), and a ``%`` that could be mistaken for such an escape;
different names stay different.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from lemmata.logic.decimals import digits_of
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import OPERATORS, Term, Value, topological
from lemmata.logic.values import ASSOCIATIVE, ArrayValue

_PLAIN = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")
_UNFIT = re.compile(r"[|\\]|%(?=[0-9A-F]{2})")
_TAKEN = OPERATORS | {
    *(
        "!",
        "_",
        "as",
        "let",
        "exists",
        "forall",
        "lambda",
        "match",
        "par",
        "true",
        "false",
        "distinct",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
    ),
    *(
        "NUMERAL",
        "STRING",
        "Bool",
        "Int",
        "Real",
        "Array",
        "BitVec",
        "const",
        "abs",
        "is_int",
        ">",
        ">=",
        "repeat",
        "divisible",
    ),
    *(
        "bvnand",
        "bvnor",
        "bvxnor",
        "bvcomp",
        "bvuge",
        "bvugt",
        "bvsge",
        "bvsgt",
        "rotate_left",
        "rotate_right",
        "implies",
        "iff",
    ),
    *(
        "if",
        "bvredor",
        "bvredand",
        "bv2nat",
        "int2bv",
        "bv2int",
        "map",
        "union",
        "intersect",
        "complement",
        "subset",
        "default",
    ),
    *("assert", "check-sat", "declare-const", "declare-fun", "define-fun", "exit", "pop", "push", "set-info", "set-logic"),
}


def symbol(name: str) -> str:
    """The name as a symbol."""
    text = _UNFIT.sub(lambda found: _escaped(found[0]), name)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    if name in _TAKEN or name.startswith((".", "@")):
        text = f"{_escaped(name[0])}{text[1:]}"
    return text if _PLAIN.fullmatch(text) else f"|{text}|"


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))


def value_to_text(value: Value, sort: Sort) -> str:
    """A constant."""
    if sort is BOOL:
        return "true" if value else "false"
    if isinstance(sort, BitVec):
        return f"#x{value:0{sort.width // 4}x}" if sort.width % 4 == 0 else f"#b{value:0{sort.width}b}"
    if sort is INT:
        return digits_of(value) if value >= 0 else f"(- {digits_of(-value)})"
    if sort is REAL:
        return _real(Fraction(value))
    assert isinstance(sort, Array) and isinstance(value, ArrayValue)
    stores = "(store " * len(value.items)
    cells = [f" {value_to_text(i, sort.index)} {value_to_text(v, sort.element)})" for i, v in value.items]
    return f"{stores}((as const {sort}) {value_to_text(value.default, sort.element)}){''.join(cells)}"


def _real(value: Fraction) -> str:
    size = f"{digits_of(abs(value.numerator))}.0"
    if value.denominator != 1:
        size = f"(/ {size} {digits_of(value.denominator)}.0)"
    return size if value >= 0 else f"(- {size})"


_Names = Mapping[Any, str]  # the ``data`` of a variable or a function: its symbol


def to_text(term: Term, names: _Names | None = None) -> str:
    """The term in SMT-LIB; variables and functions go by their names, or by the symbols in ``names``."""
    return _Writer([term], names or {}).write(term)


def script(formulas: Sequence[Term], logic: str = "ALL") -> str:
    """A whole file: declarations, one assertion per formula, and the question whether all can hold.

    Where one name stands for several variables or functions (of different sorts), the younger ones get a suffix.
    """
    declared = _declarations(formulas)
    lines = [f"(set-logic {logic})"]
    for (kind, data), name in declared.items():
        wants = " ".join(map(str, data[1])) if kind == "apply" else ""
        lines.append(f"(declare-fun {name} ({wants}) {data[-1]})")
    names = {data: name for (_, data), name in declared.items()}
    lines += [f"(assert {_Writer([formula], names).write(formula)})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)", ""])


def _declarations(formulas: Sequence[Term]) -> dict[tuple[str, Any], str]:
    found = dict.fromkeys((term.op, term.data) for term in topological(formulas) if term.op in ("var", "apply"))
    taken = {data[0] for _, data in found}
    given: set[str] = set()
    result: dict[tuple[str, Any], str] = {}
    for key in found:
        name, count = key[1][0], 1
        while name in given or (count > 1 and name in taken):
            count += 1
            name = f"{key[1][0]}~{count}"
        given.add(name)
        result[key] = symbol(name)
    return result


class _Writer:
    """Writes one formula: the bindings, level by level, then the formula itself."""

    def __init__(self, roots: Iterable[Term], names: _Names) -> None:
        self._names = names
        self._order = topological(roots)
        self._bound: dict[Term, str] = {}

    def write(self, root: Term) -> str:
        tokens: list[str] = []
        closing = 0
        prefix = self._free_prefix()
        for level in self._levels():
            tokens.append("(let (")
            for term in level:
                tokens.append(f"({prefix}{term.number} ")
                self._emit(term, tokens)
                tokens.append(")")
            tokens.append(") ")
            closing += 1
            self._bound.update((term, f"{prefix}{term.number}") for term in level)
        self._emit(root, tokens)
        return "".join(tokens) + ")" * closing

    def _free_prefix(self) -> str:
        """How bound names begin: like no variable."""
        prefix = "?"
        while any(term.op in ("var", "apply") and term.data[0].startswith(prefix) for term in self._order):
            prefix += "?"
        return prefix

    def _levels(self) -> list[list[Term]]:
        """The terms that need a name, in groups each of which needs only those before it."""
        uses: dict[Term, int] = {}
        for term in self._order:
            for arg in term.args:
                uses[arg] = uses.get(arg, 0) + 1
        depth: dict[Term, int] = {}
        levels: list[list[Term]] = []
        for term in self._order:
            below = max((depth[arg] for arg in term.args), default=0)
            is_named = bool(term.args) and uses.get(term, 0) > 1
            if is_named:
                if below == len(levels):
                    levels.append([])
                levels[below].append(term)
            depth[term] = below + is_named
        return levels

    def _emit(self, root: Term, tokens: list[str]) -> None:
        """Append the text of ``root``; what is bound goes by its name."""
        stack: list[Term | str] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                tokens.append(item)
            elif item is not root and item in self._bound:
                tokens.append(self._bound[item])
            elif not item.args:
                tokens.append(self._leaf(item))
            elif len(item.args) == 1 and item.op in ASSOCIATIVE:
                stack.append(item.args[0])
            else:
                tokens.append(f"({self._head(item)}")
                stack.append(")")
                for arg in reversed(item.args):
                    stack += (arg, " ")

    def _leaf(self, term: Term) -> str:
        if term.is_const:
            return value_to_text(*term.data)
        return self._names.get(term.data) or symbol(term.data[0])

    def _head(self, term: Term) -> str:
        match term.op:
            case "extract":
                high, low = term.data
                return f"(_ extract {high} {low})"
            case "zero_extend" | "sign_extend":
                return f"(_ {term.op} {term.data})"
            case "filled":
                return f"(as const {term.sort})"
            case "neg":
                return "-"
            case "apply":
                return self._names.get(term.data) or symbol(term.data[0])
            case _:
                return term.op
