"""Engines by name on any graph, each answering with evidence about the graph as it was read.

``lifted`` (also called ``pdr``) is PDR on graphs, ``abstract`` computes inductive facts, ``traces`` refutes error traces one by
one, ``symbolic`` follows paths, ``accelerate`` takes loops that count at once, ``bmc`` and ``kinduction`` unroll. A
property has its own reduced graph, and its own engines there; several are asked together first (``joint``). ``abstract`` hands
its facts to the others. What prepares an engine happens in its first turn. All engines of a graph use the same solver, and
certify another one.

Inlining makes paths shorter, so k-inductiveness does not survive it: k-induction works on a graph that was simplified without
it. It leaves no model of Horn clauses behind, so it takes no part where one is wanted, nor on programs, whose statements
simplification joins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import monotonic

from lemmata.config import Config, EngineName, LiftedOptions
from lemmata.engines import Engine
from lemmata.engines.graph.shape import is_linear
from lemmata.engines.interleave import Interleave
from lemmata.errors import GaveUp, UsageError
from lemmata.events import Listener
from lemmata.logic.terms import make, var
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.run.joint import Together, groups
from lemmata.run.sides import Shares, lifted_side
from lemmata.run.task import Task
from lemmata.solvers.smt import Inexpressible, open_solver, prefer, preferred
from lemmata.steps.graph import Doubted
from lemmata.transforms.graph import GraphBack, GraphChain, GraphReduction, simplify_graph
from lemmata.transforms.graph.exact import ExactPart, exact_part
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict

_WALKING = 0.2  # of the time for unrolling: runs of one's own, for errors that are deep


def with_solver(graph: Graph, options: LiftedOptions) -> LiftedOptions:
    """The options with a solver: ``auto`` is yices, or z3 if that one is not there or has no words for the graph."""
    if options.solver != "auto":
        return options
    if preferred() == "z3":
        return replace(options, solver="z3")
    solver = open_solver("yices")
    try:
        for edge in graph.edges:
            solver.add(edge.guard)
            for number, update in enumerate(edge.updates):
                solver.add(make("=", (var(f"update {number}", update.sort), update)))
    except Inexpressible:
        return replace(options, solver="z3")
    return replace(options, solver="yices")


class EachProperty:
    """An engine whose answers are about the graph; a property counts among those that were asked for."""

    def __init__(self, graph: Graph, task: Task, chosen: Sequence[int], listener: Listener) -> None:
        self.name: str = task.engine
        self.bound = -1
        self._graph = graph
        self._task = task
        self._chosen = chosen
        self._listener = listener
        self._teams: dict[int, Engine] = {}
        self._exact: dict[int, ExactPart] = {}
        self._options = with_solver(graph, task.config.lifted or LiftedOptions())
        prefer(self._options.solver)  # of transforms, too
        self.label: str = task.engine
        self._shares: Shares = {task.engine: 1.0}
        self._together: dict[int, Together] = {}  # by property
        if task.config.engine == "auto":
            self.label, self._shares = lifted_side(task.seat, task.seats, graph.origin.kind == "boogie")
            if task.wanted.certificate and graph.origin.kind == "horn":
                self._shares = {name: share for name, share in self._shares.items() if name != "kinduction"}
            if task.seat == 1 and task.config.lifted is None:
                self._options = replace(self._options, guidance=False)  # the other worker has it

        is_one_by_one = task.config.preset != "strong" or task.config.engine == "kinduction"
        for group in groups(graph, chosen) if len(chosen) > 1 and not is_one_by_one else ():
            team = Together(graph, group, self._joint_team, self._options.solver, task.deadline)
            self._together |= dict.fromkeys(group, team)

    def _joint_team(self, graph: Graph) -> Engine:
        """Engines for all properties at once; what is k-inductive then need not be so for each of them."""
        bench = Bench(graph, 0, self._task.config, self._options, self._listener)
        shares = {name: share for name, share in self._shares.items() if name != "kinduction"}
        return Interleave([(partial(bench.engine, name), share) for name, share in shares.items()])

    def exactly(self, prop: int, until: float | None) -> Verdict:
        """Look for a derivation that uses exact edges only; there is nothing else to find."""
        if prop not in self._exact:
            self._exact[prop] = exact_part(self._graph)
            if self._task.config.record:
                self._listener(Doubted())
            bench = Bench(self._exact[prop].graph, self._chosen[prop], self._task.config, self._options, self._listener)
            self._teams[prop] = Interleave([(partial(bench.engine, name), share) for name, share in self._shares.items()])
        match self._team(prop, until):
            case Unsafe(Derivation() as derivation):
                return Unsafe(self._exact[prop].derivation(derivation))
        return Unknown("incomplete")

    def proved_by(self, invariant: GraphInvariant) -> tuple[int, ...]:
        """The properties that it proves at once; none if it is a proof of one alone."""
        teams = self._together.values()
        return next((props for team in teams for proof, props in team.proofs if proof is invariant), ())

    @property
    def solver(self) -> str:
        """The solver that the engines use."""
        return self._options.solver

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property."""
        if (together := self._together.get(self._chosen[prop])) is not None:
            if answer := together.ask(self._chosen[prop], until):
                verdict, self.name, self.bound = answer
                return verdict
            if until is not None and monotonic() >= until:
                raise GaveUp("timeout")
        if prop not in self._teams:
            bench = Bench(self._graph, self._chosen[prop], self._task.config, self._options, self._listener)
            self._teams[prop] = Interleave([(partial(bench.engine, name), share) for name, share in self._shares.items()])
        return self._team(prop, until)

    def _team(self, prop: int, until: float | None) -> Verdict:
        team, began = self._teams[prop], monotonic()
        try:
            return team.check(prop, until)
        finally:
            if (together := self._together.get(self._chosen[prop])) is not None:
                together.alone += monotonic() - began
            self.name, self.bound = team.name or self.name, team.bound


@dataclass(frozen=True, slots=True)
class Started:
    """An engine at work on a graph, which of its properties is meant, and the way back from there.

    ``survives`` says whether k-induction there is k-induction on the graph as it was read.
    """

    engine: Engine
    prop: int
    back: GraphBack
    survives: Callable[[GraphKInductive, float | None], bool]


class Route:
    """An engine on another graph, and the way back from there; ``check`` is always about the one property."""

    def __init__(self, name: str, start: Callable[[], Started]) -> None:
        self.name = name
        self.bound = -1
        self._start = start
        self._started: Started | None = None
        self._is_refused = False

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle the property; what cannot be settled so is refused (``incomplete``) now and ever after."""
        if self._is_refused:
            raise GaveUp("incomplete")
        try:
            verdict = self._check(until)
        except GaveUp as gave_up:
            self._is_refused = gave_up.reason != "timeout"
            raise
        self._is_refused = isinstance(verdict, Unknown)
        return verdict

    def _check(self, until: float | None) -> Verdict:
        if self._started is None:
            self._started = self._start()
        started = self._started
        try:
            verdict = started.engine.check(started.prop, until)
        finally:
            self.bound = started.engine.bound
        match verdict:
            case Safe(GraphInvariant() as invariant):
                return Safe(started.back.invariant(invariant))
            case Safe(GraphKInductive(k, invariant)):
                evidence = GraphKInductive(k, started.back.invariant(invariant))
                if not started.survives(evidence, until):
                    raise GaveUp("incomplete")
                return Safe(evidence)
            case Unsafe(Derivation() as derivation):
                return Unsafe(started.back.derivation(derivation))
        return verdict


class Bench:
    """The engines of one property."""

    def __init__(self, graph: Graph, prop: int, config: Config, options: LiftedOptions, listener: Listener) -> None:
        self._graph = graph
        self._prop = prop
        self._config = config
        self._options = options
        self._listener = listener
        self._known: Callable[[], GraphInvariant | None] = lambda: None

    def engine(self, name: EngineName) -> Engine:
        """The engine called ``name``."""
        preset = self._config.preset
        called = preset if preset in ("lia-textbook", "thesis") else "lifted"
        return Route(called if name in ("pdr", "lifted") else name, partial(self._start, name))

    @property
    def _is_as_read(self) -> bool:
        """Do the engines work on the graph itself?"""
        config = self._config
        return not config.preprocess or (config.as_read and is_linear(self._graph))

    @cached_property
    def _reduction(self) -> GraphReduction:
        return self._reduced(inlining=True)

    def _reduced(self, inlining: bool) -> GraphReduction:
        if self._is_as_read:
            return GraphReduction(self._graph, GraphChain())
        return simplify_graph(self._graph, self._prop, inlining=inlining)

    def _facts(self) -> GraphInvariant | None:
        return self._known()

    def _start(self, name: EngineName) -> Started:
        reduction, solver = self._reduction, self._options.solver
        prop = self._prop if self._is_as_read else 0
        if name == "kinduction":
            stepwise = self._reduced(inlining=False)
            if stepwise.graph != reduction.graph:  # the facts are about another graph
                return Started(self._kinduction(stepwise.graph, solver), prop, stepwise.back, self._survives)
        if name == "traces" and self._config.traces.blocks == "statement":
            reduction = self._reduced(inlining=False)
        return Started(self._on(name, reduction.graph, solver), prop, reduction.back, self._survives)

    def _survives(self, evidence: GraphKInductive, until: float | None) -> bool:
        """Where derivations are trees k-inductive means nothing."""
        from lemmata.engines.graph.kinduction import survives

        return is_linear(self._graph) and survives(self._graph, self._prop, evidence, self._options.solver, until)

    def _on(self, name: EngineName, graph: Graph, solver: str) -> Engine:
        match name:
            case "abstract":
                from lemmata.engines.abstract.engine import Abstract, AbstractOptions

                engine = Abstract(graph, self._listener, AbstractOptions(solver=solver))
                self._known = lambda: engine.invariant
                return engine
            case "bmc":
                from lemmata.engines.graph.bmc import GraphBmc
                from lemmata.engines.graph.simulate import Simulator

                bmc = partial(GraphBmc, graph, self._listener, solver)
                if self._config.engine != "auto":
                    return bmc()
                return Interleave([(bmc, 1 - _WALKING), (partial(Simulator, graph, self._listener, solver), _WALKING)])
            case "symbolic":
                from lemmata.engines.symbolic.engine import Symbolic

                return Symbolic(graph, self._listener, solver)
            case "accelerate":
                from lemmata.engines.accelerate.engine import Accelerator

                return Accelerator(graph, self._listener, solver)
            case "kinduction":
                return self._kinduction(graph, solver, self._facts)
            case "pdr" if self._config.preset == "lia-textbook":
                from lemmata.engines.pdr.textbook.integers import LiaTextbook

                return LiaTextbook(graph, self._listener, record=self._config.record)
            case "lifted" if self._config.preset == "thesis":
                from lemmata.engines.pdr.thesis.engine import Thesis

                return Thesis(graph, self._listener, self._config.thesis, solver, record=self._config.record)
            case "traces":
                return self._traces(graph, solver)
            case "lifted" | "pdr":
                from lemmata.engines.pdr.graph.engine import LiftedPdr

                return LiftedPdr(graph, self._listener, self._options, self._facts, record=self._config.record)
            case _:
                choices = "lifted, traces, abstract, symbolic, accelerate, bmc, kinduction or auto"
                raise UsageError(f"engine {name} does not work on {self._graph.file}: choose {choices}")

    def _kinduction(self, graph: Graph, solver: str, known: Callable[[], GraphInvariant | None] = lambda: None) -> Engine:
        from lemmata.engines.graph.kinduction import GraphKInduction

        return GraphKInduction(graph, self._listener, solver, known)

    def _traces(self, graph: Graph, solver: str) -> Engine:
        """Trace abstraction; its checker ``pdr`` is the preset's."""
        from lemmata.engines.traces.engine import Traces
        from lemmata.engines.traces.interpolants import Interpolants
        from lemmata.engines.traces.path_program import PathProgram
        from lemmata.engines.traces.trace import Checker

        config = self._config
        prop = self._prop if self._is_as_read else 0
        checker: Checker = Interpolants(graph, solver)
        if config.traces.checker == "pdr":
            options = config.thesis if config.preset == "thesis" else self._options
            known = self._facts if config.traces.blocks == "large" else lambda: None  # facts are about that graph
            checker = PathProgram(graph, prop, solver, options, known=known)
        return Traces(graph, checker, self._listener, config.traces, solver)
