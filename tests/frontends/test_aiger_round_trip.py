"""What is written is read again as the same circuit."""

from __future__ import annotations

import csv
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.errors import InputError, UsageError
from lemmata.frontends.aiger import format_aiger, parse_aiger, read_aiger
from lemmata.models.aig import Aig
from tests.support.paths import ROOT

BENCH = ROOT.parent / "shared" / "bench" / "aiger"
NAMES = st.binary(max_size=6).map(lambda raw: raw.replace(b"\n", b"").decode("utf-8", "surrogateescape"))


@st.composite
def circuits(draw: st.DrawFn) -> Aig:
    """Any small circuit with free and constant resets and everything else that a file can hold."""
    inputs, latches, gates = (draw(st.integers(0, most)) for most in (4, 4, 12))
    first = 1 + inputs + latches
    operands = [sorted(draw(st.tuples(*[st.integers(0, 2 * (first + g) - 1)] * 2)), reverse=True) for g in range(gates)]
    lit = st.integers(0, 2 * (first + gates) - 1)
    lits = st.lists(lit, max_size=3).map(tuple)
    model = Aig(
        inputs=inputs,
        nexts=tuple(draw(lit) for _ in range(latches)),
        resets=tuple(draw(st.sampled_from((0, 1, 2 * (1 + inputs + i)))) for i in range(latches)),
        lefts=tuple(left for left, _ in operands),
        rights=tuple(right for _, right in operands),
        outputs=draw(lits),
        bads=draw(lits),
        constraints=draw(lits),
        justice=tuple(draw(st.lists(lits, max_size=3))),
        fairness=draw(lits),
        comments=tuple(draw(st.lists(NAMES, max_size=3))),
    )
    counts = zip(
        "ilobcjf",
        (inputs, latches, *map(len, (model.outputs, model.bads, model.constraints, model.justice, model.fairness))),
        strict=True,
    )
    keys = [(kind, position) for kind, count in counts for position in range(count)]
    return replace(model, symbols=draw(st.dictionaries(st.sampled_from(keys), NAMES)) if keys else {})


@given(circuits(), st.booleans())
def test_a_circuit_that_is_written_and_read_is_the_same(model, binary):
    assert parse_aiger(format_aiger(model, binary)) == model


@given(circuits(), st.booleans())
def test_a_file_that_is_read_and_written_has_the_same_bytes(model, binary):
    data = format_aiger(model, binary)
    assert format_aiger(parse_aiger(data), binary) == data


@given(circuits(), st.booleans(), st.data())
def test_resets_are_refused_exactly_when_a_latch_leads_back_to_itself(model, binary, data):
    lit = st.integers(0, 2 * model.variables - 1)
    model = replace(model, resets=tuple(data.draw(lit) for _ in range(model.latches)))
    written = format_aiger(model, binary)
    if any(_leads_to(model, position) for position in range(model.latches)):
        with pytest.raises(InputError, match="depends on itself"):
            parse_aiger(written)
    else:
        assert parse_aiger(written) == model


def _leads_to(model: Aig, position: int) -> bool:
    """Does the reset of the latch depend on the latch? By the definition: collect all that it reads."""
    own = model.first_latch + position
    if model.resets[position] == 2 * own:
        return False
    seen: set[int] = set()
    todo = [model.resets[position] >> 1]
    while todo:
        variable = todo.pop()
        if variable in seen:
            continue
        seen.add(variable)
        if variable >= model.first_gate:
            todo += [model.lefts[variable - model.first_gate] >> 1, model.rights[variable - model.first_gate] >> 1]
        elif variable >= model.first_latch and model.resets[variable - model.first_latch] != 2 * variable:
            todo.append(model.resets[variable - model.first_latch] >> 1)
    return own in seen


@given(circuits(), st.integers(0, 2**32), st.sampled_from((0, 3, 1000)))
def test_shuffled_variables_and_gates_give_the_same_function(model, seed, spare):
    shuffled = parse_aiger(_shuffle(model, Random(seed), spare))
    assert (shuffled.inputs, shuffled.latches, shuffled.gates) == (model.inputs, model.latches, model.gates)
    rng = Random(seed + 1)
    for _ in range(8):
        leaves = [0] + [rng.randrange(2) for _ in range(model.inputs + model.latches)]
        assert _roots(shuffled, leaves) == _roots(model, leaves)


def _shuffle(model: Aig, rng: Random, spare: int) -> bytes:
    """The circuit as ``aag`` with its variables renamed, its gates in any order and their operands either way round."""
    maximum = model.variables - 1 + spare
    new = [0, *rng.sample(range(1, maximum + 1), model.variables - 1)]
    lines = format_aiger(replace(model, symbols={}, comments=()), binary=False).decode().splitlines()
    header, *body = lines
    fields = header.split()
    first = model.inputs + model.latches + len(model.outputs) + len(model.bads) + len(model.constraints)
    sizes = range(first, first + len(model.justice))  # lines with the number of literals of a justice property
    rows = [
        [int(lit) if row in sizes else 2 * new[int(lit) >> 1] | int(lit) & 1 for lit in line.split()]
        for row, line in enumerate(body)
    ]
    gates = rows[len(rows) - model.gates :]
    rng.shuffle(gates)
    rows[len(rows) - model.gates :] = [[out, *rng.sample(operands, 2)] for out, *operands in gates]
    return "\n".join(
        [" ".join([fields[0], str(maximum), *fields[2:]]), *(" ".join(map(str, row)) for row in rows), ""]
    ).encode()


def _roots(model: Aig, leaves: list[int]) -> list[int]:
    """The values of all literals that the file names, under the given inputs and latches."""
    values = list(leaves)
    for left, right in zip(model.lefts, model.rights, strict=True):
        values.append((values[left >> 1] ^ left & 1) & (values[right >> 1] ^ right & 1))
    justice = [lit for lits in model.justice for lit in lits]
    lits = [*model.nexts, *model.resets, *model.outputs, *model.bads, *model.constraints, *justice, *model.fairness]
    return [values[lit >> 1] ^ lit & 1 for lit in lits]


def test_operands_are_written_the_larger_one_first_in_binary():
    model = Aig(2, (), (), (2,), (4,), outputs=(6,))
    assert parse_aiger(format_aiger(model, binary=True)) == replace(model, lefts=(4,), rights=(2,))


@pytest.mark.parametrize(
    ("symbols", "comments", "part"),
    [
        ({("i", 0): "a\nb"}, (), "line end"),
        ({("i", 0): "\ud800"}, (), "no text"),
        ({("i", 1): "a"}, (), "i1"),
        ({}, ("\n",), "line end"),
    ],
)
def test_what_a_file_cannot_hold_is_not_written(symbols, comments, part):
    with pytest.raises(UsageError, match=part):
        format_aiger(Aig(1, (), (), (), (), symbols=symbols, comments=comments), binary=False)


@pytest.mark.skipif(not BENCH.is_dir(), reason="the shared benchmarks are not here")
def test_benchmarks_have_the_counts_of_their_index_and_survive_a_round_trip():
    rows = list(csv.DictReader((BENCH / "index.csv").open()))
    small = [row for row in rows if int(row["bytes"]) < 20_000]
    assert len(small) > 20
    for row in small:
        model = read_aiger(BENCH / row["file"])
        sizes = (model.inputs, model.latches, model.gates, len(model.outputs), len(model.bads), len(model.constraints))
        assert sizes == tuple(int(row[key]) for key in ("inputs", "latches", "ands", "outputs", "bad", "constraints")), row[
            "file"
        ]
        for binary in (False, True):
            assert parse_aiger(format_aiger(model, binary), model.file) == model


@pytest.mark.slow
@pytest.mark.skipif(not BENCH.is_dir(), reason="the shared benchmarks are not here")
def test_all_benchmarks_have_the_counts_of_their_index():
    for row in csv.DictReader((BENCH / "index.csv").open()):
        model = read_aiger(BENCH / row["file"])
        sizes = (model.inputs, model.latches, model.gates, len(model.outputs), len(model.bads), len(model.constraints))
        assert sizes == tuple(int(row[key]) for key in ("inputs", "latches", "ands", "outputs", "bad", "constraints")), row[
            "file"
        ]
