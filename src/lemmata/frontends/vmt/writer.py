"""Write VMT-LIB: declarations, a definition per annotation, and nothing else.

A graph with one location becomes a relation first (``relation_of``): I(x), T(x, i, x′) and a property over x and i for each
question. Every edge speaks of the location in names of its own; here they are brought together. Several initial edges or loops
are joined by *or*: inputs are chosen anew in every step, so each disjunct has its own. Inputs of an initial edge must be values
of variables, since an initial formula speaks of nothing else.

Names are those of the graph, also where they begin with a dot, as many in these files do. Properties keep theirs as names of
definitions, which ``reader`` takes for names of properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count

from lemmata.errors import Place, Unsupported
from lemmata.logic.build import conj, disj, equal, negate
from lemmata.logic.smtlib.writer import symbol, to_text
from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Edge, Graph
from lemmata.values import dataclass

_REMEDY = "VMT-LIB has one relation over one set of variables: write Horn clauses (.smt2) instead"


@dataclass(frozen=True, slots=True)
class _Relation:
    """What a VMT-LIB file says; ``properties`` in the order of the questions."""

    states: tuple[Term, ...]
    nexts: tuple[Term, ...]
    inputs: tuple[Term, ...]
    init: Term
    trans: Term
    properties: tuple[Term, ...]


def relation_of(graph: Graph) -> _Relation:
    """The graph as a relation, or ``Unsupported``."""
    return _Joined(graph).relation()


class _Joined:
    """One graph; ``states`` are the variables of its only location, ``taken`` the names that are not free."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        errors = {question.location for question in graph.questions}
        inner = [number for number in range(len(graph.locations)) if number not in errors]
        if len(inner) != 1:
            raise self._unsupported(f"this has {len(inner)} locations", _REMEDY)
        if any(len(edge.sources) > 1 or any(s.location != inner[0] for s in edge.sources) for edge in graph.edges):
            raise self._unsupported("this has a clause with several premises", _REMEDY)
        self._errors = errors
        self._states = graph.locations[inner[0]].variables
        self._taken = {name_of(v) for v in self._states}
        self._inputs: dict[Term, None] = {}

    def relation(self) -> _Relation:
        """Everything together."""
        starts = [edge for edge in self._graph.edges if not edge.sources and edge.target not in self._errors]
        loops = [edge for edge in self._graph.edges if edge.sources and edge.target not in self._errors]
        nexts = self._nexts(loops)
        init = disj([self._initial(edge) for edge in starts])
        trans = disj([self._step(edge, nexts) for edge in loops])
        properties = tuple(self._property(question.location) for question in self._graph.questions)
        return _Relation(self._states, nexts, tuple(self._inputs), init, trans, properties)

    def _nexts(self, loops: Sequence[Edge]) -> tuple[Term, ...]:
        """The symbols of the next values: inputs that a single loop passes on, else new ones."""
        if len(loops) == 1:
            updates = loops[0].updates
            are_inputs = set(updates) <= set(loops[0].inputs) and len(set(updates)) == len(updates)
            if are_inputs and not self._taken & {name_of(v) for v in updates}:
                self._taken |= {name_of(v) for v in updates}
                return updates
        return tuple(self._new(f"{name_of(v)}.next", v) for v in self._states)

    def _new(self, name: str, like: Term) -> Term:
        free = next(text for n in count(1) if (text := name if n == 1 else f"{name}~{n}") not in self._taken)
        self._taken.add(free)
        return var(free, like.sort)

    def _step(self, edge: Edge, nexts: Sequence[Term]) -> Term:
        renaming = self._here(edge)
        if edge.updates == nexts:
            renaming |= {v: v for v in nexts}
        guard, *updates = substitute([edge.guard, *edge.updates], self._with_inputs(edge, renaming))
        return conj([guard, *(equal(v, update) for v, update in zip(nexts, updates, strict=True))])

    def _property(self, location: int) -> Term:
        edges = [edge for edge in self._graph.edges if edge.target == location]
        if any(not edge.sources for edge in edges):
            raise self._unsupported("an error is reached without a state", _REMEDY)
        guards = [substitute([edge.guard], self._with_inputs(edge, self._here(edge)))[0] for edge in edges]
        return negate(disj(guards))

    def _here(self, edge: Edge) -> dict[Term, Term]:
        return dict(zip(edge.sources[0].variables, self._states, strict=True))

    def _with_inputs(self, edge: Edge, renaming: dict[Term, Term]) -> dict[Term, Term]:
        """Inputs keep their names, unless a state or a next value has it, or an input of another sort."""
        read = set(variables([edge.guard, *edge.updates]))
        for i in edge.inputs:
            if i in read and i not in renaming:
                renaming[i] = i if i in self._inputs or name_of(i) not in self._taken else self._new(name_of(i), i)
                self._taken.add(name_of(renaming[i]))
                self._inputs[renaming[i]] = None
        return renaming

    def _initial(self, edge: Edge) -> Term:
        """The initial formula over the variables: an input that some variable gets is that variable."""
        renaming: dict[Term, Term] = {}
        inputs = set(edge.inputs)
        for v, update in zip(self._states, edge.updates, strict=True):
            if update in inputs:
                renaming.setdefault(update, v)
        formulas = [edge.guard, *edge.updates]
        missing = [v for v in variables(formulas) if v not in renaming]
        if missing:
            raise self._unsupported(f"the initial states depend on {name_of(missing[0])}, which no variable keeps", _REMEDY)
        guard, *updates = substitute(formulas, renaming)
        return conj([guard, *(equal(v, update) for v, update in zip(self._states, updates, strict=True))])

    def _unsupported(self, cause: str, remedy: str) -> Unsupported:
        return Unsupported(Place(self._graph.file), f"cannot be written as VMT-LIB: {cause}", remedy)


_DOTTED = re.compile(r"\.[A-Za-z0-9~!@$%^&*_+=<>.?/\-]*")


def format_vmt(graph: Graph) -> bytes:
    """The bytes of a ``vmt`` file; ``Unsupported`` for a graph with more than one location."""
    relation = relation_of(graph)
    variables = (*relation.states, *relation.nexts, *relation.inputs)
    symbols = _Symbols(variables)
    lines = [f"(declare-fun {symbols.names[v.data]} () {v.sort})" for v in variables]
    for number, (v, following) in enumerate(zip(relation.states, relation.nexts, strict=True)):
        name = symbols.new(f"state.{number}")
        lines.append(f"(define-fun {name} () {v.sort} (! {symbols.names[v.data]} :next {symbols.names[following.data]}))")
    lines.append(symbols.annotated("init", relation.init, ":init true"))
    lines.append(symbols.annotated("trans", relation.trans, ":trans true"))
    for number, (question, formula) in enumerate(zip(graph.questions, relation.properties, strict=True)):
        lines.append(symbols.annotated(question.name, formula, f":invar-property {number}"))
    return "\n".join([*lines, "(assert true)", ""]).encode(errors="surrogateescape")


def _symbol(name: str) -> str:
    return name if _DOTTED.fullmatch(name) else symbol(name)


class _Symbols:
    """Symbols of variables, which have different names, and of definitions, which get new ones."""

    def __init__(self, variables: Iterable[Term]) -> None:
        self.names = {v.data: _symbol(name_of(v)) for v in variables}
        self._taken = set(self.names.values())

    def new(self, name: str) -> str:
        """A symbol that is free: the name, or the name with a suffix."""
        count = 1
        while (written := symbol(name if count == 1 else f"{name}~{count}")) in self._taken:
            count += 1
        self._taken.add(written)
        return written

    def annotated(self, name: str, formula: Term, annotation: str) -> str:
        """A definition of an annotated formula."""
        return f"(define-fun {self.new(name)} () Bool (! {to_text(formula, self.names)} {annotation}))"
