"""Terms: an immutable, typed DAG in which equal terms are one object.

``make(op, args, data)`` looks its key up in a table; the same operator on the same arguments is therefore the same object,
``is`` decides equality, and sharing costs nothing. Operators have their SMT-LIB names; ``data`` holds what is not a term: the
value of a constant, the name of a variable, the indices of ``extract``. Every term has a ``number`` larger than those of its
arguments, so sorting by number is a topological order, and no walk needs recursion.

Sorts are checked when a term is made for the first time: a term that exists is well sorted. (Hash-consing: Ershov 1958;
Filliâtre, Conchon 2006.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import count
from sys import getrefcount
from typing import Any

from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.work import NODE, TERM, tally

Value = Any  # bool, int (also for bit-vectors: unsigned), Fraction, or an array value of ``logic.values``
_TABLE: dict[tuple[str, tuple[Term, ...], Any], Term] = {}
_NUMBERS = count()


class SortError(TypeError):
    """Arguments that an operator does not take."""


class WrongSorts(SortError):
    """Arguments whose sorts it does not take; who reads a text says so with the operator's name there."""

    def __init__(self, op: str, args: Sequence[Term]) -> None:
        super().__init__(f"'{op}' does not take ({', '.join(str(a.sort) for a in args)})")


class Term:
    """One node; made by ``make`` and its friends only."""

    __slots__ = ("args", "data", "number", "op", "sort")
    op: str
    args: tuple[Term, ...]
    data: Any
    sort: Sort
    number: int

    def __reduce__(self) -> tuple[Callable[..., Term], tuple[Any, ...]]:
        return _unflatten, (flatten([self]),)

    def __repr__(self) -> str:
        from lemmata.logic.smtlib.writer import to_text

        return to_text(self)

    @property
    def width(self) -> int:
        """How many bits; for bit-vectors only."""
        sort = self.sort
        if not isinstance(sort, BitVec):
            raise SortError(f"{sort} has no width")
        return sort.width

    @property
    def is_const(self) -> bool:
        """Is this a literal value?"""
        return self.op == "const"

    @property
    def is_var(self) -> bool:
        """Is this a variable?"""
        return self.op == "var"


def make(op: str, args: tuple[Term, ...], data: Any = None) -> Term:
    """The term ``(op args)``; variables and constants have functions of their own."""
    key = (op, args, data)
    found = _TABLE.get(key)
    return _new(key, sort_of(op, args, data)) if found is None else found


def sort_of(op: str, args: tuple[Term, ...], data: Any = None) -> Sort:
    """The sort of ``make(op, args, data)``, or its ``SortError``, without making it."""
    rule = _RULES.get(op)
    if rule is None:
        raise SortError(f"there is no operator '{op}'")
    return rule(args, data)


def _new(key: tuple[str, tuple[Term, ...], Any], sort: Sort) -> Term:
    term = object.__new__(Term)
    term.op, term.args, term.data = key
    term.sort = sort
    term.number = next(_NUMBERS)
    _TABLE[key] = term
    tally[TERM] += 1
    return term


def free_unused_terms() -> int:
    """Forget the terms that nobody but the table refers to; how many these were.

    From the youngest to the oldest, so that arguments go after the terms that they are arguments of. No term costs anything
    while it is made; a call costs less than half a microsecond for each term in the table. (CPython counts references; how
    many a term has that is in the table only is measured with one that is.)
    """
    before = len(_TABLE)
    terms = [*_TABLE.values(), _new(("unused", (), None), BOOL)]
    unused = None
    while terms:
        term = terms.pop()
        references = getrefcount(term)
        if unused is None:
            unused = references
        if references <= unused:
            del _TABLE[term.op, term.args, term.data]
    return before - len(_TABLE)


class Sweep:
    """``free_unused_terms`` whenever there are twice as many terms as were needed the last time."""

    def __init__(self, least: int = 200_000) -> None:
        self._least = least
        self._next = least

    def when_grown(self) -> None:
        """To be called where few terms are in use."""
        if len(_TABLE) > self._next:
            free_unused_terms()
            self._next = max(self._least, 2 * len(_TABLE))


def var(name: str, sort: Sort) -> Term:
    """The variable called ``name``; the same name with another sort is another variable."""
    key = ("var", (), (name, sort))
    return _TABLE.get(key) or _new(key, sort)


def name_of(variable: Term) -> str:
    """The name of a variable."""
    return str(variable.data[0])


def const(value: Value, sort: Sort) -> Term:
    """A value of ``sort``; integers become words modulo 2ʷ where ``sort`` is a bit-vector."""
    if isinstance(sort, BitVec):
        value = int(value) & ((1 << sort.width) - 1)
    elif sort is BOOL:
        value = bool(value)
    elif sort is INT:
        value = int(value)
    elif sort is REAL:
        value = Fraction(value)
    key = ("const", (), (value, sort))
    return _TABLE.get(key) or _new(key, sort)


def value_of(constant: Term) -> Value:
    """The value of a constant."""
    return constant.data[0]


TRUE = const(True, BOOL)
FALSE = const(False, BOOL)


def bv(value: int, width: int) -> Term:
    """The word of ``width`` bits that is ``value`` modulo 2ʷ."""
    return const(value, BitVec(width))


# What sort each operator has; a rule raises ``SortError`` for arguments that it does not take.

_Rule = Callable[[tuple[Term, ...], Any], Sort]


def _need(condition: bool, op: str, args: Sequence[Term]) -> None:
    if not condition:
        raise WrongSorts(op, args)


def _connective(op: str, arity: int | None) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        _need(all(a.sort is BOOL for a in args) and (len(args) == arity if arity else len(args) >= 1), op, args)
        return BOOL

    return rule


def _equal(args: tuple[Term, ...], data: Any) -> Sort:
    _need(len(args) == 2 and args[0].sort is args[1].sort, "=", args)
    return BOOL


def _ite(args: tuple[Term, ...], data: Any) -> Sort:
    _need(len(args) == 3 and args[0].sort is BOOL and args[1].sort is args[2].sort, "ite", args)
    return args[1].sort


def _word_function(op: str, arity: int) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        sort = args[0].sort
        _need(len(args) == arity and isinstance(sort, BitVec) and (arity == 1 or args[1].sort is sort), op, args)
        return sort

    return rule


def _word_predicate(op: str) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        _need(len(args) == 2 and isinstance(args[0].sort, BitVec) and args[0].sort is args[1].sort, op, args)
        return BOOL

    return rule


def _concat(args: tuple[Term, ...], data: Any) -> Sort:
    _need(len(args) == 2 and all(isinstance(a.sort, BitVec) for a in args), "concat", args)
    return BitVec(args[0].width + args[1].width)


def _extract(args: tuple[Term, ...], data: Any) -> Sort:
    high, low = data
    _need(len(args) == 1 and isinstance(args[0].sort, BitVec) and args[0].width > high >= low >= 0, "extract", args)
    return BitVec(high - low + 1)


def _extend(op: str) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        _need(len(args) == 1 and isinstance(args[0].sort, BitVec) and data >= 0, op, args)
        return BitVec(args[0].width + data)

    return rule


def _number_function(op: str, arity: int | None) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        sort = args[0].sort
        is_number = sort in (INT, REAL) and all(a.sort is sort for a in args)
        _need(is_number and (len(args) == arity if arity else len(args) >= 1), op, args)
        return sort

    return rule


def _fixed(op: str, wants: tuple[Sort, ...], gives: Sort) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        _need(tuple(a.sort for a in args) == wants, op, args)
        return gives

    return rule


def _number_predicate(op: str) -> _Rule:
    def rule(args: tuple[Term, ...], data: Any) -> Sort:
        _need(len(args) == 2 and args[0].sort in (INT, REAL) and args[0].sort is args[1].sort, op, args)
        return BOOL

    return rule


def _select(args: tuple[Term, ...], data: Any) -> Sort:
    sort = args[0].sort
    if not (len(args) == 2 and isinstance(sort, Array) and args[1].sort is sort.index):
        raise WrongSorts("select", args)
    return sort.element


def _store(args: tuple[Term, ...], data: Any) -> Sort:
    sort = args[0].sort
    _need(
        len(args) == 3 and isinstance(sort, Array) and args[1].sort is sort.index and args[2].sort is sort.element,
        "store",
        args,
    )
    return sort


def _filled(args: tuple[Term, ...], data: Any) -> Sort:
    _need(len(args) == 1 and isinstance(data, Array) and args[0].sort is data.element, "filled", args)
    return data  # type: ignore[no-any-return]


def _apply(args: tuple[Term, ...], data: Any) -> Sort:
    _, wants, gives = data
    _need(tuple(a.sort for a in args) == wants, "apply", args)
    return gives  # type: ignore[no-any-return]


WORD_BINARY = (  # from two words of one width to one more
    *("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"),
    *("bvshl", "bvlshr", "bvashr"),
)
_RULES: dict[str, _Rule] = {
    "not": _connective("not", 1),
    "and": _connective("and", None),
    "or": _connective("or", None),
    "xor": _connective("xor", 2),
    "=>": _connective("=>", 2),
    "=": _equal,
    "ite": _ite,
    **{op: _word_function(op, 1) for op in ("bvnot", "bvneg")},
    **{op: _word_function(op, 2) for op in WORD_BINARY},
    **{op: _word_predicate(op) for op in ("bvult", "bvule", "bvslt", "bvsle")},
    "concat": _concat,
    "extract": _extract,  # data: (high, low)
    "zero_extend": _extend("zero_extend"),  # data: how many bits more
    "sign_extend": _extend("sign_extend"),
    "+": _number_function("+", None),
    "*": _number_function("*", None),
    "-": _number_function("-", 2),
    "neg": _number_function("neg", 1),
    "div": _fixed("div", (INT, INT), INT),
    "mod": _fixed("mod", (INT, INT), INT),
    "/": _fixed("/", (REAL, REAL), REAL),
    "<": _number_predicate("<"),
    "<=": _number_predicate("<="),
    "to_real": _fixed("to_real", (INT,), REAL),
    "to_int": _fixed("to_int", (REAL,), INT),
    "select": _select,
    "store": _store,
    "filled": _filled,  # data: the array sort; the array that holds the argument everywhere
    "apply": _apply,  # data: (name, sorts of the arguments, sort): an uninterpreted function
}
OPERATORS = frozenset(_RULES)


# Terms travel between processes as one flat list, so that depth is no matter.

Flat = tuple[tuple[str, tuple[int, ...], Any], ...]


def topological(roots: Iterable[Term]) -> list[Term]:
    """All terms below ``roots``, arguments first, each once."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for arg in stack.pop().args:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)
    tally[NODE] += len(seen)
    return sorted(seen, key=_number)


def _number(term: Term) -> int:
    return term.number


def flatten(roots: Sequence[Term]) -> Flat:
    """A list of nodes, arguments as positions in it; the last entry names the roots."""
    order = topological(roots)
    at = {term: position for position, term in enumerate(order)}
    nodes = [(term.op, tuple([at[arg] for arg in term.args]), term.data) for term in order]
    return (*nodes, ("roots", tuple(at[root] for root in roots), None))


def unflatten(flat: Flat) -> list[Term]:
    """The roots again, as terms of this process."""
    terms: list[Term] = []
    for op, args, data in flat[:-1]:
        match op:
            case "var":
                terms.append(var(*data))
            case "const":
                terms.append(const(*data))
            case _:
                terms.append(make(op, tuple([terms[arg] for arg in args]), data))
    return [terms[root] for root in flat[-1][1]]


def _unflatten(flat: Flat) -> Term:
    return unflatten(flat)[0]
