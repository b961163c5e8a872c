"""The table and the plot of ``docs/scaling.md``, from what was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.scaling.inputs import Family, families

_PAGE = Path("docs/scaling.md")
_MARK = "<!-- made by make bench-scaling -->\n"


def write_page(results: Mapping[str, Any], limit: int) -> None:
    """Replace what comes after the mark, and draw the plot."""
    before = _PAGE.read_text().partition(_MARK)[0]
    rows = [row for family in families() for row in _rows(family, results, limit)]
    names = ("files", "size", "read", "query", "certify", "all", "simplify alone", "peak MB", "slope")
    head = f"| {' | '.join(names)} |\n|---|{'--:|' * (len(names) - 1)}\n"
    _PAGE.write_text(before + _MARK + "\n" + head + "".join(rows))
    _draw(results)


def _rows(family: Family, results: Mapping[str, Any], limit: int) -> list[str]:
    rows = []
    times: list[tuple[int, float]] = []
    for size in family.sizes:
        found = results.get(f"{family.name}/{size}/check")
        if found is None:
            continue
        alone = results.get(f"{family.name}/{size}/simplify", {}).get("simplify")
        simplify = "" if alone is None else f"{alone:.2f}"
        if "over" in found:
            over = f"> {limit}" if found["over"] == "time" else "memory"
            rows.append(f"| {family.name} | {size:,} {family.unit} | | | | {over} | {simplify} | | |\n")
            break
        every = found["read"] + found["query"] + found["certify"]
        times.append((size, every))
        slope = f"{_slope(times):.2f}" if len(times) > 1 else ""
        cells = [f"{found[phase]:.2f}" for phase in ("read", "query", "certify")]
        whole = f"| {every:.2f} | {simplify} | {found['peak']:.0f} | {slope} |"
        rows.append(f"| {family.name} | {size:,} {family.unit} | {' | '.join(cells)} {whole}\n")
    return rows


def _slope(times: Sequence[tuple[int, float]]) -> float:
    """Of the line through the logarithms, by least squares."""
    xs, ys = [math.log(size) for size, _ in times], [math.log(seconds) for _, seconds in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def _draw(results: Mapping[str, Any]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 6.5), layout="constrained")
    units = ("lines", "bytes", "gates", "nodes")
    for number, unit in enumerate(units):
        axes = figure.add_subplot(2, 2, number + 1)
        for family in families():
            points = [(size, results.get(f"{family.name}/{size}/check")) for size in family.sizes]
            done = [(size, f["read"] + f["query"] + f["certify"]) for size, f in points if f and "over" not in f]
            if family.unit == unit and done:
                style = "-" if family.verdict == "unsafe" else "--"
                axes.plot([s for s, _ in done], [t for _, t in done], marker=".", linestyle=style, label=family.name)
                if family.verdict == "unsafe" and family.name.startswith(("straight", "clauses", "circuit", "words")):
                    (size, seconds), last = done[0], family.sizes[-1]
                    axes.plot([size, last], [seconds, seconds * last / size], color="gray", linestyle=":", linewidth=1)
        axes.set(xscale="log", yscale="log", xlabel=unit, ylabel="CPU seconds")
        axes.grid(which="major", alpha=0.3)
        axes.legend(fontsize="small")
    out = _PAGE.parent / "scaling"
    out.mkdir(exist_ok=True)
    figure.savefig(out / "time.png", dpi=80)
