"""Colours on a terminal: readable on a light ground and on a dark one."""

from __future__ import annotations

import pytest
from rich.style import Style

from lemmata.report.text.terminal import LINE_STYLES

LEAST_CONTRAST = 3.5  # of at most 4.6 that a colour can have to white and to black
FIRST_FIXED = 16  # colours before it are what the theme of a terminal says


def luminance(triplet: tuple[int, int, int]) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = (value / 255 for value in triplet)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", [name for name, style in LINE_STYLES.items() if Style.parse(style).color])
def test_a_colour_is_readable_on_white_and_on_black(name):
    colour = Style.parse(LINE_STYLES[name]).color
    assert colour is not None and (colour.number or 0) >= FIRST_FIXED
    light = luminance(colour.get_truecolor())
    assert min(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= LEAST_CONTRAST


def test_verdicts_differ_in_colour():
    assert len({LINE_STYLES[verdict] for verdict in ("safe", "unsafe", "unknown")}) == 3
