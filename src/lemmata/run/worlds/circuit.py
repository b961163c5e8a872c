"""Circuits: reduce, build the engines, come back, certify with a SAT solver that no engine here uses.

K-inductiveness does not survive a reduction (the reduced circuit may owe it to latches that were found equal, or to a shorter
list of latches that must differ), so k-induction works on the circuit as it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from lemmata.budgets import JOINT_PROPERTIES, PDR_FIRST_LOOK_GATES
from lemmata.certify.circuit.check import certify, minimize
from lemmata.config import LiftedOptions, TraceOptions, WordOptions
from lemmata.engines import Engine
from lemmata.engines.interleave import InOrder, Interleave
from lemmata.engines.names import BMC, PDR
from lemmata.engines.registry import AUTO, ENGINES, ON_GRAPHS, Order, Shares, inductive, owner_of, team
from lemmata.errors import UsageError
from lemmata.events import Listener
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.run.evidence import minimizing_time
from lemmata.run.evidence.circuit import named
from lemmata.run.task import Model, Task
from lemmata.run.worlds.transformed import Route, Transformed
from lemmata.solvers.checker import Backend
from lemmata.solvers.native import is_native
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitBack, CircuitReduction
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe, Verdict

if TYPE_CHECKING:
    from lemmata.certify.journal import Journal
    from lemmata.run.worlds.joint_circuit import JointCircuitEngine

_LARGE_GATES = 50_000  # above which an error is looked for before the circuit is reduced


class CircuitWorld:
    """One circuit."""

    engine: Engine

    def __init__(
        self,
        model: Aig,
        task: Task,
        chosen: Sequence[int],
        listener: Listener,
        read: Model | None = None,
        pending: set[int] | None = None,
    ) -> None:
        _refuse_words(model, task)
        self._model = model
        self._read = read if isinstance(read, Aig) else model
        self._task = task
        self._chosen = list(chosen)
        self._pending = set(range(len(self._chosen))) if pending is None else pending
        self._joint: JointCircuitEngine | None = None  # where there are many properties
        self._listener = listener
        self.label = task.config.engine
        self._shares: Shares = {task.config.engine: 1.0}
        if task.config.engine == AUTO:
            self.label, self._shares = team("circuit", task.seat, task.seats, task.config.portfolio)
            if read is not None:
                self._shares = inductive(self._shares) or {PDR: 1.0}

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same circuit."""
        model = self._model
        parts = model.nexts, model.resets, model.lefts, model.rights, model.outputs, model.bads, model.constraints
        return hash((model.inputs, *parts))

    def prepare(self) -> None:
        """Reduce the circuit to what the chosen properties need; a large one is looked at first."""
        engines = [(partial(self._engine, name), share) for name, share in self._shares.items()]
        turns = Interleave(engines, is_on_bits=True, between=self._reduce)
        looks = self._first_looks()
        self.engine = turns
        for look in reversed(looks):
            self.engine = InOrder(Transformed("", look), self.engine)
        if self._is_joint():
            from lemmata.run.worlds.joint_circuit import JointCircuitEngine

            self._joint = JointCircuitEngine(self._model, self._pending, self._prover() if PDR in self._shares else None)
            self.engine = InOrder(Transformed("", partial(self._as_read, self._joint)), self.engine)
        elif not looks:
            self._reduce()

    def _is_joint(self) -> bool:
        """Are there many properties, and all of them are asked?"""
        config = self._task.config
        is_free = config.engine == AUTO and config.preset == "strong" and config.preprocess and not config.record
        return (
            is_free
            and JOINT_PROPERTIES <= len(self._chosen) == len(self._model.questions)
            and not self._shares.keys().isdisjoint((PDR, BMC))
        )

    def _prover(self) -> Callable[[Aig], Engine]:
        order = Order(self._task.config)
        return lambda part: ENGINES[PDR].builds["circuit"](part, order)

    def _reduce(self) -> None:
        """Before the engines have their turns: it is no engine's work."""
        if any(ENGINES[name].reduction != "none" for name in self._shares):
            _ = self._reduction

    def _first_looks(self) -> list[Callable[[], Route]]:
        """What is tried on the circuit as it was read, before it is reduced."""
        config, gates = self._task.config, self._model.gates
        if config.engine != AUTO:
            return []
        looks = []
        if PDR in self._shares and config.preprocess and gates <= PDR_FIRST_LOOK_GATES and is_native(config.pdr.backend):
            looks.append(self._look_by_pdr)
        if BMC in self._shares and gates > _LARGE_GATES:
            looks.append(self._look_by_bmc)
        return looks

    def _look_by_pdr(self) -> Route:
        from lemmata.engines.pdr.bit.first_look import PdrFirstLook, first_look_options

        config = replace(self._task.config, pdr=first_look_options(self._task.config.pdr))
        pdr = ENGINES[PDR].builds["circuit"](self._model, Order(config, self._listener))
        return self._as_read(PdrFirstLook(pdr, self._model.gates))

    def _look_by_bmc(self) -> Route:
        from lemmata.engines.circuit.first_look import FirstLook

        return self._as_read(FirstLook(self._model, self._listener))

    def _as_read(self, engine: Engine) -> Route:
        return _OnCircuit(engine, self._model, self._chosen, Chain())

    @cached_property
    def _reduction(self) -> CircuitReduction:
        """The circuit that the engines of a worker share."""
        if not self._task.config.preprocess:
            return CircuitReduction(self._model, Chain())
        from lemmata.transforms.circuit.reduce import reduce  # most circuits are settled before

        is_light = self._task.config.as_read or all(ENGINES[name].reduction == "light" for name in self._shares)
        return reduce(self._model, self._chosen, self._listener, light=is_light)

    def _engine(self, name: str) -> Engine:
        record, config = ENGINES[name], self._task.config

        def start() -> Route:
            order = Order(config, self._listener)
            if record.reduction == "none" or not config.preprocess:
                return _OnCircuit(record.builds["circuit"](self._model, order), self._model, self._chosen, Chain())
            reduced = self._reduction
            engine = record.builds["circuit"](reduced.model, order)
            return _OnCircuit(engine, self._model, range(len(self._chosen)), reduced.back)

        return Transformed("", start)

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Fewer clauses."""
        match verdict:
            case Safe() if self._joint is not None and self._joint.has_proved(prop):
                return verdict
            case Safe(Invariant() as invariant):
                return Safe(minimize(self._read, prop, invariant, minimizing_time(spent)))
        return verdict

    def answered(self) -> set[int]:
        """What is known of many properties."""
        return set() if self._joint is None else self._joint.answered

    def certify(self, prop: int, verdict: Safe | Unsafe, until: float, journal: Journal | None = None) -> str:
        """By a SAT solver, or by simulation."""
        checker: Backend = "glucose4" if self._task.config.pdr.backend == "cadical153" else "cadical153"
        return certify(self._read, prop, verdict, checker, until, journal)

    def has_others(self, position: int) -> bool:
        """No: checks of proofs on bits take less work than the proofs, whoever found them."""
        return False

    def leave_out(self, position: int) -> None:
        """Not asked for, as there are no others."""


@dataclass(frozen=True, slots=True)
class _OnCircuit:
    """By way of the reduced circuit."""

    engine: Engine
    model: Aig
    numbers: Sequence[int]
    reduction: CircuitBack

    def asked(self, position: int) -> int:
        """A reduced circuit has the chosen properties only."""
        return self.numbers[position]

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """From the reduced circuit to the one that was read, in its names."""
        match verdict:
            case Safe(Invariant() as invariant):
                verdict = Safe(self.reduction.invariant(invariant))
            case Unsafe(Trace() as trace):
                verdict = Unsafe(self.reduction.trace(trace))
        return named(self.model, verdict)


def _refuse_words(model: Aig, task: Task) -> None:
    config = task.config
    is_preset = config.preset in ON_GRAPHS
    if is_preset or (config.engine != AUTO and not ENGINES[config.engine].works_on("circuit")):
        what = f"preset {config.preset}" if is_preset else f"engine {config.engine}"
        has_words = not is_preset and ENGINES[config.engine].works_on("words")
        kinds = "words (BTOR2)" if has_words else "graphs (BTOR2, VMT, Horn clauses, programs)"
        raise UsageError(f"{what} works on {kinds}: {model.file} is a circuit of bits")
    chosen = {WordOptions: config.word is not None, LiftedOptions: config.lifted is not None}
    for options, is_chosen in (chosen | {TraceOptions: config.traces != TraceOptions()}).items():
        if is_chosen:
            what = f"units and techniques of engine {owner_of(options)}"
            raise UsageError(f"{what} make no sense here: {model.file} is a circuit of bits")
    if task.wanted.certificate == ".smt2":
        raise UsageError("a certificate of a circuit is a circuit (.aag, .aig) or readable clauses (.txt, .inv), not .smt2")
