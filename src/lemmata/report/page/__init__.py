"""A result as one page that needs nothing else: no network, no other file; it works from a disk, for the eye, keys and paper.

The page is data and a small script. The data is the object of ``--format json``, as JSON in an element that browsers do not
execute, without any ``<``; the script makes text of it, never markup. A Content-Security-Policy allows this one script and this
one style, by their digests, and nothing else: a name that says ``<script>`` is a name. Who has no scripts sees the text report.

Two slots of a fixed frame need no template engine: what could go wrong is in ``escapes``, once.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TypedDict

from lemmata.escapes import in_html, in_script

_QUOTED = 1 << 19  # bytes of a source that is shown
_BENCH = ("base.js", "bench.js")
_FILM = ("base.js", "checks.js", "plane.js", "graph.js", "player.js")
_RESULT = ("base.js", "waveform.js", "checks.js", "plane.js", "graph.js", "clauses.js", "result.js", "show.js")
_LIVE = (*_RESULT[:-1], "live.js")


class PageParts(TypedDict, total=False):
    """What the page of a result shows beside it."""

    source: str
    command: str
    digest: str
    remark: str
    graph: Mapping[str, object] | None
    regions: Sequence[Sequence[Mapping[str, object]]]


def report_page(
    document: Mapping[str, object],
    *,
    source: str = "",
    command: str = "",
    digest: str = "",
    remark: str = "",
    text: str = "",
    graph: Mapping[str, object] | None = None,
    regions: Sequence[Sequence[Mapping[str, object]]] = (),
) -> str:
    """The page of a result; ``source`` is the program it is about, ``text`` the same report for who has no scripts.

    ``regions`` has pictures of invariants for each property; ``remark`` says what is not shown.
    """
    data = {"result": document, "source": source, "command": command, "digest": digest, "graph": graph, "regions": regions}
    data["remark"] = remark
    return _framed((str(document["file"]), str(document["verdict"])), data, text, _RESULT)


def live_page(file: str, command: str) -> str:
    """The page of a run that goes on: it hears events from where it came from, and shows the result when it is there."""
    data = {"file": file, "command": command}
    return _framed((file, "running"), data, f"{file}: running; this page needs scripts", _LIVE, "; connect-src 'self'")


def film_page(film: Mapping[str, object], text: str = "", command: str = "") -> str:
    """The page of a recorded run (``report.recording``), which plays it step by step; ``command`` records it again."""
    return _framed((str(film["title"]), str(film["verdict"])), {"film": film, "command": command}, text, _FILM)


def bench_page(title: str, data: Mapping[str, object], text: str = "") -> str:
    """The page of a comparison: runs, contestants in their order, and the limit in seconds."""
    return _framed((title, ""), data, text, _BENCH)


def _framed(head: tuple[str, str], data: Mapping[str, object], text: str, scripts: Sequence[str], more: str = "") -> str:
    """The frame with its style, its data, and the scripts, of which the last begins to work.

    ``head`` is what the page is about, and a word on it: a browser paints it before it has read the data.
    """
    style, script = _part("page.css"), "\n".join(map(_part, scripts))
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'{more}"
    title, word = map(in_html, head)
    first = f'<h1>{title}</h1><p class="faint">{word}</p>'
    plain = "<br>".join(map(in_html, text.split("\n")))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="generator" content="Lemmata">',
            f"<title>{': '.join(filter(None, (title, word)))}</title><style>{style}</style></head>",
            f'<body><main id="page">{first}<noscript><pre>{plain}</pre></noscript></main>',
            f'<script type="application/json" id="data">{in_script(data)}</script>',
            f"<script>{script}</script></body></html>",
        ]
    )


def quoted_file(document: Mapping[str, object]) -> PageParts:
    """The digest of the file that a result is about, and its text where the result is about lines; it is read again."""
    try:
        data = Path(str(document["file"])).read_bytes()
    except (OSError, ValueError):  # it was a pipe, or is gone
        return {}
    source = data.decode("utf-8", "replace") if _wants_source(document, len(data)) else ""
    return {"source": source, "digest": sha256(data).hexdigest()}


def _wants_source(document: Mapping[str, object], size: int) -> bool:
    """Is the result about lines of a file of this many bytes, and is it not too long to be shown?"""
    props = document["properties"]
    assert isinstance(props, list)
    return size <= _QUOTED and any((p["trace"] or {}).get("facts") or (p["invariant"] or {}).get("places") for p in props)


@cache
def _part(name: str) -> str:
    return (files("lemmata.report.page") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
