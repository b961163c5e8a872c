"""Pictures of pages for ``docs/``, made anew in Chromium: ``python -m tests.support.page_pictures FOLDER`` (``make pictures``).

Every page is also opened 360 pixels wide and in the other scheme, where nothing may be wider than the window.
"""

from __future__ import annotations

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tests.support.browser import Browser, Tab, browser
from tests.support.live_run import live_run
from tests.support.paths import ROOT
from tests.support.program import run_program

_COLOURS = 128  # of a picture
_WIDTH, _NARROW = 960, 360
_CHECK, _EXPLAIN = "check", "explain"


class Shown(NamedTuple):
    """A page: the call that writes it, what is done on it before the picture is taken, and how high the picture is."""

    name: str
    call: tuple[str, ...]
    act: str = ""
    height: int = 620
    is_dark: bool = False


def _at(selector: str) -> str:
    return f"document.querySelector({selector!r}).scrollIntoView()"


_NEXT = "document.querySelector(\"[title='next step']\").click()"
_OPEN = "document.querySelectorAll('details').forEach(one => { one.open = true; })"
_UNFOLD = f"for (let k = 0; k < 3; k++) setTimeout(() => {_OPEN}, 30 * k)"
PAGES = [
    Shown("waveform", (_CHECK, "fifo-off-by-one.aag"), f"for (let k = 0; k < 3; k++) {_NEXT}; {_at('section')}", 560),
    Shown("words", (_CHECK, "btor2/lift.btor2"), f"{_NEXT}; {_at('section:has(.wave)')}", 520, True),
    Shown("design", (_CHECK, "verilog/fifo_broken.sv"), _at("section"), 560),
    Shown("program-unsafe", (_CHECK, "boogie/search-broken.bpl"), f"{_at('section:has(.panes)')}; {_NEXT}; {_NEXT}", 760),
    Shown("program-safe", (_CHECK, "boogie/lock.bpl"), _at("section"), 760),
    Shown(
        "graph",
        (_CHECK, "boogie/account-broken.bpl"),
        f"{_OPEN}; {_at('#p1 .cfg')}",
        760,
    ),
    Shown("derivation", (_CHECK, "lia/fibonacci-broken.smt2"), _UNFOLD, 620),
    Shown("region", (_CHECK, "welp/lin.btor2"), _at("section"), 820),
    Shown("obligations", (_CHECK, "boogie/account.bpl"), f"{_OPEN}; {_at('#p2 .why')}", 620),
    Shown("unknown", (_CHECK, "btor2/counter-deep.btor2", "--engine", "pdr", "--timeout", "6"), "", 740),
    Shown("player", (_EXPLAIN, "thesis-2.3.1.aag"), f"for (let k = 0; k < 14; k++) {_NEXT}", 680),
    Shown(
        "player-locations",
        (_EXPLAIN, "boogie/thesis-3.3.2.bpl", "--preset", "thesis"),
        f"for (let k = 0; k < 10; k++) {_NEXT}",
        760,
    ),
    Shown("player-tree", (_EXPLAIN, "boogie/lock.bpl"), f"for (let k = 0; k < 40; k++) {_NEXT}", 760),
    Shown(
        "player-plane", (_EXPLAIN, "welp/lin.btor2", "--unit", "polytope"), f"for (let k = 0; k < 4; k++) {_NEXT}", 760, True
    ),
]


def make_pictures(folder: Path) -> None:
    """Draw all of them; what is too wide for a telephone is an error."""
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    with tempfile.TemporaryDirectory() as home, browser() as one:
        Path(home, "examples").symlink_to(ROOT / "examples")
        os.chdir(home)  # calls that pages quote have short paths
        for page in PAGES:
            command, file, *options = page.call
            run_program(command, f"examples/{file}", *options, "--report", "out.html")
            _picture(one, Path("out.html"), page, folder)
        run_program("bench", "examples", "--engine", "pdr", "--engine", "bmc", "--timeout", "2", "--out", "out", "--no-plots")
        _picture(one, Path("out/report.html"), Shown("bench", (), "", 760), folder)
        with live_run(Path("examples/fifo-data.aag"), "--engine", "kinduction") as run:
            tab = one.tab(_WIDTH, 760)
            tab.open(run.address)
            tab.until("document.querySelectorAll('.chart').length > 2")
            tab.ask("new Promise(done => setTimeout(done, 4000))")
            _save(folder / "live.png", tab)


def _picture(one: Browser, page: Path, shown: Shown, folder: Path) -> None:
    tab = one.tab(_WIDTH, shown.height, shown.is_dark)
    _open(tab, page, shown)
    _save(folder / f"{shown.name}.png", tab)
    tab.look(_NARROW, 740, not shown.is_dark)
    _open(tab, page, shown)
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth"), shown.name
    if shown.name in ("waveform", "player"):
        _save(folder / f"{shown.name}-narrow.png", tab)
    assert tab.complaints == [], (shown.name, tab.complaints)


def _open(tab: Tab, page: Path, shown: Shown) -> None:
    tab.open(page)
    if shown.act:
        tab.ask(f"(() => {{ {shown.act} }})()")
    tab.ask("new Promise(done => setTimeout(done, 200))")


def _save(path: Path, tab: Tab) -> None:
    """Few colours make small files, and pages have few."""
    picture = Image.open(BytesIO(tab.picture())).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    make_pictures(Path(sys.argv[1]))
