"""The runs of the papers that the player has to reproduce: calls of ``lemmata explain``."""

from __future__ import annotations

_THESIS = ("--engine", "lifted", "--preset", "thesis")

SEEDS: list[tuple[str, ...]] = [
    ("thesis-2.3.1.aag",),
    ("thesis-2.3.2.aag",),
    ("slides-two-variables.aag",),
    ("boogie/thesis-3.3.1.bpl", *_THESIS),
    ("boogie/thesis-3.3.2.bpl", *_THESIS),
    ("boogie/thesis-3.4.bpl", *_THESIS, "--technique", "interpolation"),
    ("welp/simple.btor2", "--unit", "integer-cube"),  # figure 2 of Welp and Kuehlmann
    ("welp/lin.btor2", "--unit", "polytope"),  # figure 3
]
