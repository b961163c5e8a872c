"""Pages of results: ``--report``, ``--format html`` and ``lemmata view``."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import click
from click.exceptions import Exit

from lemmata.cli.codes import code_of
from lemmata.cli.command import PATH, argument, command
from lemmata.cli.files import reserve, write
from lemmata.cli.output import say
from lemmata.errors import InputError, Place
from lemmata.models.derivation import Derivation
from lemmata.report.advice import advice_on
from lemmata.report.drawing import Pictures, placed_drawing
from lemmata.report.page import PageParts, quoted_file, report_page
from lemmata.report.text import report
from lemmata.result import Result
from lemmata.run import Outcome
from lemmata.verdict import Unsafe


def result_page(result: Result, pictures: Pictures | None = None) -> str:
    """The page of a result that was just found."""
    document, parts = page_parts(result, pictures)
    return report_page(document, text=report(result), **parts)


def page_parts(result: Result, pictures: Pictures | None) -> tuple[dict[str, object], PageParts]:
    """The document of a result with advice, and the rest of its page; the file is read again, for its digest and its lines."""
    document = result.to_json()
    props = document["properties"]
    assert isinstance(props, list)
    for prop, found in zip(props, result.properties, strict=True):
        prop["advice"] = advice_on(found, result.time_s) or None
    pictures = pictures or Pictures()
    graph = None if pictures.drawing is None else placed_drawing(pictures.drawing, _path_edges(result))
    parts: PageParts = {**quoted_file(document), "command": this_call(), "graph": graph, "regions": pictures.regions}
    return document, parts


def _path_edges(result: Result) -> frozenset[int]:
    """The edges of the runs that the result has."""
    traces = [prop.verdict.trace for prop in result.properties if isinstance(prop.verdict, Unsafe)]
    return frozenset(fact.edge for trace in traces if isinstance(trace, Derivation) for fact in trace.facts)


def this_call() -> str:
    """The call of this program, as a shell would take it."""
    return shlex.join(["lemmata", *sys.argv[1:]]) if sys.argv else ""


def write_page(outcome: Outcome, path: Path, model: Path) -> None:
    """Write the page of a result, but not over the model."""
    write(path, result_page(outcome.result, outcome.pictures).encode("utf-8", "backslashreplace"), model)


@command
@argument("file", "A model, or a result that `--format json` wrote (.json).")
@click.option(
    "--out", "-o", type=PATH, metavar="PATH", help="Where to write the page. (default: a new file in the temporary folder)"
)
@click.option("--no-open", is_flag=True, help="Do not open it in a browser.")
@click.option("--timeout", type=float, metavar="S", default=60.0, help="Wall seconds for checking a model.")
@click.option("--property", "-p", "prop", metavar="N|NAME|all", default="all", help="Which property to check.")
def view_command(file: Path, out: Path | None, no_open: bool, timeout: float, prop: str) -> None:
    """Look at a result in a browser. A model is checked, or a result that was saved is taken, and shown as one page.

    \b
    Examples:
      lemmata view design.aag
      lemmata check program.bpl --format json > result.json; lemmata view result.json --out result.html --no-open

    \b
    Exit codes: those of `lemmata check`; of a saved result 0 shown, 2 wrong call or input.
    """
    if out is not None:
        reserve(out, file)
    code = 0
    if file.suffix.lower() == ".json":
        saved = _saved(file)
        page = report_page(saved, **quoted_file(saved))
    else:
        from lemmata import run
        from lemmata.run.options import make_config
        from lemmata.run.task import Wanted

        outcome = run.supervise(str(file), make_config(prop=prop, timeout=timeout), wanted=Wanted(drawing=True, details=True))
        page, code = result_page(outcome.result, outcome.pictures), code_of(outcome)
        say(outcome.result.verdict)
    path = out or _fresh()
    write(path, page.encode("utf-8", "backslashreplace"), file)
    say(f"wrote {path}")
    if not no_open:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
    if code:
        raise Exit(code)


def _fresh() -> Path:
    from tempfile import mkstemp

    handle, name = mkstemp(prefix="lemmata-", suffix=".html")
    os.close(handle)
    return Path(name)


def _saved(file: Path) -> Mapping[str, object]:
    """The result in a file, as far as the page relies on its shape."""
    from lemmata.frontends.files import read_bytes

    try:
        document = json.loads(read_bytes(file))
    except ValueError as error:
        raise InputError(Place(file), f"this is no JSON: {error}", "write it with --format json") from None
    keys, props = {"name", "verdict", "trace", "invariant"}, document.get("properties") if isinstance(document, dict) else None
    is_result = isinstance(props, list) and document.get("tool") == "lemmata" and {"file", "verdict"} <= document.keys()
    if not is_result or not all(isinstance(prop, dict) and keys <= prop.keys() for prop in props or ()):
        raise InputError(Place(file), "this is no result of one file", "write it with `lemmata check FILE --format json`")
    return cast("Mapping[str, object]", document)
