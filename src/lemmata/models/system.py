"""``System``: a graph with one location, seen as I, T, C and B over words.

``x`` are the state variables, ``i`` the inputs of a step. A step is possible where the constraint C(x, i) holds, and leads to
``x′ = next(x, i)``. A state is bad for property p if C(x, i) ∧ B_p(x, i) for some inputs. An initial state has
``x = start``, where a variable whose start is ``None`` is free. ``init`` says the same as a formula over ``x``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from lemmata.logic.sorts import Array
from lemmata.logic.terms import TRUE, Term, make, var
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class System:
    """A transition system with functions: every variable has exactly one next value for given inputs."""

    variables: tuple[Term, ...]
    inputs: tuple[Term, ...]
    starts: Mapping[Term, Term | None]  # over the variables that are free, None = free
    nexts: Mapping[Term, Term]
    constraint: Term
    bads: tuple[Term, ...]

    @property
    def init(self) -> Term:
        """I(x)."""
        equations = [make("=", (v, start)) for v in self.variables if (start := self.starts[v]) is not None]
        return make("and", tuple(equations)) if equations else TRUE

    @property
    def has_arrays(self) -> bool:
        """Does a variable or an input hold an array?"""
        return any(isinstance(v.sort, Array) for v in (*self.variables, *self.inputs))


def graph_of(system: System, names: tuple[str, ...], origin: Origin, file: str) -> Graph:
    """The same as a graph: an initial edge, a self-loop, and one edge to an error location per property.

    The initial edge has an input for each free variable, called like the variable.
    """
    main = Location("main", system.variables)
    errors = tuple(Location(f"error: {name}") for name in names)
    free = tuple(v for v in system.variables if system.starts[v] is None)
    starts = tuple(v if (start := system.starts[v]) is None else start for v in system.variables)
    here = Source(0, system.variables)
    loop = Edge((here,), 0, system.inputs, system.constraint, tuple(system.nexts[v] for v in system.variables))
    bad_edges = [
        Edge((here,), 1 + index, system.inputs, make("and", (system.constraint, bad))) for index, bad in enumerate(system.bads)
    ]
    return Graph(
        (main, *errors),
        (Edge((), 0, free, TRUE, starts), loop, *bad_edges),
        tuple(GraphProperty(index, name, 1 + index) for index, name in enumerate(names)),
        origin,
        file,
    )


@lru_cache(maxsize=2)
def system_of(graph: Graph) -> System | None:
    """The graph as a system, or ``None`` if it has another shape; asked for once per property, so the last ones are kept."""
    inner = {edge.target for edge in graph.edges} - {q.location for q in graph.questions}
    starts = [edge for edge in graph.edges if not edge.sources]
    loops = [edge for edge in graph.edges if edge.sources and edge.target in inner]
    if len(inner) != 1 or len(starts) != 1 or len(loops) != 1 or any(len(edge.sources) > 1 for edge in graph.edges):
        return None
    (start,), (loop,) = starts, loops
    variables = graph.locations[loop.target].variables
    is_plain = start.guard is TRUE and all(edge.sources[0].variables == variables for edge in graph.edges if edge.sources)
    free = set(start.inputs)
    if not is_plain or not free <= set(variables) or any(v in free and v is not new for v, new in _pairs(start, variables)):
        return None
    into = {edge.target: edge for edge in graph.edges}
    errors = {q.location for q in graph.questions}
    if not errors <= into.keys() or sum(edge.target in errors for edge in graph.edges) != len(errors):
        return None  # each error has exactly one edge
    edges = [into[q.location] for q in graph.questions]
    if not all(_includes(edge.guard, loop.guard) for edge in edges):
        return None  # a state without successor may be bad
    return System(
        variables,
        tuple(dict.fromkeys([*loop.inputs, *(i for edge in edges for i in edge.inputs)])),
        {v: None if v in free else update for v, update in _pairs(start, variables)},
        dict(zip(variables, loop.updates, strict=True)),
        loop.guard,
        tuple(edge.guard for edge in edges),
    )


def _pairs(edge: Edge, variables: tuple[Term, ...]) -> Iterable[tuple[Term, Term]]:
    return zip(variables, edge.updates, strict=True)


def _includes(guard: Term, constraint: Term) -> bool:
    """Is every conjunct of the constraint one of the guard?"""
    if constraint is TRUE or (guard.op == "and" and constraint in guard.args):
        return True
    return _conjuncts(constraint) <= _conjuncts(guard)


def _conjuncts(formula: Term) -> set[Term]:
    """What holds if and only if all of them do; nothing for ``true``."""
    seen = {formula}
    stack = [formula]
    while stack:
        if (term := stack.pop()).op == "and":
            new = [arg for arg in term.args if arg not in seen]
            seen.update(new)
            stack += new
    return {term for term in seen if term.op != "and" and term is not TRUE}


def primed(variable: Term) -> Term:
    """The variable one step later."""
    name, sort = variable.data
    return var(f"{name}′", sort)


def at(variable: Term, step: int) -> Term:
    """The variable at a step of an unrolling."""
    name, sort = variable.data
    return var(f"{name}@{step}", sort)
