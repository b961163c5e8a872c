"""Both readers agree: evidence about random models is accepted by the second reader, too, for both verdicts."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from lemmata.certify.reading import aiger, btor2
from lemmata.frontends import load
from lemmata.frontends.aiger import format_aiger
from tests.support.btor2_random import Shape, random_model
from tests.support.misreadings import settled
from tests.support.paths import ROOT
from tests.support.random_circuits import random_circuit
from tests.support.random_memories import random_memory

CIRCUITS = 80
MODELS = 45
SECONDS = {"pdr": 5.0, "bmc": 0.05, "kinduction": 1.0, "word": 1.0, "lifted": 1.0}  # per property; BMC proves nothing
EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize("engine", ["pdr", "bmc", "kinduction"])
def test_random_circuits_are_read_alike(tmp_path: Path, engine: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(CIRCUITS):
        binary = seed % 2 == 1
        path = tmp_path / f"{seed}.{'aig' if binary else 'aag'}"
        path.write_bytes(format_aiger(random_circuit(seed), binary))
        model = load(str(path))
        for prop, verdict in settled(model, engine, SECONDS[engine]):
            assert aiger.read_aiger_again(str(path), model, prop, verdict, None) is not None, seed
            seen[verdict.word] += 1
    assert seen["unsafe"] > 30
    assert engine == "bmc" or seen["safe"] > 30


@pytest.mark.parametrize("engine", ["bmc", "kinduction", "word", "lifted"])
def test_random_words_are_read_alike(tmp_path: Path, engine: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(MODELS):
        rng = random.Random(seed)
        path = tmp_path / f"{seed}.btor2"
        make = (random_model, lambda rng: random_model(rng, Shape(arrays=False)), random_memory)[seed % 3]
        path.write_text(make(rng))
        model = load(str(path))
        for prop, verdict in settled(model, engine, SECONDS[engine]):
            who = btor2.read_btor2_again(str(path), model, prop, verdict, None)
            seen[verdict.word + " read again" * (who is not None)] += 1
    assert seen["unsafe read again"] > 10
    assert engine == "bmc" or seen["safe read again"] > 10
    assert seen["safe"] + seen["unsafe"] <= MODELS // 10  # k-induction with claims has no second reading


SLOW = ("delay-lines.aig", "gray-counter.aag", "fifo-data.aag")
QUICK = [path for path in sorted(EXAMPLES.glob("*.a?g")) if path.name not in SLOW]


@pytest.mark.parametrize("path", QUICK + sorted(EXAMPLES.glob("btor2/*.btor2")), ids=lambda p: p.name)
def test_examples_are_read_alike(path: Path) -> None:
    model = load(str(path))
    read_again = btor2.read_btor2_again if path.suffix == ".btor2" else aiger.read_aiger_again
    for prop, verdict in settled(model, "auto" if path.suffix == ".btor2" else "pdr"):
        assert read_again(str(path), model, prop, verdict, None) is not None
