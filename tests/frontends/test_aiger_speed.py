"""Large files load fast: the bounds are loose, for a machine that has other work too."""

from __future__ import annotations

import time
import tracemalloc
from random import Random

import pytest

from lemmata.errors import InputError
from lemmata.frontends.aiger import format_aiger, parse_aiger
from lemmata.models.aig import Aig

GATES = 200_000


@pytest.fixture(scope="module")
def large() -> Aig:
    rng = Random(1)
    inputs, latches = 100, 5_000
    first = 2 * (inputs + latches + 1)
    operands = [sorted((rng.randrange(first + 2 * g), rng.randrange(first + 2 * g)), reverse=True) for g in range(GATES)]
    lits = first + 2 * GATES
    return Aig(
        inputs=inputs,
        nexts=tuple(rng.randrange(lits) for _ in range(latches)),
        resets=tuple(rng.choice((0, 1, 2 * (inputs + 1 + i))) for i in range(latches)),
        lefts=tuple(left for left, _ in operands),
        rights=tuple(right for _, right in operands),
        outputs=(lits - 2,),
    )


@pytest.mark.parametrize("binary", [False, True])
def test_200_000_gates_load_within_2_seconds_of_cpu(large, binary):
    data = format_aiger(large, binary)
    start = time.process_time()
    model = parse_aiger(data)
    assert time.process_time() - start < 2
    assert model == large


def test_gates_listed_backwards_load_within_4_seconds_of_cpu(large):
    rows = format_aiger(large, binary=False).splitlines(keepends=True)
    rows[-GATES:] = reversed(rows[-GATES:])
    start = time.process_time()
    model = parse_aiger(b"".join(rows))
    assert time.process_time() - start < 4
    assert model.gates == GATES


@pytest.mark.parametrize(
    "data", [b"aag 1000000000 0 0 0 1000000000\n", b"aig 1000000000 1000000000 0 0 0\n", b"aig 9 9 0 0 0\n\xff"]
)
def test_counts_that_the_file_does_not_hold_cost_no_memory(data):
    tracemalloc.start()
    with pytest.raises(InputError):
        parse_aiger(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_number_without_end_costs_no_time():
    start = time.process_time()
    with pytest.raises(InputError, match="more than 5 bytes"):
        parse_aiger(b"aig 2 1 0 0 1\n" + b"\xff" * 1_000_000)
    assert time.process_time() - start < 1
