"""What all solver libraries have in common: ``Translator`` and ``NativeSolver``.

A ``Translator`` makes the library's term for each of ours once and keeps it: our terms live as long as the process, so do
theirs, and all solvers of a process share one translator. The walk is a loop, so depth is no matter. A ``NativeSolver`` is one
solver over it: ``check`` translates, asks, and turns the answer into a value; what differs between libraries is behind a few
small methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from lemmata.errors import GaveUp
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.terms import Term, Value, const, make, value_of
from lemmata.logic.values import ASSOCIATIVE, ArrayValue
from lemmata.solvers.smt import Inexpressible, Sat, Unsat
from lemmata.work import GIVEN, NODE, SMT, is_over, tally

Native = TypeVar("Native")


class Translator(ABC, Generic[Native]):
    """Our terms as terms of a library."""

    name: ClassVar[str]
    deepest: ClassVar[int | None] = None  # terms with more levels than this would overflow the library's stack

    def __init__(self) -> None:
        self._known: dict[Term, Native] = {}
        self._depths: dict[Term, int] = {}
        self._sorts: dict[Sort, Any] = {}
        self._functions: dict[tuple[str, tuple[Sort, ...], Sort], Any] = {}

    def __call__(self, term: Term) -> Native:
        """The library's term."""
        known = self._known
        found = known.get(term)
        if found is not None:
            return found
        unknown = self._unknown(term)
        if self.deepest is not None:
            self._measure(unknown, self.deepest)
        for node in unknown:
            known[node] = self._node(node, [known[arg] for arg in node.args])
        return known[term]

    def _unknown(self, root: Term) -> list[Term]:
        """What is below ``root`` and not yet translated, arguments first."""
        known, seen, stack = self._known, {root}, [root]
        while stack:
            for arg in stack.pop().args:
                if arg not in known and arg not in seen:
                    seen.add(arg)
                    stack.append(arg)
        tally[NODE] += len(seen)
        return sorted(seen, key=_number)

    def _measure(self, terms: list[Term], deepest: int) -> None:
        depths = self._depths
        for term in terms:
            depths[term] = depth = 1 + max([depths[arg] for arg in term.args], default=0)
            if depth > deepest:
                raise self.cannot(f"room for terms with more than {deepest} levels")

    def _node(self, term: Term, args: list[Native]) -> Native:
        if len(args) > 1 or (args and term.op not in ASSOCIATIVE):
            return self.operation(term, args)
        if args:
            return args[0]
        if term.is_var:
            return self.variable(term)
        if isinstance(term.sort, Array):
            return self(spelled_out(value_of(term)))
        return self.constant(value_of(term), term.sort) if term.is_const else self.operation(term, args)

    def sort(self, sort: Sort) -> Any:
        """The library's sort."""
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = self.new_sort(sort)
        return found

    def function(self, data: tuple[str, tuple[Sort, ...], Sort]) -> Any:
        """The library's symbol for an uninterpreted function; ``data`` is that of an ``apply``."""
        found = self._functions.get(data)
        if found is None:
            found = self._functions[data] = self.new_function(*data)
        return found

    def cannot(self, what: str) -> Inexpressible:
        """The exception for what the library does not have."""
        return Inexpressible(self.name, what)

    @abstractmethod
    def new_sort(self, sort: Sort) -> Any:
        """Make a sort."""

    @abstractmethod
    def new_function(self, name: str, wants: tuple[Sort, ...], gives: Sort) -> Any:
        """Make the symbol of a function."""

    @abstractmethod
    def variable(self, term: Term) -> Native:
        """Make a variable."""

    @abstractmethod
    def constant(self, value: Value, sort: Sort) -> Native:
        """Make a Boolean, a word or a number."""

    @abstractmethod
    def operation(self, term: Term, args: list[Native]) -> Native:
        """Make ``(term.op args)``."""


def _number(term: Term) -> int:
    return term.number


def spelled_out(value: ArrayValue) -> Term:
    """A constant array as stores into a filled one."""
    sort = value.sort
    term = make("filled", (const(value.default, sort.element),), sort)
    for index, cell in value.items:
        term = make("store", (term, const(index, sort.index), const(cell, sort.element)))
    return term


class NativeSolver(ABC, Generic[Native]):
    """One incremental solver (``smt.Smt``) of a library."""

    def __init__(self, translator: Translator[Native]) -> None:
        self.name = translator.name
        self._translate = translator

    def check(self, assumptions: Sequence[Term] = (), wanted: Sequence[Term] = (), until: float | None = None) -> Sat | Unsat:
        """Is everything added, with the assumptions (any Boolean terms), satisfiable? ``until`` is on the work clock."""
        tally[SMT] += 1
        tally[GIVEN] += len(assumptions) + len(wanted)
        translate = self._translate
        given = [translate(term) for term in assumptions]
        asked = {term: translate(term) for term in wanted}
        if is_over(until):
            raise GaveUp("timeout")
        if self._is_satisfiable(given, until):
            return Sat(self._values(asked) if asked else {})
        return Unsat(self._core(assumptions, given) if given else ())

    def _core(self, assumptions: Sequence[Term], given: Sequence[Native]) -> tuple[Term, ...]:
        """The assumptions that failed; of several that are one term in the library, the first."""
        failed = self._failed()
        first: dict[Hashable, Term] = {}
        for term, native in zip(assumptions, given, strict=True):
            key = self._key(native)
            if key in failed:
                first.setdefault(key, term)
        return tuple(first.values())

    def _key(self, native: Native) -> Hashable:
        """What a library's term is compared by."""
        return native

    @abstractmethod
    def add(self, formula: Term) -> None:
        """Assert a Boolean term in the current scope."""

    @abstractmethod
    def push(self) -> None:
        """Open a scope."""

    @abstractmethod
    def pop(self) -> None:
        """Forget what was added since the last ``push``."""

    @abstractmethod
    def _is_satisfiable(self, assumptions: list[Native], until: float | None) -> bool:
        """Ask the library; *unknown* raises ``GaveUp``."""

    @abstractmethod
    def _values(self, asked: Mapping[Term, Native]) -> dict[Term, Value]:
        """Values in the model of the last answer."""

    @abstractmethod
    def _failed(self) -> Collection[Hashable]:
        """The keys of the assumptions that failed."""
