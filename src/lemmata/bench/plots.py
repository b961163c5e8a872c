"""Plots: cactus (how many files are solved within which time) and scatter (one contestant against another, file by file).

All are logarithmic. In a scatter plot of times what was not solved lies on the border line at the CPU limit; below the diagonal
the contestant is better than the reference. Memory is compared with the first contestant, on the files that both solved, as in
Werner's figure 5.1. Needs matplotlib, which is the optional extra ``plots``.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from lemmata.bench.records import Record
from lemmata.bench.runners import RunLimits
from lemmata.bench.tables import Report
from lemmata.errors import LemmataError
from lemmata.escapes import in_plot
from lemmata.writes import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FORMATS = ("png", "svg")
_SHORTEST_S = 0.01  # that a logarithmic axis shows
_LEAST_MB = 1.0  # and the least memory
_COLOURS = {"safe": "tab:blue", "unsafe": "tab:red", "unknown": "tab:gray"}

Pair = tuple[Record, Record]


class PlotsMissing(LemmataError):
    """matplotlib is not installed."""


def draw_plots(records: Sequence[Record], shown: Report, out: Path) -> list[Path]:
    """Write all plots to ``out`` and return their paths."""
    if importlib.util.find_spec("matplotlib") is None:
        raise PlotsMissing("no plots: matplotlib is not installed (pip install 'lemmata[plots]')")
    paths = _save(_cactus(records, shown), out / "cactus")
    for one in shown.ratios:
        if one.subset == "total":
            name = f"scatter-{_slug(one.contestant)}-{_slug(one.reference)}"
            paths += _save(_scatter(records, one.contestant, one.reference, shown.limits), out / name)
            if shown.contestants[0] in (one.contestant, one.reference):
                paths += _save(_memory(records, one.contestant, one.reference), out / f"memory-{name.removeprefix('scatter-')}")
    return paths


def _cactus(records: Iterable[Record], shown: Report) -> Figure:
    figure, axes = _axes()
    records = list(records)
    for label in shown.contestants:
        times = sorted(max(one.cpu_s, _SHORTEST_S) for one in records if one.contestant == label and one.is_solved)
        axes.plot(range(1, len(times) + 1), times, marker=".", label=in_plot(f"{label} ({len(times)})"))
    axes.axhline(shown.limits.cpu_s, color="gray", linestyle=":")
    axes.set(yscale="log", xlabel="files solved", ylabel="CPU seconds, each file")
    axes.legend()
    return figure


def _scatter(records: Iterable[Record], contestant: str, reference: str, limits: RunLimits) -> Figure:
    ends = (_SHORTEST_S * 0.8, limits.cpu_s * 1.25)
    figure, axes = _square(_pairs(records, contestant, reference), lambda one: _place(one, limits), ends)
    axes.axhline(limits.cpu_s, color="gray", linewidth=0.8)
    axes.axvline(limits.cpu_s, color="gray", linewidth=0.8)
    axes.set(xlabel=in_plot(f"{reference}, CPU seconds"), ylabel=in_plot(f"{contestant}, CPU seconds"))
    return figure


def _memory(records: Iterable[Record], contestant: str, reference: str) -> Figure:
    both = [pair for pair in _pairs(records, contestant, reference) if pair[0].is_solved and pair[1].is_solved]
    sizes = [max(one.memory_mb, _LEAST_MB) for pair in both for one in pair] or [_LEAST_MB]
    ends = (min(sizes) * 0.8, max(sizes) * 1.25)
    figure, axes = _square(both, lambda one: max(one.memory_mb, _LEAST_MB), ends)
    axes.set(xlabel=in_plot(f"{reference}, megabytes"), ylabel=in_plot(f"{contestant}, megabytes"))
    return figure


def _pairs(records: Iterable[Record], contestant: str, reference: str) -> list[Pair]:
    """What the reference and the contestant did, for each file that both ran."""
    points: dict[tuple[str, str], dict[str, Record]] = {}
    for one in records:
        points.setdefault((one.suite, one.file), {})[one.contestant] = one
    return [(both[reference], both[contestant]) for both in points.values() if reference in both and contestant in both]


def _square(pairs: Sequence[Pair], place: Callable[[Record], float], ends: tuple[float, float]) -> tuple[Figure, Axes]:
    """Points coloured by verdict, the diagonal, and the lines of a factor of ten."""
    figure, axes = _axes()
    for verdict, colour in _COLOURS.items():
        chosen = [pair for pair in pairs if _verdict(pair) == verdict]
        xs, ys = ([place(pair[side]) for pair in chosen] for side in (0, 1))
        axes.scatter(xs, ys, s=16, color=colour, alpha=0.7, label=f"{verdict} ({len(chosen)})")
    for factor, style in ((1.0, "-"), (10.0, ":"), (0.1, ":")):
        axes.plot(ends, [end * factor for end in ends], color="gray", linestyle=style, linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
    axes.legend()
    return figure, axes


def _verdict(pair: Pair) -> str:
    return next((one.verdict for one in pair if one.is_solved), "unknown")


def _place(one: Record, limits: RunLimits) -> float:
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
            picture = BytesIO()
            metadata = {"Date": None} if path.suffix == ".svg" else None
            figure.savefig(picture, dpi=150, format=path.suffix[1:], metadata=metadata)
            write_whole(path, picture.getvalue())
    return paths


def _slug(label: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in label).strip("-")
