"""Every engine in one table: what it is called, what it works on, how it is built, and its share of the time.

What chooses, names or runs engines derives it from ``ENGINES``: the choices and errors of the command line, the techniques that
an engine has, the portfolio, bench. Adding an engine is one folder, one name, one record; see CONTRIBUTING.

A builder gets a model of its kind and an ``Order``, and imports what it needs when it is called, so that a run loads only the
engines that work. *Kinds* are what an engine can be built on: ``circuit`` (an ``Aig``), ``words`` (a ``System``) and
``graph`` (any ``Graph``). An engine that has several chooses none of them: the world of the run does.

``_TEAMS`` is how ``auto`` divides the work: the engines of a worker in the order of their first turns, with their shares of its
time (measured, see ``docs/ablation.md``). An engine that refuses leaves its share to the others. On graphs PDR comes before
``abstract``, though the facts of that one would help it: it meets errors that are near, and proves what is easy, while those
are computed (``docs/techniques.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from lemmata.config import Config, LiftedOptions, PdrOptions, TraceOptions, WordOptions
from lemmata.engines import Engine
from lemmata.engines.names import (
    ABSTRACT,
    ACCELERATE,
    BITBLAST,
    BMC,
    KINDUCTION,
    LIA_TEXTBOOK,
    LIFTED,
    PDR,
    SYMBOLIC,
    TEXTBOOK,
    THESIS,
    TRACES,
    WORD,
)
from lemmata.events import NOBODY, Listener
from lemmata.values import dataclass

if TYPE_CHECKING:  # the command line asks for names: models are for those who build
    from lemmata.models.aig import Aig
    from lemmata.models.derivation import GraphInvariant
    from lemmata.models.graph import Graph
    from lemmata.models.system import System

Kind = Literal["circuit", "words", "graph"]
Portfolio = Literal["circuit", "words", "graph", "program"]  # kinds of models that have a portfolio of their own
Known = Callable[[], "GraphInvariant | None"]

AUTO = "auto"  # no engine: as many as there are, in turns and side by side
_WALKS_SHARE = 0.2  # of the time for unrolling: runs with concrete values, for errors that are deep


@dataclass(frozen=True, slots=True)
class Order:
    """What an engine is built with, besides its model."""

    config: Config = field(default_factory=Config)
    listener: Listener = NOBODY
    solver: str = ""  # the SMT solver of engines on words and graphs
    prop: int = 0  # of a graph
    states: Sequence[Iterable[int]] = ()  # of circuits: per property, the latches that make two states different
    lifted: LiftedOptions = field(default_factory=LiftedOptions)  # techniques of PDR on graphs, with the solver that was found
    known: Known = lambda: None  # facts about a graph that another engine has proved


Builder = Callable[[Any, Order], Engine]


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """One engine, for everybody who must know about it without knowing it."""

    name: str
    summary: str
    builds: Mapping[Kind, Builder]
    options: tuple[type, ...] = ()  # of ``config``: whose fields are its techniques
    reduction: Literal["full", "light", "none"] = "full"  # how much a model may be changed before this engine sees it
    is_kinductive: bool = False  # its proofs are about k steps: they are no model of clauses, and many are not one
    has_facts: bool = False  # it finds facts about a graph, ``invariant``, that others may start from
    needs_scalars: bool = False  # on words: arrays must be spelled out or abstracted
    needs_bits: bool = False  # on graphs: it gets the circuit that a graph over words is
    alias: str = ""  # on graphs: the name under which it answers there
    presets: tuple[str, ...] = ()  # names of other algorithms in its place, under which these answer

    def works_on(self, kind: Kind) -> bool:
        """Is there such an engine?"""
        return kind in self.builds

    def called(self, kind: Kind, preset: str) -> str:
        """The name that this engine's verdicts carry."""
        return preset if preset in self.presets else (kind == "graph" and self.alias) or self.name


def _bit_pdr(model: Aig, order: Order) -> Engine:
    if order.config.preset == TEXTBOOK:
        from lemmata.engines.pdr.textbook.bits import Textbook

        return Textbook(model, order.listener, record=order.config.record)
    from lemmata.engines.pdr.bit.engine import Pdr

    return Pdr(model, order.listener, order.config.pdr, record=order.config.record)


def _bit_pdr_of_graphs(model: Aig, order: Order) -> Engine:
    pdr = _bit_pdr(model, order)
    pdr.name = BITBLAST
    return pdr


def _bit_bmc(model: Aig, order: Order) -> Engine:
    from lemmata.engines.circuit.bmc import Bmc

    return Bmc(model, order.listener, order.config.seed)


def _bit_kinduction(model: Aig, order: Order) -> Engine:
    from lemmata.engines.circuit.kinduction import KInduction

    return KInduction(model, order.listener, order.config.seed, order.states)


def _word_pdr(system: System, order: Order) -> Engine:
    from lemmata.engines.pdr.word.engine import WordPdr

    return WordPdr(system, order.listener, order.config.word or WordOptions(), record=order.config.record)


def _word_bmc(system: System, order: Order) -> Engine:
    from lemmata.engines.words.bmc import WordBmc

    return WordBmc(system, order.listener, order.solver)


def _word_kinduction(system: System, order: Order) -> Engine:
    from lemmata.engines.words.kinduction import WordKInduction

    return WordKInduction(system, order.listener, order.solver)


def _graph_pdr(graph: Graph, order: Order) -> Engine:
    if order.config.preset == LIA_TEXTBOOK:
        from lemmata.engines.pdr.textbook.integers import LiaTextbook

        return LiaTextbook(graph, order.listener, order.solver, record=order.config.record)
    if order.config.preset == THESIS:
        from lemmata.engines.pdr.thesis.engine import Thesis

        return Thesis(graph, order.listener, order.config.thesis, order.solver, record=order.config.record)
    from lemmata.engines.pdr.graph.engine import LiftedPdr

    return LiftedPdr(graph, order.listener, order.lifted, order.known, record=order.config.record)


def _graph_bmc(graph: Graph, order: Order) -> Engine:
    from lemmata.engines.graph.bmc import GraphBmc
    from lemmata.engines.graph.simulate import GraphSimulator
    from lemmata.engines.interleave import Interleave

    bmc = partial(GraphBmc, graph, order.listener, order.solver)
    if order.config.engine != AUTO:
        return bmc()
    walks = partial(GraphSimulator, graph, order.listener, order.solver)
    return Interleave([(bmc, 1 - _WALKS_SHARE), (walks, _WALKS_SHARE)])


def _graph_kinduction(graph: Graph, order: Order) -> Engine:
    from lemmata.engines.graph.kinduction import GraphKInduction

    return GraphKInduction(graph, order.listener, order.solver, order.known)


def _abstract(graph: Graph, order: Order) -> Engine:
    from lemmata.engines.abstract.engine import Abstract, AbstractOptions

    return Abstract(graph, order.listener, AbstractOptions(solver=order.solver))


def _symbolic(graph: Graph, order: Order) -> Engine:
    from lemmata.engines.symbolic.engine import Symbolic

    return Symbolic(graph, order.listener, order.solver)


def _accelerate(graph: Graph, order: Order) -> Engine:
    from lemmata.engines.accelerate.engine import Accelerator

    return Accelerator(graph, order.listener, order.solver)


def _traces(graph: Graph, order: Order) -> Engine:
    """Trace abstraction; its checker ``pdr`` is the preset's."""
    from lemmata.engines.traces.engine import Traces
    from lemmata.engines.traces.interpolants import Interpolants
    from lemmata.engines.traces.path_program import PathProgram
    from lemmata.engines.traces.trace import TraceChecker

    config = order.config
    checker: TraceChecker = Interpolants(graph, order.solver)
    if config.traces.checker == PDR:
        options = config.thesis if config.preset == THESIS else order.lifted
        checker = PathProgram(graph, order.prop, order.solver, options, known=order.known)
    return Traces(graph, checker, order.listener, config.traces, order.solver, record=config.record)


_RECORDS = (
    EngineRecord(
        PDR,
        "Property Directed Reachability: on bits, or on graphs (lifted)",
        {"circuit": _bit_pdr, "graph": _graph_pdr},
        (PdrOptions, LiftedOptions),
        alias=LIFTED,
        presets=(TEXTBOOK, LIA_TEXTBOOK, THESIS),
    ),
    EngineRecord(
        BMC,
        "bounded model checking: unrolls, finds shallow errors",
        {"circuit": _bit_bmc, "words": _word_bmc, "graph": _graph_bmc},
        reduction="light",
    ),
    EngineRecord(
        KINDUCTION,
        "k-induction: no error within k steps, and none after k good ones",
        {"circuit": _bit_kinduction, "words": _word_kinduction, "graph": _graph_kinduction},
        reduction="none",
        is_kinductive=True,
    ),
    EngineRecord(
        WORD,
        "PDR over words: integer cubes and polytopes",
        {"words": _word_pdr},
        (WordOptions,),
        needs_scalars=True,
    ),
    EngineRecord(
        LIFTED,
        "PDR on graphs: frames per location, linear arithmetic",
        {"graph": _graph_pdr},
        (LiftedOptions,),
        presets=(THESIS,),
    ),
    EngineRecord(
        BITBLAST,
        "PDR on the bits of a graph over words, whose location is a word, too",
        {"graph": _bit_pdr_of_graphs},
        needs_bits=True,
    ),
    EngineRecord(
        ABSTRACT,
        "abstract interpretation by solver: facts that the others start from",
        {"graph": _abstract},
        has_facts=True,
    ),
    EngineRecord(
        SYMBOLIC,
        "symbolic execution, which also proves where paths end",
        {"graph": _symbolic},
    ),
    EngineRecord(
        ACCELERATE,
        "acceleration: errors behind many rounds of loops that count",
        {"graph": _accelerate},
    ),
    EngineRecord(
        TRACES,
        "trace abstraction: error traces are refuted one by one",
        {"graph": _traces},
        (LiftedOptions, TraceOptions),
    ),
)

ENGINES: Mapping[str, EngineRecord] = {record.name: record for record in _RECORDS}
CHOICES = (AUTO, *ENGINES)
PDR_ON: Mapping[Kind, str] = {"circuit": PDR, "words": WORD, "graph": LIFTED}
ON_GRAPHS = (LIA_TEXTBOOK, THESIS)  # presets that are algorithms on graphs
STAND_IN = {TEXTBOOK: PDR, LIA_TEXTBOOK: PDR, THESIS: LIFTED}  # whose place a preset takes

Shares = Mapping[str, float]
Team = tuple[str, Shares]  # what the worker is called, and its engines

_PROVING: Team = "proving", {LIFTED: 0.65, ABSTRACT: 0.35}
_ON_WORDS: Team = "words", {WORD: 0.4, KINDUCTION: 0.6}
_TRACES: Team = TRACES, {ACCELERATE: 0.09, SYMBOLIC: 0.13, BMC: 0.09, BITBLAST: 0.12, TRACES: 0.57}
_TEAMS: Mapping[Portfolio, tuple[tuple[Team, ...], ...]] = {  # for one worker, for two, for three
    "circuit": (
        ((AUTO, {BMC: 0.2, PDR: 0.8}),),
        ((PDR, {PDR: 1.0}), (BMC, {BMC: 1.0})),
        ((PDR, {PDR: 1.0}), (BMC, {BMC: 1.0}), (KINDUCTION, {KINDUCTION: 1.0})),
    ),
    "words": (
        ((AUTO, {BMC: 0.15, PDR: 0.5, WORD: 0.2, KINDUCTION: 0.15}),),
        (("bits", {BMC: 0.2, PDR: 0.8}), _ON_WORDS),
        (("bits", {PDR: 1.0}), _ON_WORDS, (BMC, {BMC: 1.0})),
    ),
    "graph": (
        ((AUTO, {SYMBOLIC: 0.1, LIFTED: 0.45, ABSTRACT: 0.2, ACCELERATE: 0.1, BMC: 0.1, KINDUCTION: 0.05}),),
        (_PROVING, ("unrolling", {ACCELERATE: 0.1, SYMBOLIC: 0.1, BMC: 0.15, KINDUCTION: 0.15, LIFTED: 0.5})),
        (
            _PROVING,
            (LIFTED, {LIFTED: 1.0}),
            ("unrolling", {ACCELERATE: 0.2, SYMBOLIC: 0.2, BMC: 0.4, KINDUCTION: 0.4}),
        ),
    ),
    "program": (
        (
            (
                AUTO,
                {SYMBOLIC: 0.09, BITBLAST: 0.08, LIFTED: 0.32, ABSTRACT: 0.18, ACCELERATE: 0.09, TRACES: 0.19, BMC: 0.05},
            ),
        ),
        (_PROVING, _TRACES),
        (_PROVING, (LIFTED, {LIFTED: 1.0}), _TRACES),
    ),
}


PORTFOLIOS: tuple[Portfolio, ...] = get_args(Portfolio)


def team(portfolio: Portfolio, seat: int, seats: int, own: Mapping[str, tuple[Team, ...]] | None = None) -> Team:
    """What worker ``seat`` of ``seats`` does; those beyond the table have an engine each, by shares.

    ``own`` has the workers of some kinds, instead of the table.
    """
    rows = _TEAMS[portfolio]
    row = (own or {}).get(portfolio) or rows[min(seats, len(rows)) - 1]
    if seat < len(row):
        return row[seat]
    alone = rows[0][0][1]
    names = sorted(alone, key=lambda name: -alone[name])
    name = names[(seat - len(row)) % len(names)]
    return name, {name: 1.0}


def works_in(portfolio: str, engine: str) -> bool:
    """Can a worker for models of this kind have such an engine?"""
    kinds: Mapping[str, tuple[Kind, ...]] = {"circuit": ("circuit",), "words": ("circuit", "words")}
    return any(ENGINES[engine].works_on(kind) for kind in kinds.get(portfolio, ("graph",)))


def inductive(shares: Shares) -> Shares:
    """Those engines whose proofs are inductive without further ado."""
    return {name: share for name, share in shares.items() if not ENGINES[name].is_kinductive}


def engines_on(kind: Kind) -> tuple[str, ...]:
    """The engines that work on models of this kind, by name."""
    return tuple(record.name for record in _RECORDS if record.works_on(kind))


def owner_of(options: type) -> str:
    """The engine whose techniques these are, first of all."""
    return min((record for record in _RECORDS if options in record.options), key=lambda record: len(record.options)).name
