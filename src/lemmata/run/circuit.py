"""Circuits in the flow: reduce, build the engine, come back, certify with a SAT solver that the engine did not use.

K-inductiveness does not survive a reduction (the reduced circuit may owe it to latches that were found equal, or to a shorter
list of latches that must differ), so k-induction works on the circuit as it was read.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify import certify
from lemmata.config import TraceOptions
from lemmata.engines import Engine
from lemmata.engines.build import build
from lemmata.errors import UsageError
from lemmata.events import Listener
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.run.evidence import files, minimized, named
from lemmata.run.task import Files, Task
from lemmata.solvers.checker import Backend
from lemmata.transforms import WayBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class CircuitLevel:
    """One circuit."""

    engine: Engine

    def __init__(self, model: Aig, task: Task, chosen: Sequence[int], listener: Listener) -> None:
        _refuse_words(model, task)
        self.label: str = task.engine
        self._model = model
        self._task = task
        self._chosen = list(chosen)
        self._listener = listener
        self._back: WayBack | None = None

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same circuit."""
        model = self._model
        parts = model.nexts, model.resets, model.lefts, model.rights, model.outputs, model.bads, model.constraints
        return hash((model.inputs, *parts))

    def prepare(self) -> None:
        """Reduce the circuit to what the chosen properties need, and build the engine on it."""
        task = self._task
        reduced, self._asked = self._model, self._chosen
        if task.config.preprocess and task.engine != "kinduction":
            reduction = reduce(self._model, self._chosen, self._listener, light=task.engine == "bmc" or task.config.as_read)
            reduced, self._back, self._asked = reduction.model, reduction.back, list(range(len(self._chosen)))
        self.engine = build(task.engine, reduced, task.config, self._listener)

    def ask(self, position: int, until: float | None) -> Verdict:
        """The engine's answer about the circuit as it was read, in its names."""
        verdict = self.engine.check(self._asked[position], until)
        match verdict:
            case Unknown():
                return verdict
            case Safe(Invariant() as invariant) if self._back is not None:
                verdict = Safe(self._back.invariant(invariant))
            case Unsafe(Trace() as trace) if self._back is not None:
                verdict = Unsafe(self._back.trace(trace))
        return named(self._model, verdict)

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Fewer clauses."""
        return minimized(self._model, prop, verdict, spent)

    def certify(self, prop: int, verdict: Safe | Unsafe) -> str:
        """By a SAT solver, or by simulation."""
        checker: Backend = "glucose4" if self._task.config.pdr.backend == "cadical153" else "cadical153"
        return certify(self._model, prop, verdict, checker)

    def files(self, prop: int, verdict: Safe | Unsafe) -> Files:
        """AIGER witnesses, Certifaiger circuits, readable clauses."""
        return files(self._model, prop, verdict, self._task.wanted)


def _refuse_words(model: Aig, task: Task) -> None:
    config = task.config
    if config.engine == "word":
        raise UsageError(f"engine word works on words (BTOR2): {model.file} is a circuit of bits")
    if config.engine in ("lifted", "abstract", "symbolic", "accelerate", "traces") or config.preset == "lia-textbook":
        what = f"preset {config.preset}" if config.preset == "lia-textbook" else f"engine {config.engine}"
        raise UsageError(f"{what} works on graphs (VMT, Horn clauses, programs): {model.file} is a circuit of bits")
    if config.word is not None or config.lifted is not None or config.traces != TraceOptions():
        other = "word" if config.word is not None else "lifted" if config.lifted is not None else "traces"
        raise UsageError(f"units and techniques of engine {other} make no sense here: {model.file} is a circuit of bits")
    if task.wanted.certificate == ".smt2":
        raise UsageError("a certificate of a circuit is a circuit (.aag, .aig) or readable clauses (.txt, .inv), not .smt2")
