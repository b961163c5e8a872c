"""The automata of trace abstraction against what they accept, listed; Hoare triples against a solver."""

from __future__ import annotations

from itertools import product
from random import Random

from lemmata.engines.traces.automaton import NOTHING, Automaton, Removed, automaton_of, weakest
from lemmata.engines.traces.difference import CONTRADICTION, automaton_difference
from lemmata.engines.traces.hoare import Triples
from lemmata.engines.traces.minimise import minimise
from lemmata.engines.traces.pick import New, Shortest, pick
from lemmata.engines.traces.predicates import Predicates, numbers_in
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.terms import FALSE, TRUE
from lemmata.models.graph import Graph
from lemmata.solvers.smt import Unsat, open_solver
from tests.support.closed_graphs import closed_graph
from tests.support.loop_graphs import X, Y, add, counter, equal, fibonacci, le, loop, lt, num

HEIGHT = 4
ERROR = 9

Tree = tuple[object, ...]  # edge, then the trees of its sources


def nothing() -> None:
    """Nobody looks at the clock."""


def random_automaton(random: Random, most: int = 2) -> Automaton:
    """Up to seven states at three places and an error; edges have up to ``most`` sources, and fix the target's place."""
    count = random.randint(2, 7)
    places = [random.randrange(3) for _ in range(count)] + [ERROR]
    shapes = [[random.randrange(3) for _ in range(random.randint(min(number, 1), most))] for number in range(6)]
    targets = [random.choice([0, 1, 2, ERROR]) for _ in shapes]
    shapes[0], targets[0], targets[5] = [], places[0], ERROR
    transitions = []
    for edge, (shape, place) in enumerate(zip(shapes, targets, strict=True)):
        ends = [state for state, here in enumerate(places) if here == place]
        for sources in product(*[[s for s, here in enumerate(places) if here == place] for place in shape]):
            transitions += [(edge, sources, random.choice(ends))] if ends and random.random() < 0.7 else []
    return Automaton(ERROR, tuple(places), (NOTHING,) * len(places), tuple(transitions))


def accepted(automaton: Automaton, most: int = 3000) -> set[Tree]:
    """The trees of height at most ``HEIGHT`` that it accepts."""
    trees: dict[int, set[Tree]] = {state: set() for state in range(len(automaton))}
    for _ in range(HEIGHT):
        found = {state: set(known) for state, known in trees.items()}
        for edge, sources, target in automaton.transitions:
            found[target] |= {(edge, *parts) for parts in product(*[trees[source] for source in sources])}
        trees = found
        if sum(map(len, trees.values())) > most:
            break
    return {tree for state, known in trees.items() if automaton.places[state] == automaton.error for tree in known}


def height(tree: Tree) -> int:
    return 1 + max((height(part) for part in tree[1:] if isinstance(part, tuple)), default=0)


def parity(edge: int, known: tuple[int, ...]) -> int:
    """A deterministic automaton of our own: it counts odd edges modulo 3, and refutes where two are left over."""
    left = (edge % 2 + sum(known)) % 3
    return CONTRADICTION if left == 2 else left


def refuted(tree: Tree) -> bool:
    return followed(tree) == CONTRADICTION


def followed(tree: Tree) -> int:
    known = [followed(part) for part in tree[1:] if isinstance(part, tuple)]
    assert isinstance(tree[0], int)
    return CONTRADICTION if CONTRADICTION in known else parity(tree[0], tuple(known))


def trimmed(automaton: Automaton) -> Automaton:
    """Without states that no trace needs."""
    return automaton_difference(automaton, lambda edge, known: 0, Removed(), nothing)


def test_the_difference_accepts_what_is_not_refuted() -> None:
    sizes = []
    for seed in range(300):
        automaton = random_automaton(Random(seed), 1 + seed % 2)
        before, after = accepted(automaton), accepted(automaton_difference(automaton, parity, Removed(), nothing))
        low = min((height(tree) for tree in before ^ {tree for tree in after if not refuted(tree)}), default=0)
        assert {tree for tree in before if not refuted(tree)} == after or low == HEIGHT
        assert not any(refuted(tree) for tree in after)
        sizes.append(len(after))
    assert sum(size > 0 for size in sizes) > 50


def test_minimising_keeps_what_is_accepted_and_no_two_states_that_accept_the_same() -> None:
    smaller = 0
    for seed in range(400):
        automaton = trimmed(automaton_difference(random_automaton(Random(seed), 1 + seed % 2), parity, Removed(), nothing))
        small = minimise(automaton, nothing)
        assert accepted(small, 10**9) == accepted(automaton, 10**9)
        assert len({(edge, sources) for edge, sources, _ in small.transitions}) == len(small.transitions)
        assert len(minimise(small, nothing)) == len(small) <= len(automaton)
        smaller += len(small) < len(automaton)
    assert smaller > 10


def test_a_block_is_labelled_with_all_that_its_states_were() -> None:
    transitions = ((0, (), 0), (1, (), 1), (2, (0,), 2), (2, (1,), 2))
    automaton = Automaton(ERROR, (0, 0, ERROR), ((0b01,), (0b10,), NOTHING), transitions)
    small = minimise(automaton, nothing)
    assert sorted(small.labels) == [(0,), (1, 2)] and len(small.transitions) == 3


def test_removed_states_leave_their_labels() -> None:
    automaton = Automaton(ERROR, (0, 1, ERROR), ((0b100,), NOTHING, NOTHING), ((0, (), 0), (1, (0,), 1), (2, (1,), 2)))
    removed = Removed()
    left = automaton_difference(automaton, lambda edge, known: CONTRADICTION if edge == 2 else 1, removed, nothing)
    assert len(left) == 0 and removed.masks == {0: {0b101}, 1: {0b1}}


def test_the_shortest_trace_is_picked() -> None:
    for seed in range(300):
        automaton = random_automaton(Random(seed), 1 + seed % 2)
        trace = pick(automaton, 0, Shortest(6).costs())
        sizes = [str(tree).count("(") for tree in accepted(automaton)]
        assert (trace is None) >= bool(not sizes and not trimmed(automaton).transitions)
        if trace is not None and sizes:
            assert len(trace) <= min(sizes)
        if trace is not None:
            premises = [premise for step in trace.steps for premise in step.premises]
            assert sorted(premises) == list(range(len(trace) - 1))


def test_new_edges_are_preferred() -> None:
    transitions = ((0, (), 0), (1, (0,), 2), (2, (0,), 1), (3, (1,), 2))
    automaton = Automaton(ERROR, (0, 1, ERROR), (NOTHING,) * 3, transitions)
    order = New(4)
    lengths = []
    for _ in range(3):
        trace = pick(automaton, 0, order.costs())
        assert trace is not None
        lengths.append(len(trace))
        order.note(trace)
    assert lengths[0] == 2 and 3 in lengths


def test_an_automaton_has_the_locations_that_lead_to_the_error() -> None:
    for seed in range(50):
        graph = closed_graph(Random(seed))
        error = graph.questions[0].location
        automaton = automaton_of(graph, error)
        assert error in automaton.places and len(set(automaton.places)) == len(automaton)
        assert all(graph.edges[edge].target == automaton.places[target] for edge, _, target in automaton.transitions)


def test_only_the_weakest_conjunctions_of_a_label_are_kept() -> None:
    assert weakest([0b111, 0b011, 0b100, 0b110]) == (0b100, 0b011)
    assert weakest([0b1, 0]) == (0,)


def test_conjuncts_are_found_below_negations() -> None:
    a, b, c = le(X, num(1)), le(Y, num(2)), equal(X, Y)
    assert set(asserted_conjuncts([conj([a, negate(disj([b, c]))])])) == {a, negate(b), negate(c)}


def valid(graph: Graph, edge: int, predicates: Predicates, known: tuple[int, ...], goal: int) -> bool:
    """Is the triple valid? Asked with fresh terms."""
    from lemmata.logic.walk import substitute

    own = graph.edges[edge]
    solver = open_solver("z3")
    solver.add(own.guard)
    for source, mask in zip(own.sources, known, strict=True):
        names = dict(zip(graph.locations[source.location].variables, source.variables, strict=True))
        for term in substitute(predicates.terms_of(mask), names):
            solver.add(term)
    names = dict(zip(graph.locations[own.target].variables, own.updates, strict=True))
    target = FALSE if goal < 0 else predicates.terms[goal]
    solver.add(negate(substitute([target], names)[0]))
    return isinstance(solver.check(), Unsat)


def check_posts(graph: Graph, rounds: list[list[int]], predicates: Predicates) -> None:
    triples = Triples(graph, predicates, "z3", nothing)
    for numbers in rounds:
        triples.begin(numbers)
        for number, edge in enumerate(graph.edges):
            masks = [sum(1 << n for n in set(chosen)) for size in range(3) for chosen in product(numbers, repeat=size)]
            for known in product(sorted(set(masks)), repeat=len(edge.sources)):
                found = triples.post(number, known)
                assert triples.post(number, known) == found
                if found == CONTRADICTION:
                    assert valid(graph, number, predicates, known, -1)
                    continue
                assert not valid(graph, number, predicates, known, -1)
                about = predicates.at(edge.target, numbers)
                assert set(numbers_in(found)) == {n for n in about if valid(graph, number, predicates, known, n)}


def test_posts_are_all_valid_predicates_and_no_others() -> None:
    graph = loop((X, Y), (num(0), num(0)), [(lt(X, num(5)), (add(X, num(1)), add(Y, X)))], lt(Y, num(0)))
    predicates = Predicates(graph)
    rounds = [
        predicates.of([conj([le(num(0), X), le(num(0), Y)])]),
        predicates.of([equal(X, num(5)), le(num(0), Y), le(X, num(5))]),
    ]
    check_posts(graph, rounds, predicates)


def test_posts_of_edges_with_two_sources_are_all_valid_predicates() -> None:
    graph = fibonacci(lambda n, f: lt(f, num(0)))
    n, g = graph.locations[0].variables
    predicates = Predicates(graph)
    check_posts(graph, [predicates.of([le(num(0), g), le(n, num(1))])], predicates)


def test_what_was_learnt_of_an_edge_is_not_asked_again() -> None:
    graph = counter(10, 11)
    predicates = Predicates(graph)
    numbers = predicates.of([le(X, num(10)), le(num(0), X)])
    triples = Triples(graph, predicates, "z3", nothing)
    triples.begin(numbers)
    triples.post(1, (0b11,))
    before = triples.limit.questions
    triples.begin(list(numbers))
    assert triples.post(1, (0b11,)) == 0b11
    assert triples.limit.questions == before


def test_true_and_false_are_no_predicates() -> None:
    predicates = Predicates(counter(10, 11))
    assert predicates.of([TRUE, FALSE, conj([le(X, num(3)), TRUE])]) == [0]
