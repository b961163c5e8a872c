"""Random graphs over small integers, with claims that are finite sets of points, so that everything about them can be listed.

A location has up to two variables; inputs are kept in 0 … 2 by the guard; claims list the points that they allow. Whether such
claims are inductive, and whether a derivation is one, is decided here by plain enumeration, without any code of certify.
"""

from __future__ import annotations

from itertools import product
from random import Random

from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import INT
from lemmata.logic.terms import FALSE, TRUE, Term, const, make, var
from lemmata.models.derivation import Claim, Derivation, Fact, GraphInvariant
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Source

RANGE = range(3)
Points = dict[int, set[tuple[int, ...]]]


def random_graph(random: Random, sources: int = 2) -> Graph:
    """Up to three locations and one or two errors; edges with up to ``sources`` sources."""
    inner = [
        Location(f"p{n}", tuple(var(f"p{n}.{x}", INT) for x in "xy"[: random.randint(0, 2)]))
        for n in range(random.randint(1, 3))
    ]
    errors = [Location(f"error{n}") for n in range(random.randint(1, 2))]
    locations = (*inner, *errors)
    count = random.randint(2, 6)
    edges = [_edge(random, locations, len(inner), 0 if n == 0 else random.randint(0, sources), n) for n in range(count)]
    questions = tuple(GraphProperty(n, f"q{n}", len(inner) + n) for n in range(len(errors)))
    return Graph(locations, tuple(edges), questions)


def _edge(random: Random, locations: tuple[Location, ...], inner: int, sources: int, number: int) -> Edge:
    used = []
    for place in range(sources):
        location = random.randrange(inner)
        used.append(
            Source(location, tuple(var(f"e{number}.s{place}.{n}", INT) for n in range(len(locations[location].variables))))
        )
    inputs = tuple(var(f"e{number}.i{n}", INT) for n in range(random.randint(0, 2)))
    names = [v for source in used for v in source.variables] + list(inputs)
    target = random.randrange(len(locations)) if sources else random.randrange(inner)
    limits = [make("<=", (const(0, INT), i)) for i in inputs] + [make("<=", (i, const(2, INT))) for i in inputs]
    guard = make("and", (*limits, _formula(random, names)))
    updates = tuple(_sum(random, names) for _ in locations[target].variables)
    return Edge(tuple(used), target, inputs, guard, updates, 10 + number)


def _sum(random: Random, names: list[Term]) -> Term:
    picked = [random.choice(names) for _ in range(random.randint(0, min(2, len(names))))]
    return make("+", (*picked, const(random.randint(-1, 1), INT)))


def _formula(random: Random, names: list[Term]) -> Term:
    if random.random() < 0.2:
        return TRUE
    comparison = make(random.choice(["<=", "=", "<"]), (_sum(random, names), _sum(random, names)))
    return make("not", (comparison,)) if random.random() < 0.3 else comparison


def reachable(graph: Graph, rounds: int = 3, limit: int = 40) -> list[Fact]:
    """Facts in the order in which they are found, each point once; not all of them, if there are many."""
    facts: list[Fact] = []
    known: set[tuple[int, tuple[int, ...]]] = set()
    for _ in range(rounds):
        for number, edge in enumerate(graph.edges):
            pools = [[at for at, f in enumerate(facts) if graph.edges[f.edge].target == s.location] for s in edge.sources]
            for premises in product(*pools):
                for inputs in product(RANGE, repeat=len(edge.inputs)):
                    fact = _step(graph, number, edge, [facts[p] for p in premises], premises, inputs)
                    if fact is not None and (edge.target, fact.values) not in known and len(facts) < limit:
                        known.add((edge.target, fact.values))
                        facts.append(fact)
    return facts


def _step(
    graph: Graph, number: int, edge: Edge, before: list[Fact], premises: tuple[int, ...], inputs: tuple[int, ...]
) -> Fact | None:
    values = dict(zip(edge.inputs, inputs, strict=True))
    for source, fact in zip(edge.sources, before, strict=True):
        values |= zip(source.variables, fact.values, strict=True)
    holds, *reached = evaluate([edge.guard, *edge.updates], values)
    given = tuple(zip(edge.inputs, inputs, strict=True))
    return Fact(number, premises, given, graph.locations[edge.target], tuple(reached)) if holds else None


def derivations(graph: Graph) -> list[Derivation]:
    """One for each question that the facts reach."""
    facts = reachable(graph)
    found = []
    for question in graph.questions:
        at = next((n for n, fact in enumerate(facts) if graph.edges[fact.edge].target == question.location), None)
        if at is not None:
            found.append(Derivation(question.index, tuple(facts[: at + 1])))
    return found


def is_derivation(graph: Graph, derivation: Derivation) -> bool:
    """By the definition."""
    for number, fact in enumerate(derivation.facts):
        if not 0 <= fact.edge < len(graph.edges):
            return False
        edge = graph.edges[fact.edge]
        is_listed = dict(fact.inputs).keys() == set(edge.inputs) and len(fact.inputs) == len(edge.inputs)
        if not is_listed or len(fact.premises) != len(edge.sources) or not all(0 <= p < number for p in fact.premises):
            return False
        before = [derivation.facts[p] for p in fact.premises]
        if [graph.edges[f.edge].target for f in before] != [s.location for s in edge.sources]:
            return False
        again = _step(graph, fact.edge, edge, before, fact.premises, tuple(dict(fact.inputs)[i] for i in edge.inputs))
        if again is None or again.values != fact.values or fact.place != again.place:
            return False
    last = graph.edges[derivation.facts[-1].edge].target if derivation.facts else -1
    return last == graph.questions[derivation.prop].location


def random_points(random: Random, graph: Graph) -> Points:
    """What claims allow: the reachable points as far as they were listed, with some more or fewer."""
    errors = {q.location for q in graph.questions}
    points: Points = {n: set() for n in range(len(graph.locations)) if n not in errors}
    for fact in reachable(graph, rounds=4):
        if (place := graph.edges[fact.edge].target) in points:
            points[place].add(fact.values)
    for place, some in points.items():
        for _ in range(random.choice([0, 0, 1, 3])):
            some.add(tuple(random.randint(-1, 3) for _ in graph.locations[place].variables))
        if some and random.random() < 0.15:
            some.discard(random.choice(sorted(some)))
    return points


def invariant_of(graph: Graph, points: Points) -> GraphInvariant:
    """The points as claims."""
    claims = []
    for place, some in points.items():
        location = graph.locations[place]
        cubes = [_cube(location.variables, point) for point in sorted(some)]
        lemma = make("or", tuple(cubes)) if cubes else FALSE
        claims.append(Claim(place, location, (lemma,)))
    return GraphInvariant(tuple(claims))


def _cube(names: tuple[Term, ...], point: tuple[int, ...]) -> Term:
    equations = [make("=", (v, const(value, INT))) for v, value in zip(names, point, strict=True)]
    return make("and", tuple(equations)) if equations else TRUE


def is_proof(graph: Graph, prop: int, points: Points) -> bool:
    """Does every edge keep the points, and does none lead from them to the error?"""
    error = graph.questions[prop].location
    for edge in graph.edges:
        for state in product(*[sorted(points[source.location]) for source in edge.sources]):
            for inputs in product(RANGE, repeat=len(edge.inputs)):
                values = dict(zip(edge.inputs, inputs, strict=True))
                for source, point in zip(edge.sources, state, strict=True):
                    values |= zip(source.variables, point, strict=True)
                holds, *reached = evaluate([edge.guard, *edge.updates], values)
                if holds and (edge.target == error or (edge.target in points and tuple(reached) not in points[edge.target])):
                    return False
    return True
