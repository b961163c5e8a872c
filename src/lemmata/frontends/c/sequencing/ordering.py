"""``Ordering``: operands whose order of evaluation matters (C11 6.5p3, 6.5.2.2p10, 6.7.9p23).

C leaves it open which of two operands, arguments, sides of an assignment or initialisers is evaluated first, and a call may
come between any two other evaluations. That matters where one operand may change what another one reads or changes, or may end
the run before another one fails. Whether a call does so is known when all functions are translated: so each place with a call
is put down (a site), and at the end of the translation it is decided (``settle``). The next one evaluates the operands in all
orders that differ.

An operand with one evaluation that reads or changes such things (one call, one variable) can be taken as a whole: the orders
are those of the operands. If it has several, the other operands may come between them; that many orders are not told apart:
``is_arbitrary``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import permutations

from lemmata.frontends.c import library
from lemmata.frontends.c.syntax.parser import Node, descendants, kind_of
from lemmata.frontends.c.translate.tree_builder import ENTRY
from lemmata.frontends.programs.translate.effects import expressions, statements, targets
from lemmata.frontends.programs.tree import Assert, Call, Expression, Name, Statement, Variable, below
from lemmata.values import dataclass

NEXT, LENGTHS = "memory.next", "memory.length"
DISORDER = "any order"  # a procedure of ours: nothing is known any more of globals and memory
_PERMUTED_OPERANDS = 3  # operands of one site whose orders are all tried
_LOOPS = frozenset({"While", "DoWhile", "For", "Goto"})
_ENDS = library.ASSERTS | library.ASSUMES | library.ENDS | library.FAILS
_FREES = library.RELEASES | {"realloc"}
_Variables = frozenset[Variable]


@dataclass(frozen=True, slots=True)
class Orders:
    """How the operands of a site are evaluated beside from left to right."""

    permuted: frozenset[int] = frozenset()  # in any order
    first: frozenset[int] = frozenset()  # each of them before all others
    is_arbitrary: bool = False  # in more orders than can be told apart

    def __or__(self, other: Orders) -> Orders:
        permuted = self.permuted | other.permuted
        is_arbitrary = self.is_arbitrary or other.is_arbitrary or len(permuted) > _PERMUTED_OPERANDS
        return Orders(permuted, self.first | other.first, is_arbitrary)

    def size(self) -> int:
        """Grows with the orders."""
        return len(self.permuted) + len(self.first) + 1000 * self.is_arbitrary

    def of(self, count: int) -> Iterator[tuple[int, ...]]:
        """The orders of so many operands, from left to right at first."""
        places = sorted(self.permuted)
        for chosen in permutations(places):
            taken = dict(zip(places, chosen, strict=True))
            yield tuple([taken.get(n, n) for n in range(count)])
        for n in sorted(self.first):
            yield (n, *[other for other in range(count) if other != n])


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation that nothing comes between: of a call, or an access to an object."""

    variables: _Variables = frozenset()
    in_memory: bool = False
    calls: tuple[str, ...] = ()


@dataclass(slots=True)
class Accesses:
    """What statements do that others may see; without what the functions do that they call."""

    reads: set[Variable] = field(default_factory=set)
    writes: set[Variable] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    fails: bool = False
    ends: bool = False
    evaluations: list[Evaluation] = field(default_factory=list)

    def add(self, other: Accesses) -> None:
        """What both do."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.calls |= other.calls
        self.fails = self.fails or other.fails
        self.ends = self.ends or other.ends


class Ordering:
    """The sites of one translation."""

    def __init__(self, names: dict[Name, Variable]) -> None:
        self._names = names
        self._sites: list[tuple[int, list[Accesses]]] = []
        self._bodies: dict[str, Accesses] = {}
        self.lines: dict[int, None] = {}  # where the order matters
        self.disordered: dict[int, None] = {}  # and orders are not told apart

    def site(self, node: Node, operands: list[Accesses]) -> None:
        """Operands that are evaluated in any order; they are given from the first one to the last one."""
        self._sites.append((id(node), operands))

    def body(self, name: str, made: Iterable[Statement], node: Node, stops: frozenset[str]) -> None:
        """A function has this body; ``stops`` are functions that do not return."""
        self._bodies[name] = self.accesses(made, (), node, stops)

    def accesses(self, made: Iterable[Statement], terms: Iterable[Expression], node: Node, stops: frozenset[str]) -> Accesses:
        """What statements and terms do that a part of the program became."""
        found = Accesses()
        names = {n.name.name for n in descendants(node) if kind_of(n) == "FuncCall" and kind_of(n.name) == "ID"}
        for statement in statements(tuple(made)):
            found.writes |= {self._names[name] for name in targets(statement)}
            found.reads |= self._read(expressions(statement))
            if isinstance(statement, Call):
                found.calls.add(statement.procedure)
            if isinstance(statement, Assert) and not statement.what.startswith(ENTRY):
                found.fails = True
        found.reads |= self._read(terms)
        found.reads = {v for v in found.reads if v.kind == "global" and v.name != NEXT}
        is_kept = {LENGTHS} if not names & _FREES else set()
        found.writes = {v for v in found.writes if v.kind == "global" and v.name != NEXT and v.name not in is_kept}
        found.ends = bool(names & (_ENDS | stops)) or any(kind_of(n) in _LOOPS for n in descendants(node))
        return found

    def _read(self, terms: Iterable[Expression]) -> set[Variable]:
        return {self._names[n] for term in terms for n in below(term) if isinstance(n, Name)}

    # What is decided when all is translated.

    def written(self) -> set[Variable]:
        """What some function changes."""
        return set().union(*[own.writes for own in self._bodies.values()])

    def settle(self, known: dict[int, Orders]) -> None:
        """Add the orders that matter."""
        for name, own in self._closed().items():
            self._bodies[name] = own
        for key, operands in self._sites:
            found = self._orders([self._with_calls(operand) for operand in operands])
            if found.size():
                known[key] = known.get(key, Orders()) | found

    def _closed(self) -> dict[str, Accesses]:
        """What functions do, with those that they call; one that may call itself may never end."""
        closed = {name: Accesses() for name in self._bodies}
        for name, found in closed.items():
            stack, seen = [name], set()
            while stack:
                for callee in (own := self._bodies[stack.pop()]).calls:
                    if callee in self._bodies and callee not in seen:
                        seen.add(callee)
                        stack.append(callee)
                found.add(own)
            found.ends = found.ends or name in seen
        return closed

    def _with_calls(self, operand: Accesses) -> Accesses:
        whole = Accesses(evaluations=operand.evaluations)
        whole.add(operand)
        for name in operand.calls & self._bodies.keys():
            whole.add(self._bodies[name])
        return whole

    def _orders(self, operands: list[Accesses]) -> Orders:
        shared: dict[int, set[Variable]] = {}
        first: set[int] = set()
        for j, later in enumerate(operands):
            for i, earlier in enumerate(operands[:j]):
                both = (earlier.writes & (later.reads | later.writes)) | (later.writes & earlier.reads)
                for n in (i, j) if both else ():
                    shared.setdefault(n, set()).update(both)
                if earlier.ends and later.fails and not both:
                    first.add(j)
        is_arbitrary = any(self._count(operands[n], variables) > 1 for n, variables in shared.items())
        return Orders(frozenset(shared), frozenset(first), is_arbitrary) | Orders()

    def _count(self, operand: Accesses, variables: set[Variable]) -> int:
        """How many evaluations of the operand deal with the variables."""
        in_memory = any(v.name.startswith("memory.") for v in variables)
        return sum(
            bool(evaluation.variables & variables)
            or (evaluation.in_memory and in_memory)
            or any(self._touches(name, variables) for name in evaluation.calls)
            for evaluation in operand.evaluations
        )

    def _touches(self, name: str, variables: set[Variable]) -> bool:
        own = self._bodies.get(name)
        return own is not None and bool((own.reads | own.writes) & variables)
