"""The whole flow on one page: load → transform → engine → way back → certify → read again.

``Flow.settle`` is the only way to a verdict, and nothing leaves it as one that ``certify`` did not accept on the model as the
front end read it, or that a second reader of the file contradicts. The second reader has a share of the time that the engine
had; when that is over there is no second opinion, and the verdict stands. What depends on the kind of model is behind
``World``.
"""

from __future__ import annotations

from time import monotonic

from lemmata import work
from lemmata.engines import Engine
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import Certified, Listener
from lemmata.frontends import load
from lemmata.models.aig import Aig, Property
from lemmata.run.evidence import files, in_notation
from lemmata.run.messages import Listed, Settled, Uncertified
from lemmata.run.second_reader import SecondReader
from lemmata.run.selection import not_checked, select
from lemmata.run.task import Model, Task
from lemmata.run.worlds import world_of
from lemmata.verdict import Safe, Unknown, Unsafe


class Flow:
    """One engine on one model; a *position* counts the properties that were asked for."""

    def __init__(self, task: Task, listener: Listener, model: Model | None = None) -> None:
        """``model`` is what the file says, where it was read already."""
        self._listener = listener
        self._keeps_proofs = task.config.as_read
        config = task.config
        if model is None:
            given = task.source
            model = (
                load(given, config.entry, config.dialect, design=config.design, c=config.c) if isinstance(given, str) else given
            )
        self._model = model
        self._wanted = task.wanted
        file = task.source if isinstance(task.source, str) and task.config.second_reader else None
        self._second_reader = SecondReader(file, model, config)
        self.chosen = select(model, task.config.property)
        self.not_checked = not_checked(model)
        self._world = world_of(model, task, [p.index for p in self.chosen], listener)
        self._spent = [0.0] * len(self.chosen)  # on the work clock
        self._seconds = [0.0] * len(self.chosen)
        self.label = self._world.label
        self.fingerprint = self._world.fingerprint

    @property
    def engine(self) -> Engine:
        """The engine, once ``prepare`` has built it."""
        return self._world.engine

    @property
    def listed(self) -> Listed:
        """What was asked for, as the supervisor wants to know it."""
        asked = [p for p in self.chosen if not isinstance(p, Property)]
        return Listed(
            tuple((p.index, p.name) for p in self.chosen),
            self.fingerprint,
            self.label,
            self.not_checked,
            frozenset(p.index for p in asked if p.is_cover),
            tuple((p.index, p.place) for p in asked if p.place is not None),
            () if isinstance(self._model, Aig) or self._model.code is None else self._model.code.notes,
        )

    def prepare(self) -> None:
        """Reduce the model to what the chosen properties need, and build the engine on it."""
        self._world.prepare()

    def _is_inexact(self, verdict: Unsafe) -> bool:
        if isinstance(self._model, Aig):
            return False
        from lemmata.run.kinds import is_inexact

        return is_inexact(self._model, verdict.trace)

    def settle(self, position: int, until: float | None) -> Settled | Uncertified:
        """Settle one property; raises ``GaveUp`` where the engine gives up."""
        prop, started, began = self.chosen[position], monotonic(), work.now()
        try:
            verdict = self._world.engine.check(position, until)
        finally:
            self._spent[position] += work.now() - began
            self._seconds[position] += monotonic() - started
        if isinstance(verdict, Unknown):
            raise GaveUp(verdict.reason)
        try:
            if not (self._keeps_proofs and isinstance(verdict, Safe)):
                verdict = self._world.shorten(prop.index, verdict, self._spent[position])
            if isinstance(verdict, Unsafe) and self._is_inexact(verdict):
                raise GaveUp("incomplete")
            by = self._world.certify(prop.index, verdict)
            read_by = self._second_reader.read_by(prop.index, verdict, self._spent[position])
        except CertificateError as error:
            return Uncertified(prop.index, verdict, self.engine.name, str(error))
        verdict = in_notation(self._model, verdict)
        self._listener(Certified(prop.name, verdict.word, by, read_by))
        papers, seconds = files(self._model, prop.index, verdict, self._wanted), self._seconds[position]
        return Settled(prop.index, verdict, self.engine.name, self.engine.bound, seconds, papers, by, read_by)
