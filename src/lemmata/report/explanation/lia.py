"""The words of ``lemmata explain --preset lia-textbook``: the proposal's procedures by their names, with formulas spelled out.

``LiaExplainer`` listens to the steps and tells lines while the run goes on. After ``most_steps`` steps it only counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.logic.build import conj, negate
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.models.words import Values, listed
from lemmata.report.explanation import DOUBTED, Explanation
from lemmata.report.explanation.formula import subscript
from lemmata.report.explanation.lines import ReportLine, count
from lemmata.steps.graph import InexactDerivation
from lemmata.steps.lia import (
    InductiveCheck,
    LiaBlocking,
    LiaCube,
    LiaFrames,
    LiaPosed,
    LiaPropagation,
    LiaStep,
    LiaZeroCheck,
    PreImage,
)

_MOST_FRAMES = 8
_MOST_CUBES = 12
_NODES = 400  # of a formula that is written out


class LiaExplainer(Explanation):
    """Listens to steps and tells lines."""

    def __call__(self, event: Event) -> None:
        """Tell one step."""
        match event:
            case InexactDerivation():
                self._tell(DOUBTED)
            case LiaPosed() | LiaZeroCheck() | InductiveCheck() | PreImage() | LiaBlocking() | LiaPropagation():
                self.steps += not isinstance(event, LiaPosed)
                if self.steps <= self._most:
                    for line in _lines(event):
                        self._tell(line)

    def why_unknown(self, reason: str) -> str:
        """What stopped the run."""
        if reason == "incomplete":
            return "The preset is for graphs with one location and edges with one source, and formulas of a few cubes."
        return ""


def _lines(step: LiaStep) -> Iterator[ReportLine]:
    match step:
        case LiaPosed():
            yield from _posed(step)
        case LiaZeroCheck(state):
            yield ReportLine()
            yield ReportLine("Is an initial state bad?", "title")
            yield from _answer("I ∧ ¬P", state, "a counterexample without a step", "the first frame is F₀ = I")
        case InductiveCheck(level, state):
            yield ReportLine()
            yield ReportLine(f"PDR({level})", "title")
            frame = subscript("F", level)
            yield from _answer(f"{frame} ∧ T ∧ ¬P′", state, "leads to a bad state", f"on to Propagate({frame})")
        case PreImage():
            yield from _pre_image(step)
        case LiaBlocking():
            yield from _blocking(step)
        case LiaPropagation():
            yield from _propagation(step)
        case _:
            assert_never(step)


def _posed(step: LiaPosed) -> Iterator[ReportLine]:
    yield ReportLine(f"I = {_joined(step.initial)}", "frame")
    parts = step.transition.args if step.transition.op == "and" else (step.transition,)
    for position, part in enumerate(parts):
        yield ReportLine(f"{'T: ' if position == 0 else '   '}{_text(part)}", "frame")
    yield ReportLine(f"P = {_joined([negate(conj(cube)) for cube in step.bad])}", "frame")


def _answer(letters: str, state: Values | None, yes: str, no: str) -> Iterator[ReportLine]:
    if state is None:
        yield ReportLine(f"  {letters}:  unsatisfiable; {no}.", "no")
    else:
        yield ReportLine(f"  {letters}:  satisfiable; ({printable(listed(state))}) {yes}.", "yes")


def _pre_image(step: PreImage) -> Iterator[ReportLine]:
    goal = "¬P" if step.goal is None else _joined(step.goal)
    yield ReportLine(
        f"  The pre-image of {goal} in {subscript('F', step.level)}, as {count(len(step.cubes), 'cube', 'cubes')}:"
    )
    for cube in step.cubes[:_MOST_CUBES]:
        yield ReportLine(f"    {_joined(cube)}", "query")
    if (more := len(step.cubes) - _MOST_CUBES) > 0:
        yield ReportLine(f"    … and {more} more", "faint")


def _blocking(step: LiaBlocking) -> Iterator[ReportLine]:
    yield ReportLine()
    yield ReportLine(f"  Block(⟨s, {step.level}⟩) with s = {_joined(step.cube)}", "title")
    if step.is_initial:
        yield ReportLine("    I ∧ s:  satisfiable; an initial state leads to a bad one. P does not hold.", "yes")
        return
    for level in step.failed:
        yield ReportLine(f"    {subscript('F', level)} ∧ ¬s ∧ T ∧ s′:  satisfiable", "yes")
    if step.held is None:
        yield ReportLine("    Even F₀ reaches s, and s leads to a bad state. P does not hold.", "yes")
        return
    frame = subscript("F", step.held)
    yield ReportLine(f"    {frame} ∧ ¬s ∧ T ∧ s′:  unsatisfiable, already because of {_joined(step.lemma)}", "no")
    last = min(step.held + 1, len(step.frames) - 1)
    where = subscript("F", 1) if last == 1 else f"{subscript('F', 1)} … {subscript('F', last)}"
    yield ReportLine(f"    {_text(negate(conj(step.lemma)))} is added to {where}:")
    yield from _frames(step.frames)


def _propagation(step: LiaPropagation) -> Iterator[ReportLine]:
    new = len(step.frames) - 1
    last, frame = subscript("F", new - 1), subscript("F", new)
    yield ReportLine()
    yield ReportLine(f"  Propagate({last}): {frame} begins as P", "title")
    for formula in step.kept:
        yield ReportLine(f"    {_text(formula)} still holds one step later: {frame} gets it", "no")
    for formula in step.lost:
        yield ReportLine(f"    {_text(formula)} need not hold one step later", "yes")
    yield from _frames(step.frames)
    if step.is_fixpoint:
        yield ReportLine(f"    {frame} and {last} are the same states: P is valid.")


def _frames(frames: LiaFrames) -> Iterator[ReportLine]:
    shown = list(enumerate(frames))
    if len(shown) > _MOST_FRAMES:
        yield ReportLine(f"      … {count(len(shown) - _MOST_FRAMES, 'frame', 'frames')} before these", "faint")
    for level, frame in shown[-_MOST_FRAMES:]:
        yield ReportLine(f"      {subscript('F', level)} = {_joined(frame)}", "frame")


def _joined(formulas: Sequence[Term] | LiaCube) -> str:
    """The formulas with ∧ between them; disjunctions in parentheses."""
    parts = [f"({_text(f)})" if f.op == "or" and len(formulas) > 1 else _text(f) for f in formulas]
    return " ∧ ".join(parts) or "true"


def _text(formula: Term) -> str:
    return printable(infix(formula, _NODES))
