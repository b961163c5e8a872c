"""Every engine on words, on a few hundred random BTOR2 models, as ``tests.soak.words`` compares them with enumeration."""

from __future__ import annotations

from collections import Counter

import pytest

from lemmata.engines.registry import CHOICES
from tests.soak.words import ROUTES, model_of, outcomes, truth_of

SUITE, STRIDE = 240, 13  # models of the suite, and how many steps a route takes at once


@pytest.mark.parametrize("name", ROUTES)
def test_verdicts_agree_with_enumeration(name: str) -> None:
    for seed in range(list(ROUTES).index(name) % STRIDE, SUITE, STRIDE):
        for outcome in outcomes(seed, ROUTES[name]):
            assert not outcome.complaint, outcome.complaint


def test_models_are_varied_and_fixed_by_their_seed() -> None:
    count = 300
    texts = [model_of(seed) for seed in range(count)]
    model_of.cache_clear()
    assert texts == [model_of(seed) for seed in range(count)]
    depths = Counter(depth for seed in range(count) for depth in truth_of(seed))
    assert depths[None] > 100
    assert sum(depths[depth] for depth in depths if depth is not None and depth >= 3) >= 20
    assert any(" array " in text for text in texts) and any("constraint" in text for text in texts)


ON_GRAPHS = ("auto", "lifted", "abstract", "symbolic", "accelerate", "traces")  # and whoever chooses


def test_every_engine_on_words_has_a_route() -> None:
    on_words = {name for name in CHOICES if name not in ON_GRAPHS}
    assert on_words <= {name.split(" ")[2] for name in ROUTES if "--" in name}
