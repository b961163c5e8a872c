"""Pages of results: ``--report``, ``--format html`` and ``lemmata view``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click
from click.exceptions import Exit

from lemmata.cli.call import this_call
from lemmata.cli.codes import code_of
from lemmata.cli.command import PATH, argument, command
from lemmata.cli.files import reserve, write
from lemmata.cli.output import say
from lemmata.errors import InputError, LemmataError, Place, UsageError
from lemmata.logic.terms import Term
from lemmata.logic.text import shown_name
from lemmata.logic.walk import variables
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.words import WordInvariant
from lemmata.report.drawing.control_flow import Drawing, Pictures, placed_drawing
from lemmata.report.page import PageParts, quoted_file, report_page
from lemmata.report.text import report
from lemmata.report.text.advice import advice_on
from lemmata.result import Result
from lemmata.run import Outcome
from lemmata.run.processes.limited import limited
from lemmata.verdict import Safe, Unsafe, Verdict


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
        prop["spoken"] = _spoken(found.verdict)
    pictures = pictures or Pictures()
    graph = None if pictures.drawing is None else placed_drawing(pictures.drawing, _path_edges(result))
    parts: PageParts = {**quoted_file(document), "command": this_call(), "graph": graph, "regions": pictures.regions}
    return document, parts


def _spoken(verdict: Verdict) -> list[list[str]] | dict[str, list[list[str]]] | None:
    """The variables of each formula of a proof, by location where it has some; ``None`` where formulas are clauses."""
    match verdict:
        case Safe(WordInvariant(lemmas)):
            return list(map(_names, lemmas))
        case Safe(GraphInvariant(claims)) | Safe(GraphKInductive(invariant=GraphInvariant(claims))):
            return {claim.place.name: list(map(_names, claim.lemmas)) for claim in claims if claim.lemmas}
    return None


def _names(lemma: Term) -> list[str]:
    return sorted({shown_name(v) for v in variables([lemma])})


def _path_edges(result: Result) -> frozenset[int]:
    """The edges of the runs that the result has."""
    traces = [prop.verdict.trace for prop in result.properties if isinstance(prop.verdict, Unsafe)]
    return frozenset(fact.edge for trace in traces if isinstance(trace, Derivation) for fact in trace.facts)


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
        page = report_page(saved, **_read_again(saved, timeout))
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


def _read_again(saved: Mapping[str, object], timeout: float) -> PageParts:
    """The lines and the graph of the file that a saved result is about, if it still is that file; else what is missing."""
    parts, known = quoted_file(saved), saved.get("sha256")
    if not parts or parts["digest"] != known:
        gone = "is not there" if not parts else "has no digest" if known is None else "has changed"
        subject = "the result" if parts and known is None else str(saved["file"])
        return {"remark": f"{subject} {gone}: source and control-flow graph are not shown"}
    try:
        drawing = limited(lambda: _drawn_again(saved), timeout, None)
    except LemmataError as error:
        return {**parts, "remark": f"the control-flow graph is not shown: {error}"}
    if not isinstance(drawing, Drawing):
        return parts
    return {**parts, "graph": placed_drawing(drawing, _saved_edges(saved))}


def _drawn_again(saved: Mapping[str, object]) -> Drawing | None:
    """The control-flow graph of the file, read with the options of the saved result."""
    from lemmata.config import COptions, DesignOptions, SourceClaim
    from lemmata.frontends import load
    from lemmata.models.aig import Aig
    from lemmata.report.drawing.control_flow import drawn

    options = cast("dict[str, Any]", saved.get("options") or {})
    try:
        design = DesignOptions(**_with_tuples(options.get("design", {})))
        told = _with_tuples(options.get("c", {}))
        c = COptions(**{**told, "claims": tuple([SourceClaim(**claim) for claim in told.get("claims", ())])})
    except (TypeError, AttributeError):
        raise UsageError("its options are those of another version") from None
    model = load(str(saved["file"]), options.get("entry"), options.get("dialect"), design=design, c=c)
    return None if isinstance(model, Aig) else drawn(model)


def _with_tuples(options: dict[str, Any]) -> dict[str, Any]:
    """Options as they were before they were JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def _saved_edges(saved: Mapping[str, object]) -> frozenset[int]:
    """The edges of the runs that a saved result has."""
    props = cast("list[dict[str, Any]]", saved["properties"])
    return frozenset(fact["edge"] for prop in props for fact in (prop["trace"] or {}).get("facts", ()))


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
