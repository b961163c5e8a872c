"""Graphs in general: numbers, several locations, clauses with several sources.

A property has its own reduced graph, and its own engines there; several properties are asked together first (``joint_graph``).
An engine that finds facts hands them to the others. All engines of a graph use the same solver. Proofs lose redundant lemmas
and are certified on the graph as it was read, by solvers that no engine here uses; derivations are replayed there by
evaluation.

Inlining makes paths shorter, so k-inductiveness does not survive it: k-induction works on a graph that was simplified without
it. It leaves no model of Horn clauses behind, so it takes no part where one is wanted, nor on programs, whose statements
simplification joins.

A derivation that uses an edge which does more than the file says (``Origin.inexact``) shows nothing: then the part of the graph
that does exactly what the file says is asked for another one, and there is nothing else to find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial

from lemmata.budgets import CERTIFY_S
from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.certify.graph.claims import check_claims
from lemmata.certify.graph.minimize import minimize_claims, shorten_derivation
from lemmata.certify.journal import Journal
from lemmata.config import Config, LiftedOptions, TraceOptions
from lemmata.engines import Engine
from lemmata.engines.interleave import InOrder, Interleave, Turns
from lemmata.engines.names import BMC, TEXTBOOK
from lemmata.engines.registry import AUTO, ENGINES, EngineRecord, Known, Order, Portfolio, Shares, engines_on, inductive, team
from lemmata.errors import CertificateError, GaveUp, UsageError
from lemmata.events import BoundReached, Event, Listener, Progress
from lemmata.logic.terms import Sweep, make, topological, var
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph
from lemmata.oracles.shape import has_linear_runs
from lemmata.run.evidence import minimizing_time
from lemmata.run.evidence.graph import with_lines
from lemmata.run.task import YAML, Model, Task
from lemmata.run.worlds.classification import is_inexact
from lemmata.run.worlds.fingerprint import fingerprint
from lemmata.run.worlds.joint_graph import JointGraphProperties, groups
from lemmata.run.worlds.transformed import Route, Transformed
from lemmata.solvers.smt import Inexpressible, open_solver, preferred
from lemmata.steps.graph import InexactDerivation
from lemmata.transforms import Chain
from lemmata.transforms.graph import GraphBack, GraphReduction, simplify_graph
from lemmata.transforms.graph.cone import reduce_graph_cone
from lemmata.transforms.graph.exact import ExactPart, exact_part
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from lemmata.work import is_over, now

_LARGE_VALUES = 10_000  # values that edges compute and terms of guards, above which an error is looked for before all else
_LOOK_SHARE = 0.2  # of them are computed meanwhile


def steps_of(bound: int) -> int:
    """What engines on graphs call a bound counts the edge to the error; for people a bound is in steps before it."""
    return max(bound - 1, -1)


def in_steps(listener: Listener) -> Listener:
    """Tell bounds in steps; one that says nothing is not told."""

    def tell(event: Event) -> None:
        match event:
            case BoundReached(_, 0):
                return
            case BoundReached() | Progress():
                event = replace(event, bound=steps_of(event.bound))
        listener(event)

    return tell


class GraphWorld:
    """One graph of any shape."""

    engine: Engine

    def __init__(self, graph: Graph, task: Task, chosen: Sequence[int], listener: Listener, read: Model | None = None) -> None:
        if task.wanted.certificate in (".aag", ".aig"):
            raise UsageError(f"{graph.file} is no circuit: its certificates are SMT-LIB formulas (.smt2, .txt)")
        if task.config.preset == TEXTBOOK:
            raise UsageError(f"preset textbook works on bits: for {graph.file} there is lia-textbook")
        engine = task.config.engine
        if engine != AUTO and not ENGINES[engine].works_on("graph"):
            names = [name for name in engines_on("graph") if not ENGINES[name].alias]
            raise UsageError(f"engine {engine} does not work on {graph.file}: choose {', '.join(names)} or {AUTO}")
        self._graph = read if isinstance(read, Graph) else graph
        self._task = task
        self._portfolio = GraphPortfolio(graph, task, chosen, listener if task.config.record else in_steps(listener))
        self._checked: dict[tuple[int, ...], tuple[str, Journal]] = {}  # who checked the one proof of these properties, and how
        self.label = self._portfolio.label

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same graph."""
        return fingerprint(self._graph)

    def prepare(self) -> None:
        """Nothing is built before its first turn."""
        self.engine = self._portfolio

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """Fewer lemmas, fewer facts; derivations tell the lines of their clauses."""
        match verdict:
            case Safe(GraphInvariant() as invariant) if not self._portfolio.proved_by(invariant):
                with suppress(CertificateError):  # which is for the check to say
                    solver, seconds = self._portfolio.solver, minimizing_time(spent)
                    return Safe(minimize_claims(self._graph, prop, invariant, solver, seconds))
            case Unsafe(Derivation() as derivation):
                return Unsafe(with_lines(self._graph, shorten_derivation(self._graph, derivation)))
        return verdict

    def answered(self) -> set[int]:
        """What is asked together is told when its turn comes."""
        return set()

    def certify(self, prop: int, verdict: Safe | Unsafe, until: float, journal: Journal | None = None) -> str:
        """By SMT solvers that no engine here uses, or by evaluation; a proof of many is checked once."""
        others = checkers({self._portfolio.solver}, numbers=True)
        if isinstance(verdict, Safe) and isinstance(verdict.invariant, GraphInvariant):
            props = self._portfolio.proved_by(verdict.invariant)
            if prop in props:
                if props not in self._checked:
                    end, ours = min(until, now() + CERTIFY_S), Journal()
                    by = check_claims(self._graph, props, verdict.invariant, others, end, ours if journal is not None else None)
                    self._checked[props] = by, ours
                by, known = self._checked[props]
                if journal is not None:
                    journal.discharged += known.discharged
                return by
        return certify_graph(self._graph, prop, verdict, others, until, journal)

    def has_others(self, position: int) -> bool:
        """Beside the engine that answered last, is there one that can go on about this property?"""
        return self._portfolio.has_others(position)

    def leave_out(self, position: int) -> None:
        """A proof of many properties is given up for all of them; else the engine is not asked any more."""
        self._portfolio.leave_out(position)


class GraphPortfolio:
    """The engines of every property, which take turns; a property counts among those that were asked for."""

    def __init__(self, graph: Graph, task: Task, chosen: Sequence[int], listener: Listener) -> None:
        self.name = self.label = task.config.engine
        self.bound = -1
        self._graph = graph
        self._config = task.config
        self._chosen = chosen
        self._listener = listener
        self._options = with_solver(graph, task.config.lifted or LiftedOptions())
        self._shares: Shares = {task.config.engine: 1.0}
        if task.config.engine == AUTO:
            self._choose_team(task)
        self._sweep = Sweep()
        self._turns: dict[int, Turns] = {}
        self._answers: dict[int, Safe | Unsafe] = {}  # one that could not be certified in time is not sought again
        self._exact: dict[int, ExactPart] = {}  # for properties with a derivation that shows nothing
        self._joint: dict[int, JointGraphProperties] = {}  # by property
        self._joint_answers: set[int] = set()  # positions of properties that were answered together with others
        is_one_by_one = task.config.preset != "strong" or all(ENGINES[name].is_kinductive for name in self._shares)
        for group in groups(graph, chosen) if len(chosen) > 1 and not is_one_by_one else ():
            question = JointGraphProperties(graph, group, self._joint_turns, self._options.solver)
            self._joint |= dict.fromkeys(group, question)

    def _choose_team(self, task: Task) -> None:
        kind = self._graph.origin.kind
        portfolio: Portfolio = "program" if kind in ("boogie", "c") else "graph"
        self.label, self._shares = team(portfolio, task.seat, task.seats, task.config.portfolio)
        if task.wanted.certificate and (kind == "horn" or task.wanted.certificate == YAML):
            self._shares = inductive(self._shares)
        if task.seat == 1 and task.config.lifted is None:
            self._options = replace(self._options, guidance=False)  # the other worker has it

    @property
    def solver(self) -> str:
        """The solver that the engines use."""
        return self._options.solver

    def proved_by(self, invariant: GraphInvariant) -> tuple[int, ...]:
        """The properties that it proves at once; none if it is a proof of one alone."""
        questions = self._joint.values()
        return next((props for question in questions for proof, props in question.proofs if proof is invariant), ())

    def has_others(self, position: int) -> bool:
        """Beside the engine that answered last, is there one that can go on about this property?"""
        turns = None if position in self._joint_answers else self._turns.get(position)
        return turns is None or turns.has_others(position)

    def leave_out(self, position: int) -> None:
        """Do without the engine that answered last; after a proof of several properties each of them is asked alone."""
        del self._answers[position]
        if position not in self._joint_answers:
            self._turns[position].leave_out(position)
            return
        prop = self._chosen[position]
        for other in next(props for _, props in self._joint[prop].proofs if prop in props):
            self._joint.pop(other).refuse()
            self._answers.pop(self._chosen.index(other), None)
            self._joint_answers.discard(self._chosen.index(other))

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property."""
        if prop in self._answers:
            return self._answers[prop]
        verdict = self._exactly(prop, until) if prop in self._exact else self._check(prop, until)
        if isinstance(verdict, Unsafe) and is_inexact(self._graph, verdict.trace):
            verdict = self._exactly(prop, until)
        if not isinstance(verdict, Unknown):
            self._answers[prop] = verdict
        return verdict

    def _check(self, prop: int, until: float | None) -> Verdict:
        if (together := self._joint.get(self._chosen[prop])) is not None:
            if answer := together.ask(self._chosen[prop], until):
                verdict, self.name, bound = answer
                self.bound = steps_of(bound)
                self._joint_answers.add(prop)
                return verdict
            if is_over(until):
                raise GaveUp("timeout")
        if prop not in self._turns:
            self._turns[prop] = self._turns_on(self._graph, self._chosen[prop], self._shares)
        return self._turn(prop, until)

    def _exactly(self, prop: int, until: float | None) -> Verdict:
        """Look for a derivation that uses exact edges only."""
        if prop not in self._exact:
            self._exact[prop] = exact_part(self._graph)
            if self._config.record:
                self._listener(InexactDerivation())
            self._turns[prop] = self._turns_on(self._exact[prop].graph, self._chosen[prop], self._shares)
        match self._turn(prop, until):
            case Unsafe(Derivation() as derivation):
                return Unsafe(self._exact[prop].trace(derivation))
        return Unknown("incomplete")

    def _turn(self, prop: int, until: float | None) -> Verdict:
        turns, began = self._turns[prop], now()
        try:
            return turns.check(prop, until)
        finally:
            if (together := self._joint.get(self._chosen[prop])) is not None:
                together.alone += now() - began
            self.name, self.bound = turns.name or self.name, steps_of(turns.bound)

    def _joint_turns(self, graph: Graph) -> Engine:
        """Engines for all properties at once; what is k-inductive then need not be so for each of them."""
        return self._turns_on(graph, 0, inductive(self._shares))

    def _turns_on(self, graph: Graph, prop: int, shares: Shares) -> Turns:
        engines = PropertyEngines(graph, prop, self._config, self._options, self._listener)
        built = [(partial(engines.engine, name), share) for name, share in shares.items()]
        turns = Interleave(built, between=self._sweep.when_grown)
        if BMC in shares and self._config.engine == AUTO and engines.is_worth_a_look:
            return InOrder(engines.first_look(), turns)
        return turns


class PropertyEngines:
    """The engines of one property, each on the part of the graph that it needs."""

    def __init__(self, graph: Graph, prop: int, config: Config, options: LiftedOptions, listener: Listener) -> None:
        self._graph = graph
        self._prop = prop
        self._config = config
        self._options = options
        self._listener = listener
        self._known: Known = lambda: None

    def engine(self, name: str) -> Engine:
        """The engine called ``name``."""
        record = ENGINES[name]
        return Transformed(record.called("graph", self._config.preset), partial(self._start, record))

    @property
    def is_worth_a_look(self) -> bool:
        """Would it take long to simplify the graph?"""
        return not self._is_as_read and self._size > _LARGE_VALUES

    @cached_property
    def _size(self) -> int:
        """Values that all edges compute, and terms of their guards."""
        edges = self._graph.edges
        return sum([len(edge.updates) for edge in edges]) + len(topological(edge.guard for edge in edges))

    def first_look(self) -> Engine:
        """BMC on the cone of the graph as it was read, which ends after a small part of the work that simplification is."""

        def start() -> Route:
            from lemmata.engines.graph.bmc import GraphBmc

            cone = reduce_graph_cone(self._graph, self._prop)
            bmc = GraphBmc(cone.model, self._listener, self._options.solver, most=int(_LOOK_SHARE * self._size))
            return OnGraph(bmc, 0, cone.back, self._survives)

        return Transformed(BMC, start)

    @property
    def _is_as_read(self) -> bool:
        """Do the engines work on the graph itself?"""
        config = self._config
        return not config.preprocess or (config.as_read and has_linear_runs(self._graph))

    @cached_property
    def _reduction(self) -> GraphReduction:
        return self._reduced(inlining=True)

    def _reduced(self, inlining: bool) -> GraphReduction:
        if self._is_as_read:
            return GraphReduction(self._graph, Chain())
        return simplify_graph(self._graph, self._prop, self._options.solver, inlining=inlining)

    def _start(self, record: EngineRecord) -> Route:
        if record.needs_bits:
            return self._on_bits(record)
        prop = self._prop if self._is_as_read else 0
        reduction, known = self._reduction, lambda: self._known()
        is_stepwise = TraceOptions in record.options and self._config.traces.blocks == "statement"
        if record.is_kinductive or is_stepwise:
            stepwise = self._reduced(inlining=False)
            if is_stepwise or stepwise.model != reduction.model:  # the facts are about another graph
                reduction, known = stepwise, lambda: None
        order = Order(self._config, self._listener, self._options.solver, prop, lifted=self._options, known=known)
        engine = record.builds["graph"](reduction.model, order)
        if record.has_facts:
            self._known = lambda: getattr(engine, "invariant")  # noqa: B009
        return OnGraph(engine, prop, reduction.back, self._survives)

    def _on_bits(self, record: EngineRecord) -> Route:
        """On the circuit that the simplified graph is, where all of it can be words."""
        from lemmata.transforms.graph.bounded_integers import integers_as_words

        if self._config.record or (words := integers_as_words(self._reduction.model)) is None:
            raise GaveUp("incomplete")
        from lemmata.run.worlds.graph_bits import on_graph_bits

        order = Order(self._config, self._listener, self._options.solver, self._prop if self._is_as_read else 0)
        return on_graph_bits(record, self._reduction, words, order)

    def _survives(self, evidence: GraphKInductive, until: float | None) -> bool:
        """Where derivations are trees k-inductive means nothing."""
        from lemmata.engines.graph.kinduction import survives

        return has_linear_runs(self._graph) and survives(self._graph, self._prop, evidence, self._options.solver, until)


@dataclass(frozen=True, slots=True)
class OnGraph:
    """By way of the simplified graph of one property.

    ``survives`` says whether k-induction there is k-induction on the graph as it was read.
    """

    engine: Engine
    prop: int
    reduction: GraphBack
    survives: Callable[[GraphKInductive, float | None], bool]

    def asked(self, position: int) -> int:
        """Always the one property."""
        return self.prop

    def back(self, position: int, verdict: Safe | Unsafe, spent: float, until: float | None) -> Verdict:
        """From the simplified graph to the one that was read."""
        match verdict:
            case Safe(GraphInvariant() as invariant):
                return Safe(self.reduction.invariant(invariant))
            case Safe(GraphKInductive(k, invariant)):
                evidence = GraphKInductive(k, self.reduction.invariant(invariant))
                if not self.survives(evidence, until):
                    raise GaveUp("incomplete")
                return Safe(evidence)
            case Unsafe(Derivation() as derivation):
                return Unsafe(self.reduction.trace(derivation))
        return verdict


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
        updates = dict.fromkeys(update for edge in graph.edges for update in edge.updates)
        for number, update in enumerate(updates):
            solver.add(make("=", (var(f"update {number}", update.sort), update)))
    except Inexpressible:
        return replace(options, solver="z3")
    return replace(options, solver="yices")
