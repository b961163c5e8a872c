"""Transition systems over words: BTOR2, and relations over words (VMT, Horn clauses) that are functions in disguise.

``transforms.system.functional`` makes a system of a relation; its answers come back as claims and derivations. All evidence is
certified on the graph as it was read, by solvers that the engine did not use.

PDR, BMC and k-induction work on the blasted circuit. Where arrays are too large to be spelled out, PDR works on an
abstraction (a proof there is a proof here; a run there may be none here, and then PDR gives up). The other two unroll, and what
is spelled out is spelled out at every step: with more than ``FEW_ARRAY_BITS`` in arrays they unroll words with an SMT solver.
Word-level PDR wants its arrays spelled out or abstracted like PDR.

K-induction demands different states, and a state is all bits of the words in the cone of influence: that is what the checker
takes for a state, and a bit-level cone would promise more than it grants. Of a relation it has no evidence where it looks at
paths without repeated states, so a team does without it there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from lemmata.budgets import JOINT_PROPERTIES, PDR_FIRST_LOOK_GATES
from lemmata.certify.circuit.minimize import minimize
from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.certify.words.minimize import minimize_words
from lemmata.certify.words.question import variables_of_interest as influence
from lemmata.config import WordOptions
from lemmata.engines import Engine
from lemmata.engines.interleave import InOrder, Interleave
from lemmata.engines.names import BMC, PDR
from lemmata.engines.registry import AUTO, ENGINES, EngineRecord, Order, inductive, team
from lemmata.errors import CertificateError, GaveUp, UsageError
from lemmata.events import Listener, Reduced
from lemmata.logic.terms import topological
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.system import System
from lemmata.models.trace import Trace
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.evidence import minimizing_time
from lemmata.run.evidence.graph import with_lines
from lemmata.run.task import Model, Task
from lemmata.run.worlds.fingerprint import fingerprint
from lemmata.run.worlds.transformed import Route, Transformed
from lemmata.solvers.native import is_native
from lemmata.transforms import Chain
from lemmata.transforms.circuit import CircuitBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.transforms.system.arrays import TooLarge, large_sorts
from lemmata.transforms.system.blast import Blasted, blast, width_of, without_arrays
from lemmata.transforms.system.cone import WordBack, WordReduction, reduce_system_cone
from lemmata.transforms.system.functional import FunctionalReduction
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

if TYPE_CHECKING:
    from lemmata.certify.journal import Journal
    from lemmata.run.worlds.joint_circuit import JointCircuitEngine

_LARGE_TERMS = 5_000  # above which an error is looked for before anything is reduced
_HAVOC_SHARE = 0.5  # of PDR's time, where there are arrays
WORD_SOLVER = "bitwuzla"  # of BMC and k-induction where the arrays stay arrays
FEW_ARRAY_BITS = 1 << 12  # of all arrays together, which may be spelled out at every step

Back = Callable[[Safe | Unsafe], Verdict]


class WordsWorld:
    """A graph that is a system over words, or becomes one by ``way``. ``used`` has the solvers of each engine, by its name."""

    engine: Engine

    def __init__(
        self,
        graph: Graph,
        system: System,
        task: Task,
        chosen: Sequence[int],
        listener: Listener,
        way: FunctionalReduction | None = None,
        read: Model | None = None,
        pending: set[int] | None = None,
    ) -> None:
        if task.wanted.certificate in (".aag", ".aig"):
            what = f"{graph.file} has words" if way is None else f"{graph.file} is no circuit"
            raise UsageError(f"{what}: its certificates are SMT-LIB formulas (.smt2, .txt), not circuits")
        self.used: defaultdict[str, set[str]] = defaultdict(set)
        self._read = read if isinstance(read, Graph) else graph
        self._way = way
        self._graph = graph if way is None else way.graph
        self._system = system
        self._task = task
        self._chosen = list(chosen)
        self._pending = set(range(len(self._chosen))) if pending is None else pending
        self._joint: JointCircuitEngine | None = None  # where there are many properties
        self._listener = listener
        self._blasted: Blasted | None = None
        self.label, self._shares = task.config.engine, {task.config.engine: 1.0}
        if task.config.engine == AUTO:
            self.label, shares = team("words", task.seat, task.seats, task.config.portfolio)
            self._shares = dict(shares if way is None and read is None else inductive(shares) or {PDR: 1.0})

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same graph."""
        return fingerprint(self._read)

    def prepare(self) -> None:
        """What an engine needs is made in its first turn."""
        engines = [pair for name, share in self._shares.items() for pair in self._engines(name, share)]
        self.engine = Interleave(engines, is_on_bits=all(ENGINES[name].works_on("circuit") for name in self._shares))
        for look in reversed(self._first_looks()):
            self.engine = InOrder(Transformed("", look), self.engine)
        if self._is_joint():
            self.engine = InOrder(Transformed("", self._joint_route), self.engine)

    def _is_joint(self) -> bool:
        """Are there many properties, bits for which are made at once?"""
        config = self._task.config
        is_free = config.engine == AUTO and config.preset == "strong" and config.preprocess and not config.record
        is_on_bits = PDR in self._shares and not (self._system.has_arrays and large_sorts(self._system, FEW_ARRAY_BITS))
        return is_free and len(self._chosen) >= JOINT_PROPERTIES and is_on_bits

    def _joint_route(self) -> Route:
        """All properties together, on the bits as they are."""
        from lemmata.run.worlds.joint_circuit import JointCircuitEngine

        for name in (PDR, BMC):
            self.used[name].add("pysat")
        blasted = self._blast()
        order = Order(self._task.config)
        self._joint = JointCircuitEngine(blasted.aig, self._pending, lambda part: ENGINES[PDR].builds["circuit"](part, order))
        return OnBits(self._joint, self._to_file, blasted, Chain(), is_short=True)

    def answered(self) -> set[int]:
        """What is known of many properties."""
        return set() if self._joint is None else self._joint.answered

    def _first_looks(self) -> list[Callable[[], Route]]:
        """What is tried before anything is reduced."""
        config = self._task.config
        if config.engine != AUTO or self._system.has_arrays:
            return []
        looks = [self._first_runs, self._look_by_bmc] if BMC in self._shares and self._is_large else []
        if PDR in self._shares and config.preprocess and not config.record and is_native(config.pdr.backend):
            looks.append(self._look_by_pdr)
        return looks

    @property
    def _is_large(self) -> bool:
        terms = topological(term for edge in self._graph.edges for term in (edge.guard, *edge.updates))
        return len(terms) > _LARGE_TERMS

    def _first_runs(self) -> Route:
        """Random runs on words, before there are any bits."""
        from lemmata.engines.words.random_runs import RandomWordRuns

        smaller = reduce_system_cone(self._system, self._chosen)
        return OnWords(RandomWordRuns(smaller.model), self._to_file, self._graph, self._chosen, smaller.back)

    def _look_by_pdr(self) -> Route:
        """PDR on the bits as they are; ``GaveUp`` where they are too many."""
        from lemmata.engines.pdr.bit.first_look import PdrFirstLook, first_look_options

        self.used[PDR].add("pysat")
        blasted, config = self._blast(), self._task.config
        if blasted.aig.gates > PDR_FIRST_LOOK_GATES:
            raise GaveUp("incomplete")
        order = Order(replace(config, pdr=first_look_options(config.pdr)), self._listener)
        pdr = ENGINES[PDR].builds["circuit"](blasted.aig, order)
        return OnBits(PdrFirstLook(pdr, blasted.aig.gates), self._to_file, blasted, Chain())

    def _look_by_bmc(self) -> Route:
        """BMC on the bits as they are, before the circuit is reduced."""
        from lemmata.engines.circuit.first_look import FirstLook

        self.used[BMC].add("pysat")
        blasted = self._blast()
        return OnBits(FirstLook(blasted.aig, self._listener), self._to_file, blasted, Chain())

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Nothing is left to do: an engine's way back has done it."""
        return verdict

    def certify(self, prop: int, verdict: Safe | Unsafe, until: float, journal: Journal | None = None) -> str:
        """By an SMT solver that the engine whose verdict this is does not use, or by evaluation."""
        return certify_graph(self._read, prop, verdict, checkers(self.used[self.engine.name]), until, journal)

    def has_others(self, position: int) -> bool:
        """No: checks of proofs on words take less work than the proofs, whoever found them."""
        return False

    def leave_out(self, position: int) -> None:
        """Not asked for, as there are no others."""

    def _engines(self, name: str, share: float) -> list[tuple[Callable[[], Engine], float]]:
        """The engine called ``name``; with arrays, PDR is two that take turns: on bits without them, and on all bits."""
        record = ENGINES[name]
        exact = partial(Transformed, name, partial(self._route, record))
        is_exact = record.works_on("words") or self._task.config.record
        if is_exact or not reduce_system_cone(self._system, self._chosen).model.has_arrays:
            return [(exact, share)]
        without = partial(Transformed, name, partial(self._without_arrays, record))
        return [(without, _HAVOC_SHARE * share), (exact, (1 - _HAVOC_SHARE) * share)]

    def _route(self, record: EngineRecord) -> Route:
        """On bits if there is a choice, unless that means to spell out large arrays at every step."""
        if not record.works_on("circuit"):
            return self._on_words(record)
        has_arrays = record.works_on("words") and self._system.has_arrays
        if has_arrays and large_sorts(reduce_system_cone(self._system, self._chosen).model, FEW_ARRAY_BITS):
            return self._on_words(record)
        return self._on_bits(record)

    def _on_bits(self, record: EngineRecord) -> Route:
        try:
            blasted = self._blast()
        except TooLarge as error:
            self._refuse_to_record(error)
            blasted = blast(self._graph, self._chosen, abstract=True)
        aig = blasted.aig
        self._listener(Reduced("words to bits", aig.inputs, aig.latches, aig.gates))
        return self._built(record, blasted)

    def _without_arrays(self, record: EngineRecord) -> Route:
        """On an abstraction in which memory may hold anything: few latches, and proofs carry over."""
        return self._built(record, blast(self._graph, self._chosen, abstract=True, bits=0))

    def _built(self, record: EngineRecord, blasted: Blasted) -> Route:
        self.used[record.name].add("pysat")
        config, aig = self._task.config, blasted.aig
        back: CircuitBack = Chain()
        states = states_of(blasted, self._system.has_arrays) if record.reduction == "none" else ()
        if record.reduction != "none" and config.preprocess:
            is_light = record.reduction == "light" or config.as_read
            reduction = reduce(aig, range(len(self._chosen)), self._listener, light=is_light)
            aig, back = reduction.model, reduction.back
        engine = record.builds["circuit"](aig, Order(config, self._listener, states=states))
        return OnBits(engine, self._to_file, blasted, back)

    def _blast(self) -> Blasted:
        if self._blasted is None:
            self._blasted = blast(self._graph, self._chosen)
        return self._blasted

    def _on_words(self, record: EngineRecord) -> Route:
        config = self._task.config
        solver = (config.word or WordOptions()).solver if WordOptions in record.options else WORD_SOLVER
        self.used[record.name].add(solver)
        smaller = self._scalar() if record.needs_scalars else reduce_system_cone(self._system, self._chosen)
        engine = record.builds["words"](smaller.model, Order(config, self._listener, solver=WORD_SOLVER))
        return OnWords(engine, self._to_file, self._graph, self._chosen, smaller.back)

    def _scalar(self) -> WordReduction:
        """What word-level PDR works on: no arrays, or an abstraction without them."""
        try:
            return without_arrays(self._system, self._chosen, abstract=False)
        except TooLarge as error:
            self._refuse_to_record(error)
            return without_arrays(self._system, self._chosen, abstract=True)

    def _refuse_to_record(self, error: TooLarge) -> None:
        """An abstraction is nothing to read."""
        if self._task.config.record:
            raise UsageError(f"such a run cannot be explained: {error}; use `lemmata check`") from None

    def _to_file(self, verdict: Safe | Unsafe) -> Verdict:
        """From the system to the graph as it was read."""
        if self._way is None:
            return verdict
        back = self._way.back
        match verdict:
            case Safe(WordInvariant() as invariant):
                return Safe(back.invariant(invariant))
            case Safe(KInductive() as proof):
                evidence = back.kinductive(proof)
                return Unknown("incomplete") if evidence is None else Safe(evidence)
            case Unsafe(WordTrace() as trace):
                return Unsafe(with_lines(self._read, back.trace(trace)))
        return verdict


@dataclass(frozen=True, slots=True)
class OnBits:
    """By way of the blasted circuit, and perhaps a smaller one."""

    engine: Engine
    to_file: Back
    blasted: Blasted
    reduction: CircuitBack
    is_short: bool = False  # proofs have nothing that is left out easily

    def asked(self, position: int) -> int:
        """The circuit has the chosen properties only."""
        return position

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """From the smaller circuit to the circuit to words; clauses are left out on bits, where that is cheaper."""
        match verdict:
            case Safe(Invariant() as invariant):
                invariant = self.reduction.invariant(invariant)
                if not self.is_short:
                    with suppress(CertificateError):  # which is for the check to say
                        invariant = minimize(self.blasted.aig, position, invariant, minimizing_time(spent))
                verdict = Safe(self.blasted.invariant(invariant))
            case Unsafe(Trace() as trace):
                verdict = Unsafe(self.blasted.trace(self.reduction.trace(trace)))
        return self.to_file(verdict)


@dataclass(frozen=True, slots=True)
class OnWords:
    """By way of the part of the system that the properties depend on."""

    engine: Engine
    to_file: Back
    graph: Graph
    chosen: Sequence[int]
    reduction: WordBack

    def asked(self, position: int) -> int:
        """The part has the chosen properties only."""
        return position

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """From the part to the whole."""
        match verdict:
            case Safe(WordInvariant() as invariant):
                invariant = self.reduction.invariant(invariant)
                with suppress(CertificateError):
                    seconds = minimizing_time(spent)
                    invariant = minimize_words(self.graph, self.chosen[position], invariant, WORD_SOLVER, seconds)
                verdict = Safe(invariant)
            case Unsafe(WordTrace() as trace):
                verdict = Unsafe(self.reduction.trace(trace))
        return self.to_file(verdict)


def states_of(blasted: Blasted, has_arrays: bool) -> list[list[int]]:
    """Per property, the latches of all words in its cone; of all words, where some of them were elements of arrays."""
    system = blasted.system
    starts = accumulate([width_of(v) for v in system.variables], initial=0)
    places = {v: range(start, start + width_of(v)) for v, start in zip(system.variables, starts, strict=False)}
    states = []
    for bad in system.bads:
        words = system.variables if has_arrays else influence(system, [system.constraint, bad])
        states.append([position for v in words for position in places[v]])
    return states
