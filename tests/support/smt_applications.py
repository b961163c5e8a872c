"""Random applications of operators to random values, and what solvers make of them.

*Forward*: the arguments are fixed, the solver is asked for the result. *Backward*: the result is fixed, the solver is asked for
arguments, and evaluation at these must give the result. Many applications go into one question, each with variables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.terms import Term, Value, const, make, var
from lemmata.logic.values import ArrayValue
from lemmata.solvers.smt import Sat, Smt

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 16, 32)
BATCH = 200
CONNECTIVES = {"not": 1, "and": 0, "or": 0, "xor": 2, "=>": 2}  # 0: any number of arguments
UNARY = ("bvnot", "bvneg")
BINARY = ("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")
SHIFTS = ("bvshl", "bvlshr", "bvashr")
PREDICATES = ("bvult", "bvule", "bvslt", "bvsle")
STRUCTURAL = ("=", "ite", "concat", "extract", "zero_extend", "sign_extend")
WORDS = (*CONNECTIVES, *UNARY, *BINARY, *SHIFTS, *PREDICATES, *STRUCTURAL)
ARRAYS = ("select", "store", "filled")
NUMBERS = ("+", "*", "-", "neg", "div", "mod", "/", "<", "<=", "to_real", "to_int")
OPERATORS_OF = {
    "bitwuzla": (*WORDS, *ARRAYS),
    "z3": (*WORDS, *ARRAYS, *NUMBERS),
    "cvc5": (*WORDS, *ARRAYS, *NUMBERS),
    "yices": (*WORDS, *NUMBERS),
    "blast": WORDS,
}


@dataclass(frozen=True, slots=True)
class Application:
    """``term`` over variables with values; ``result`` is a variable of its sort."""

    term: Term
    arguments: dict[Term, Value]
    result: Term
    backward: bool

    @property
    def expected(self) -> Value:
        """The value by evaluation."""
        return evaluate([self.term], self.arguments)[0]

    def formulas(self) -> Iterator[Term]:
        """What the solver is told."""
        if self.backward:
            yield make("=", (self.term, const(self.expected, self.term.sort)))
            return
        yield make("=", (self.result, self.term))
        for variable, value in self.arguments.items():
            yield make("=", (variable, const(value, variable.sort)))

    def wanted(self) -> tuple[Term, ...]:
        """What the solver is asked for."""
        return tuple(self.arguments) if self.backward else (self.result,)

    def complaint(self, values: dict[Term, Value]) -> str | None:
        """What is wrong with the solver's values, if anything."""
        found = evaluate([self.term], {v: values[v] for v in self.arguments})[0] if self.backward else values[self.result]
        if found == self.expected and type(found) is type(self.expected):
            return None
        return (
            f"{self.term.op} {self.term.data} of {self.arguments} is {self.expected}, not {found} (backward: {self.backward})"
        )


class Applications:
    """Random applications of ``operators``; variables are named by ``slot``, so batches share terms."""

    def __init__(self, operators: tuple[str, ...], seed: int) -> None:
        self._operators = operators
        self._random = Random(seed)
        self._slot = 0
        self._arguments: dict[Term, Value] = {}

    def batch(self, count: int = BATCH) -> list[Application]:
        """So many applications over different variables."""
        return [self._application(slot) for slot in range(count)]

    def _application(self, slot: int) -> Application:
        self._slot, self._arguments = slot, {}
        backward = self._random.random() < 0.3
        term = self._term(self._random.choice(self._operators), WIDTHS[:7] if backward else WIDTHS)
        if isinstance(array := term.sort, Array):
            term = make("select", (term, self._argument(array.index)))
        return Application(term, self._arguments, var(f"r{slot}", term.sort), backward and bool(self._arguments))

    def _term(self, op: str, widths: tuple[int, ...]) -> Term:
        random = self._random
        word = BitVec(random.choice(widths))
        if op in CONNECTIVES:
            return make(op, self._arguments_of([BOOL] * (CONNECTIVES[op] or random.randint(1, 4))))
        if op in NUMBERS:
            return self._number_term(op)
        if op in ARRAYS:
            return self._array_term(op, Array(random.choice((BOOL, BitVec(2), word)), random.choice((BOOL, word))))
        match op:
            case "=":
                return make(op, self._arguments_of([random.choice((BOOL, word))] * 2))
            case "ite":
                return make(op, self._arguments_of([BOOL] + [random.choice((BOOL, word))] * 2))
            case "concat":
                return make(op, self._arguments_of([word, BitVec(random.choice(widths))]))
            case "extract":
                low = random.randrange(word.width)
                return make(op, self._arguments_of([word]), (random.randrange(low, word.width), low))
            case "zero_extend" | "sign_extend":
                return make(op, self._arguments_of([word]), random.choice((0, 1, 2, 5, 32)))
        if op in SHIFTS and random.random() < 0.5:  # amounts that do not shift everything out
            return make(op, (self._argument(word), const(random.randrange(word.width + 1), word)))
        return make(op, self._arguments_of([word] * (1 if op in UNARY else 2)))

    def _number_term(self, op: str) -> Term:
        random = self._random
        sort = {"div": INT, "mod": INT, "/": REAL, "to_real": INT, "to_int": REAL}.get(op) or random.choice((INT, REAL))
        if op in ("div", "mod", "/"):
            return make(op, (self._argument(sort), const(random.choice((-1, 1)) * random.randint(1, 9), sort)))
        if op == "*":  # linear
            return make(op, (*[const(self._value(sort), sort) for _ in range(random.randint(0, 2))], self._argument(sort)))
        count = {"+": random.randint(1, 4), "neg": 1, "to_real": 1, "to_int": 1}.get(op, 2)
        return make(op, self._arguments_of([sort] * count))

    def _array_term(self, op: str, sort: Array) -> Term:
        if op == "filled":
            return make(op, (const(self._value(sort.element), sort.element),), sort)
        array = const(self._value(sort), sort)
        wants = [sort.index] if op == "select" else [sort.index, sort.element]
        return make(op, (array, *self._arguments_of(wants)))

    def _arguments_of(self, sorts: list[Any]) -> tuple[Term, ...]:
        return tuple(self._argument(sort) for sort in sorts)

    def _argument(self, sort: Sort) -> Term:
        """Mostly a variable, now and then the same one again, or a constant."""
        if self._random.random() < 0.1:
            return const(self._value(sort), sort)
        number = len(self._arguments)
        if self._random.random() < 0.1:
            number = 0
        variable = var(f"a{self._slot}.{number}", sort)
        self._arguments.setdefault(variable, self._value(sort))
        return variable

    def _value(self, sort: Sort) -> Value:
        random = self._random
        if sort is BOOL:
            return random.random() < 0.5
        if isinstance(sort, BitVec):
            corner = random.choice((0, 1, -1, 1 << sort.width - 1, (1 << sort.width - 1) - 1, random.randrange(sort.width + 2)))
            return random.choice((corner, random.getrandbits(sort.width))) & ((1 << sort.width) - 1)
        if isinstance(sort, Array):
            cells = {self._value(sort.index): self._value(sort.element) for _ in range(random.randrange(4))}
            return ArrayValue(sort, self._value(sort.element), cells)
        integer = random.choice((random.randint(-9, 9), random.randint(-(10**30), 10**30)))
        return integer if sort is INT else Fraction(integer, random.randint(1, 9))


def complaints(solver: Smt, batch: list[Application]) -> list[str]:
    """Where the solver and evaluation disagree."""
    for application in batch:
        for formula in application.formulas():
            solver.add(formula)
    answer = solver.check((), [term for application in batch for term in application.wanted()])
    if not isinstance(answer, Sat):
        return [f"{solver.name} says that {len(batch)} applications contradict each other: {text(batch)}"]
    values = dict(answer.values)
    return [f"{solver.name}: {wrong}" for application in batch if (wrong := application.complaint(values))]


def text(batch: list[Application]) -> str:
    """A short form for messages; a contradiction is narrowed down by hand, with smaller batches."""
    return ", ".join(sorted({application.term.op for application in batch}))
