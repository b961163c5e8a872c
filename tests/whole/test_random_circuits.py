"""Every engine on a few hundred random circuits, as ``tests.soak.circuits`` compares them with enumeration."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.soak.circuits import ENGINES, disagreement
from tests.support.enumerate import shortest_depths
from tests.support.random_circuits import random_circuit

SUITE = 250


@pytest.mark.parametrize("name", ENGINES)
def test_engine_agrees_with_enumeration(name: str) -> None:
    for seed in range(SUITE):
        complaint = disagreement(seed, ENGINES[name])
        assert complaint is None, complaint


def test_generated_circuits_are_varied_and_fixed_by_their_seed() -> None:
    models = [random_circuit(seed) for seed in range(SUITE)]
    assert models == [random_circuit(seed) for seed in range(SUITE)]
    depths = Counter(depth for model in models for depth in shortest_depths(model))
    assert depths[None] > 100 and depths[0] > 100
    assert max(depth for depth in depths if depth is not None) >= 6
    assert {model.latches for model in models} == {0, 1, 2, 3, 4}
    own = [(model, i, reset) for model in models for i, reset in enumerate(model.resets) if reset > 1]
    assert any(reset == model.latch_lit(i) for model, i, reset in own)  # free
    assert any(reset != model.latch_lit(i) for model, i, reset in own)  # a function
    assert any(model.constraints for model in models) and any(model.outputs for model in models)
