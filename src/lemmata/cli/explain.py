"""``lemmata explain``: a run of PDR step by step, for people.

The run is that of ``lemmata check`` with one engine, recorded: the same flow with the same certification, in this process, and
with an explanation (``report``) among its listeners. ``--preset textbook`` shows every query of the algorithm of the lectures,
``strong`` what the engine of ``lemmata check`` learns, ``word`` the same of word-level PDR, and ``--plot`` draws its frames.
Graphs over numbers (VMT-LIB, Horn clauses, programs) have ``strong`` (PDR on graphs), ``lia-textbook``, ``thesis``, and
``traces`` (trace abstraction).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import click
from click.exceptions import Exit
from rich.text import Text

from lemmata.cli.call import this_call
from lemmata.cli.codes import BROKEN, SAFE, UNKNOWN, UNSAFE
from lemmata.cli.command import PATH, argument, choice, command
from lemmata.cli.files import reserve, write
from lemmata.cli.output import complain, is_rich, rich_console
from lemmata.cli.output import tell as tell_line
from lemmata.cli.reading import Reading, reading_options
from lemmata.cli.watched import watched
from lemmata.config import Config, COptions, ExplainPresetName, UnitName
from lemmata.engines import names
from lemmata.engines.names import LIA_TEXTBOOK, TEXTBOOK, THESIS, TRACES, WORD
from lemmata.engines.registry import AUTO, CHOICES, ENGINES, PDR_ON
from lemmata.errors import GaveUp, UsageError
from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.report.drawing.frames import Film
from lemmata.report.explanation import Explanation
from lemmata.report.explanation.conclusion import conclusion
from lemmata.report.explanation.lemmas import Digest, GraphDigest
from lemmata.report.explanation.lia import LiaExplainer
from lemmata.report.explanation.lines import ReportLine, TellLine, count
from lemmata.report.explanation.textbook import Explainer
from lemmata.report.explanation.thesis import ThesisExplainer
from lemmata.report.explanation.traces import TraceExplainer
from lemmata.report.page import film_page
from lemmata.report.recording import Recording
from lemmata.report.recording.lemmas import LemmaCamera
from lemmata.report.recording.lia import LiaCamera
from lemmata.report.recording.shots import Camera
from lemmata.report.recording.textbook import TextbookCamera
from lemmata.report.recording.thesis import ThesisCamera
from lemmata.report.recording.traces import TraceCamera
from lemmata.report.recording.words import WordCamera
from lemmata.report.text.terminal import LINE_STYLES
from lemmata.run.flow import Flow
from lemmata.run.options import make_config, megabytes, seconds
from lemmata.run.options.selection import AnyProperty, not_checked, select
from lemmata.run.processes.messages import Settled, Uncertified
from lemmata.run.task import Task
from lemmata.run.worlds.classification import is_system_of_words
from lemmata.steps.given import Given
from lemmata.values import dataclass
from lemmata.verdict import Unknown
from lemmata.work import FOREVER

MOST_LATCHES = {TEXTBOOK: 500, "strong": 20_000}
_AS_READ: tuple[ExplainPresetName, ...] = (TEXTBOOK, LIA_TEXTBOOK, THESIS)  # the run shall be the file's own
_ENGINES: Mapping[ExplainPresetName, tuple[str, ...]] = {  # those whose run a preset is
    **{preset: tuple(name for name in ENGINES if preset in ENGINES[name].presets) for preset in _AS_READ},
    "strong": (PDR_ON["circuit"], PDR_ON["graph"]),
    WORD: (PDR_ON["words"],),
    TRACES: (TRACES,),
}
_SMALL_PROGRAM = 60  # locations of a program whose run is told statement by statement
_CODES = {"safe": SAFE, "unsafe": UNSAFE, "unknown": UNKNOWN}


@dataclass(frozen=True, slots=True)
class View:
    """What is shown, and how; ``preset`` is by default the one that fits the model."""

    preset: ExplainPresetName | None = None
    prop: str = ""  # index or name; the first
    techniques: Sequence[str] = ()  # improvements of --preset thesis
    unit: str = "polytope"  # of --preset word
    plot: Path | None = None
    report: Path | None = None  # the film of the run, as a page
    max_steps: int = 200
    c: COptions | None = None  # how a C program was read


@command
@argument("file", "The model: AIGER, BTOR2 or Verilog (words become bits), VMT-LIB, Horn clauses, Boogie, or C.")
@click.option(
    "--property", "-p", "prop", metavar="N|NAME", default="", show_default=False, help="Which one. (default: the first)"
)
@choice(
    "--preset",
    kind=get_args(ExplainPresetName),
    help="Every query of a textbook, the lemmas of the strong or of the word-level engine, or the traces of trace abstraction"
    " (default: textbook, or strong for VMT-LIB and Horn clauses)",
)
@choice("--engine", "-e", kind=CHOICES, help="The engine of the preset; there is nothing to choose")
@click.option("--technique", multiple=True, metavar="NAME", help="An improvement of --preset thesis; repeatable.")
@choice("--unit", kind=get_args(UnitName), help="The reasoning unit of --preset word (default: polytope)")
@click.option("--plot", type=PATH, metavar="DIR", help="Draw the frames over one or two words or integers, a picture per step.")
@click.option(
    "--report", type=PATH, metavar="PATH", help="Write the run as a page for browsers (.html), to be played step by step."
)
@click.option("--max-steps", type=click.IntRange(min=1), metavar="N", default=200, help="Show so many steps, then only count.")
@click.option("--timeout", type=click.FloatRange(min=0.1), metavar="S", default=60.0, help="Seconds for the run.")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for the run. (default: no limit)")
@reading_options
def explain_command(
    file: Path,
    prop: str,
    preset: ExplainPresetName | None,
    engine: str | None,
    technique: tuple[str, ...],
    unit: UnitName | None,
    plot: Path | None,
    report: Path | None,
    max_steps: int,
    timeout: float,
    memory: int | None,
    reading: Reading,
) -> None:
    """Run PDR step by step: each query, its answer, the frames after it.

    \b
    Examples:
      lemmata explain examples/thesis-2.3.1.aag
      lemmata explain examples/fifo.aag --property overflow --max-steps 20
      lemmata explain examples/arbiter-round-robin.aag --preset strong
      lemmata explain examples/welp/simple.btor2 --plot frames --unit integer-cube
      lemmata explain examples/thesis-2.3.2.aag --report film.html
      lemmata explain examples/lia/even.vmt --preset lia-textbook --max-steps 30
      lemmata explain examples/boogie/thesis-3.3.2.bpl --engine lifted --preset thesis

    \b
    Exit codes: 0 safe, 10 unsafe, 5 unknown, 2 wrong call or input, 130 interrupted.
    """
    limit = seconds(timeout)
    if unit is not None:
        preset = WORD
    if engine == TRACES:
        preset = preset or TRACES
    if engine is not None and engine not in _ENGINES[preset or "strong"]:
        raise UsageError(f"--preset {preset or 'strong'} is not a run of engine {engine}")
    if technique and preset != THESIS:
        raise UsageError("explain shows improvements of --preset thesis only: --technique is not for other presets")
    view = View(preset, prop, technique, unit or "polytope", plot, report, max_steps, reading.c)
    if report is not None:
        reserve(report, file)
    most = None if memory is None else megabytes(memory)
    code = watched(
        lambda: explained(load(file, design=reading.design, c=reading.c), view, FOREVER, _teller(), str(file)), limit, most
    )
    if code:
        raise Exit(code)


def _teller() -> TellLine:
    """Lines with colours on a terminal, plain ones elsewhere."""
    if not is_rich():
        return lambda line: tell_line(printable(line.text))
    console = rich_console(highlight=False, is_told=True)
    return lambda line: console.print(Text(printable(line.text), LINE_STYLES.get(line.style, "")), soft_wrap=True)


def explained(model: Aig | Graph, view: View, until: float, tell: TellLine, file: str | None = None) -> int:
    """Tell the run and the verdict; the exit code. ``file`` is what the model was read from."""
    recording = None if view.report is None else Recording(tell)
    tell = tell if recording is None else recording.tell
    prop = _choose(model, view.prop, tell)
    if view.plot is not None and isinstance(model, Aig):
        raise UsageError(
            f"--plot draws words and integers: {model.file} is a circuit of bits; --report film.html shows its run"
        )
    usual: ExplainPresetName = "strong" if _is_general(model) else TEXTBOOK if view.plot is None else WORD
    preset = view.preset or usual
    explanation = _explanation(preset, model, tell, view.max_steps)
    film = None if view.plot is None else Film(view.plot, view.max_steps)
    if recording is not None:
        recording.begin(_camera(preset, explanation), explanation)

    def heard(event: Event) -> None:
        if isinstance(event, Given):
            _tell_given(event, model, prop, preset, tell)
        explanation(event)
        if film is not None:
            film(event)
        if recording is not None:
            recording(event)

    config = config_of(model, preset, prop.index, view)
    flow = Flow(Task(file or model, config), heard, model)
    outcome = _settled(flow, until)
    if explanation.hidden:
        tell(ReportLine())
        tell(ReportLine(f"… and {count(explanation.hidden, 'more step', 'more steps')}, which --max-steps would show", "faint"))
    if isinstance(outcome, Uncertified):
        word = outcome.verdict.word
        complain(f"this is a bug, please report it: the {word} verdict was not certified: {printable(outcome.cause)}")
        return BROKEN
    if isinstance(outcome, Unknown):
        lines = conclusion(model, outcome, why=explanation.why_unknown(outcome.reason))
    else:
        lines = conclusion(model, outcome.verdict, outcome.by, outcome.read_by)
    for line in lines:
        tell(line)
    word = outcome.word if isinstance(outcome, Unknown) else outcome.verdict.word
    if film is not None:
        tell(ReportLine(_developed(film, view.plot)))
    if recording is not None and view.report is not None:
        page = film_page(recording.film(f"{model.file}, {prop.name}", word), recording.text, this_call())
        write(view.report, page.encode("utf-8", "backslashreplace"), Path(file or model.file))
        tell(ReportLine(f"wrote {view.report}"))
    return _CODES[word]


def _developed(film: Film, folder: Path | None) -> str:
    """How many pictures were drawn; fewer than there are where the time was over."""
    drawn = len(film.develop())
    if drawn < film.length:
        return f"{drawn} of {film.length} pictures in {folder}: the time is over, --timeout gives more of it"
    return f"{count(drawn, 'picture', 'pictures')} in {folder}"


def _settled(flow: Flow, until: float) -> Settled | Uncertified | Unknown:
    try:
        flow.prepare()
        return flow.settle(0, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def config_of(model: Aig | Graph, preset: ExplainPresetName, prop: int, view: View) -> Config:
    """The run of ``lemmata check`` that is recorded."""
    pairs = [text.partition("=") for text in view.techniques]
    strong = PDR_ON["graph" if _is_general(model) else "circuit"]
    config = make_config(
        engine={"strong": strong, WORD: PDR_ON["words"], TRACES: TRACES}.get(preset, AUTO),
        preset="strong" if preset in ("strong", WORD, TRACES) else preset,
        prop=prop,
        workers=1,
        technique={name: value or "true" for name, _, value in pairs},
        unit=view.unit if preset == WORD else None,
        c=view.c,
    )
    is_as_read = preset in _AS_READ or (preset in ("strong", TRACES) and _is_small_program(model))
    is_pictured = view.plot is not None or view.report is not None
    is_recorded = preset != WORD or is_pictured  # lemmas are told anyway; pictures of frames are costly
    return replace(config, record=is_recorded, as_read=is_as_read)


def _is_small_program(model: Aig | Graph) -> bool:
    """May the run be that of the program as it is written?"""
    return isinstance(model, Graph) and model.origin.kind in ("boogie", "c") and len(model.locations) <= _SMALL_PROGRAM


def _is_general(model: Aig | Graph) -> bool:
    """Is this for engines on graphs?"""
    return isinstance(model, Graph) and not is_system_of_words(model)


def _explanation(preset: ExplainPresetName, model: Aig | Graph, tell: TellLine, most: int) -> Explanation:
    match preset:
        case names.TEXTBOOK:
            return Explainer(tell, most)
        case names.LIA_TEXTBOOK:
            return LiaExplainer(tell, most)
        case names.THESIS:
            return ThesisExplainer(tell, most)
        case names.TRACES:
            return TraceExplainer(tell, most)
        case "strong" | names.WORD:
            return GraphDigest(tell, most) if preset == "strong" and _is_general(model) else Digest(tell, most)


def _camera(preset: ExplainPresetName, explanation: Explanation) -> Camera:
    """Who makes shots of the steps of this run."""
    match preset:
        case names.TEXTBOOK:
            assert isinstance(explanation, Explainer)
            return TextbookCamera(explanation.push_lines)
        case names.LIA_TEXTBOOK:
            return LiaCamera()
        case names.THESIS:
            return ThesisCamera()
        case names.TRACES:
            return TraceCamera()
        case "strong" | names.WORD:
            return WordCamera() if preset == WORD else LemmaCamera()


def _choose(model: Aig | Graph, wanted: str, tell: TellLine) -> AnyProperty:
    properties = select(model, wanted or "all")
    tell(ReportLine(f"{printable(model.file)}, property {printable(properties[0].name)}", "title"))
    if others := [printable(other.name) for other in properties[1:]]:
        more = ", …" if len(others) > 5 else ""
        tell(
            ReportLine(f"(the first of {len(properties)}; --property chooses another: {', '.join(others[:5])}{more})", "faint")
        )
    if rest := not_checked(model).describe():
        tell(ReportLine(f"(not checked: {rest})", "faint"))
    return properties[0]


def _tell_given(given: Given, model: Aig | Graph, prop: AnyProperty, preset: ExplainPresetName, tell: TellLine) -> None:
    """What the transforms have made of the model, where that is something else; what nobody can read is refused."""
    match given.model:
        case Aig(latches=latches):
            if latches > (limit := MOST_LATCHES[preset]):
                cause = f"nobody can read a {preset} run on the {latches} latches that {printable(prop.name)} depends on"
                raise UsageError(f"{cause} (the limit is {limit}); use `lemmata check`")
            if isinstance(model, Graph):
                tell(ReportLine("(words are shown bit by bit: x[3] is bit 3 of x)", "faint"))
        case Graph() as graph if isinstance(model, Graph) and graph is not model:
            if _size(model) != _size(graph):
                why = "facts that hold everywhere are put in, straight pieces become one edge"
                tell(ReportLine(f"simplified for PDR ({why}): {_size(model)} → {_size(graph)}", "faint"))


def _size(graph: Graph) -> str:
    return f"{count(len(graph.locations), 'location', 'locations')}, {count(len(graph.edges), 'edge', 'edges')}"
