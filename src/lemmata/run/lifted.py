"""Graphs in general in the flow: numbers, several locations, clauses with several sources.

Each property has its own engines, on the part of the graph that it needs (``lifted_engines``). Proofs lose redundant lemmas and
are certified on the graph as it was read, by solvers that no engine here uses; derivations are replayed there by evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.minimize import minimize_claims, shorten_derivation
from lemmata.engines import Engine
from lemmata.errors import CertificateError, UsageError
from lemmata.events import Listener
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.evidence import minimizing_time
from lemmata.run.fingerprint import fingerprint
from lemmata.run.kinds import is_inexact
from lemmata.run.lifted_engines import EachProperty
from lemmata.run.lifted_evidence import files, with_lines
from lemmata.run.task import Files, Task
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class LiftedLevel:
    """One graph of any shape."""

    engine: Engine

    def __init__(self, graph: Graph, task: Task, chosen: Sequence[int], listener: Listener) -> None:
        if task.wanted.certificate in (".aag", ".aig"):
            raise UsageError(f"{graph.file} is no circuit: its certificates are SMT-LIB formulas (.smt2, .txt)")
        if task.config.preset == "textbook":
            raise UsageError(f"preset textbook works on bits: for {graph.file} there is lia-textbook")
        self._graph = graph
        self._task = task
        self._engines = EachProperty(graph, task, chosen, listener)
        self._answers: dict[int, Safe | Unsafe] = {}
        self._doubtful: set[int] = set()  # positions of properties that have no proof, and a derivation that shows nothing
        self._checked: dict[tuple[int, ...], str] = {}  # who checked the one proof of these properties
        self.label: str = self._engines.label

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same graph."""
        return fingerprint(self._graph)

    def prepare(self) -> None:
        """Nothing is built before its first turn."""
        self.engine = self._engines

    def ask(self, position: int, until: float | None) -> Verdict:
        """The answer of an engine about the graph; one that could not be certified in time is not sought again."""
        if position in self._answers:
            return self._answers[position]
        if position not in self._doubtful:
            verdict = self.engine.check(position, until)
            if isinstance(verdict, Unsafe) and is_inexact(self._graph, verdict.trace):
                self._doubtful.add(position)
        if position in self._doubtful:
            verdict = self._engines.exactly(position, until)
        if not isinstance(verdict, Unknown):
            self._answers[position] = verdict
        return verdict

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Fewer lemmas, fewer facts; derivations tell the lines of their clauses."""
        match verdict:
            case Safe(GraphInvariant() as invariant) if not self._engines.proved_by(invariant):
                with suppress(CertificateError):  # which is for the check to say
                    return Safe(minimize_claims(self._graph, prop, invariant, self._engines.solver, minimizing_time(spent)))
            case Unsafe(Derivation() as derivation):
                return Unsafe(with_lines(self._graph, shorten_derivation(self._graph, derivation)))
        return verdict

    def certify(self, prop: int, verdict: Safe | Unsafe) -> str:
        """By SMT solvers that no engine here uses, or by evaluation."""
        others = checkers({self._engines.solver}, numbers=True)
        if isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant):
            props = self._engines.proved_by(verdict.invariant)
            if prop in props:
                if props not in self._checked:
                    self._checked[props] = check_claims(self._graph, props, verdict.invariant, others, self._task.deadline)
                return self._checked[props]
        return certify_graph(self._graph, prop, verdict, others, self._task.deadline)

    def files(self, prop: int, verdict: Safe | Unsafe) -> Files:
        """Derivations, models of Horn clauses, formulas."""
        return files(self._graph, verdict, self._task.wanted)
