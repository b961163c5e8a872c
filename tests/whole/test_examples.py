"""The shipped examples: each is what its generator writes, says what is expected of it, and keeps its word."""

from __future__ import annotations

import csv
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from lemmata.certify.circuit.check import certify
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.frontends import load
from lemmata.frontends.aiger import format_aiger, parse_aiger, read_aiger
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.circuit.reduce import reduce
from lemmata.verdict import Safe, Unsafe, Verdict
from tests.support.clock import in_time
from tests.support.enumerate import evaluate, initial_moves, shortest_depths
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".aag", ".aig"))
ENUMERABLE = 12  # latches and inputs together


def index() -> dict[str, str]:
    with (EXAMPLES / "index.csv").open(newline="") as stream:
        return {row["file"]: row["expected"] for row in csv.DictReader(stream)}


def expected(model: Aig) -> list[str]:
    """The expected verdict of each property, from the comment of the file."""
    found = dict(line.split(": ", 1) for line in model.comments if line.startswith("expected"))
    return [found.get(f"expected {prop.name}", found["expected"]) for prop in model.properties()]


def settle(model: Aig, prop: int) -> Verdict:
    """The engine's verdict, brought back to the file's circuit and certified there: evidence, not trust."""
    reduction = reduce(model, [prop])
    verdict = Pdr(reduction.model).check(0, in_time())
    match verdict:
        case Safe(Invariant() as invariant):
            verdict = Safe(reduction.back.invariant(invariant))
        case Unsafe(Trace() as trace):
            verdict = Unsafe(reduction.back.trace(trace))
    certify(model, prop, verdict)
    return verdict


def test_the_index_lists_exactly_the_files() -> None:
    assert sorted(index()) == FILES
    assert {"safe", "unsafe"} == set(index().values())


def test_the_files_are_what_the_generator_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, EXAMPLES / "generate.py", tmp_path], check=True)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {name: (EXAMPLES / name).read_bytes() for name in [*FILES, "index.csv"]}


@pytest.mark.parametrize("name", FILES)
def test_an_example_tells_what_it_is_and_what_is_expected(name: str) -> None:
    model = load(EXAMPLES / name)
    assert len(model.comments[0]) > 20, "what the circuit is"
    assert any(line.startswith("from: ") for line in model.comments)
    assert ("unsafe" if "unsafe" in expected(model) else "safe") == index()[name]
    assert f"expected: {index()[name]}" in model.comments
    assert all(("l", i) in model.symbols for i in range(model.latches))
    assert all(("i", i) in model.symbols for i in range(model.inputs))
    assert all(("b", i) in model.symbols for i in range(len(model.bads)))


@pytest.mark.parametrize("name", FILES)
def test_an_example_survives_both_notations(name: str) -> None:
    model = read_aiger(EXAMPLES / name)
    for binary in (False, True):
        again = parse_aiger(format_aiger(model, binary), name)
        assert (again.nexts, again.resets, again.bads, again.constraints, again.justice, again.fairness) == (
            (model.nexts, model.resets, model.bads, model.constraints, model.justice, model.fairness)
        )
        assert again.symbols == model.symbols


@pytest.mark.parametrize("name", FILES)
def test_an_example_keeps_its_word(name: str) -> None:
    model = read_aiger(EXAMPLES / name)
    assert [settle(model, prop.index).word for prop in model.properties()] == expected(model)


def is_enumerable(name: str) -> bool:
    model = read_aiger(EXAMPLES / name)
    return model.latches + model.inputs <= ENUMERABLE


@pytest.mark.parametrize("name", [name for name in FILES if is_enumerable(name)])
def test_enumeration_agrees_with_what_a_small_example_says(name: str) -> None:
    model = read_aiger(EXAMPLES / name)
    assert ["safe" if depth is None else "unsafe" for depth in shortest_depths(model)] == expected(model)


def test_the_lock_opens_after_exactly_thirty_steps() -> None:
    verdict = settle(read_aiger(EXAMPLES / "combination-lock.aag"), 0)
    assert isinstance(verdict, Unsafe)
    assert isinstance(verdict.trace, Trace)
    assert verdict.trace.depth == 30


def test_there_is_an_example_of_each_feature_of_the_format() -> None:
    models = {name: read_aiger(EXAMPLES / name) for name in FILES}
    assert {Path(name).suffix for name in FILES} == {".aag", ".aig"}
    assert any(model.constraints for model in models.values())
    assert any(model.justice and model.fairness and model.bads for model in models.values())
    assert any(len(set(expected(model))) == 2 for model in models.values()), "safe and unsafe in one file"
    assert any(model.latch_lit(i) == r for model in models.values() for i, r in enumerate(model.resets)), "a free start"
    assert any(r >= 2 * model.first_gate for model in models.values() for r in model.resets), "a reset function"
    assert max(model.latches for model in models.values()) >= 300


# The systems of the papers are relations; their circuits must have exactly the same transitions.

Bits = tuple[bool, ...]


def thesis_unsafe(x: Bits, y: Bits) -> bool:
    (x1, x2, _), (_, y2, y3) = x, y
    return (x1 or not y2) and (not x1 or y2) and (x2 or not y3) and (not x2 or y3)


def thesis_safe(x: Bits, y: Bits) -> bool:
    (x1, x2), (y1, y2) = x, y
    return (x1 or not x2 or y2) and (x1 or x2 or not y1) and (not x1 or y1) and (not x1 or not y2) and (x2 or not y2)


def slides_disjunctive(x: Bits, y: Bits) -> bool:
    (x1, x2), (y1, y2) = x, y
    stays = not x1 and not x2 and not y1 and not y2
    return stays or (not x1 and x2 and not y1 and y2) or (not x1 and x2 and y1 and not y2) or (x1 and y1 and y2)


def slides_conjunctive(x: Bits, y: Bits) -> bool:
    (x1, x2), (y1, y2) = x, y
    return (
        (x1 or x2 or not y1)
        and (x1 or x2 or not y2)
        and (x1 or not x2 or y2 or y1)
        and (x1 or not x2 or not y1 or not y2)
        and (not x1 or x2 or y1)
        and (not x1 or x2 or y2)
        and (not x1 or not x2 or y1)
        and (not x1 or not x2 or y2)
    )


@pytest.mark.parametrize(
    ("name", "relation", "bad"),
    [
        ("thesis-2.3.1.aag", thesis_unsafe, lambda x: all(x)),
        ("thesis-2.3.2.aag", thesis_safe, lambda x: x[0] and not x[1]),
        ("slides-two-variables.aag", slides_disjunctive, lambda x: all(x)),
        ("slides-two-variables.aag", slides_conjunctive, lambda x: all(x)),
    ],
)
def test_the_circuit_of_a_paper_has_exactly_the_transitions_of_its_formula(name, relation, bad) -> None:  # type: ignore[no-untyped-def]
    model = read_aiger(EXAMPLES / name)
    states = list(product((0, 1), repeat=model.latches))
    taken = set()
    for state in states:
        for inputs in product((0, 1), repeat=model.inputs):
            value = evaluate(model, state, inputs)
            taken.add((state, tuple(value[lit >> 1] ^ lit & 1 for lit in model.nexts)))
            assert (value[model.bads[0] >> 1] ^ model.bads[0] & 1) == bad(state)
    assert taken == {(x, y) for x in states for y in states if relation(tuple(map(bool, x)), tuple(map(bool, y)))}
    assert {state for state, _ in initial_moves(model)} == {(0,) * model.latches}
