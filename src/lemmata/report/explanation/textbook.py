"""The words of ``lemmata explain``: a run of the textbook algorithm in numbered steps, as a lecture would write them.

``Explainer`` listens to the steps and tells lines while the run goes on. Its shape is that of sections 2.3.1 and 2.3.2 of
Werner's thesis: the query in letters, the same query spelled out, its answer (an assignment, or what contradicts what), and
the frames afterwards. After ``most_steps`` steps it only counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from lemmata.events import Event
from lemmata.models.aig import Aig
from lemmata.report.explanation import Explanation
from lemmata.report.explanation.formula import Notation, subscript
from lemmata.report.explanation.lines import ReportLine, TellLine, count, ordinal
from lemmata.steps.given import Given
from lemmata.steps.textbook import (
    BitCube,
    BitFrame,
    Blocking,
    NextTransition,
    Posed,
    PosedObligation,
    Propagation,
    Push,
    Query,
    QueryAnswer,
    QuerySat,
    QueryUnsat,
    TextbookStep,
    ZeroCheck,
)

_MOST_LATCHES = 16  # lines of the transition relation
MOST_PUSHES = 16  # clauses of one propagation phase
_MOST_FRAMES = 8


class Explainer(Explanation):
    """Listens to steps and tells lines."""

    _model: Aig  # comes with the first step

    def __init__(self, tell: TellLine, most_steps: int) -> None:
        super().__init__(tell, most_steps)
        self._titles = 0
        self._phases = 0
        self._last: TextbookStep | None = None
        self._bad: tuple[BitCube, ...] = ()
        self._chain: list[PosedObligation] = []

    def __call__(self, event: Event) -> None:
        """Tell one step."""
        match event:
            case Given(Aig() as model):
                self._model, self._notation, self._functions = model, Notation(model), _reset_functions(model)
            case Posed():
                self._bad = event.bad
                self._show(event)
            case ZeroCheck() | NextTransition() | Blocking() | Propagation():
                self.steps += 1
                self._show(event)

    def why_unknown(self, reason: str) -> str:
        """What stopped the run."""
        if reason == "incomplete":
            return "The bad states, or the invariant, cannot be written as clauses over the latches alone: try `lemmata check`."
        return ""

    def _show(self, step: TextbookStep) -> None:
        lines = self._lines(step)
        self._last = step
        if self.steps <= self._most:
            for line in lines:
                self._tell(line)

    def _lines(self, step: TextbookStep) -> Iterator[ReportLine]:
        match step:
            case Posed():
                return self._posed(step)
            case ZeroCheck():
                return self._zero_check(step)
            case NextTransition():
                self._chain = [step.obligation] if step.obligation is not None else []
                return self._next_transition(step, again=isinstance(self._last, Blocking))
            case Blocking():
                is_new = not isinstance(self._last, Blocking)
                self._phases += is_new
                self._follow(step)
                return self._blocking(step, self._phases if is_new else None)
            case Propagation():
                return self._propagation(step)
            case _:
                assert_never(step)

    def _posed(self, step: Posed) -> Iterator[ReportLine]:
        text, model = self._notation, self._model
        yield ReportLine(f"{count(model.latches, 'latch', 'latches')}, {count(model.inputs, 'input', 'inputs')}", "faint")
        yield ReportLine(f"I = {text.clauses(step.initial.cubes)}", "frame")
        for latch, reset in self._functions[:_MOST_LATCHES]:
            yield ReportLine(f"   and {text.literal(latch)} = {text.function(reset)}", "frame")
        if more := self._functions[_MOST_LATCHES:]:
            yield ReportLine(f"   … and {count(len(more), 'more reset function', 'more reset functions')}", "frame")
        yield from self._transitions()
        yield ReportLine(f"P = {text.clauses(step.bad)}", "frame")
        yield ReportLine(f"  the states to avoid: ¬P = {text.some_cube(step.bad)}", "plain")

    def _transitions(self) -> Iterator[ReportLine]:
        text, model = self._notation, self._model
        shown = min(model.latches, _MOST_LATCHES)
        for position in range(shown):
            lead = "T: " if position == 0 else "   "
            function = text.function(model.nexts[position])
            yield ReportLine(f"{lead}{text.literal(model.latch_lit(position), primed=True)} = {function}", "frame")
        if model.latches > shown:
            yield ReportLine(f"   … and {model.latches - shown} more latches", "frame")
        for lit in model.constraints:
            yield ReportLine(f"   and only with {text.function(lit)}", "frame")

    def _zero_check(self, step: ZeroCheck) -> Iterator[ReportLine]:
        yield from self._title("check for a 0-counterexample")
        yield from self._question(step.query, step.answer, "I ∧ ¬P")
        if isinstance(step.answer, QuerySat):
            yield ReportLine("  An initial state is bad: a counterexample without a transition.")
        else:
            yield ReportLine("  No initial state is bad. The first frame is F₀ = I.")

    def _next_transition(self, step: NextTransition, again: bool) -> Iterator[ReportLine]:
        level = step.query.level
        frame = subscript("F", level)
        yield from self._title(f"{ordinal(level + 1)} transition{', again' if again else ''}")
        yield from self._question(step.query, step.answer, f"{frame} ∧ T ∧ ¬P′")
        if step.obligation is None:
            yield ReportLine(
                f"  No state of {frame} has a bad successor. There is no proof obligation: on to the propagation phase."
            )
        else:
            yield from self._obligation(step.obligation, "leads to a bad state")

    def _blocking(self, step: Blocking, phase: int | None) -> Iterator[ReportLine]:
        if phase is not None:
            yield from self._title(f"{ordinal(phase)} blocking phase")
        obligation = step.obligation
        before, state = subscript("F", obligation.level - 1), subscript("s", obligation.number)
        yield ReportLine(f"  Obligation ({state}, {obligation.level}): can {before} reach {state} in one step?")
        without = f" ∧ ¬{state}" if step.query.relative is not None else ""
        yield from self._question(step.query, step.answer, f"{before}{without} ∧ T ∧ {state}′")
        if step.predecessor is not None:
            yield from self._obligation(step.predecessor, f"leads to {state}")
            return
        yield ReportLine(f"  {state} is blocked: add the clause ¬{state} = {self._notation.clause(obligation.state)}.")
        yield from self._frames(step.frames, [i for i, frame in enumerate(step.frames) if obligation.state in frame.cubes])

    def _follow(self, step: Blocking) -> None:
        """Keep the chain of obligations that are not yet blocked."""
        while self._chain[-1] != step.obligation:
            self._chain.pop()
        if step.predecessor is not None:
            self._chain.append(step.predecessor)

    def _obligation(self, obligation: PosedObligation, why: str) -> Iterator[ReportLine]:
        state = subscript("s", obligation.number)
        yield ReportLine(f"  The state {state} = {self._notation.cube(obligation.state)} {why}.")
        if obligation.level == 0:
            path = " → ".join(subscript("s", one.number) for one in reversed(self._chain))
            yield ReportLine(f"  New proof obligation ({state}, 0). But {state} is initial: a counterexample, {path} → ¬P.")
        else:
            yield ReportLine(f"  New proof obligation ({state}, {obligation.level}).")

    def _propagation(self, step: Propagation) -> Iterator[ReportLine]:
        new = len(step.frames) - 1
        yield from self._title(f"{ordinal(new)} propagation phase")
        yield ReportLine(f"  New frame {subscript('F', new)} = P. Which clauses c still hold one step later?")
        for push in step.pushes[:MOST_PUSHES]:
            yield from self.push_lines(push)
        if more := step.pushes[MOST_PUSHES:]:
            kept = sum(isinstance(push.answer, QueryUnsat) for push in more)
            yield ReportLine(f"  … and {count(len(more), 'clause', 'clauses')} more, of which {kept} hold", "faint")
        if not step.pushes:
            yield ReportLine("  There is no clause to push.")
        yield ReportLine("  The frames are now")
        yield from self._frames(step.frames, range(len(step.frames)))
        yield ReportLine(f"  {_conclusion(step)}")

    def push_lines(self, push: Push) -> Iterator[ReportLine]:
        """The words of one push."""
        level, clause = push.query.level, self._notation.clause(push.cube)
        frame, above = subscript("F", level), subscript("F", level + 1)
        yield ReportLine(f"  c = {clause} of {frame}:")
        yield from self._question(push.query, push.answer, f"{frame} ∧ T ∧ ¬c′", indent="    ")
        if isinstance(push.answer, QueryUnsat):
            yield ReportLine(f"    Add c: {above} = {self._notation.frame(push.after)}", "frame")
        else:
            yield ReportLine(f"    {above} does not get c.")

    def _question(self, query: Query, answer: QueryAnswer, letters: str, indent: str = "  ") -> Iterator[ReportLine]:
        goal = query.goal if query.goal is not None else self._bad[0] if len(self._bad) == 1 else None
        spelled = self._conjunction(query, query.frame.cubes, goal)
        yield ReportLine(f"{indent}{letters}:  {'P ∧ ' if query.frame.has_property else ''}{spelled}", "query")
        yield ReportLine(indent + self._answer(query, answer), "yes" if isinstance(answer, QuerySat) else "no")

    def _answer(self, query: Query, answer: QueryAnswer) -> str:
        text = self._notation
        match answer:
            case QuerySat(state, bits, successor):
                after = f", {text.literals(successor, primed=True)}" if query.primed and successor else ""
                inputs = [self._model.input_lit(i) ^ 1 ^ bit for i, bit in enumerate(bits)]
                return f"satisfiable: ({text.literals(state)}{after})" + (
                    f" with inputs ({text.literals(inputs)})" if inputs else ""
                )
            case QueryUnsat(clauses, goal):
                if clauses is None:
                    return "unsatisfiable"
                return f"unsatisfiable, already because of {self._conjunction(query, clauses, goal)}"
            case _:
                assert_never(answer)

    def _conjunction(self, query: Query, clauses: Sequence[BitCube], goal: BitCube | None) -> str:
        """Clauses of the frame, then ¬s, T and the goal; I stands for its clauses where it has more than clauses."""
        text, prime = self._notation, "′" if query.primed else ""
        has_functions = query.level == 0 and bool(self._functions)
        relative = f"({text.clause(query.relative)})" if query.relative is not None else ""
        target = f"¬P{prime}" if goal is None else text.cube(goal, query.primed) if goal else ""
        rest = ("I" if has_functions else "", relative, "T" if query.primed else "", target)
        return text.conjunction(() if has_functions else clauses, *rest)

    def _frames(self, frames: Sequence[BitFrame], levels: Sequence[int]) -> Iterator[ReportLine]:
        shown = list(levels)
        if len(shown) > _MOST_FRAMES:
            yield ReportLine(f"    … {count(len(shown) - _MOST_FRAMES, 'frame', 'frames')} before these", "faint")
        for level in shown[-_MOST_FRAMES:]:
            text = "I" if level == 0 else self._notation.frame(frames[level])
            yield ReportLine(f"    {subscript('F', level)} = {text}", "frame")

    def _title(self, title: str) -> Iterator[ReportLine]:
        self._titles += 1
        yield ReportLine()
        yield ReportLine(f"{self._titles}. Step: {title}", "title")


def _reset_functions(model: Aig) -> list[tuple[int, int]]:
    """Latches whose reset is neither a constant nor a latch, with that reset: no clause says it."""
    resets = [(model.latch_lit(position), reset) for position, reset in enumerate(model.resets)]
    return [(latch, reset) for latch, reset in resets if reset > 1 and not model.first_latch <= reset >> 1 < model.first_gate]


def _conclusion(step: Propagation) -> str:
    last, new = subscript("F", len(step.frames) - 2), subscript("F", len(step.frames) - 1)
    if step.fixpoint is None:
        return f"{new} is not the same set of clauses as {last}: go on."
    lower, upper = subscript("F", step.fixpoint), subscript("F", step.fixpoint + 1)
    return f"{lower} and {upper} are the same: a fix-point. No step leaves it, and it implies P."
