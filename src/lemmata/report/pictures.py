"""Pictures of the frames of a word-level run, as in figures 2 and 3 of Welp and Kuehlmann (2013).

One picture per step of the run, one panel per frame: what the frame covers is grey, the obligation that is worked on is red.
The axes are the two words of the system; other variables (a flag, say) are few, and a point counts as covered if it is covered
whatever they are. The window shows the region where the boundaries of the run lie.

``Film`` listens to a recorded run and draws it at the end. Needs matplotlib, which is the optional extra ``plots``.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.errors import UsageError
from lemmata.escapes import in_plot
from lemmata.events import Event
from lemmata.logic.build import disj
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, BitVec
from lemmata.logic.terms import FALSE, Term, name_of, topological, value_of
from lemmata.models.system import System
from lemmata.steps.given import Given
from lemmata.steps.words import Snapshot
from lemmata.values import dataclass
from lemmata.writes import unwritable, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

_REACH = 64  # numbers beyond this are no landmarks for the window
_MARGIN = 3
_OTHER_BITS = 4
_COVERED, _RED = "0.75", "tab:red"


@dataclass(frozen=True, slots=True)
class Scene:
    """One step: the cover of each frame as a formula, and the obligation with its level."""

    covers: tuple[Term, ...]
    obligation: Term | None
    level: int


@dataclass(frozen=True, slots=True)
class Plane:
    """The two words that span the picture, how they are read, the values of all others, and the window."""

    words: tuple[Term, Term]
    signed: frozenset[Term]
    others: tuple[dict[Term, int], ...]
    window: tuple[tuple[int, int], tuple[int, int]]

    def points(self) -> list[tuple[int, int]]:
        """All points of the window, row by row."""
        (left, right), (low, high) = self.window
        return [(x, y) for y in range(low, high + 1) for x in range(left, right + 1)]


class Film:
    """The scenes of a run, at most so many of them; a system that cannot be drawn is refused when the run begins."""

    def __init__(self, folder: Path, most_scenes: int) -> None:
        self._folder = folder
        self._most = most_scenes
        self._scenes: list[Scene] = []
        self._variables: tuple[Term, ...] = ()
        self._signed: frozenset[Term] = frozenset()

    def __call__(self, event: Event) -> None:
        """Take a picture of what has changed."""
        match event:
            case Given(System() as system):
                self._variables = tuple(system.variables)
                plane_of(self._variables, self._signed, [])
                make_room(self._folder)
            case Snapshot(frames, signed, obligation, level):
                self._signed = signed
                now = scene(frames, obligation, level)
                if len(self._scenes) < self._most and (not self._scenes or self._scenes[-1] != now):
                    self._scenes.append(now)

    def develop(self) -> list[Path]:
        """Draw the pictures; a run that ended before its first step has none."""
        if not self._scenes:
            return []
        return draw_frames(self._scenes, plane_of(self._variables, self._signed, self._scenes), self._folder)


def plane_of(variables: Sequence[Term], signed: frozenset[Term], scenes: Sequence[Scene]) -> Plane:
    """The plane of a system with two words; anything else is a ``UsageError``."""
    words = [v for v in variables if isinstance(v.sort, BitVec) and v.width > 1]
    others = [v for v in variables if v not in words]
    if len(words) != 2:
        raise UsageError(f"--plot draws systems with two words of more than one bit, and this one has {len(words)}")
    if len(others) > _OTHER_BITS:
        raise UsageError(f"--plot draws two words; {len(others)} further bits are too many (at most {_OTHER_BITS})")
    values = tuple([dict(zip(others, bits, strict=True)) for bits in product((0, 1), repeat=len(others))])
    marks = _landmarks(scenes)
    windows = [_window(v, v in signed, marks) for v in words]
    return Plane((words[0], words[1]), signed, values, (windows[0], windows[1]))


def _landmarks(scenes: Sequence[Scene]) -> list[int]:
    """The numbers that the formulas mention, as far as they are small in the signed or the unsigned reading."""
    roots = [term for scene in scenes for term in (*scene.covers, *([scene.obligation] if scene.obligation else []))]
    found = set()
    for term in topological(roots):
        if term.is_const and isinstance(term.sort, BitVec):
            value = value_of(term)
            found |= {number for number in (value, value - (1 << term.width)) if abs(number) <= _REACH}
    return sorted(found) or [0]


def _window(variable: Term, is_signed: bool, marks: list[int]) -> tuple[int, int]:
    half = 1 << (variable.width - 1)
    low, high = (-half, half - 1) if is_signed else (0, 2 * half - 1)
    seen = [mark for mark in marks if low <= mark <= high] or [low]
    return max(low, min(seen) - _MARGIN), min(high, max(seen) + _MARGIN)


def make_room(folder: Path) -> None:
    """Make the folder for the pictures; a ``UsageError`` where none can be drawn or written."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("no pictures: matplotlib is not installed (pip install 'lemmata[plots]')")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(folder, error) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{folder}: cannot write: permission denied")


def draw_frames(scenes: Sequence[Scene], plane: Plane, folder: Path) -> list[Path]:
    """One picture per scene in ``folder``; their paths."""
    make_room(folder)
    digits = len(str(len(scenes)))
    return [_draw(scene, number, plane, folder / f"step-{number:0{digits}}.png") for number, scene in enumerate(scenes, 1)]


def _draw(scene: Scene, number: int, plane: Plane, path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2.6 * len(scene.covers), 2.9), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(f"step {number}")
    for level, cover in enumerate(scene.covers):
        axes = figure.add_subplot(1, len(scene.covers), level + 1)
        _panel(axes, plane, cover, scene.obligation if level == scene.level else None)
        axes.set_title(f"f{level}", fontsize=9)
    picture = BytesIO()
    figure.savefig(picture, dpi=80, format="png")
    write_whole(path, picture.getvalue())
    return path


def _panel(axes: Axes, plane: Plane, cover: Term, obligation: Term | None) -> None:
    (left, right), (low, high) = plane.window
    width = right - left + 1
    covered = _where(plane, cover, is_everywhere=True)
    grid = [[0.0 if is_in else 1.0 for is_in in covered[start : start + width]] for start in range(0, len(covered), width)]
    extent = (left - 0.5, right + 0.5, low - 0.5, high + 0.5)
    axes.imshow(grid, origin="lower", extent=extent, cmap=_grey(), vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    if obligation is not None:
        inside = _where(plane, obligation, is_everywhere=False)
        points = [point for point, is_in in zip(plane.points(), inside, strict=True) if is_in]
        axes.scatter([x for x, _ in points], [y for _, y in points], s=6, color=_RED, marker="s")
    x, y = plane.words
    axes.set_xlabel(in_plot(name_of(x)), fontsize=8)
    axes.set_ylabel(in_plot(name_of(y)), fontsize=8)
    axes.tick_params(labelsize=7)


def _grey() -> Colormap:
    from matplotlib.colors import ListedColormap

    return ListedColormap([_COVERED, "white"])


def _where(plane: Plane, formula: Term, is_everywhere: bool) -> list[bool]:
    """For each point of the window: is the formula true for all (or some) values of the other variables?"""
    if formula is FALSE:
        return [False] * len(plane.points())
    program, (x, y) = Program([formula]), plane.words
    decide = all if is_everywhere else any
    return [
        decide(bool(program.run({**other, x: a & ((1 << x.width) - 1), y: b & ((1 << y.width) - 1)})[0]) for other in others)
        for others in [_typed(plane.others)]
        for a, b in plane.points()
    ]


def _typed(others: Sequence[dict[Term, int]]) -> list[dict[Term, int | bool]]:
    return [{v: bool(value) if v.sort is BOOL else value for v, value in other.items()} for other in others]


def scene(covers: Sequence[Sequence[Term]], obligation: Term | None, level: int) -> Scene:
    """A scene from the cubes of each frame."""
    return Scene(tuple([disj(list(cubes)) if cubes else FALSE for cubes in covers]), obligation, level)
