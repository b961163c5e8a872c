"""BTOR2 files as circuits: ``convert``, what it refuses, agreement with ABC, and how long the large ones take."""

from __future__ import annotations

import csv
import subprocess
from time import process_time

import pytest

from lemmata.bench.peers import find_abc
from lemmata.bench.runners import Finished, RunLimits
from lemmata.cli.convert import convert
from lemmata.errors import InputError, Unsupported
from lemmata.frontends import load
from lemmata.frontends.aiger import read_aiger
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.transforms.system.blast import blast
from tests.support.clock import HANGS
from tests.support.enumerate import shortest_depths
from tests.support.paths import ROOT

BENCH = ROOT.parent / "shared" / "bench" / "btor2"
LARGE = [
    "hwmcc20-bv/cal234.btor2",
    "hwmcc20-bv/mul7.btor2",
    "hwmcc20-array/zipcpu_zipcpu_piped-p516.btor",
    "hwmcc24-array/ILA_Rocket_ADD_sanity.btor2",
]
SECONDS = 20.0  # many times what it takes: this is to notice when something has become quadratic
SMALL = [
    "avr/cav14_example.btor2",
    "avr/cav14_example_v.btor2",
    "avr/eq_sdp_v2.btor2",
    "avr/h_CRC.btor2",
    "btor2tools/noninitstate.btor2",
    "btor2tools/twocount2c.btor2",
    "pono-samples/count2-redundancy-constraint-bad-unreachable.btor2",
    "pono-samples/mem.btor",
    "pono-samples/trans.btor",
]

COUNTER = """1 sort bitvec 3
2 sort bitvec 1
3 input 2 go
4 zero 1
5 state 1 count
6 init 1 5 4
7 inc 1 5
8 ite 1 3 7 5
9 next 1 5 8
10 constd 1 5
11 eq 2 5 10
12 bad 11 five
"""
MEMORY = """1 sort bitvec {index}
2 sort bitvec 8
3 sort array 1 2
4 sort bitvec 1
5 state 3 mem
6 input 1 address
7 input 2 data
8 write 3 5 6 7
9 next 3 5 8
10 read 2 5 6
11 redand 4 10
12 bad 11
"""


@pytest.mark.parametrize("suffix", [".aag", ".aig"])
def test_words_are_written_as_bits_with_their_names(tmp_path, suffix):
    source, target = tmp_path / "counter.btor2", tmp_path / f"counter{suffix}"
    source.write_text(COUNTER)
    convert(source, target)
    circuit = read_aiger(target)
    assert [circuit.latch_name(i) for i in range(3)] == ["count[0]", "count[1]", "count[2]"]
    assert circuit.input_name(0) == "go"
    assert circuit.properties()[0].name == "five"
    assert shortest_depths(circuit) == [5]


def test_small_arrays_are_written_element_by_element(tmp_path):
    source, target = tmp_path / "memory.btor2", tmp_path / "memory.aag"
    source.write_text(MEMORY.format(index=1))
    convert(source, target)
    circuit = read_aiger(target)
    assert {circuit.latch_name(i) for i in range(16)} == {f"mem[#{i}][{bit}]" for i in range(2) for bit in range(8)}
    assert all(reset == circuit.latch_lit(i) for i, reset in enumerate(circuit.resets))


def test_a_large_array_is_refused_with_its_name_and_nothing_is_written(tmp_path):
    source, target = tmp_path / "memory.btor2", tmp_path / "memory.aag"
    source.write_text(MEMORY.format(index=30))
    with pytest.raises(Unsupported, match=r"memory\.btor2: the array mem is too large .*index of 30 bits.*AIGER has no arrays"):
        convert(source, target)
    assert not target.exists()


def test_a_file_that_is_wrong_leaves_no_circuit(tmp_path):
    source, target = tmp_path / "wrong.btor2", tmp_path / "wrong.aag"
    source.write_text(COUNTER.replace("eq 2 5 10", "eq 2 5 99"))
    with pytest.raises(InputError, match=r"wrong\.btor2:11"):
        convert(source, target)
    assert not target.exists()


def known_verdict(file: str) -> str:
    with (BENCH / "index.csv").open() as stream:
        return next(row["expected"] for row in csv.DictReader(stream) if row["file"] == file)


@pytest.mark.skipif(not BENCH.is_dir(), reason="the shared benchmarks are not here")
@pytest.mark.parametrize("file", SMALL)
def test_abc_finds_the_known_verdict_of_a_converted_file(tmp_path, file):
    abc = find_abc()
    if abc is None:
        pytest.skip("ABC is not here")
    convert(BENCH / file, tmp_path / "circuit.aig")
    abc.prepare(tmp_path / "circuit.aig", tmp_path)
    command = abc.command(tmp_path / "model.aig", RunLimits(60.0, 2048))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS, check=False)
    assert abc.read(Finished(done.returncode, "", 0.0, 0.0, 0.0, done.stdout, done.stderr)).verdict == known_verdict(file)


@pytest.mark.skipif(not BENCH.is_dir(), reason="the shared benchmarks are not here")
@pytest.mark.parametrize("file", LARGE)
def test_large_files_become_circuits_in_seconds(file):
    graph = load(BENCH / file)
    assert isinstance(graph, Graph)
    started = process_time()
    circuit = blast(graph).aig
    assert process_time() - started < SECONDS
    assert isinstance(circuit, Aig) and circuit.gates > 10_000
