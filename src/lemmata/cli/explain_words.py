"""``lemmata explain --preset word``: what word-level PDR learns, and pictures of its frames."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.certify.words.invariant import SOLVERS
from lemmata.config import ThesisOptions, WordOptions
from lemmata.engines.pdr.word.engine import Snapshot, WordPdr
from lemmata.errors import GaveUp, UsageError
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.report.digest import Digest
from lemmata.report.lines import Line, Tell, count
from lemmata.report.pictures import Scene, draw_frames, make_room, plane_of, scene
from lemmata.run.kinds import is_inexact
from lemmata.transforms.system.arrays import TooLarge
from lemmata.transforms.system.blast import without_arrays
from lemmata.transforms.system.cone import WordBack
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


@dataclass(frozen=True, slots=True)
class View:
    """How the run is shown: the reasoning unit, and where pictures go."""

    unit: Literal["integer-cube", "polytope", "mixed"] = "polytope"
    plot: Path | None = None
    thesis: ThesisOptions = field(default_factory=ThesisOptions)  # improvements of --preset thesis


def explain_words(graph: Graph, prop: int, max_steps: int, until: float, tell: Tell, view: View) -> str:
    """Tell the run and the verdict; the verdict's word."""
    system = system_of(graph)
    if system is None:
        raise UsageError("only a transition system can be explained so: this model has several locations")
    try:
        reduction = without_arrays(system, [prop], abstract=False)
    except TooLarge as error:
        raise UsageError(f"word-level PDR cannot be shown here: {error}") from None
    digest = Digest(tell, max_steps)
    engine = WordPdr(reduction.system, digest, WordOptions(unit=view.unit))
    scenes: list[Scene] = []
    if view.plot is not None:
        plane_of(reduction.system.variables, engine.vocabulary.signed, [])  # refuse before the work
        make_room(view.plot)
        engine.watch = lambda shot: _film(shot, scenes, max_steps)
    verdict = _settle(engine, until)
    if digest.hidden:
        tell(Line(f"… and {count(digest.hidden, 'more step', 'more steps')}, which --max-steps would show", "faint"))
    word = conclude(graph, prop, _original(reduction.back, verdict), until, tell)
    if view.plot is not None:
        plane = plane_of(reduction.system.variables, engine.vocabulary.signed, scenes)
        paths = draw_frames(scenes, plane, view.plot)
        tell(Line(f"{count(len(paths), 'picture', 'pictures')} in {view.plot}"))
    return word


def _film(shot: Snapshot, scenes: list[Scene], most: int) -> None:
    now = scene(shot.frames, shot.obligation, shot.level)
    if len(scenes) < most and (not scenes or scenes[-1] != now):
        scenes.append(now)


def _settle(engine: WordPdr, until: float) -> Verdict:
    try:
        return engine.check(0, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _original(back: WordBack, verdict: Verdict) -> Verdict:
    match verdict:
        case Safe(WordInvariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(WordTrace() as trace):
            return Unsafe(back.trace(trace))
        case _:
            return verdict


def conclude(graph: Graph, prop: int, verdict: Verdict, until: float, tell: Tell, used: str = "") -> str:
    """Certify the verdict by solvers other than ``used``, and tell it with its evidence; its word."""
    solvers = checkers({used}, numbers=True) if used else SOLVERS
    if isinstance(verdict, Unsafe) and is_inexact(graph, verdict.trace):
        verdict = Unknown("incomplete")
    tell(Line())
    match verdict:
        case Safe(proof):
            by = certify_graph(graph, prop, verdict, solvers, until)
            tell(Line(f"safe: the invariant was checked by {by}", "safe"))
            for line in proof.describe().split("\n"):
                tell(Line(f"  {line}"))
        case Unsafe(trace):
            by = certify_graph(graph, prop, verdict, solvers, until)
            tell(Line(f"unsafe: the trace was checked by {by}", "unsafe"))
            for line in trace.describe().split("\n"):
                tell(Line(f"  {line}"))
        case Unknown(reason):
            tell(Line(f"unknown ({reason})", "unknown"))
    return verdict.word
