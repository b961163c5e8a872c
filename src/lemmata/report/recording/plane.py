"""Scenes on a plane as data of a page: which points of a window a frame excludes, an obligation or the bad states have.

A region is a text with a digit per four points, row by row from below. Scenes share most of their regions: each is written
once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lemmata.logic.terms import FALSE, Term, name_of
from lemmata.report.drawing.frames import Plane, Scene, where

_REGIONS = 400  # that are computed


def projected(plane: Plane | None, scenes: Sequence[Scene | None]) -> dict[str, object] | None:
    """The window, the regions and, for each shot, which region is what; ``None`` where there is nothing to draw."""
    if plane is None or not any(scenes):
        return None
    regions: dict[tuple[Term, bool], int] = {}
    texts: list[str] = []

    def region(formula: Term, is_everywhere: bool) -> int | None:
        if formula is FALSE:
            return None
        if (formula, is_everywhere) not in regions:
            if len(texts) >= _REGIONS:
                return None
            regions[formula, is_everywhere] = len(texts)
            texts.append(digits(where(plane, formula, is_everywhere)))
        return regions[formula, is_everywhere]

    shots = [None if scene is None else _scene(scene, region) for scene in scenes]
    bad = region(plane.bad, False)
    names = [name_of(word) for word in plane.words]
    held = [name_of(word) for word in plane.held]
    return {"names": names, "held": held, "window": plane.window, "bad": bad, "shots": shots, "regions": texts}


def _scene(scene: Scene, region: Callable[[Term, bool], int | None]) -> dict[str, object]:
    owed = None if scene.obligation is None else region(scene.obligation, False)
    return {"frames": [region(cover, True) for cover in scene.covers], "owed": owed, "level": scene.level}


def digits(points: Sequence[bool]) -> str:
    """A region as text."""
    padded = [*points, *[False] * (-len(points) % 4)]
    return "".join(f"{sum(bit << (3 - k) for k, bit in enumerate(padded[at : at + 4])):x}" for at in range(0, len(padded), 4))
