"""The whole flow on one page: load → reduce → engine → way back → certify.

``Flow.settle`` is the only way to a verdict, and nothing leaves it as one that ``certify`` did not accept on the model as the
front end read it. K-inductiveness does not survive a reduction (the reduced circuit may owe it to latches that were found
equal, or to a shorter list of latches that must differ), so k-induction works on the circuit as it was read.
"""

from __future__ import annotations

from time import monotonic

from lemmata.certify import certify
from lemmata.engines.build import build
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import Certified, Listener
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.run.evidence import files, minimized, named
from lemmata.run.messages import Settled, Uncertified
from lemmata.run.selection import select
from lemmata.run.task import Task
from lemmata.solvers.checker import Backend
from lemmata.transforms import WayBack
from lemmata.transforms.reduce import reduce
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict


class Flow:
    """One engine on one circuit; a *position* counts the properties that were asked for."""

    def __init__(self, task: Task, listener: Listener) -> None:
        self._task = task
        self._listener = listener
        self.model = task.source if isinstance(task.source, Aig) else load(task.source)
        self.chosen = select(self.model, task.config.property)
        self._spent = [0.0] * len(self.chosen)
        self._back: WayBack | None = None

    def prepare(self) -> None:
        """Reduce the circuit to what the chosen properties need, and build the engine on it."""
        task, indices = self._task, [p.index for p in self.chosen]
        reduced, self._asked = self.model, indices
        if task.config.preprocess and task.engine != "kinduction":
            reduction = reduce(self.model, indices, self._listener, light=task.engine == "bmc")
            reduced, self._back, self._asked = reduction.model, reduction.back, list(range(len(indices)))
        self.engine = build(task.engine, reduced, task.config, self._listener)

    def settle(self, position: int, until: float | None) -> Settled | Uncertified:
        """Settle one property; raises ``GaveUp`` where the engine gives up."""
        prop, started = self.chosen[position], monotonic()
        try:
            verdict = self._original(self.engine.check(self._asked[position], until))
        finally:
            self._spent[position] += monotonic() - started
        try:
            verdict = minimized(self.model, prop.index, verdict, self._spent[position])
            by = certify(self.model, prop.index, verdict, self._checker())
        except CertificateError as error:
            return Uncertified(prop.index, verdict, self.engine.name, str(error))
        self._listener(Certified(prop.name, verdict.word, by))
        papers = files(self.model, prop.index, verdict, self._task.wanted)
        return Settled(prop.index, verdict, self.engine.name, self.engine.bound, self._spent[position], papers)

    def _original(self, verdict: Verdict) -> Safe | Unsafe:
        """The same verdict about the circuit as it was read, in its names."""
        if isinstance(verdict, Unknown):
            raise GaveUp(verdict.reason)
        match verdict:
            case Safe(Invariant() as invariant) if self._back is not None:
                verdict = Safe(self._back.invariant(invariant))
            case Unsafe(Trace() as trace) if self._back is not None:
                verdict = Unsafe(self._back.trace(trace))
        return named(self.model, verdict)

    def _checker(self) -> Backend:
        """A solver that the engine did not use."""
        return "glucose4" if self._task.config.pdr.backend == "cadical153" else "cadical153"
