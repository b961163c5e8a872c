"""Every engine on words against enumeration, on tiny random BTOR2 models: same verdict, and evidence that survives its check.

The truth comes from an interpreter that shares nothing with Lemmata (``btor2_interpreter``). A proof is certified by solvers
that the engine did not use; a trace is replayed by ``certify``, and as a BTOR2 witness by the interpreter; BMC and k-induction
must find shortest ones. The suite takes a few hundred models; ``python -m tests.soak.words 5000 [ROUTE …]`` takes
as many as one likes and counts verdicts. A route is added by one line in ``ROUTES``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from unittest import mock

from lemmata.certify.formats.btor2_witness import format_btor2_witness
from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import Config, WordOptions
from lemmata.engines import Engine
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.engines.words.bmc import WordBmc
from lemmata.engines.words.kinduction import WordKInduction
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.models.graph import Graph
from lemmata.models.system import System
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.transforms.system import arrays
from lemmata.transforms.system.cone import WordBack
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from lemmata.work import now
from tests.support.btor2_interpreter import Interpreter, Leaf, Values, reachable, values_of
from tests.support.btor2_random import Shape, random_model
from tests.support.btor2_simulator import Simulator
from tests.support.btor2_terms import read
from tests.support.clock import HANGS, in_time
from tests.support.random_loops import random_loop
from tests.support.random_memories import random_memory

PATIENCE = 1.0  # seconds of CPU per property: irregular states may take PDR on words and k-induction longer than they are worth
SHORT = 0.02  # for those who would look for ever
TINY = 3  # bits that arrays may have where they shall be too large
LATE = ("timeout",)
ARRAYS = ("timeout", "incomplete")  # an abstraction decides not all, and Bitwuzla has no equations between constant arrays

Ask = Callable[[int, float], Verdict]  # the answer about a property of the graph until then
KINDS: tuple[Callable[[random.Random], str], ...] = (
    random_model,
    lambda rng: random_model(rng, Shape(state_bits=8, input_bits=2, widest=5, nodes=9, arrays=False)),
    lambda rng: random_model(rng, Shape(state_bits=7, input_bits=2, nodes=10, bads=3, constraints=0.2)),
    random_loop,
    random_loop,
    random_memory,
)


@dataclass(frozen=True, slots=True)
class Route:
    """A way from a graph to verdicts about it, and what may be expected of it."""

    start: Callable[[Graph, System], Ask]
    used: str  # the solver that must not check its proofs
    proves: bool = True
    shortest: bool = False
    context: Callable[[], AbstractContextManager[object]] = nullcontext
    gives_up: tuple[str, ...] = ()  # for which reasons it may
    turn: int | None = None  # of four: routes that are much alike share the models of a soak


def _by_words(options: WordOptions, graph: Graph, system: System) -> Ask:
    """Word-level PDR on the whole system, with arrays spelled out."""
    reduction = arrays.expand_arrays(system)
    engine = WordPdr(reduction.model, options=options)
    return lambda prop, until: _original(engine.check(prop, until), reduction.back)


def _original(verdict: Verdict, back: WordBack) -> Verdict:
    match verdict:
        case Safe(WordInvariant() as invariant):
            return Safe(back.invariant(invariant))
        case Unsafe(WordTrace() as trace):
            return Unsafe(back.trace(trace))
    return verdict


def _unrolled(make: Callable[[System], Engine], graph: Graph, system: System) -> Ask:
    """An engine that works on the system as it is, arrays included."""
    return make(system).check


def _flow(name: str, graph: Graph, system: System) -> Ask:
    """What ``lemmata check`` does, without processes."""
    flow = Flow(Task(graph, Config(engine=name, timeout=HANGS), in_time()), NOBODY)
    flow.prepare()

    def ask(prop: int, until: float) -> Verdict:
        settled = flow.settle(prop, until)
        if not isinstance(settled, Settled):
            raise CertificateError(settled.cause)
        return settled.verdict

    return ask


def _hasty() -> AbstractContextManager[object]:
    """Engines that take turns take many."""
    return mock.patch("lemmata.engines.interleave.FIRST_TURN_S", 0.05)


def _limited(real: Callable[[System, int], object], system: System, bits: int) -> object:
    return real(system, TINY)


@contextmanager
def _tiny() -> Iterator[None]:
    """Nearly every array is too large to be spelled out."""
    with ExitStack() as stack:
        stack.enter_context(_hasty())
        stack.enter_context(mock.patch("lemmata.run.worlds.words.FEW_ARRAY_BITS", TINY))
        for name in ("expand_arrays", "large_sorts"):
            stack.enter_context(mock.patch(f"lemmata.transforms.system.blast.{name}", partial(_limited, getattr(arrays, name))))
        yield


def _word_routes() -> Iterator[tuple[str, Route]]:
    for unit in ("integer-cube", "polytope", "mixed"):
        for turn, (simulate, solver) in enumerate(product((True, False), ("blast", "bitwuzla"))):
            options = WordOptions(unit=unit, simulate=simulate, solver=solver)
            name = f"{unit}, {'simulated' if simulate else 'not simulated'}, {solver}"
            yield name, Route(partial(_by_words, options), solver, gives_up=LATE, turn=turn)


ROUTES: dict[str, Route] = {
    **dict(_word_routes()),
    "mixed without reshape": Route(partial(_by_words, WordOptions(reshape=False)), "blast", gives_up=LATE),
    "bmc on words": Route(partial(_unrolled, WordBmc), "bitwuzla", proves=False, shortest=True, gives_up=ARRAYS),
    "k-induction on words": Route(partial(_unrolled, WordKInduction), "bitwuzla", shortest=True, gives_up=ARRAYS),
    "check --engine pdr": Route(partial(_flow, "pdr"), "pysat"),
    "check --engine bmc": Route(partial(_flow, "bmc"), "pysat", proves=False, shortest=True),
    "check --engine kinduction": Route(partial(_flow, "kinduction"), "pysat", shortest=True, gives_up=LATE),
    "check --engine word": Route(partial(_flow, "word"), "blast", gives_up=LATE),
    "check --engine bitblast": Route(partial(_flow, "bitblast"), "pysat", gives_up=ARRAYS),
    "check": Route(partial(_flow, "auto"), "pysat", context=_hasty),
    "check --engine pdr, large arrays": Route(partial(_flow, "pdr"), "pysat", context=_tiny, gives_up=ARRAYS),
    "check --engine word, large arrays": Route(partial(_flow, "word"), "blast", context=_tiny, gives_up=ARRAYS),
    "check --engine kinduction, large arrays": Route(
        partial(_flow, "kinduction"), "bitwuzla", shortest=True, context=_tiny, gives_up=ARRAYS
    ),
    "check, large arrays": Route(partial(_flow, "auto"), "bitwuzla", context=_tiny, gives_up=ARRAYS),
}


@cache
def model_of(seed: int) -> str:
    """The text of a model."""
    rng = random.Random(seed)
    for _ in range(6):
        text = KINDS[seed % len(KINDS)](rng)
        if not _is_bad_at_once(text):
            break
    return text


def _is_bad_at_once(text: str) -> bool:
    """Does a property fail where everything that is free is 0? Such models are many, and say little."""
    model = Interpreter(text)

    def zeros(leaves: list[Leaf]) -> Values:
        return tuple(next(values_of(leaf.sort)) for leaf in leaves)

    _, holds, bads = model.step(model.initial(zeros(model.free())), zeros(model.inputs), zeros(model.loose()))
    return holds and any(bads)


@cache
def truth_of(seed: int) -> tuple[int | None, ...]:
    """For each property of the model the length of its shortest counterexamples."""
    return tuple(reachable(model_of(seed)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one property: ``safe``, ``unsafe`` or the reason why it is unknown, and what is wrong with that."""

    word: str
    complaint: str = ""


def outcomes(seed: int, route: Route) -> Iterator[Outcome]:
    """The outcomes of one model's properties; a crash gets a note of the seed."""
    text = model_of(seed)
    try:
        with route.context():
            ask = route.start(*read(text))
            for prop, depth in enumerate(truth_of(seed)):
                verdict = _settle(ask, prop, _seconds(route, depth))
                word = f"unknown ({verdict.reason})" if isinstance(verdict, Unknown) else verdict.word
                wrong = _complaint(text, prop, verdict, depth, route)
                yield Outcome(word, f"seed {seed}, property {prop}: {word}, but {wrong}\n{text}" if wrong else "")
    except Exception as error:
        error.add_note(f"seed {seed}\n{text}")
        raise


def _seconds(route: Route, depth: int | None) -> float:
    if depth is None and not route.proves:
        return SHORT
    return PATIENCE if "timeout" in route.gives_up else HANGS


def _settle(ask: Ask, prop: int, seconds: float) -> Verdict:
    try:
        until = now() + seconds
        return ask(prop, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _complaint(text: str, prop: int, verdict: Verdict, depth: int | None, route: Route) -> str:
    """What is wrong with a verdict; nothing, mostly."""
    graph, _ = read(text)
    truth = "safe" if depth is None else f"unsafe in {depth} steps"
    match verdict:
        case Unknown(reason):
            may = reason in route.gives_up or (depth is None and not route.proves)
            return "" if may else f"it is {truth}"
        case Safe() if depth is not None or not route.proves:
            return f"it is {truth}"
        case Unsafe(WordTrace() as trace):
            if depth is None or trace.depth < depth or (route.shortest and trace.depth != depth):
                return f"in {trace.depth} steps: it is {truth}"
            if not Simulator(text, format_btor2_witness(graph, trace)).reaches_bad():
                return "the interpreter does not follow its witness"
    try:
        certify_graph(graph, prop, verdict, checkers({route.used}))
    except CertificateError as error:
        return str(error)
    return ""


def soak(seeds: range, names: list[str]) -> int:
    """Take the routes (all, if none is named) on the models of ``seeds``; the number of disagreements."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in names or ROUTES}
    wrong, began = 0, time.monotonic()
    for done, seed in enumerate(seeds, 1):
        due = [name for name in counts if names or ROUTES[name].turn in (None, seed // len(KINDS) % 4)]
        for name in due:
            for outcome in outcomes(seed, ROUTES[name]):
                counts[name][outcome.word] += 1
                if outcome.complaint:
                    wrong += 1
                    print(f"{name}: {outcome.complaint}", flush=True)
        model_of.cache_clear()
        truth_of.cache_clear()
        if done % 100 == 0:
            print(f"{done} models, {wrong} disagreements, {time.monotonic() - began:.0f} s", flush=True)
    for name, found in counts.items():
        print(f"{name}: {', '.join(f'{word} {found[word]}' for word in sorted(found))}", flush=True)
    return wrong


if __name__ == "__main__":
    models = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    sys.exit(1 if soak(range(models), sys.argv[2:]) else 0)
