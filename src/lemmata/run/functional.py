"""Relational systems over words in the flow: VMT and Horn clauses that the engines on words and bits can work on.

``transforms.system.functional`` makes a system of them; its engines are those of BTOR2 (``graph_engines``). Answers come back
as claims and derivations, and are certified on the graph as it was read. K-induction that looks at paths without repeated
states has no evidence there, so a team does without it.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.engines import Engine
from lemmata.errors import UsageError
from lemmata.events import Listener
from lemmata.models.graph import Graph
from lemmata.models.invariant import KInductive
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.fingerprint import fingerprint
from lemmata.run.graph_engines import Workshop
from lemmata.run.lifted_evidence import files, with_lines
from lemmata.run.sides import side
from lemmata.run.task import Files, Task
from lemmata.transforms.system.functional import FunctionalReduction
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class FunctionalLevel:
    """One graph over words, by way of a system."""

    engine: Engine

    def __init__(
        self, graph: Graph, way: FunctionalReduction, system: System, task: Task, chosen: Sequence[int], listener: Listener
    ) -> None:
        if task.wanted.certificate in (".aag", ".aig"):
            raise UsageError(f"{graph.file} is no circuit: its certificates are SMT-LIB formulas (.smt2, .txt)")
        self._graph = graph
        self._back = way.back
        self._task = task
        self._workshop = Workshop(way.graph, system, chosen, task.config, listener)
        self.label: str = side(task.seat, task.seats)[0] if task.config.engine == "auto" else task.engine

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same graph."""
        return fingerprint(self._graph)

    def prepare(self) -> None:
        """Build the engine; what it needs is made in its first turn."""
        task = self._task
        if task.config.engine == "auto":
            shares = side(task.seat, task.seats)[1]
            self.engine = self._workshop.team({name: share for name, share in shares.items() if name != "kinduction"})
        else:
            self.engine = self._workshop.engine(task.engine)

    def ask(self, position: int, until: float | None) -> Verdict:
        """The engine's answer, as one about the graph as it was read."""
        verdict = self.engine.check(position, until)
        match verdict:
            case Safe(WordInvariant() as invariant):
                return Safe(self._back.invariant(invariant))
            case Safe(KInductive() as proof):
                evidence = self._back.kinductive(proof)
                return Unknown("incomplete") if evidence is None else Safe(evidence)
            case Unsafe(WordTrace() as trace):
                return Unsafe(with_lines(self._graph, self._back.trace(trace)))
        return verdict

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Nothing is left to do: an engine's way back has done it."""
        return verdict

    def certify(self, prop: int, verdict: Safe | Unsafe) -> str:
        """By an SMT solver that the engine whose verdict this is does not use, or by evaluation."""
        return certify_graph(self._graph, prop, verdict, checkers(self._workshop.used[self.engine.name]), self._task.deadline)

    def files(self, prop: int, verdict: Safe | Unsafe) -> Files:
        """Derivations, models of Horn clauses, formulas."""
        return files(self._graph, verdict, self._task.wanted)
