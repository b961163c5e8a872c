"""What a user may choose for a run. Values only; what they mean is decided where they are used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from lemmata.values import dataclass

PresetName = Literal["strong", "textbook", "lia-textbook", "thesis"]
ExplainPresetName = Literal["textbook", "strong", "word", "lia-textbook", "thesis", "traces"]  # runs that are told step by step
UnitName = Literal["integer-cube", "polytope", "mixed"]
CheckerName = Literal["interpolants", "pdr"]
LiftedSolverName = Literal["auto", "yices", "z3", "cvc5"]
DialectName = Literal["boogie", "ultimate"]
DESIGNS = (".v", ".sv")  # suffixes of hardware descriptions
DataModelName = Literal["ILP32", "LP64"]
ArithmeticName = Literal["exact", "unbounded"]


@dataclass(frozen=True, slots=True)
class PdrOptions:
    """Which technique fills each place of the PDR page; see ``docs/techniques.md``."""

    relative: bool = True  # consecution relative to ¬cube (Bradley 2011)
    generalize: Literal["none", "core", "drop", "ctg", "dynamic"] = "ctg"
    lift: Literal["none", "ternary", "core"] = "core"
    order: Literal["activity", "index"] = "activity"
    requeue: bool = True  # blocked obligations go on at the next level
    infinity: bool = True  # lemmas that are inductive alone hold for ever
    renew: int = 400  # temporary clauses before a solver is renewed; 0 = never
    eliminate: bool = True  # eliminate gates in the CNF of the transition relation
    backend: str = "auto"  # the native core where it was built, minisat22 elsewhere


@dataclass(frozen=True, slots=True)
class WordOptions:
    """Which technique fills each place of word-level PDR; see ``docs/techniques.md``."""

    unit: UnitName = "mixed"  # what a lemma forbids (Welp, Kuehlmann 2013)
    simulate: bool = True  # interval simulation lifts before the solver does
    reshape: bool = True  # polytopes get new boundaries through corners
    arity: int = 3  # variables in one boundary, at most
    solver: Literal["blast", "bitwuzla", "z3", "cvc5", "yices"] = "blast"


@dataclass(frozen=True, slots=True)
class LiftedOptions:
    """Which technique fills each place of PDR modulo arithmetic; see ``docs/techniques.md``."""

    solver: LiftedSolverName = "auto"  # auto: ``solvers.smt.preferred``
    guidance: bool = True  # lemmas are guided by what the others say (Vediramana Krishnan et al. 2020)


@dataclass(frozen=True, slots=True)
class ThesisOptions:
    """Improvements of the preset ``thesis``, by the sections of Werner's thesis; without them it is figure 3.2."""

    dnf: bool = False  # obligations are split into cubes (3.4.2)
    interpolation: bool = False  # frames get interpolants (3.4.3, 7.1.1)
    caching: bool = False  # the queue of obligations outlives its level (4.3.1)
    memory: bool = False  # refuted queries are remembered (4.3.2)


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """Which technique fills each place of trace abstraction; see ``docs/techniques.md``."""

    checker: CheckerName = "interpolants"  # of the single trace, or of its path program (Werner 2018)
    blocks: Literal["large", "statement"] = "large"  # what a step is: as much as has one way through, or one statement
    order: Literal["shortest", "new"] = "shortest"  # which trace comes first
    minimise: bool = True  # the automaton of what is left, when it grew


@dataclass(frozen=True, slots=True)
class DesignOptions:
    """How a hardware description is read; see ``docs/designs.md``."""

    files: tuple[str, ...] = ()  # further files of the same design
    top: str | None = None  # None: the module that no other instantiates
    defines: tuple[str, ...] = ()  # NAME or NAME=VALUE
    includes: tuple[str, ...] = ()  # folders
    parameters: tuple[str, ...] = ()  # NAME=VALUE, of the top module
    clock: str | None = None  # the one clock
    multiclock: bool = False
    script: tuple[str, ...] = ()  # commands of Yosys that read the design, instead of our own
    folder: str | None = None  # in which they are run
    log: str | None = None  # where the log of Yosys goes


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """What shall hold at a line of a C program: ``kind`` is ``loop_invariant`` or ``location_invariant``.

    One that is not asserted is read, and has no effect.
    """

    kind: str
    line: int
    value: str
    function: str = ""  # empty: any
    is_asserted: bool = True


@dataclass(frozen=True, slots=True)
class COptions:
    """How a C program is read; see ``docs/c.md``."""

    data_model: DataModelName = "LP64"
    arithmetic: ArithmeticName = "exact"  # unbounded: integers of C are those of mathematics
    includes: tuple[str, ...] = ()  # folders of headers
    defines: tuple[str, ...] = ()  # NAME or NAME=VALUE
    cpp: str | None = None  # the command that preprocesses, instead of our own preprocessor
    property_file: str | None = None  # what to check, as SV-COMP writes it
    check: tuple[str, ...] = ()  # implicit properties: memory
    claims: tuple[SourceClaim, ...] = ()  # that others make about the program


@dataclass(frozen=True, slots=True)
class Config:
    """One call of ``lemmata check``."""

    engine: str = "auto"  # a name of ``engines.registry``
    property: str = "all"  # index, name, or "all"
    entry: str | None = None  # the procedure that a program starts with; None: as the front end has it
    dialect: DialectName | None = None  # of a program; None: Ultimate's if it has the procedure ULTIMATE.start
    design: DesignOptions = field(default_factory=DesignOptions)
    c: COptions = field(default_factory=COptions)  # of a C program
    timeout: float | None = None  # wall seconds for the whole call
    memory_mb: int | None = None
    seed: int = 0
    workers: int = 2  # processes that `auto` may use
    portfolio: Mapping[str, tuple[tuple[str, Mapping[str, float]], ...]] = field(default_factory=dict)  # one's own, by kind
    preprocess: bool = True
    as_read: bool = False  # transform no more than the engine and the property need, and keep proofs as they were found
    preset: PresetName = "strong"  # textbook = the plain algorithm of the lectures, which has no techniques to choose
    pdr: PdrOptions = field(default_factory=PdrOptions)
    word: WordOptions | None = None  # None: nothing was chosen, the defaults hold
    lifted: LiftedOptions | None = None  # likewise
    thesis: ThesisOptions = field(default_factory=ThesisOptions)
    traces: TraceOptions = field(default_factory=TraceOptions)
    record: bool = False  # engines tell every step (``events.Step``), and nothing is abstracted: a run for readers
    depth: int | None = None  # how many steps are looked at; None: no end
    reuse: str | None = None  # the folder that keeps what was proved
    second_reader: bool = True  # evidence is checked against another reading of the file, where there is one
