"""The whole flow on one page: load → transform → engine → way back → certify → read again.

Every verdict is made by one private method, ``_settled``: ``settle`` calls it for an engine's answer, ``_recall`` for evidence
of an earlier run, ``judge`` for evidence from another machine. Each has ``certify`` accept the evidence first, on the model as
the front end read it; ``_settled`` itself refuses what a second reader of the file contradicts. The second reader has a share
of the time that the engine had; when that is over there is no second opinion, and the verdict stands. What depends on the kind
of model is behind ``World``.

A proof is given up where nobody can check it, or not in time. Then the engine that made it is out for this property, and the
others go on; proofs that took too long are checked again later (``postponed``). A proof that is wrong stays an error.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from lemmata import work
from lemmata.budgets import CERTIFY_S
from lemmata.certify.journal import Journal
from lemmata.engines import Engine
from lemmata.engines.names import REUSE
from lemmata.engines.registry import AUTO, ENGINES
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import Certified, Listener
from lemmata.frontends import load
from lemmata.frontends.files import is_stream, read_bytes
from lemmata.models.aig import Aig, Property
from lemmata.proof_obligations import CheckedProof
from lemmata.run.evidence import files, in_notation
from lemmata.run.options.selection import not_checked, select
from lemmata.run.postponed import Candidate, PostponedProofs
from lemmata.run.processes.messages import Abandoned, Listed, Settled, Uncertified
from lemmata.run.second_reader import SecondReader
from lemmata.run.task import Model, Task
from lemmata.run.worlds import world_of
from lemmata.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from lemmata.report.drawing.control_flow import Drawing
    from lemmata.run.reuse import Reuse
    from lemmata.transforms.circuit import CircuitReduction
    from lemmata.transforms.graph import GraphReduction

_LINES = 8  # that a reason names
_DRAWN_PROOFS = 20  # whose regions are drawn


class Flow:
    """One engine on one model; a *position* counts the properties that were asked for."""

    def __init__(self, task: Task, listener: Listener, model: Model | None = None) -> None:
        """``model`` is what the file says, where it was read already."""
        self._listener = listener
        self._keeps_proofs = task.config.as_read and task.config.preset != "strong"
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
        self.pending = set(range(len(self.chosen)))  # positions that nobody has settled, here or elsewhere
        self.not_checked = not_checked(model)
        self._task = task
        self._world = world_of(model, task, [p.index for p in self.chosen], listener, pending=self.pending)
        self._reuse = self._opened_store()
        self._recalled: dict[int, Settled] = {}  # by position: what old evidence settles
        self._strengthening: CircuitReduction | GraphReduction | None = None  # by old lemmas
        self._spent = [0.0] * len(self.chosen)  # on the work clock
        self._seconds = [0.0] * len(self.chosen)
        self._postponed = [PostponedProofs() for _ in self.chosen]
        self._proofs = 0
        self._told: dict[
            int, tuple[Safe, Safe | Unsafe]
        ] = {}  # proofs that are told, by their identity: many properties may share one
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
            (*self._notes, *(() if self._reuse is None else self._reuse.notes)),
            self._drawing(),
            self._digest(),
        )

    def _digest(self) -> str:
        source = self._task.source
        if not self._wanted.details or not isinstance(source, str) or is_stream(source):
            return ""
        from hashlib import sha256

        return sha256(read_bytes(source)).hexdigest()

    def _drawing(self) -> Drawing | None:
        if not self._wanted.drawing or self._task.seat or isinstance(self._model, Aig):
            return None
        from lemmata.report.drawing.control_flow import drawn

        return drawn(self._model)

    @property
    def _notes(self) -> tuple[str, ...]:
        if isinstance(self._model, Aig):
            return ()
        return (*self._model.origin.notes, *(() if self._model.code is None else self._model.code.notes))

    def prepare(self) -> None:
        """Reduce the model to what the chosen properties need, and build the engine on it; old evidence is tried before."""
        if self._reuse is not None:
            self._recall(self._reuse)
        self._world.prepare()

    def _opened_store(self) -> Reuse | None:
        folder = self._task.config.reuse
        if folder is None:
            return None
        from lemmata.run.reuse import Reuse

        return Reuse(folder, self._model, self.chosen, self._world.fingerprint)

    def _recall(self, reuse: Reuse) -> None:
        """Settle what old evidence settles; for the rest old lemmas that are inductive become constraints."""
        from lemmata.run.worlds.recheck import rechecked

        for position, prop in enumerate(self.chosen):
            began = monotonic()
            for verdict in reuse.verdicts(position):
                if self._is_inexact(verdict):
                    continue
                if by := rechecked(self._model, prop.index, verdict):
                    with suppress(CertificateError):
                        self._recalled[position] = self._settled(position, verdict, by, REUSE, -1, monotonic() - began)
                        break
        left = [position for position in range(len(self.chosen)) if position not in self._recalled]
        config = self._task.config
        is_kinductive = config.engine != AUTO and ENGINES[config.engine].is_kinductive
        if left and config.preset == "strong" and not (config.record or is_kinductive):
            self._strengthening = reuse.strengthened(left)
        if self._strengthening is not None:
            indices = [p.index for p in self.chosen]
            self._world = world_of(self._strengthening.model, self._task, indices, self._listener, self._model, self.pending)

    @property
    def why_incomplete(self) -> str:
        """Which lines of the file the model over-approximates, where that may be why nobody finds an answer."""
        if isinstance(self._model, Aig) or not self._model.origin.inexact:
            return ""
        edges = self._model.edges
        lines = sorted({line for number in self._model.origin.inexact if (line := edges[number].line) is not None})
        told = ", ".join(map(str, lines[:_LINES])) + (", …" if len(lines) > _LINES else "")
        return f"the model does more than line{'' if len(lines) == 1 else 's'} {told} of the file: no run through there counts"

    def _is_inexact(self, verdict: Safe | Unsafe) -> bool:
        """Is this a run that takes an edge which does more than the file says?"""
        if isinstance(self._model, Aig) or isinstance(verdict, Safe):
            return False
        from lemmata.run.worlds.classification import is_inexact

        return is_inexact(self._model, verdict.trace)

    def answered(self) -> set[int]:
        """The pending positions whose verdict takes no more work than its check."""
        return self._world.answered() | (self._recalled.keys() & self.pending)

    def settle(self, position: int, until: float | None) -> Settled | Uncertified:
        """Settle one property; raises ``GaveUp`` where the engine gives up."""
        if position in self._recalled:
            return self._recalled[position]
        until = work.FOREVER if until is None else until
        waiting = self._postponed[position]
        while True:
            candidate = self._candidate(position, until)
            is_proof = isinstance(candidate.verdict, Safe)
            is_last = not is_proof or not (waiting or self._world.has_others(position))
            patience = work.FOREVER if is_last else waiting.patience(self._spent[position])
            try:
                return self._judged(position, candidate, until, patience)
            except GaveUp as gave_up:
                if is_last and (candidate.is_new or gave_up.reason != "timeout"):
                    raise
                if candidate.is_new:
                    self._world.leave_out(position)
                if gave_up.reason == "timeout":
                    waiting.postpone(candidate, self._spent[position])
                if work.is_over(until):
                    raise GaveUp("timeout") from gave_up

    def _candidate(self, position: int, until: float) -> Candidate:
        """What an engine finds, or a proof that has waited long enough, or has nothing to wait for."""
        waiting = self._postponed[position]
        if not waiting:
            return self._found(position, until)
        if left := waiting.left(self._spent[position]):
            try:
                return self._found(position, min(until, work.now() + left))
            except GaveUp:
                if work.is_over(until):
                    raise
        return waiting.take()

    def _found(self, position: int, until: float) -> Candidate:
        """What an engine finds."""
        started, began = monotonic(), work.now()
        try:
            verdict = self._world.engine.check(position, until)
        finally:
            self._spent[position] += work.now() - began
            self._seconds[position] += monotonic() - started
        if isinstance(verdict, Unknown):
            raise GaveUp(verdict.reason)
        if self._strengthening is not None:
            from lemmata.run.reuse import without_strengthening

            verdict = without_strengthening(self._strengthening, verdict)
        return Candidate(verdict, self.engine.name, self.engine.bound, self._seconds[position])

    def _judged(self, position: int, candidate: Candidate, until: float, patience: float) -> Settled | Uncertified:
        """A verdict, made shorter where it is new, and certified within so much work; a wrong one is ``Uncertified``."""
        prop, verdict = self.chosen[position], candidate.verdict
        try:
            if candidate.is_new and not (self._keeps_proofs and isinstance(verdict, Safe)):
                verdict = self._world.shorten(prop.index, verdict, self._spent[position])
            if self._is_inexact(verdict):
                raise GaveUp("incomplete")
            journal = Journal() if self._wanted.details and isinstance(verdict, Safe) else None
            end = min(self._certify_until(until), work.now() + patience)
            by = self._world.certify(prop.index, verdict, end, journal)
            settled = self._settled(position, verdict, by, candidate.engine, candidate.bound, candidate.seconds)
            return settled if journal is None else self._with_details(settled, verdict, journal)
        except CertificateError as error:
            return Uncertified(prop.index, verdict, candidate.engine, str(error))

    def _with_details(self, settled: Settled, verdict: Safe | Unsafe, journal: Journal) -> Settled:
        """What pages and JSON tell beside a proof."""
        settled = replace(settled, checked=CheckedProof.of(journal.discharged))
        self._proofs += 1
        if not self._wanted.drawing or isinstance(self._model, Aig) or self._proofs > _DRAWN_PROOFS:
            return settled
        from lemmata.run.evidence.regions import regions

        return replace(settled, regions=regions(self._model, settled.prop, verdict))

    def judge(
        self, prop: int, verdict: Safe | Unsafe, engine: str, bound: int, seconds: float
    ) -> Settled | Uncertified | Abandoned:
        """What somebody else has found, certified and read again here as if it were our own."""
        from lemmata.run.worlds.recheck import recheck

        positions = [position for position, asked in enumerate(self.chosen) if asked.index == prop]
        if not positions:
            return Uncertified(prop, verdict, engine, "the file has no such property")
        self._spent[positions[0]] = seconds
        if self._is_inexact(verdict):
            return Abandoned(prop, "incomplete", engine, bound)
        try:
            by = recheck(self._model, prop, verdict)
            return self._settled(positions[0], verdict, by, engine, bound, seconds)
        except CertificateError as error:
            return Uncertified(prop, verdict, engine, str(error))
        except GaveUp as gave_up:
            return Abandoned(prop, gave_up.reason, engine, bound)

    def _certify_until(self, until: float) -> float:
        """Evidence of the last property may be checked for ever; others do not wait for it."""
        return max(until, work.now() + CERTIFY_S)

    def _settled(self, position: int, verdict: Safe | Unsafe, by: str, engine: str, bound: int, seconds: float) -> Settled:
        """Certified evidence is held against the file as others read it, kept, and told in the notation of the file."""
        prop = self.chosen[position]
        read_by = self._second_reader.read_by(prop.index, verdict, self._spent[position])
        trouble = self._reuse.keep(position, verdict) if self._reuse is not None else ""
        certified, verdict = verdict, self._in_notation(verdict)
        self._listener(Certified(prop.name, verdict.word, by, read_by))
        papers = files(self._model, prop.index, verdict, self._wanted)
        if self._wanted.evidence:
            papers = replace(papers, evidence=certified)
        if trouble:
            papers = replace(papers, missing=papers.missing or trouble)
        return Settled(prop.index, verdict, engine, bound, seconds, papers, by, read_by)

    def _in_notation(self, verdict: Safe | Unsafe) -> Safe | Unsafe:
        """What is told of one proof is one value, too."""
        if not isinstance(verdict, Safe):
            return in_notation(self._model, verdict)
        known = self._told.get(id(verdict.invariant))
        if known is None:
            known = self._told[id(verdict.invariant)] = verdict, in_notation(self._model, verdict)
        return known[1]
