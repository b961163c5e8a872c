"""Plots: cactus (how many files are solved within which time) and scatter (one contestant against another, file by file).

Both are logarithmic in time. In a scatter plot what was not solved lies on the border line at the CPU limit; below the diagonal
the contestant is faster than the reference. Needs matplotlib, which is the optional extra ``plots``.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.bench.records import Record
from lemmata.bench.runners import Limits
from lemmata.bench.tables import Report
from lemmata.errors import LemmataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FORMATS = ("png", "svg")
_SHORTEST_S = 0.01
_COLOURS = {"safe": "tab:blue", "unsafe": "tab:red", "unknown": "tab:gray"}


class PlotsMissing(LemmataError):
    """matplotlib is not installed."""


def draw(records: Sequence[Record], shown: Report, out: Path) -> list[Path]:
    """Write all plots to ``out`` and return their paths."""
    if importlib.util.find_spec("matplotlib") is None:
        raise PlotsMissing("no plots: matplotlib is not installed (pip install 'lemmata[plots]')")
    paths = _save(_cactus(records, shown), out / "cactus")
    for one in shown.ratios:
        if one.subset == "total":
            name = f"scatter-{_slug(one.contestant)}-{_slug(one.reference)}"
            paths += _save(_scatter(records, one.contestant, one.reference, shown.limits), out / name)
    return paths


def _cactus(records: Iterable[Record], shown: Report) -> Figure:
    figure, axes = _axes()
    records = list(records)
    for label in shown.contestants:
        times = sorted(max(one.cpu_s, _SHORTEST_S) for one in records if one.contestant == label and one.is_solved)
        axes.plot(range(1, len(times) + 1), times, marker=".", label=f"{label} ({len(times)})")
    axes.axhline(shown.limits.cpu_s, color="gray", linestyle=":")
    axes.set(yscale="log", xlabel="files solved", ylabel="CPU seconds, each file")
    axes.legend()
    return figure


def _scatter(records: Iterable[Record], contestant: str, reference: str, limits: Limits) -> Figure:
    figure, axes = _axes()
    points: dict[tuple[str, str], dict[str, Record]] = {}
    for one in records:
        points.setdefault((one.suite, one.file), {})[one.contestant] = one
    pairs = [(both[reference], both[contestant]) for both in points.values() if reference in both and contestant in both]
    for verdict, colour in _COLOURS.items():
        chosen = [pair for pair in pairs if _verdict(pair) == verdict]
        xs, ys = ([_place(pair[side], limits) for pair in chosen] for side in (0, 1))
        axes.scatter(xs, ys, s=16, color=colour, alpha=0.7, label=f"{verdict} ({len(chosen)})")
    ends = (_SHORTEST_S * 0.8, limits.cpu_s * 1.25)
    for factor, style in ((1.0, "-"), (10.0, ":"), (0.1, ":")):
        axes.plot(ends, [end * factor for end in ends], color="gray", linestyle=style, linewidth=0.8)
    axes.axhline(limits.cpu_s, color="gray", linewidth=0.8)
    axes.axvline(limits.cpu_s, color="gray", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
    axes.set(xlabel=f"{reference}, CPU seconds", ylabel=f"{contestant}, CPU seconds")
    axes.legend()
    return figure


def _verdict(pair: tuple[Record, Record]) -> str:
    return next((one.verdict for one in pair if one.is_solved), "unknown")


def _place(one: Record, limits: Limits) -> float:
    return max(one.cpu_s, _SHORTEST_S) if one.is_solved else limits.cpu_s


def _axes() -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _save(figure: Figure, stem: Path) -> list[Path]:
    from matplotlib import rc_context

    paths = [stem.with_name(f"{stem.name}.{suffix}") for suffix in _FORMATS]
    with rc_context({"svg.hashsalt": "lemmata"}):  # the same data give the same file
        for path in paths:
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def _slug(label: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in label).strip("-")
