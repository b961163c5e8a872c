"""``lemmata explain``: a run of PDR step by step, for people.

``--preset textbook`` runs the algorithm of the lectures and shows every query; ``--preset strong`` runs the engine of
``lemmata check`` and shows what it learns; ``--preset word`` does the same with word-level PDR (``explain_words``), and
``--plot`` draws its frames. Graphs over numbers (VMT-LIB, Horn clauses) have the presets ``strong`` (the default there: PDR on
graphs), ``lia-textbook`` (``explain_graph``) and ``thesis`` (``explain_thesis``). All verdicts are certified like any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path

import click
from click.exceptions import Exit
from rich.console import Console
from rich.text import Text

from lemmata.certify import certify
from lemmata.cli.choices import EngineChoice, Unit
from lemmata.cli.codes import BROKEN, SAFE, UNKNOWN, UNSAFE
from lemmata.cli.command import PATH, argument, choice, command
from lemmata.cli.explain_graph import explain_graph, explain_lia_textbook
from lemmata.cli.explain_thesis import ENGINES, explain_thesis, improvements
from lemmata.cli.explain_words import View, explain_words
from lemmata.cli.output import complain, is_rich, say
from lemmata.cli.watched import watched
from lemmata.engines import Engine
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.engines.pdr.textbook.bits import Textbook
from lemmata.errors import CertificateError, GaveUp, UsageError
from lemmata.escapes import printable
from lemmata.events import LemmaLearned
from lemmata.frontends import load
from lemmata.models.aig import Aig, Property
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.report.conclusion import conclusion
from lemmata.report.digest import Digest
from lemmata.report.explain import Explainer
from lemmata.report.lines import Line, Tell, count
from lemmata.run.kinds import is_system_of_words
from lemmata.run.options import megabytes, seconds
from lemmata.run.selection import AnyProperty, not_checked, select
from lemmata.transforms import WayBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class Preset(StrEnum):
    """Which run is explained."""

    textbook = "textbook"
    strong = "strong"
    word = "word"
    lia_textbook = "lia-textbook"
    thesis = "thesis"


MOST_LATCHES = {Preset.textbook: 500, Preset.strong: 20_000}
_ON_GRAPHS = {Preset.strong: explain_graph, Preset.lia_textbook: explain_lia_textbook}
_CODES = {"safe": SAFE, "unsafe": UNSAFE, "unknown": UNKNOWN}
_STYLES = {
    "title": "bold", "query": "cyan", "yes": "yellow", "no": "green", "faint": "dim",
    "safe": "bold green", "unsafe": "bold red", "unknown": "bold yellow",
}  # fmt: skip


@command
@argument("file", "The model: AIGER, BTOR2 (words become bits), VMT-LIB, or Horn clauses.")
@click.option(
    "--property", "-p", "prop", metavar="N|NAME", default="", show_default=False, help="Which one. (default: the first)"
)
@choice(
    "--preset",
    kind=Preset,
    help="Every query of a textbook, or the lemmas of the strong or of the word-level engine"
    " (default: textbook, or strong for VMT-LIB and Horn clauses)",
)
@choice("--engine", "-e", kind=EngineChoice, help="The engine of the preset; there is nothing to choose")
@click.option("--technique", multiple=True, metavar="NAME", help="An improvement of --preset thesis; repeatable.")
@choice("--unit", kind=Unit, help="The reasoning unit of --preset word (default: polytope)")
@click.option("--plot", type=PATH, metavar="DIR", help="Draw the frames of a system with two words, a picture per step.")
@click.option("--max-steps", type=click.IntRange(min=1), metavar="N", default=200, help="Show so many steps, then only count.")
@click.option("--timeout", type=click.FloatRange(min=0.1), metavar="S", default=60.0, help="Seconds for the run.")
@click.option("--memory", type=int, metavar="MB", help="Megabytes for the run. (default: no limit)")
def explain(
    file: Path,
    prop: str,
    preset: Preset | None,
    engine: EngineChoice | None,
    technique: tuple[str, ...],
    unit: Unit | None,
    plot: Path | None,
    max_steps: int,
    timeout: float,
    memory: int | None,
) -> None:
    """Run PDR step by step: each query, its answer, the frames after it.

    \b
    Examples:
      lemmata explain examples/thesis-2.3.1.aag
      lemmata explain examples/fifo.aag --property overflow --max-steps 20
      lemmata explain examples/arbiter-round-robin.aag --preset strong
      lemmata explain examples/welp/simple.btor2 --plot frames --unit integer-cube
      lemmata explain examples/lia/even.vmt --preset lia-textbook --max-steps 30
      lemmata explain examples/boogie/thesis-3.3.2.bpl --engine lifted --preset thesis

    \b
    Exit codes: 0 safe, 10 unsafe, 5 unknown, 2 wrong call or input, 130 interrupted.
    """
    limit = seconds(timeout)
    until = time.monotonic() + limit
    if plot is not None or unit is not None:
        preset = Preset.word
    if engine is not None and engine.value not in ENGINES.get(preset or "strong", ()):
        raise UsageError(f"--preset {preset or 'strong'} is not a run of engine {engine.value}")
    view = View(unit.value if unit else "polytope", plot, improvements(technique, preset or ""))
    most = None if memory is None else megabytes(memory)
    code = watched(lambda: explained(load(file), prop, preset, max_steps, until, _teller(), view), limit, most)
    if code:
        raise Exit(code)


def _teller() -> Tell:
    """Lines with colours on a terminal, plain ones elsewhere."""
    if not is_rich():
        return lambda line: say(printable(line.text))
    console = Console(highlight=False)
    return lambda line: console.print(Text(printable(line.text), _STYLES.get(line.style, "")), soft_wrap=True)


def explained(
    model: Aig | Graph, wanted: str, preset: Preset | None, max_steps: int, until: float, tell: Tell, view: View | None = None
) -> int:
    """Tell the run and the verdict; the exit code."""
    is_general = isinstance(model, Graph) and not is_system_of_words(model)
    if preset is None:
        preset = Preset.strong if is_general else Preset.textbook
    chosen = _choose(model, wanted, tell)
    check: Callable[[Safe | Unsafe], str]
    if is_general or preset in (Preset.lia_textbook, Preset.thesis):
        return _explained_graph(model, chosen.index, preset, max_steps, until, tell, view or View())
    if preset is Preset.word:
        return _explained_words(model, chosen.index, max_steps, until, tell, view or View())
    if isinstance(model, Graph):
        words = _Words(model, chosen.index, until, tell)
        circuit, prop, check = words.circuit, words.circuit.properties()[0], words.certify
    else:
        circuit, prop, check = model, model.properties()[chosen.index], partial(certify, model, chosen.index)
    run = _textbook if preset is Preset.textbook else _strong
    verdict = run(circuit, prop, max_steps, until, tell)
    try:
        checked_by = None if isinstance(verdict, Unknown) else check(verdict)
    except CertificateError as error:
        complain(f"this is a bug, please report it: the {verdict.word} verdict was not certified: {printable(str(error))}")
        return BROKEN
    for line in conclusion(circuit, verdict, checked_by):
        tell(line)
    return _CODES[verdict.word]


def _explained_words(model: Aig | Graph, prop: int, max_steps: int, until: float, tell: Tell, view: View) -> int:
    if not isinstance(model, Graph):
        raise UsageError(f"{printable(model.file)} is a circuit of bits: --preset word, --unit and --plot need words (BTOR2)")
    try:
        return _CODES[explain_words(model, prop, max_steps, until, tell, view)]
    except CertificateError as error:
        complain(f"this is a bug, please report it: the verdict was not certified: {printable(str(error))}")
        return BROKEN


def _explained_graph(
    model: Aig | Graph, prop: int, preset: Preset, max_steps: int, until: float, tell: Tell, view: View
) -> int:
    told: dict[Preset, Callable[[Graph, int, int, float, Tell], str]]
    told = {**_ON_GRAPHS, Preset.thesis: partial(explain_thesis, options=view.thesis)}
    if not isinstance(model, Graph) or preset not in told:
        kind = "a graph over numbers" if isinstance(model, Graph) else "a circuit of bits"
        raise UsageError(f"{printable(model.file)} is {kind}: --preset {preset} is not for it")
    try:
        return _CODES[told[preset](model, prop, max_steps, until, tell)]
    except CertificateError as error:
        complain(f"this is a bug, please report it: the verdict was not certified: {printable(str(error))}")
        return BROKEN


class _Words:
    """A graph as a circuit: the run is explained on bits, and its evidence is certified on words."""

    def __init__(self, graph: Graph, prop: int, until: float, tell: Tell) -> None:
        from lemmata.transforms.system.arrays import TooLarge
        from lemmata.transforms.system.blast import blast

        self._graph, self._prop, self._until = graph, prop, until
        try:
            self._blasted = blast(graph, [prop])
        except TooLarge as error:
            raise UsageError(f"only runs on bits can be explained, and {error}; use `lemmata check`") from None
        self.circuit = self._blasted.aig
        tell(Line("(words are shown bit by bit: x[3] is bit 3 of x)", "faint"))

    def certify(self, verdict: Safe | Unsafe) -> str:
        """Who checked the evidence about the words."""
        from lemmata.certify.graph.check import certify_graph

        match verdict:
            case Safe(Invariant() as invariant):
                verdict = Safe(self._blasted.invariant(invariant))
            case Unsafe(Trace() as trace):
                verdict = Unsafe(self._blasted.trace(trace))
        return certify_graph(self._graph, self._prop, verdict, until=self._until)


def _choose(model: Aig | Graph, wanted: str, tell: Tell) -> AnyProperty:
    properties = select(model, wanted or "all")
    tell(Line(f"{printable(model.file)}, property {printable(properties[0].name)}", "title"))
    if others := [printable(other.name) for other in properties[1:]]:
        more = ", …" if len(others) > 5 else ""
        tell(Line(f"(the first of {len(properties)}; --property chooses another: {', '.join(others[:5])}{more})", "faint"))
    if rest := not_checked(model).describe():
        tell(Line(f"(not checked: {rest})", "faint"))
    return properties[0]


def _textbook(model: Aig, prop: Property, max_steps: int, until: float, tell: Tell) -> Verdict:
    """Only the cone of the property is cut out: the run shall be the file's own."""
    reduction = reduce(model, [prop.index], light=True)
    _refuse_large(reduction.model, prop, Preset.textbook)
    explainer = Explainer(reduction.model, tell, max_steps)
    verdict = _settle(Textbook(reduction.model, steps=explainer), until)
    _tell_hidden(explainer.hidden, tell)
    return _original(reduction.back, verdict)


def _strong(model: Aig, prop: Property, max_steps: int, until: float, tell: Tell) -> Verdict:
    digest = Digest(tell, max_steps)
    reduction = reduce(model, [prop.index], digest)
    _refuse_large(reduction.model, prop, Preset.strong)
    smaller = reduction.model
    names = Invariant((), tuple(map(smaller.latch_name, range(smaller.latches))), smaller.first_latch)

    def learned(cube: Iterable[int], level: int) -> None:
        lits = tuple(sorted(2 * abs(x) | (x < 0) for x in cube))
        digest(LemmaLearned(names.clause_text(lits), level))

    engine = Pdr(smaller, digest)
    engine.loop.learned = learned
    verdict = _settle(engine, until)
    _tell_hidden(digest.hidden, tell)
    return _original(reduction.back, verdict)


def _refuse_large(model: Aig, prop: Property, preset: Preset) -> None:
    if model.latches > MOST_LATCHES[preset]:
        cause = f"nobody can read a {preset} run on the {model.latches} latches that {printable(prop.name)} depends on"
        raise UsageError(f"{cause} (the limit is {MOST_LATCHES[preset]}); use `lemmata check`")


def _settle(engine: Engine, until: float) -> Verdict:
    """The verdict; ``Unknown`` where the engine gives up."""
    try:
        return engine.check(0, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _tell_hidden(hidden: int, tell: Tell) -> None:
    if hidden:
        tell(Line())
        tell(Line(f"… and {count(hidden, 'more step', 'more steps')}, which --max-steps would show", "faint"))


def _original(back: WayBack, verdict: Verdict) -> Verdict:
    """The verdict's evidence on the circuit as it was read."""
    match verdict:
        case Safe(Invariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(Trace() as trace):
            return Unsafe(back.trace(trace))
        case _:
            return verdict
