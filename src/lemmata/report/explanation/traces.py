"""The words of ``lemmata explain --preset traces``: trace abstraction, trace by trace, each with its proof.

``TraceExplainer`` listens to the steps and tells lines while the run goes on. After ``most_steps`` traces it only counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from lemmata.escapes import printable
from lemmata.events import Event
from lemmata.logic.build import conj
from lemmata.logic.terms import Term
from lemmata.logic.text import infix
from lemmata.models.graph import Graph
from lemmata.report.drawing.dot import edge_texts
from lemmata.report.explanation import DOUBTED, Explanation
from lemmata.report.explanation.lemmas import with_equations
from lemmata.report.explanation.lines import ReportLine, TellLine, count
from lemmata.steps.given import Given
from lemmata.steps.graph import InexactDerivation
from lemmata.steps.traces import Refuted, RemainingTraces, TracePicked

_NODES = 200  # of a formula that is written out
_STEPS = 60  # of a trace that are told one by one


class TraceExplainer(Explanation):
    """Listens to steps and tells lines."""

    _graph: Graph  # comes with the first step

    def __init__(self, tell: TellLine, most_steps: int) -> None:
        super().__init__(tell, most_steps)
        self._picked: TracePicked | None = None
        self._traces = 0

    def __call__(self, event: Event) -> None:
        """Tell one step."""
        match event:
            case Given(Graph() as graph):
                self._graph = graph
            case InexactDerivation():
                self._tell(DOUBTED)
            case RemainingTraces() | TracePicked() | Refuted():
                self.steps += not isinstance(event, RemainingTraces)
                lines = list(self._lines(event))
                for line in lines if self.steps <= self._most else ():
                    self._tell(line)

    def _lines(self, step: RemainingTraces | TracePicked | Refuted) -> Iterator[ReportLine]:
        match step:
            case RemainingTraces():
                yield ReportLine()
                yield ReportLine(f"The automaton of all ways to the error has {_size(step)}.", "title")
            case TracePicked():
                self._picked = step
                self._traces += 1
                yield ReportLine()
                yield ReportLine(f"Trace {self._traces}: {count(len(step.edges), 'edge', 'edges')}", "title")
                yield from self._way(step)
                if step.is_feasible:
                    yield ReportLine("  It can be run: the error is reached.", "yes")
                else:
                    yield ReportLine("  It cannot be run.", "no")
            case Refuted():
                yield from self._refuted(step)

    def _way(self, step: TracePicked) -> Iterator[ReportLine]:
        for number, edge in enumerate(step.edges[:_STEPS]):
            joined = f"  (from {' and '.join(map(str, step.premises[number]))})" if len(step.premises[number]) > 1 else ""
            yield ReportLine(f"  {number}: {self._statement(edge)}{joined}", "query")
        if (more := len(step.edges) - _STEPS) > 0:
            yield ReportLine(f"  … and {more} more", "faint")

    def _refuted(self, step: Refuted) -> Iterator[ReportLine]:
        edges = () if self._picked is None else self._picked.edges
        yield ReportLine("  The proof, a formula after each edge:")
        for number, (formula, _) in enumerate(zip(step.proof[:_STEPS], edges, strict=False)):
            yield ReportLine(f"    after {number}: {_text(formula)}", "frame")
        if step.left.places:
            yield ReportLine(f"  Take away every trace that these formulas refute: what is left has {_size(step.left)}.")
        else:
            yield ReportLine(
                "  Take away every trace that these formulas refute: nothing is left. No way to the error can be run.", "no"
            )

    def _statement(self, edge: int) -> str:
        found = self._graph.edges[edge]
        line = "" if found.line is None else f"line {found.line}: "
        change = printable("; ".join(edge_texts(self._graph, found)) or "nothing changes")
        return f"{line}{change} → {printable(self._graph.locations[found.target].shown)}"


def _text(formula: Term) -> str:
    literals = formula.args if formula.op == "and" else (formula,)
    return printable(infix(conj(with_equations(literals)), _NODES))


def _size(left: RemainingTraces) -> str:
    return f"{count(len(left.places), 'state', 'states')} and {count(len(left.transitions), 'transition', 'transitions')}"
