"""Graphs in the flow: the engines of a worker, and certification by solvers that the prover did not use, on the graph read."""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.engines import Engine
from lemmata.errors import Place, Unsupported, UsageError
from lemmata.events import Listener
from lemmata.models.graph import Graph
from lemmata.models.system import system_of
from lemmata.run.fingerprint import fingerprint
from lemmata.run.graph_engines import Workshop
from lemmata.run.graph_evidence import files
from lemmata.run.sides import Shares, side
from lemmata.run.task import Files, Task
from lemmata.verdict import Safe, Unsafe, Verdict


class GraphLevel:
    """One graph that is a transition system."""

    engine: Engine

    def __init__(self, graph: Graph, task: Task, chosen: Sequence[int], listener: Listener) -> None:
        system = system_of(graph)
        if system is None:
            raise Unsupported(Place(graph.file), "this is not a transition system: no engine works on it yet")
        if task.wanted.certificate in (".aag", ".aig"):
            raise UsageError(f"{graph.file} has words: its certificates are SMT-LIB formulas (.smt2, .txt), not circuits")
        if task.config.preset == "lia-textbook":
            raise UsageError(f"preset lia-textbook works on numbers (VMT, Horn clauses): {graph.file} has words")
        self._graph = graph
        self._task = task
        self._workshop = Workshop(graph, system, chosen, task.config, listener)
        self.label: str = task.engine
        self._shares: Shares | None = None
        if task.config.engine == "auto":
            self.label, self._shares = side(task.seat, task.seats)

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same graph."""
        return fingerprint(self._graph)

    def prepare(self) -> None:
        """Build the engine; what it needs is made in its first turn."""
        workshop = self._workshop
        self.engine = workshop.engine(self._task.engine) if self._shares is None else workshop.team(self._shares)

    def ask(self, position: int, until: float | None) -> Verdict:
        """The answer of an engine that answers about the graph."""
        return self.engine.check(position, until)

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Nothing is left to do: an engine's way back has done it."""
        return verdict

    def certify(self, prop: int, verdict: Safe | Unsafe) -> str:
        """By an SMT solver that the engine whose verdict this is does not use, or by evaluation."""
        return certify_graph(self._graph, prop, verdict, checkers(self._workshop.used[self.engine.name]), self._task.deadline)

    def files(self, prop: int, verdict: Safe | Unsafe) -> Files:
        """BTOR2 witnesses, SMT-LIB formulas."""
        return files(self._graph, verdict, self._task.wanted)
