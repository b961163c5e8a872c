"""What an engine learns, as it learns it: lines from the events of a run.

``Digest`` tells bounds and lemmas, which every engine has. ``GraphDigest`` tells what PDR on graphs does: levels, the
obligations that it meets and the lemmas that it learns, each with its location.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lemmata.escapes import printable
from lemmata.events import BoundReached, Event, LemmaLearned, Reduced
from lemmata.logic.build import build, conj, disj, negate
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.models.graph import Graph
from lemmata.report.explanation import DOUBTED, Explanation
from lemmata.report.explanation.formula import subscript
from lemmata.report.explanation.lines import ReportLine, TellLine, count
from lemmata.steps.bits import BitObligation
from lemmata.steps.given import Given
from lemmata.steps.graph import FixpointMet, InexactDerivation, Learned, ObligationMet, WalkEnded

_NODES = 200  # of a formula that is written out
_LITERALS = 40  # of a cube that are written out
_ORDERS = frozenset({"<=", "bvule", "bvsle"})


class Digest(Explanation):
    """Bounds and lemmas."""

    def __call__(self, event: Event) -> None:
        """Tell one event, if it is about the search."""
        line = self._line(event)
        if line is not None:
            self.steps += 1
            if self.steps <= self._most:
                self._tell(line)

    def _line(self, event: Event) -> ReportLine | None:
        match event:
            case Reduced(transform, inputs, latches, gates):
                size = f"{count(latches, 'latch', 'latches')}, {inputs} inputs, {gates} gates"
                return ReportLine(f"reduced by {transform}: {size}", "faint")
            case BoundReached(_, bound):
                return ReportLine(f"No bad state is reachable within {count(bound, 'step', 'steps')}.", "title")
            case BitObligation(literals, level, is_initial=is_initial):
                begins = ", which holds initially: a counterexample begins here" if is_initial else ""
                return ReportLine(f"  obligation at level {level}: {cube_text(literals)}{begins}", "query")
            case LemmaLearned(clause, level):
                return ReportLine(f"  lemma, good for {count(level, 'step', 'steps')}: {printable(clause)}", "frame")
            case _:
                return None


class GraphDigest(Digest):
    """Levels, obligations and lemmas with their locations; a lemma that was told before is not told again."""

    def __init__(self, tell: TellLine, most_steps: int) -> None:
        super().__init__(tell, most_steps)
        self._places: dict[str, str] = {}
        self._told: set[tuple[str, tuple[Term, ...], int | None]] = set()

    def _line(self, event: Event) -> ReportLine | None:
        match event:
            case Given(Graph() as graph):
                self._places = shown_places(graph)
                return None
            case BoundReached(_, bound):
                return ReportLine(f"Level {bound}: no derivation of the error is so deep.", "title")
            case ObligationMet(place, literals, level, is_guess):
                kind = "a guess" if is_guess else "obligation"
                state = f"{self._place(place)} with {printable(infix(conj(with_equations(literals)), _NODES))}"
                return ReportLine(f"  {kind} at level {level}: {state}", "query")
            case FixpointMet(level):
                same = f"{subscript('F', level)} and {subscript('F', level + 1)} are the same at every location"
                return ReportLine(f"{same}: a fix-point.", "title")
            case Learned(place, literals, level, is_pushed):
                known = place, literals, level
                if known in self._told:
                    return None
                self._told.add(known)
                how = "for ever" if level is None else f"up to level {level}"
                clause = printable(infix(disj([negate(x) for x in with_equations(literals)]), _NODES))
                return ReportLine(f"  {'pushed' if is_pushed else 'lemma'}, {how}, at {self._place(place)}: {clause}", "frame")
            case WalkEnded(edges):
                way = count(edges, "edge", "edges")
                return ReportLine(
                    f"A walk along {way} meets the error: it is deeper than the frames so far, and needs none.", "yes"
                )
            case InexactDerivation():
                return DOUBTED
            case _:
                return None

    def _place(self, name: str) -> str:
        return printable(self._places.get(name, name))


def cube_text(literals: Sequence[str]) -> str:
    """A cube of bits, cut where it is long."""
    shown = " ∧ ".join(map(printable, literals[:_LITERALS])) or "true"
    return shown if len(literals) <= _LITERALS else f"{shown} ∧ … ({len(literals)} literals)"


def shown_places(graph: Graph) -> dict[str, str]:
    """The locations for people, by their names; several of one statement are told apart by these."""
    counts = Counter(place.shown for place in graph.locations)
    return {
        place.name: f"{place.name} ‹{place.words}›" if place.words and counts[place.shown] > 1 else place.shown
        for place in graph.locations
    }


def with_equations(literals: Sequence[Term]) -> list[Term]:
    """The same conjunction with ``a = b`` in the place of ``a ≤ b`` and ``b ≤ a``."""
    found, left = list[Term](), list(dict.fromkeys(literals))
    while left:
        literal = left.pop(0)
        back = next((x for x in left if literal.op in _ORDERS and x.op == literal.op and x.args == literal.args[::-1]), None)
        if back is not None:
            left.remove(back)
            literal = build("=", literal.args)
        found.append(literal)
    return found
