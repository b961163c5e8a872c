"""The whole flow on one page: load → transform → engine → way back → certify → read again.

``Flow.settle`` is the only way to a verdict, and nothing leaves it as one that ``certify`` did not accept on the model as the
front end read it, or that a second reader of the file contradicts. The second reader has a share of the time that the engine
had; when that is over there is no second opinion, and the verdict stands. What depends on the kind of model is behind
``Level``: ``circuit`` for bits, ``graph`` for words, ``functional`` for relations over words, ``lifted`` for graphs in general.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Protocol

from lemmata.engines import Engine
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import Certified, Listener
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.run.kinds import is_inexact, is_over_words, is_system_of_words
from lemmata.run.messages import Settled, Uncertified
from lemmata.run.second_reader import SecondReader
from lemmata.run.selection import not_checked, select
from lemmata.run.task import Files, Model, Task
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class Level(Protocol):
    """One model and the engine that works on it; ``position`` counts the properties that were asked for."""

    engine: Engine
    label: str  # how the worker is called

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same model."""
        ...

    def prepare(self) -> None:
        """Build the engine, on what the chosen properties need."""
        ...

    def ask(self, position: int, until: float | None) -> Verdict:
        """The engine's answer, about the model as it was read, in its names."""
        ...

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """A proof without redundant parts, as far as a small share of the time ``spent`` on it allows."""
        ...

    def certify(self, prop: int, verdict: Safe | Unsafe) -> str:
        """Who checked the evidence, or ``CertificateError``."""
        ...

    def files(self, prop: int, verdict: Safe | Unsafe) -> Files:
        """The evidence as the files that were asked for."""
        ...


class Flow:
    """One engine on one model; a *position* counts the properties that were asked for."""

    def __init__(self, task: Task, listener: Listener, model: Model | None = None) -> None:
        """``model`` is what the file says, where it was read already."""
        self._listener = listener
        self._keeps_proofs = task.config.as_read
        entry, dialect = task.config.entry, task.config.dialect
        if model is None:
            model = load(task.source, entry, dialect) if isinstance(task.source, str) else task.source
        self._model = model
        file = task.source if isinstance(task.source, str) and task.config.second_reader else None
        self._second_reader = SecondReader(file, model, dialect, task.deadline)
        self.chosen = select(model, task.config.property)
        self.not_checked = not_checked(model)
        self._level = _level(model, task, [p.index for p in self.chosen], listener)
        self._spent = [0.0] * len(self.chosen)
        self.label = self._level.label
        self.fingerprint = self._level.fingerprint

    @property
    def engine(self) -> Engine:
        """The engine, once ``prepare`` has built it."""
        return self._level.engine

    def prepare(self) -> None:
        """Reduce the model to what the chosen properties need, and build the engine on it."""
        self._level.prepare()

    def settle(self, position: int, until: float | None) -> Settled | Uncertified:
        """Settle one property; raises ``GaveUp`` where the engine gives up."""
        prop, started = self.chosen[position], monotonic()
        try:
            verdict = self._level.ask(position, until)
        finally:
            self._spent[position] += monotonic() - started
        if isinstance(verdict, Unknown):
            raise GaveUp(verdict.reason)
        try:
            if not (self._keeps_proofs and isinstance(verdict, Safe)):
                verdict = self._level.shorten(prop.index, verdict, self._spent[position])
            if isinstance(verdict, Unsafe) and is_inexact(self._model, verdict.trace):
                raise GaveUp("incomplete")
            by = self._level.certify(prop.index, verdict)
            read_by = self._second_reader.read_by(prop.index, verdict, self._spent[position])
        except CertificateError as error:
            return Uncertified(prop.index, verdict, self.engine.name, str(error))
        self._listener(Certified(prop.name, verdict.word, by, read_by))
        papers, spent = self._level.files(prop.index, verdict), self._spent[position]
        return Settled(prop.index, verdict, self.engine.name, self.engine.bound, spent, papers, by, read_by)


def _level(model: Model, task: Task, chosen: Sequence[int], listener: Listener) -> Level:
    if isinstance(model, Aig):
        from lemmata.run.circuit import CircuitLevel

        return CircuitLevel(model, task, chosen, listener)
    config = task.config
    if (
        config.engine not in ("lifted", "abstract", "symbolic", "accelerate", "traces")
        and config.preset != "lia-textbook"
        and is_over_words(model)
    ):
        if is_system_of_words(model):
            from lemmata.run.graph import GraphLevel

            return GraphLevel(model, task, chosen, listener)
        from lemmata.models.system import system_of
        from lemmata.transforms.system.functional import functional

        if (way := functional(model)) is not None and (system := system_of(way.graph)) is not None:
            from lemmata.run.functional import FunctionalLevel

            return FunctionalLevel(model, way, system, task, chosen, listener)
    from lemmata.run.lifted import LiftedLevel

    return LiftedLevel(model, task, chosen, listener)
