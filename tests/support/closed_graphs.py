"""Random graphs whose variables stay in a few values, so that everything that can be reached can be listed.

Integers stay in 0 … 2 since every guard keeps the updates there. Locations form chains as well as loops, inputs are often
defined by equations, some variables never change or follow each other, and names clash where they may: the shapes that
simplification looks for.
"""

from __future__ import annotations

from itertools import product
from random import Random

from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, INT, BitVec
from lemmata.logic.terms import FALSE, TRUE, Term, Value, const, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source

_LOW, _HIGH = const(0, INT), const(2, INT)
_SORTS = {"x": INT, "y": INT, "b": BOOL}


def closed_graph(random: Random, *, sources: int = 2) -> Graph:
    """Up to four locations with up to three variables, one or two errors."""
    count = random.randint(1, 4)
    inner = [Location(f"p{n}", tuple(var(name, _SORTS[name]) for name in _names(random))) for n in range(count)]
    errors = [Location(f"error {n}") for n in range(random.randint(1, 2))]
    places = (*inner, *errors)
    targets = [0, *range(1, count), *(random.randrange(len(places)) for _ in range(random.randint(1, 4))), count]
    edges = [_edge(random, places, count, target, number, sources) for number, target in enumerate(targets)]
    questions = tuple(GraphProperty(n, f"q{n}", count + n) for n in range(len(errors)))
    return Graph(places, tuple(edges), questions)


def closed_program(random: Random) -> Graph:
    """One location whose two or three Booleans start with constants, as a program counter does."""
    flags = tuple(var(name, BOOL) for name in ("p", "q", "r")[: random.randint(2, 3)])
    place = Location("main", (*flags, var("x", INT), var("y", INT)))
    places = (place, Location("error 0"))
    start = tuple(const(random.randint(0, 1), v.sort) for v in place.variables)
    loops = [_edge(random, places, 1, 0, 1 + n, 1, 1) for n in range(random.randint(1, 2))]
    errors = [_edge(random, places, 1, 1, 5, 1)]
    return Graph(places, (Edge((), 0, (), TRUE, start), *loops, *errors), (GraphProperty(0, "q0", 1),))


def _names(random: Random) -> list[str]:
    return [name for name in _SORTS if random.random() < 0.7]


def _edge(
    random: Random, places: tuple[Location, ...], inner: int, target: int, number: int, sources: int, fewest: int = 0
) -> Edge:
    chosen = (
        []
        if number == 0
        else [_near(random, inner, target) for _ in range(random.randint(max(fewest, target >= inner), sources))]
    )
    used = []
    for k, location in enumerate(chosen):
        own = places[location].variables
        used.append(Source(location, own if k == 0 and random.random() < 0.5 else tuple(_copy(v, f"{k}") for v in own)))
    taken = {v for source in used for v in source.variables}
    candidates = [var("x", INT), var("i", INT), var("b", BOOL), var("c", BOOL), var("y", INT)]
    inputs = tuple(v for v in candidates if v not in taken and random.random() < 0.4)
    names = [*(v for source in used for v in source.variables), *inputs]
    updates = tuple(_value(random, names, v) for v in places[target].variables)
    parts = [_limits(term) for term in (*inputs, *updates) if term.sort is INT]
    parts += [_formula(random, names) for _ in range(random.randint(0, 2))]
    parts += [make("=", (v, _term(random, names, v.sort))) for v in inputs if random.random() < 0.4]
    return Edge(tuple(used), target, inputs, make("and", (*parts, TRUE)), updates, 10 + number)


def _near(random: Random, inner: int, target: int) -> int:
    return (target - 1) % inner if random.random() < 0.5 else random.randrange(inner)


def _copy(v: Term, mark: str) -> Term:
    return var(f"{v.data[0]}.{mark}", v.sort)


def _limits(term: Term) -> Term:
    return make("and", (make("<=", (_LOW, term)), make("<=", (term, _HIGH))))


def _value(random: Random, names: list[Term], v: Term) -> Term:
    """An update; often the old value, or a constant."""
    same = [name for name in names if name.sort is v.sort and name.data[0][0] == v.data[0][0]]
    return random.choice(same) if same and random.random() < 0.5 else _term(random, names, v.sort)


def _term(random: Random, names: list[Term], sort: object) -> Term:
    if sort is BOOL:
        return _formula(random, names)
    numbers = [v for v in names if v.sort is INT]
    if not numbers or random.random() < 0.3:
        return const(random.randint(0, 1), INT)
    a, b = random.choice(numbers), random.choice(numbers)
    match random.randrange(5):
        case 0:
            return a
        case 1:
            return make("+", (a, const(1, INT)))
        case 2:
            return make("-", (a, b))
        case 3:
            return make("ite", (_formula(random, names), a, b))
        case _:
            return make("mod", (make("+", (a, b)), const(2, INT)))


def _formula(random: Random, names: list[Term]) -> Term:
    numbers = [v for v in names if v.sort is INT]
    flags = [v for v in names if v.sort is BOOL]
    kind = random.randrange(6)
    if kind == 0 and len(names) > 1:
        return make(random.choice(["or", "and", "xor"]), (_formula(random, names[1:]), _formula(random, names[:-1])))
    if flags and (kind < 3 or not numbers):
        return make("not", (random.choice(flags),)) if random.random() < 0.4 else random.choice(flags)
    if not numbers:
        return random.choice([TRUE, TRUE, FALSE])
    a = make("+", (random.choice(numbers), const(random.randint(0, 1), INT)))
    b = random.choice([*numbers, const(1, INT), const(2, INT)])
    return make(random.choice(["=", "<=", "<"]), (a, b) if random.random() < 0.7 else (b, a))


def _values(sort: object) -> tuple[Value, ...]:
    if isinstance(sort, BitVec):
        return tuple(range(1 << sort.width))
    return (False, True) if sort is BOOL else (0, 1, 2)


def listed(graph: Graph) -> list[Fact]:
    """Everything that can be reached, each point once, in the order in which it is found."""
    facts: list[Fact] = []
    known: set[tuple[int, tuple[Value, ...]]] = set()
    programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
    while True:
        before = len(facts)
        for number, edge in enumerate(graph.edges):
            pools = [[at for at, f in enumerate(facts) if graph.edges[f.edge].target == s.location] for s in edge.sources]
            choices = list(product(*[_values(v.sort) for v in edge.inputs]))
            for premises in product(*pools):
                state: dict[Term, Value] = {}
                for source, premise in zip(edge.sources, premises, strict=True):
                    state |= zip(source.variables, facts[premise].values, strict=True)
                for inputs in choices:
                    given = dict(zip(edge.inputs, inputs, strict=True))
                    holds, *reached = programs[number].run(state | given)
                    if holds and (edge.target, tuple(reached)) not in known:
                        known.add((edge.target, tuple(reached)))
                        place = graph.locations[edge.target]
                        facts.append(Fact(number, premises, tuple(given.items()), place, tuple(reached)))
        if len(facts) == before:
            return facts


def derivation(graph: Graph, prop: int) -> Derivation | None:
    """The first one that is found."""
    facts = listed(graph)
    ends = [n for n, fact in enumerate(facts) if graph.edges[fact.edge].target == graph.questions[prop].location]
    return Derivation(prop, tuple(facts[: ends[0] + 1])) if ends else None


def exact(graph: Graph) -> GraphInvariant:
    """What can be reached, as claims: one lemma per location that lists its points."""
    points: dict[int, list[Term]] = {n: [] for n in range(len(graph.locations))}
    for fact in listed(graph):
        points[graph.edges[fact.edge].target].append(_cube(fact.place.variables, fact.values))
    errors = {question.location for question in graph.questions}
    return GraphInvariant(
        tuple(Claim(n, place, (make("or", (*points[n], FALSE)),)) for n, place in enumerate(graph.locations) if n not in errors)
    )


def _cube(names: tuple[Term, ...], point: tuple[Value, ...]) -> Term:
    return make("and", (*(make("=", (v, const(value, v.sort))) for v, value in zip(names, point, strict=True)), TRUE))


def weakest(graph: Graph, prop: int) -> GraphInvariant:
    """For edges with at most one source: points from which the error can be reached are excluded, nothing else."""
    bad: dict[int, set[tuple[Value, ...]]] = {n: set() for n in range(len(graph.locations))}
    bad[graph.questions[prop].location].add(())
    programs = [Program([edge.guard, *edge.updates]) for edge in graph.edges]
    before = -1
    while before != (before := sum(map(len, bad.values()))):
        for number, edge in enumerate(graph.edges):
            for source in edge.sources:
                for point in product(*[_values(v.sort) for v in source.variables]):
                    for inputs in product(*[_values(v.sort) for v in edge.inputs]):
                        values = dict(zip((*source.variables, *edge.inputs), (*point, *inputs), strict=True))
                        holds, *reached = programs[number].run(values)
                        if holds and tuple(reached) in bad[edge.target]:
                            bad[source.location].add(point)
    return GraphInvariant(
        tuple(
            Claim(n, place, (*(make("not", (_cube(place.variables, p),)) for p in sorted(bad[n])), *_inside(place)))
            for n, place in enumerate(graph.locations)
            if n != graph.questions[prop].location
        )
    )


def is_closed(graph: Graph) -> bool:
    """Does every edge with one source lead from values of the domain to values of the domain?"""
    for edge in graph.edges:
        program = Program([edge.guard, *edge.updates])
        names = (*[v for source in edge.sources for v in source.variables], *edge.inputs)
        for point in product(*[_values(v.sort) for v in names]):
            holds, *reached = program.run(dict(zip(names, point, strict=True)))
            if holds and any(value not in _values(u.sort) for value, u in zip(reached, edge.updates, strict=True)):
                return False
    return True


def _inside(place: Location) -> list[Term]:
    return [_limits(v) for v in place.variables if v.sort is INT]
