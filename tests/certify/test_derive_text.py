"""Derivations as files: what was written is read back, and what is none is refused with its place."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from lemmata.certify.formats.derivation import format_derivation, parse_derivations
from lemmata.certify.graph.derivation import replay_derivation
from lemmata.errors import InputError
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import TRUE, var
from lemmata.logic.values import ArrayValue
from lemmata.models.derivation import Derivation, Fact, Stretch, Turn
from lemmata.models.graph import Edge, Graph, GraphProperty, Location
from tests.support.counter_graphs import counter, run_of
from tests.support.finite_graphs import derivations, random_graph

MAP = Array(INT, REAL)
SORTS = (INT, REAL, BOOL, BitVec(8), BitVec(3), MAP)
VALUES = (-7, Fraction(-1, 3), True, 200, 5, ArrayValue(MAP, Fraction(1, 2), {-1: Fraction(4), 3: Fraction(0)}))
NESTED = f"(repeat {'9' * 300_000} (repeat {'9' * 300_000} (edge 1)))"


def test_random_derivations_are_read_back():
    found = [(graph, d) for seed in range(200) for graph in [random_graph(Random(seed))] for d in derivations(graph)]
    assert len(found) > 50
    for graph, derivation in found:
        assert list(parse_derivations(format_derivation(graph, derivation), graph, "w")) == [derivation]


def test_values_of_every_sort_are_read_back():
    inputs = tuple(var(f"odd | name{n}", sort) for n, sort in enumerate(SORTS))
    graph = Graph((Location("p q", inputs), Location("e")), (Edge((), 0, inputs, TRUE, inputs),), (GraphProperty(0, "e", 1),))
    derivation = Derivation(0, (Fact(0, (), tuple(zip(inputs, VALUES, strict=True)), graph.locations[0], VALUES),))
    assert list(parse_derivations(format_derivation(graph, derivation), graph, "w")) == [derivation]


def test_numbers_of_any_length_that_evaluation_gives_are_read_back():
    long = 2**1_048_576
    values = (-long, Fraction(long + 1, 3), True, 200, 5, ArrayValue(MAP, Fraction(1, long), {long: Fraction(4)}))
    inputs = tuple(var(f"v{n}", sort) for n, sort in enumerate(SORTS))
    graph = Graph((Location("p", inputs), Location("e")), (Edge((), 0, inputs, TRUE, inputs),), (GraphProperty(0, "e", 1),))
    derivation = Derivation(0, (Fact(0, (), tuple(zip(inputs, values, strict=True)), graph.locations[0], values),))
    assert list(parse_derivations(format_derivation(graph, derivation), graph, "w")) == [derivation]


def test_stretches_of_any_length_are_read_back():
    graph = counter()
    stretch = Stretch(10**5000, (Turn(1), Stretch(10**4000, (Turn(1),))))
    start, last = run_of(graph, 0, 2).facts[:2]
    derivation = Derivation(0, (start, replace(last, inputs=(), stretch=stretch)))
    assert list(parse_derivations(format_derivation(graph, derivation), graph, "w")) == [derivation]


def test_a_file_may_hold_several():
    graph = counter(bad=4)
    text = format_derivation(graph, run_of(graph, 0, 2, 4))
    first, second = parse_derivations(text + text, graph, "w")
    assert first == second
    replay_derivation(graph, first)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "w:1:1: the file has no derivation"),
        ("(property 1)", "w:1:11: there is no such property"),
        ("(fact inv (edge 0) (from) (inputs) (values 0))", "w:1:1: this is not a derivation"),
        ("(property 0)\n(fact inv (edge 7) (from) (inputs) (values 0))", "w:2:17: there is no such edge"),
        ("(property 0)\n(fact inv (edge 0) (from 1) (inputs) (values 0))", "w:2:17: edge 0 does not fit"),
        ("(property 0)\n(fact inv (edge 0) (from) (inputs) (values true))", "w:2:44: a value of Int is wanted here"),
        ("(property 0)\n(fact inv (edge 0) (from) (inputs) (values 1.5))", "a value of Int is wanted here"),
        ("(property 0)\n(fact inv (edge 0) (from) (inputs) (values 1e9))", "a value of Int is wanted here"),
        (f"(property 0)\n(fact inv (edge 0) (from) (inputs) (values {'9' * 400_001}))", "this number has 400001 digits"),
        (f"(property 0)\n(fact inv (edge 1) (from 0) (repeat {'9' * 400_001} (edge 1)) (values 1))", "w:2:37: this number has"),
        (f"(property 0)\n(fact inv (edge 1) (from 0) {NESTED} (values 1))", "w:2:29: this stretch is too long"),
        ("(property 0)\n(fact inv (edge 0) (to) (inputs) (values 0))", "(from …) is wanted here"),
        ("(property 0)\n(fact inv", "w:2:1: this parenthesis is never closed"),
        ("(property 0)\n" + "(" * 100_000, "never closed"),
    ],
)
def test_what_is_no_derivation_is_refused_with_its_place(text, complaint):
    with pytest.raises(InputError) as caught:
        list(parse_derivations(text, counter(), "w"))
    assert complaint in str(caught.value)


def test_signs_may_be_nested_however_deep():
    text = "(property 0)\n(fact inv (edge 0) (from) (inputs) (values " + "(- " * 100_000 + "4" + ")" * 100_001 + ")"
    (derivation,) = parse_derivations(text, counter(), "w")
    assert derivation.facts[0].values == (4,)
