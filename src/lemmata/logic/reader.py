"""SMT-LIB text in, terms out: Core, FixedSizeBitVectors, ArraysEx.

``read_formulas`` reads what ``lemmata check --certificate FILE.smt2`` writes: declarations of variables and assertions. Reading
goes without recursion over a stack of *tasks* (read a node, apply an operator to the newest results, bind and release the
names of a ``let``), so a formula may be as deep as it likes. Operators that our terms do not have (``bvuge``, ``distinct``,
``bvnand``) are written out with those that they have. Left out: quantifiers, functions with arguments, arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import combinations, pairwise

from lemmata.logic.sexprs import Atom, Listing, Node, Text
from lemmata.logic.smtlib import symbol
from lemmata.logic.sorts import BOOL, Array, BitVec, Sort
from lemmata.logic.terms import FALSE, TRUE, SortError, Term, bv, make, name_of

_MOST_BITS = 1 << 20
_DEEPEST_SORT = 50
_IGNORED = frozenset({"set-logic", "set-info", "set-option", "check-sat", "exit", "get-model"})


def read_formulas(text: str, file: str, variables: Iterable[Term]) -> list[Term]:
    """The assertions of a script over known ``variables``; a declaration must agree with them. Else ``InputError``."""
    return _Script(Text(text, file), variables).formulas()


class _Script:
    """The commands of a script."""

    def __init__(self, text: Text, variables: Iterable[Term]) -> None:
        self._text = text
        self._terms = _Terms(text, {symbol(name_of(v)).strip("|"): v for v in variables})

    def formulas(self) -> list[Term]:
        """What is asserted."""
        found = []
        for node in self._text.nodes():
            match node:
                case Listing((Atom("assert"), formula)):
                    found.append(self._formula(formula))
                case Listing((Atom("declare-const"), Atom() as name, sort)):
                    self._declare(name, sort)
                case Listing((Atom("declare-fun"), Atom() as name, Listing(()), sort)):
                    self._declare(name, sort)
                case Listing((Atom("define-fun"), Atom() as name, Listing(()), sort, body)):
                    self._define(name, sort, body)
                case Listing() if node.head in _IGNORED:
                    pass
                case _:
                    raise self._text.error(node.at, "this is not understood", "write declarations and (assert FORMULA)")
        return found

    def _formula(self, node: Node) -> Term:
        formula = self._terms.read(node)
        if formula.sort is not BOOL:
            raise self._text.error(node.at, f"a formula is wanted here, this is a {formula.sort}")
        return formula

    def _declare(self, name: Atom, sort: Node) -> None:
        known = self._terms.lookup(name)
        if known.sort is not (declared := self._terms.sort(sort)):
            raise self._text.error(sort.at, f"the model has {name.text} as a {known.sort}, not as a {declared}")

    def _define(self, name: Atom, sort: Node, body: Node) -> None:
        term = self._terms.read(body)
        if term.sort is not self._terms.sort(sort):
            raise self._text.error(body.at, f"this is a {term.sort}, another sort is announced")
        self._terms.define(name, term)


Task = Callable[[], None]


class _Terms:
    """Reads terms; ``scope`` has the meanings of each name, the innermost last."""

    def __init__(self, text: Text, known: dict[str, Term]) -> None:
        self._text = text
        self._scope = {name: [term] for name, term in known.items()}
        self._tasks: list[Task] = []
        self._results: list[Term] = []

    def define(self, name: Atom, term: Term) -> None:
        """From now on ``name`` means ``term``."""
        if name.text in self._scope:
            raise self._text.error(name.at, f"there is a {name.text} already")
        self._scope[name.text] = [term]

    def lookup(self, atom: Atom) -> Term:
        """The term that a symbol means."""
        if not (meanings := self._scope.get(atom.text)):
            raise self._text.error(atom.at, f"there is no '{atom.text[:40]}'", "only the variables of the model have names")
        return meanings[-1]

    def read(self, node: Node) -> Term:
        """The term that ``node`` writes."""
        self._tasks.append(lambda: self._read(node))
        while self._tasks:
            self._tasks.pop()()
        return self._results.pop()

    def sort(self, node: Node, depth: int = 0) -> Sort:
        """The sort that ``node`` writes; ``depth`` counts the arrays around it."""
        if depth > _DEEPEST_SORT:
            raise self._text.error(node.at, "these sorts are nested too deeply", f"at most {_DEEPEST_SORT} arrays")
        match node:
            case Atom("Bool"):
                return BOOL
            case Listing((Atom("_"), Atom("BitVec"), Atom() as width)):
                return BitVec(self._number(width, least=1))
            case Listing((Atom("Array"), index, element)):
                return Array(self.sort(index, depth + 1), self.sort(element, depth + 1))
        raise self._text.error(node.at, "this is not a sort", "Bool, (_ BitVec N) and (Array SORT SORT) are")

    def _read(self, node: Node) -> None:
        match node:
            case Atom():
                self._results.append(self._atom(node))
            case Listing((Atom("_", _, False), Atom() as value, Atom() as width)) if value.text[:2] == "bv":
                number, bits = self._digits(value, value.text[2:]), self._number(width, least=1)
                if number.bit_length() > bits:
                    raise self._text.error(value.at, f"{value.text[2:42]} does not fit into {bits} bits")
                self._results.append(bv(number, bits))
            case Listing((Atom("let", _, False), Listing(bindings), body)):
                self._read_let(bindings, body)
            case Listing((head, *args)) if args:
                apply = self._operator(head)
                self._tasks.append(lambda: self._apply(node, apply, len(args)))
                self._read_all(args)
            case _:
                raise self._text.error(node.at, "this is not a term")

    def _read_all(self, nodes: Sequence[Node]) -> None:
        """Read nodes in their order (the newest task is done first)."""
        for node in reversed(nodes):
            self._tasks.append(lambda node=node: self._read(node))  # type: ignore[misc]

    def _apply(self, node: Node, apply: _Operator, count: int) -> None:
        args = tuple(self._results[-count:])
        del self._results[-count:]
        try:
            term = apply(args)
        except (SortError, IndexError) as error:
            cause = str(error) if isinstance(error, SortError) else "an argument is missing"
            raise self._text.error(node.at, cause) from None
        if isinstance(term.sort, BitVec) and term.width > _MOST_BITS:
            raise self._text.error(node.at, f"{term.width} bits are too many")
        self._results.append(term)

    def _read_let(self, bindings: Sequence[Node], body: Node) -> None:
        """All values first, then the names mean them, then the body, then the names mean what they meant before."""
        names, values = [], []
        for binding in bindings:
            match binding:
                case Listing((Atom(name), value)):
                    names.append(name)
                    values.append(value)
                case _:
                    raise self._text.error(binding.at, "this is not a binding", "(NAME TERM) is")
        self._tasks.append(lambda: self._release(names))
        self._tasks.append(lambda: self._read(body))
        self._tasks.append(lambda: self._bind(names))
        self._read_all(values)

    def _bind(self, names: list[str]) -> None:
        count = len(names)
        values = self._results[len(self._results) - count :]
        del self._results[len(self._results) - count :]
        for name, value in zip(names, values, strict=True):
            self._scope.setdefault(name, []).append(value)

    def _release(self, names: list[str]) -> None:
        for name in names:
            self._scope[name].pop()

    def _atom(self, atom: Atom) -> Term:
        text = atom.text
        if not atom.is_quoted:
            if text in ("true", "false"):
                return TRUE if text == "true" else FALSE
            if text[:2] in ("#b", "#x"):
                return self._bits(atom)
        return self.lookup(atom)

    def _bits(self, atom: Atom) -> Term:
        digits, base = atom.text[2:], 2 if atom.text[1] == "b" else 16
        if not digits or not set(digits.lower()) <= set("0123456789abcdef"[:base]):
            raise self._text.error(atom.at, f"'{atom.text[:40]}' is not a number")
        width = len(digits) * (1 if base == 2 else 4)
        if width > _MOST_BITS:
            raise self._text.error(atom.at, f"{width} bits are too many")
        return bv(int(digits, base), width)

    def _operator(self, head: Node) -> _Operator:
        match head:
            case Atom(name, _, False) if name in OPERATORS:
                return OPERATORS[name]
            case Listing((Atom("_", _, False), Atom(name), *indices)) if name in _INDEXED:
                want, make_operator = _INDEXED[name]
                if len(indices) == want and all(isinstance(i, Atom) for i in indices):
                    return make_operator(*[self._number(i) for i in indices if isinstance(i, Atom)])
            case Listing((Atom("as", _, False), Atom("const"), sort)):
                array = self.sort(sort)
                return lambda args: make("filled", args, array)
        what = head.text[:40] if isinstance(head, Atom) else "this"
        raise self._text.error(head.at, f"'{what}' is not an operator that is known here")

    def _number(self, atom: Atom, least: int = 0) -> int:
        value = self._digits(atom, atom.text)
        if not least <= value <= _MOST_BITS:
            raise self._text.error(atom.at, f"{atom.text[:40]} is out of range", f"from {least} to {_MOST_BITS}")
        return value

    def _digits(self, atom: Atom, digits: str) -> int:
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 4000:
            raise self._text.error(atom.at, f"'{atom.text[:40]}' is not a number")
        return int(digits)


_Operator = Callable[[tuple[Term, ...]], Term]
_Args = tuple[Term, ...]


def _plain(op: str, arity: int | None = None) -> _Operator:
    def apply(args: _Args) -> Term:
        _need(op, args, arity)
        return make(op, args)

    return apply


def _need(op: str, args: _Args, arity: int | None) -> None:
    if arity is not None and len(args) != arity:
        raise SortError(f"'{op}' takes {arity} argument{'s' if arity > 1 else ''}, not {len(args)}")


def _left(op: str) -> _Operator:
    """``a op b op c`` is ``(a op b) op c``."""
    return lambda args: reduce(lambda a, b: make(op, (a, b)), args) if len(args) > 1 else make(op, args)


def _right(args: _Args) -> Term:
    return reduce(lambda b, a: make("=>", (a, b)), reversed(args)) if len(args) > 1 else make("=>", args)


def _chain(op: str, is_swapped: bool = False) -> _Operator:
    """``a op b op c`` is ``a op b ∧ b op c``."""

    def apply(args: _Args) -> Term:
        if len(args) < 2:
            return make(op, args)
        pairs = [make(op, (b, a) if is_swapped else (a, b)) for a, b in pairwise(args)]
        return pairs[0] if len(pairs) == 1 else make("and", tuple(pairs))

    return apply


def _distinct(args: _Args) -> Term:
    _need("distinct", args, None if len(args) > 1 else 2)
    pairs = tuple(make("not", (make("=", pair),)) for pair in combinations(args, 2))
    return pairs[0] if len(pairs) == 1 else make("and", pairs)


def _negated(op: str) -> _Operator:
    def apply(args: _Args) -> Term:
        _need(op, args, 2)
        return make("bvnot", (make(op, args),))

    return apply


def _compare(args: _Args) -> Term:
    return make("ite", (make("=", args), bv(1, 1), bv(0, 1)))


def _rotate(by: int, is_left: bool) -> _Operator:
    def apply(args: _Args) -> Term:
        _need("rotate", args, 1)
        width = args[0].width
        low = (width - by % width if is_left else by) % width
        if low == 0:
            return args[0]
        return make("concat", (make("extract", args, (low - 1, 0)), make("extract", args, (width - 1, low))))

    return apply


def _repeat(count: int) -> _Operator:
    def apply(args: _Args) -> Term:
        _need("repeat", args, 1)
        if not 1 <= count * args[0].width <= _MOST_BITS:
            raise SortError(f"'repeat' does not repeat {count} times")
        return reduce(lambda a, b: make("concat", (a, b)), args * count)

    return apply


OPERATORS: dict[str, _Operator] = {
    **{op: _plain(op, 1) for op in ("not", "bvnot", "bvneg")},
    **{op: _plain(op) for op in ("and", "or")},
    **{op: _left(op) for op in ("xor", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "concat")},
    **{op: _plain(op, 2) for op in ("bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr")},
    **{op: _plain(op, 2) for op in ("bvult", "bvule", "bvslt", "bvsle", "select")},
    **{op: _plain(op, 3) for op in ("ite", "store")},
    **{op: _negated(plain) for op, plain in {"bvnand": "bvand", "bvnor": "bvor", "bvxnor": "bvxor"}.items()},
    **{
        f"bv{sign}{word}": _chain(f"bv{sign}{opposite}", True)
        for sign in "us"
        for word, opposite in (("gt", "lt"), ("ge", "le"))
    },
    "=>": _right,
    "=": _chain("="),
    "distinct": _distinct,
    "bvcomp": _compare,
}
_INDEXED: dict[str, tuple[int, Callable[..., _Operator]]] = {
    "extract": (2, lambda high, low: lambda args: make("extract", args, (high, low))),
    "zero_extend": (1, lambda by: lambda args: make("zero_extend", args, by)),
    "sign_extend": (1, lambda by: lambda args: make("sign_extend", args, by)),
    "rotate_left": (1, lambda by: _rotate(by, True)),
    "rotate_right": (1, lambda by: _rotate(by, False)),
    "repeat": (1, _repeat),
}
