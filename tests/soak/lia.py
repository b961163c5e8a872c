"""Every engine on graphs against enumeration, on tiny random systems over numbers: same verdict, and evidence that is true.

The truth comes from ``random_lia``, which shares nothing with Lemmata. A proof is certified by a solver that the engine did not
use, and its claims must hold for every fact that can be derived; a derivation is replayed, and each of its facts must be
derivable. The suite takes a few dozen systems; ``python -m tests.soak.lia 5000 [FIRST] [ROUTE …]`` takes as many
as one likes and counts verdicts. A route is added by one line in ``ROUTES``.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from unittest import mock

from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import Config, PresetName
from lemmata.engines import Engine
from lemmata.engines.abstract.engine import Abstract
from lemmata.engines.graph.bmc import GraphBmc
from lemmata.engines.graph.kinduction import GraphKInduction
from lemmata.engines.graph.simulate import GraphSimulator
from lemmata.engines.pdr.graph.engine import LiftedPdr
from lemmata.engines.pdr.textbook.integers import LiaTextbook
from lemmata.engines.symbolic.engine import Symbolic
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import Array, Sort
from lemmata.logic.terms import Value
from lemmata.logic.values import ArrayValue
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Task
from lemmata.solvers.smt import preferred
from lemmata.transforms.graph import simplify_graph
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from lemmata.work import now
from tests.support.clock import HANGS, in_time
from tests.support.random_lia import CELLS, Case, random_case

SECONDS = 2.0  # of CPU per property
SHORT = 0.1  # for those who would look for ever

Ask = Callable[[int, float], Verdict]


@dataclass(frozen=True, slots=True)
class Route:
    """A way from a graph to verdicts about it."""

    start: Callable[[Graph], Ask]
    proves: bool = True
    refutes: bool = True
    shortest: bool = False
    used: str = ""


def _plain(make: Callable[[Graph], Engine], graph: Graph) -> Ask:
    """An engine on the graph as it was read."""
    return make(graph).check


def _reduced(make: Callable[[Graph], Engine], graph: Graph) -> Ask:
    """An engine on the simplified graph of each property."""

    def ask(prop: int, until: float) -> Verdict:
        reduction = simplify_graph(graph, prop, preferred())
        match make(reduction.model).check(0, until):
            case Safe(GraphInvariant() as invariant):
                return Safe(reduction.back.invariant(invariant))
            case Unsafe(Derivation() as derivation):
                return Unsafe(reduction.back.trace(derivation))
            case other:
                return other

    return ask


def _flow(name: str, preprocess: bool, preset: PresetName, graph: Graph) -> Ask:
    """What ``lemmata check`` does, without processes."""
    config = Config(engine=name, timeout=HANGS, preprocess=preprocess, preset=preset)
    flow = Flow(Task(graph, config, in_time()), NOBODY)
    flow.prepare()

    def ask(prop: int, until: float) -> Verdict:
        with mock.patch("lemmata.engines.interleave.FIRST_TURN_S", 0.1):
            settled = flow.settle(prop, until)
        if not isinstance(settled, Settled):
            raise CertificateError(settled.cause)
        return settled.verdict

    return ask


class _Facts:
    """Abstract interpretation, which must be right even where it proves nothing."""

    name = "abstract"
    bound = -1

    def __init__(self, graph: Graph) -> None:
        self._engine = Abstract(graph)

    def check(self, prop: int, until: float | None = None) -> Verdict:
        try:
            return self._engine.check(prop, until)
        except GaveUp:
            if (facts := self._engine.invariant) is not None:
                FOUND.append(facts)
            raise


FOUND: list[GraphInvariant] = []  # what the last run of ``abstract`` knows although it gave up

ROUTES: dict[str, Route] = {
    "bmc": Route(partial(_plain, GraphBmc), proves=False, shortest=True),
    "bmc, z3": Route(partial(_plain, partial(GraphBmc, solver="z3")), proves=False, shortest=True, used="z3"),
    "k-induction": Route(partial(_plain, GraphKInduction), shortest=True),
    "simulate": Route(partial(_plain, GraphSimulator), proves=False),
    "symbolic": Route(partial(_plain, Symbolic)),
    "lifted": Route(partial(_plain, LiftedPdr)),
    "abstract": Route(partial(_plain, _Facts), refutes=False),
    "lia-textbook": Route(partial(_plain, LiaTextbook)),
    "bmc, simplified": Route(partial(_reduced, GraphBmc), proves=False),
    "lifted, simplified": Route(partial(_reduced, LiftedPdr)),
    "abstract, simplified": Route(partial(_reduced, Abstract), refutes=False),
    "symbolic, simplified": Route(partial(_reduced, Symbolic)),
    "check": Route(partial(_flow, "auto", True, "strong")),
    "check, not simplified": Route(partial(_flow, "auto", False, "strong")),
    "check --engine lifted": Route(partial(_flow, "lifted", True, "strong")),
    "check --engine abstract": Route(partial(_flow, "abstract", True, "strong"), refutes=False),
    "check --engine bmc": Route(partial(_flow, "bmc", True, "strong"), proves=False),
    "check --engine kinduction": Route(partial(_flow, "kinduction", True, "strong")),
    "check --preset lia-textbook": Route(partial(_flow, "pdr", True, "lia-textbook")),
}


@cache
def case_of(seed: int) -> Case:
    return random_case(seed)


def graph_of(case: Case) -> Graph:
    parse = parse_vmt if case.suffix == ".vmt" else parse_horn
    return parse(case.text.encode(), f"case{case.suffix}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one property, and what is wrong with that."""

    word: str
    complaint: str = ""


def outcomes(seed: int, route: Route) -> Iterator[Outcome]:
    """The outcomes of one system's properties; a crash gets a note of the seed."""
    case = case_of(seed)
    try:
        graph = graph_of(case)
        ask = route.start(graph)
        for prop, height in enumerate(case.truth):
            settles = route.proves if height is None else route.refutes
            verdict = _settle(ask, prop, SECONDS if settles else SHORT)
            word = f"unknown ({verdict.reason})" if isinstance(verdict, Unknown) else verdict.word
            wrong = _complaint(case, graph, prop, verdict, height, route)
            yield Outcome(word, f"seed {seed}, property {prop}: {word}, but {wrong}\n{case.text}" if wrong else "")
    except Exception as error:
        error.add_note(f"seed {seed}\n{case.text}")
        raise


def _settle(ask: Ask, prop: int, seconds: float) -> Verdict:
    FOUND.clear()
    try:
        until = now() + seconds
        return ask(prop, until)
    except GaveUp as gave_up:
        return Unknown(gave_up.reason)


def _complaint(case: Case, graph: Graph, prop: int, verdict: Verdict, height: int | None, route: Route) -> str:
    """What is wrong with a verdict; nothing, mostly."""
    truth = "safe" if height is None else f"unsafe at height {height}"
    match verdict:
        case Unknown():
            return _untrue(case, FOUND[-1]) if FOUND else ""
        case Safe(evidence):
            if height is not None:
                return f"it is {truth}"
            if isinstance(evidence, GraphInvariant) and (wrong := _untrue(case, evidence)):
                return wrong
        case Unsafe(Derivation() as derivation):
            steps = None if height is None else max(height - 1, 0)
            if steps is None or derivation.depth < steps or (route.shortest and derivation.depth != steps):
                return f"after {derivation.depth} steps: it is {truth}"
            if wrong := _underivable(case, derivation):
                return wrong
    try:
        certify_graph(graph, prop, verdict, checkers({route.used or preferred()}, numbers=True))
    except CertificateError as error:
        return str(error)
    return ""


def _untrue(case: Case, invariant: GraphInvariant) -> str:
    """A fact that can be derived and breaks its claim."""
    claims = {claim.place.name: claim for claim in invariant.claims}
    for name, values in sorted(case.facts, key=repr):
        claim = claims[name]
        point = {v: _lemmatic(value, v.sort) for v, value in zip(claim.place.variables, values, strict=True)}
        if not all(evaluate(claim.lemmas, point)):
            return f"{name}{values} can be derived and breaks a lemma"
    return ""


def _lemmatic(value: Any, sort: Sort) -> Value:
    """A value of ``random_lia`` as one of ours."""
    return ArrayValue(sort, value[0], enumerate(value[1:])) if isinstance(sort, Array) else value


def _plainly(value: Value) -> Any:
    """The way back."""
    if not isinstance(value, ArrayValue):
        return value
    return (value.default, *map(value.select, CELLS)) if all(index in CELLS for index, _ in value.items) else "elsewhere"


def _underivable(case: Case, derivation: Derivation) -> str:
    for fact in derivation.facts[:-1]:
        if (fact.place.name, tuple(map(_plainly, fact.values))) not in case.facts:
            return f"{fact} cannot be derived"
    return ""


def _survived(seed: int, route: Route) -> list[Outcome]:
    """The outcomes; a crash is one of them."""
    try:
        return list(outcomes(seed, route))
    except Exception:
        return [Outcome("crash", traceback.format_exc())]


def soak(seeds: range, names: list[str]) -> int:
    """Take the routes (if none is named, a third of all in turn) on the systems of ``seeds``; the number of disagreements."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in names or ROUTES}
    wrong, began = 0, time.monotonic()
    for done, seed in enumerate(seeds, 1):
        for position, name in enumerate(counts):
            if not names and position % 3 != seed // 2 % 3:
                continue
            for outcome in _survived(seed, ROUTES[name]):
                counts[name][outcome.word] += 1
                if outcome.complaint:
                    wrong += 1
                    print(f"{name}: {outcome.complaint}", flush=True)
        case_of.cache_clear()
        if done % 100 == 0:
            print(f"{done} systems, {wrong} disagreements, {time.monotonic() - began:.0f} s", flush=True)
    for name, found in counts.items():
        print(f"{name}: {', '.join(f'{word} {found[word]}' for word in sorted(found))}", flush=True)
    return wrong


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    sys.exit(1 if soak(range(first, first + most), sys.argv[3:]) else 0)
