"""Parameters with a small range become cases."""

from pathlib import Path

import pytest

import lemmata
from lemmata.certify.graph.claims import check_claims
from lemmata.engines.abstract import Abstract
from lemmata.frontends.boogie import parse_boogie
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph.cases import split_cases
from lemmata.transforms.graph.pipeline import simplify_graph
from lemmata.verdict import Safe, Unsafe

PROGRAM = """procedure main()
{{
  var k, i, j : int;
  assume {range};
  i := 0; j := 0;
  while ({test}) {{ {body} }}
  assert {claim};
}}
"""
STEPS = {"range": "0 <= k && k <= 10", "test": "i < 1000 * k", "body": "i := i + k;", "claim": "i == 1000 * k"}


def graph_of(**parts: str) -> Graph:
    return simplify_graph(
        parse_boogie(PROGRAM.format(**STEPS | parts).encode(), "k.bpl"), 0, preferred(), splitting=False
    ).model


SPLIT = {
    "a step": {},
    "a factor": {"test": "i < 100", "body": "i := i + 1; j := j + k * i;", "claim": "j >= 0"},
    "a divisor": {"range": "1 <= k && k < 8", "body": "i := i + 1; j := j + i mod k;", "claim": "j != 7"},
    "two ranges": {"range": "(0 - 3 <= k && k <= 10 && k >= 2 && k < 100)"},
}


@pytest.mark.parametrize("name", SPLIT)
def test_a_parameter_that_is_a_factor_or_a_step_becomes_a_part_of_the_location(name: str) -> None:
    graph = graph_of(**SPLIT[name])
    split = split_cases(graph).model
    assert len(split.locations) > len(graph.locations) + 5
    (before,) = {len(place.variables) for place in graph.locations if place.variables}
    assert {len(place.variables) for place in split.locations if place.variables} == {before - 1}


KEPT = {
    "a large range": {"range": "0 <= k && k <= 100"},
    "no bound": {"range": "0 <= k"},
    "it changes": {"body": "i := i + k; k := k - 1;"},
    "it is only compared": {"test": "i < k", "body": "i := i + 1;", "claim": "i <= k"},
}


@pytest.mark.parametrize("name", KEPT)
def test_other_variables_stay_what_they_are(name: str) -> None:
    graph = graph_of(**KEPT[name])
    assert split_cases(graph).model == graph


def test_the_proofs_of_all_cases_are_a_proof() -> None:
    graph = graph_of()
    split = split_cases(graph)
    verdict = Abstract(split.model).check(0)
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.invariant, GraphInvariant)
    invariant = split.back.invariant(verdict.invariant)
    (claim,) = [claim for claim in invariant.claims if claim.place.variables]
    assert set(variables(claim.lemmas)) == set(claim.place.variables)
    check_claims(graph, 0, invariant)


def test_a_run_of_one_case_is_a_run(tmp_path: Path) -> None:
    file = tmp_path / "k.bpl"
    file.write_text(PROGRAM.format(**STEPS | {"test": "i < 20", "claim": "i < 25", "range": "1 <= k && k <= 10"}))
    (answer,) = lemmata.check(file, timeout=300).properties
    assert isinstance(answer.verdict, Unsafe)
    assert answer.certified
    assert isinstance(answer.verdict.trace, Derivation)


def test_a_program_with_a_step_is_proved(tmp_path: Path) -> None:
    file = tmp_path / "k.bpl"
    file.write_text(PROGRAM.format(**STEPS))
    (answer,) = lemmata.check(file, timeout=300).properties
    assert isinstance(answer.verdict, Safe)
    assert answer.certified
