"""Engines by name on a model with words, each answering with evidence about the model as it was read.

``pdr``, ``bmc`` and ``kinduction`` work on the blasted circuit. Where arrays are too large to be spelled out, PDR works on an
abstraction (a proof there is a proof here; a run there may be none here, and then PDR gives up). The other two unroll, and what
is spelled out is spelled out at every step: with more than ``FEW`` bits in arrays they unroll words with an SMT solver.
``word`` is word-level PDR, which wants its arrays spelled out or abstracted like PDR. What prepares an engine (blasting,
reducing) happens in its first turn.

K-induction demands different states, and a state is all bits of the words in the cone of influence: that is what the checker
takes for a state, and a bit-level cone would promise more than it grants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from time import monotonic
from typing import Protocol

from lemmata.certify.circuit.minimize import minimize
from lemmata.certify.words.minimize import minimize_words
from lemmata.certify.words.question import cone as influence
from lemmata.config import Config, EngineName, WordOptions
from lemmata.engines import Engine
from lemmata.engines.build import build, build_word
from lemmata.engines.interleave import Interleave
from lemmata.errors import CertificateError, GaveUp, UsageError
from lemmata.events import Listener, Reduced
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.system import System
from lemmata.models.trace import Trace
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.evidence import minimizing_time
from lemmata.run.sides import Shares
from lemmata.transforms import Unchanged, WayBack
from lemmata.transforms.circuit.reduce import reduce
from lemmata.transforms.system.arrays import TooLarge, large_sorts
from lemmata.transforms.system.blast import Blasted, blast, width_of, without_arrays
from lemmata.transforms.system.cone import WordBack, WordReduction, cone
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

_HAVOC_SHARE = 0.5  # of PDR's time, where there are arrays
WORD_SOLVER = "bitwuzla"  # of BMC and k-induction where the arrays stay arrays
FEW = 1 << 12


class Route(Protocol):
    """An engine on another model, and the way back from there."""

    @property
    def engine(self) -> Engine:
        """The engine."""
        ...

    def back(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """The engine's answer as one about the graph; a proof that took ``spent`` seconds loses redundant parts on the way."""
        ...


@dataclass(frozen=True, slots=True)
class OnBits:
    """By way of the blasted circuit, and perhaps a smaller one."""

    engine: Engine
    blasted: Blasted
    reduction: WayBack

    def back(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """From the smaller circuit to the circuit to words; clauses are left out on bits, where that is cheaper."""
        match verdict:
            case Safe(Invariant() as invariant):
                invariant = self.reduction.invariant(invariant)
                with suppress(CertificateError):  # which is for the check to say
                    invariant = minimize(self.blasted.aig, prop, invariant, minimizing_time(spent))
                return Safe(self.blasted.invariant(invariant))
            case Unsafe(Trace() as trace):
                return Unsafe(self.blasted.trace(self.reduction.trace(trace)))
            case _:
                return verdict


@dataclass(frozen=True, slots=True)
class OnWords:
    """By way of the part of the system that the properties depend on."""

    engine: Engine
    graph: Graph
    chosen: Sequence[int]
    reduction: WordBack

    def back(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """From the part to the whole."""
        match verdict:
            case Safe(WordInvariant() as invariant):
                invariant = self.reduction.invariant(invariant)
                with suppress(CertificateError):
                    seconds = minimizing_time(spent)
                    invariant = minimize_words(self.graph, self.chosen[prop], invariant, WORD_SOLVER, seconds)
                return Safe(invariant)
            case Unsafe(WordTrace() as trace):
                return Unsafe(self.reduction.trace(trace))
            case _:
                return verdict


class GraphEngine:
    """An engine whose answers are about the graph; a property counts among those that were asked for."""

    def __init__(self, name: str, start: Callable[[], Route]) -> None:
        self.name = name
        self.bound = -1
        self._start = start
        self._route: Route | None = None
        self._spent: dict[int, float] = {}
        self._refused: set[int] = set()

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property; what cannot be settled so is refused (``incomplete``) now and ever after."""
        if prop in self._refused:
            raise GaveUp("incomplete")
        try:
            return self._check(prop, until)
        except GaveUp as gave_up:
            if gave_up.reason == "timeout":
                raise
            self._refused.add(prop)
            raise GaveUp("incomplete") from gave_up

    def _check(self, prop: int, until: float | None) -> Verdict:
        began = monotonic()
        if self._route is None:
            self._route = self._start()
        try:
            verdict = self._route.engine.check(prop, until)
        finally:
            self.bound = self._route.engine.bound
            self._spent[prop] = self._spent.get(prop, 0.0) + monotonic() - began
        return verdict if isinstance(verdict, Unknown) else self._route.back(prop, verdict, self._spent[prop])


class Workshop:
    """Builds the engines of one graph; they share what is costly. ``used`` are the solvers that each of them works with."""

    def __init__(self, graph: Graph, system: System, chosen: Sequence[int], config: Config, listener: Listener) -> None:
        self.used: defaultdict[str, set[str]] = defaultdict(set)  # by the name of the engine
        self._graph = graph
        self._system = system
        self._chosen = list(chosen)
        self._config = config
        self._listener = listener
        self._blasted: Blasted | None = None

    def engine(self, name: EngineName) -> Engine:
        """The engine called ``name``; with arrays, PDR is two that take turns: on bits without them, and on all bits."""
        exact = partial(GraphEngine, name, lambda: self._on_words(name) if name == "word" else self._on_bits(name))
        if name != "pdr" or self._config.record or not cone(self._system, self._chosen).system.has_arrays:
            return exact()
        return Interleave([(partial(GraphEngine, name, self._without_arrays), _HAVOC_SHARE), (exact, 1 - _HAVOC_SHARE)])

    def team(self, shares: Shares) -> Engine:
        """Several engines that take turns."""
        return Interleave([(partial(self.engine, name), share) for name, share in shares.items()])

    def _on_bits(self, name: EngineName) -> Route:
        if name != "pdr" and self._system.has_arrays and large_sorts(cone(self._system, self._chosen).system, FEW):
            return self._on_words(name)
        try:
            blasted = self._blast()
        except TooLarge as error:
            self._refuse_to_record(error)
            blasted = blast(self._graph, self._chosen, abstract=True)
        self.used[name].add("pysat")
        aig, config = blasted.aig, self._config
        self._listener(Reduced("words to bits", aig.inputs, aig.latches, aig.gates))
        if name == "kinduction":
            return OnBits(
                build(name, aig, config, self._listener, states_of(blasted, self._system.has_arrays)), blasted, Unchanged()
            )
        if not config.preprocess:
            return OnBits(build(name, aig, config, self._listener), blasted, Unchanged())
        reduction = reduce(aig, range(len(self._chosen)), self._listener, light=name == "bmc" or config.as_read)
        return OnBits(build(name, reduction.model, config, self._listener), blasted, reduction.back)

    def _without_arrays(self) -> Route:
        """Bit-level PDR on an abstraction in which memory may hold anything: few latches, and proofs carry over."""
        blasted = blast(self._graph, self._chosen, abstract=True, bits=0)
        self.used["pdr"].add("pysat")
        reduction = reduce(blasted.aig, range(len(self._chosen)), self._listener)
        return OnBits(build("pdr", reduction.model, self._config, self._listener), blasted, reduction.back)

    def _blast(self) -> Blasted:
        if self._blasted is None:
            self._blasted = blast(self._graph, self._chosen)
        return self._blasted

    def _on_words(self, name: EngineName) -> Route:
        options = self._config.word or WordOptions()
        self.used[name].add(options.solver if name == "word" else WORD_SOLVER)
        smaller = self._scalar() if name == "word" else cone(self._system, self._chosen)
        engine = build_word(name, smaller.system, self._config, WORD_SOLVER, self._listener)
        return OnWords(engine, self._graph, self._chosen, smaller.back)

    def _scalar(self) -> WordReduction:
        """What word-level PDR works on: no arrays, or an abstraction without them."""
        try:
            return without_arrays(self._system, self._chosen, abstract=False)
        except TooLarge as error:
            self._refuse_to_record(error)
            return without_arrays(self._system, self._chosen, abstract=True)

    def _refuse_to_record(self, error: TooLarge) -> None:
        """An abstraction is nothing to read."""
        if self._config.record:
            raise UsageError(f"such a run cannot be explained: {error}; use `lemmata check`") from None


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
