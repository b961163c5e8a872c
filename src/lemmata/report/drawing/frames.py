"""Pictures of the frames of a run over words or numbers, as in figures 2 and 3 of Welp and Kuehlmann (2013).

One picture per step of the run, one panel per frame: what the frame excludes is grey, the obligation that is worked on and the
bad states are marked. The axes are the one or two variables that the run speaks of most. Of other variables bits are few, and a
point counts as excluded if it is whatever they are; what is left is held at one value, which the caption names. The window
shows the region where the boundaries of the run lie. Of a graph the location with the most lemmas is drawn.

``Film`` listens to a recorded run and draws it at the end. Needs matplotlib, which is the optional extra ``plots``.
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import product
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from lemmata.errors import UsageError
from lemmata.escapes import in_plot
from lemmata.events import Event
from lemmata.logic.build import conj, disj
from lemmata.logic.evaluate import Program
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec
from lemmata.logic.terms import FALSE, Term, name_of, topological, value_of
from lemmata.logic.walk import variables
from lemmata.models.graph import Graph
from lemmata.models.system import System
from lemmata.steps.given import Given
from lemmata.steps.graph import Learned, ObligationMet
from lemmata.steps.words import Snapshot
from lemmata.values import dataclass
from lemmata.work import wall_left
from lemmata.writes import unwritable, write_whole

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

_REACH = 64  # numbers beyond this are no landmarks for the window
_MARGIN = 3
_OTHER_BITS = 4
_COVERED, _OWED, _BAD = "0.8", "#0072b2", "#d55e00"  # told apart by colour-blind eyes
_WIDTH, _HEIGHT, _FOOT, _DPI = 1200, 330, 90, 100  # pixels: of a picture, of a row of panels, of the legend
_PANELS = 4  # in a row
_NAMED = 6  # variables in a caption


@dataclass(frozen=True, slots=True)
class Scene:
    """One step: the cover of each frame as a formula, and the obligation with its level."""

    covers: tuple[Term, ...]
    obligation: Term | None
    level: int


@dataclass(frozen=True, slots=True)
class Plane:
    """One or two variables that span the picture, how words are read, values of all others, the window, and what is held."""

    words: tuple[Term, ...]
    signed: frozenset[Term]
    others: tuple[dict[Term, int], ...]
    window: tuple[tuple[int, int], tuple[int, int]]
    held: tuple[Term, ...] = ()
    bad: Term = FALSE

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
        self._bad = FALSE
        self._places: dict[str, tuple[Term, ...]] = {}
        self._heard: list[ObligationMet | Learned] = []

    def __call__(self, event: Event) -> None:
        """Take a picture of what has changed."""
        match event:
            case Given(System() as system):
                self._variables = tuple(system.variables)
                if len(system.bads) == 1 and set(variables(system.bads)) <= set(system.variables):
                    self._bad = system.bads[0]
                plane_of(self._variables, self._signed, [])
                make_room(self._folder)
            case Given(Graph() as graph):
                self._places = {place.name: place.variables for place in graph.locations}
                plane_of([v for place in graph.locations for v in place.variables], self._signed, [])
                make_room(self._folder)
            case Snapshot(frames, signed, obligation, level):
                self._signed = signed
                self._take(scene(frames, obligation, level))
            case ObligationMet() | Learned():
                self._heard.append(event)

    def _take(self, now: Scene) -> None:
        if len(self._scenes) < self._most and (not self._scenes or self._scenes[-1] != now):
            self._scenes.append(now)

    @property
    def length(self) -> int:
        """Of the film, in pictures."""
        return len(self._scenes)

    def develop(self) -> list[Path]:
        """Draw the pictures that there is time for; a run that ended before its first step has none."""
        if self._heard:
            self._tell_graph()
        if not self._scenes:
            return []
        return draw_frames(self._scenes, plane_of(self._variables, self._signed, self._scenes, self._bad), self._folder)

    def _tell_graph(self) -> None:
        """The scenes at the location with the most lemmas."""
        counts = Counter(event.place for event in self._heard if isinstance(event, Learned) and self._places.get(event.place))
        if not counts:
            return
        place = counts.most_common(1)[0][0]
        self._variables = self._places[place]
        lemmas: list[tuple[Term, int | None]] = []
        top = 1
        for event in self._heard:
            if event.place != place:
                continue
            top = max(top, event.level or 0)
            if isinstance(event, Learned):
                lemmas.append((conj(event.literals), event.level))
            covers = [[cube for cube, level in lemmas if level is None or level >= frame] for frame in range(1, top + 1)]
            owed = conj(event.literals) if isinstance(event, ObligationMet) else None
            self._take(scene([[], *covers], owed, event.level or 0))


def plane_of(names: Sequence[Term], signed: frozenset[Term], scenes: Sequence[Scene], bad: Term = FALSE) -> Plane:
    """The plane of the one or two words or numbers that the scenes speak of most; ``UsageError`` where there is none."""
    wide = [v for v in names if v.sort is INT or (isinstance(v.sort, BitVec) and v.width > 1)]
    if any(isinstance(v.sort, Array) or v.sort is REAL for v in names):
        raise UsageError("--plot draws words and integers: this model has arrays or reals")
    if not wide:
        raise UsageError("--plot draws words and integers: this model has bits only")
    spoken = Counter(v for term in _roots(scenes) for v in variables([term]))
    axes = sorted(sorted(wide, key=lambda v: -spoken[v])[:2], key=wide.index)
    bits = [v for v in names if v not in wide][:_OTHER_BITS]
    held = [v for v in names if v not in axes and v not in bits]
    fixed = dict.fromkeys(held, 0)
    values = tuple([fixed | dict(zip(bits, choice, strict=True)) for choice in product((0, 1), repeat=len(bits))])
    marks = _landmarks(scenes)
    windows = [*(window_of(v, v in signed, marks) for v in axes), (0, 0)]
    return Plane(tuple(axes), signed, values, (windows[0], windows[1]), tuple(held), bad)


def _roots(scenes: Sequence[Scene]) -> list[Term]:
    return [term for scene in scenes for term in (*scene.covers, *([scene.obligation] if scene.obligation else []))]


def _landmarks(scenes: Sequence[Scene]) -> list[int]:
    """The numbers that the formulas mention, as far as they are small in the signed or the unsigned reading."""
    found = set()
    for term in topological(_roots(scenes)):
        if term.is_const and isinstance(term.sort, BitVec):
            value = value_of(term)
            found |= {number for number in (value, value - (1 << term.width)) if abs(number) <= _REACH}
        elif term.is_const and term.sort is INT and abs(value_of(term)) <= _REACH:
            found.add(int(value_of(term)))
    return sorted(found) or [0]


def value_range(variable: Term, is_signed: bool) -> tuple[int, int] | None:
    """The least and the greatest value of a word; ``None`` for an integer."""
    if variable.sort is INT:
        return None
    half = 1 << (variable.width - 1)
    return (-half, half - 1) if is_signed else (0, 2 * half - 1)


def window_of(variable: Term, is_signed: bool, marks: list[int]) -> tuple[int, int]:
    """The numbers around the landmarks that a variable can have."""
    span = value_range(variable, is_signed)
    if span is None:
        return min(marks) - _MARGIN, max(marks) + _MARGIN
    low, high = span
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
    """One picture per scene in ``folder``, as many as there is time for; their paths."""
    make_room(folder)
    digits = len(str(len(scenes)))
    paths: list[Path] = []
    longest_s = 0.0
    for number, scene in enumerate(scenes, 1):
        begin, left_s = monotonic(), wall_left()
        if left_s is not None and left_s < 2 * longest_s:
            break
        paths.append(_draw(scene, number, plane, folder / f"step-{number:0{digits}}.png"))
        longest_s = max(longest_s, monotonic() - begin)
    return paths


def _draw(scene: Scene, number: int, plane: Plane, path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = min(len(scene.covers), _PANELS)
    down = -(-len(scene.covers) // across)
    figure = Figure(figsize=(_WIDTH / _DPI, (_HEIGHT * down + _FOOT) / _DPI), layout="constrained")
    FigureCanvasAgg(figure)
    work = "" if scene.obligation is None else f": an obligation at level {scene.level}"
    figure.suptitle(f"step {number}{work}", fontsize=11)
    for level, cover in enumerate(scene.covers):
        axes = figure.add_subplot(down, across, level + 1)
        _panel(axes, plane, cover, scene.obligation if level == scene.level else None)
        axes.set_title(f"frame {level}", fontsize=9)
    title = f"where {_held(plane)} 0" if plane.held else None  # above the marks, where nothing else is
    figure.legend(
        handles=_legend(plane), loc="outside lower center", ncols=3, fontsize=9, frameon=False, title=title, title_fontsize=8
    )
    picture = BytesIO()
    figure.savefig(picture, dpi=_DPI, format="png")
    write_whole(path, picture.getvalue())
    return path


def _held(plane: Plane) -> str:
    names = ", ".join(in_plot(name_of(v)) for v in plane.held[:_NAMED])
    more = f" and {len(plane.held) - _NAMED} more" if len(plane.held) > _NAMED else ""
    return f"{names}{more} {'is' if len(plane.held) == 1 else 'are'}"


def _legend(plane: Plane) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Artist] = [Patch(facecolor=_COVERED, label="excluded by the frame")]
    marks.append(Line2D([], [], linestyle="", marker="s", color=_OWED, label="obligation"))
    if plane.bad is not FALSE:
        marks.append(Line2D([], [], linestyle="", marker="x", color=_BAD, label="bad states"))
    return marks


def _panel(axes: Axes, plane: Plane, cover: Term, obligation: Term | None) -> None:
    (left, right), (low, high) = plane.window
    width = right - left + 1
    covered = where(plane, cover, is_everywhere=True)
    grid = [[0.0 if is_in else 1.0 for is_in in covered[start : start + width]] for start in range(0, len(covered), width)]
    extent = (left - 0.5, right + 0.5, low - 0.5, high + 0.5)
    axes.imshow(grid, origin="lower", extent=extent, cmap=_grey(), vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    for formula, colour, marker in ((obligation, _OWED, "s"), (plane.bad, _BAD, "x")):
        inside = [] if formula is None else where(plane, formula, is_everywhere=False)
        points = [point for point, is_in in zip(plane.points(), inside, strict=bool(inside)) if is_in]
        axes.scatter([x for x, _ in points], [y for _, y in points], s=10, color=colour, marker=marker, linewidths=0.8)
    axes.set_xlabel(in_plot(name_of(plane.words[0])), fontsize=8)
    if len(plane.words) > 1:
        axes.set_ylabel(in_plot(name_of(plane.words[1])), fontsize=8)
    else:
        axes.set_yticks([])
    axes.tick_params(labelsize=7)


def _grey() -> Colormap:
    from matplotlib.colors import ListedColormap

    return ListedColormap([_COVERED, "white"])


def where(plane: Plane, formula: Term, is_everywhere: bool) -> list[bool]:
    """For each point of the window: is the formula true for all (or some) values of the other variables?"""
    if formula is FALSE:
        return [False] * len(plane.points())
    program, decide = Program([formula]), all if is_everywhere else any
    masks = [(v, -1 if v.sort is INT else (1 << v.width) - 1) for v in plane.words]
    others = _typed(plane.others)
    return [
        decide(
            bool(program.run({**other, **{v: part & mask for (v, mask), part in zip(masks, point, strict=False)}})[0])
            for other in others
        )
        for point in plane.points()
    ]


def _typed(others: Sequence[dict[Term, int]]) -> list[dict[Term, int | bool]]:
    return [{v: bool(value) if v.sort is BOOL else value for v, value in other.items()} for other in others]


def scene(covers: Sequence[Sequence[Term]], obligation: Term | None, level: int) -> Scene:
    """A scene from the cubes of each frame."""
    return Scene(tuple([disj(list(cubes)) if cubes else FALSE for cubes in covers]), obligation, level)
