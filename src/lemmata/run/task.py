"""``Task``: what one worker has to do, and what besides verdicts it may bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lemmata.config import Config
from lemmata.values import dataclass

if TYPE_CHECKING:  # who has a circuit need not load what graphs are made of
    from lemmata.models.aig import Aig
    from lemmata.models.graph import Graph
    from lemmata.verdict import Safe, Unsafe

Model: TypeAlias = "Aig | Graph"
YAML = ".yml"  # witnesses of SV-COMP


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a caller wants besides the verdicts."""

    witness: bool = False  # traces as witnesses in the notation of the file
    waveform: bool = False  # traces as value change dumps
    testbench: bool = False  # traces as testbenches in Verilog, for designs
    sequence: bool = False  # traces as violation sequences of SV-COMP, for C programs
    harness: bool = False  # traces as C files that run into the error, for C programs
    certificate: str = ""  # proofs as files; the suffix says which kind: .aag, .aig, .txt, .inv, .smt2, .yml; "any" = what fits
    lemmas: bool = False  # events for every lemma, not only signs of life
    modules: bool = False  # what a worker had to load
    drawing: bool = False  # the control-flow graph and regions of proofs, for a page
    details: bool = False  # what proofs owe, who discharged it in which time; the digest of the file
    evidence: bool = False  # verdicts as they were certified, for somebody who certifies them again


NOTHING_ELSE = Wanted()


@dataclass(frozen=True, slots=True)
class Files:
    """Evidence as files, as far as it was wanted; ``missing`` says which could not be made, and why."""

    witness: bytes | None = None
    waveform: bytes | None = None
    testbench: bytes | None = None
    harness: bytes | None = None
    sequence: bytes | None = None
    certificate: bytes | None = None
    evidence: Safe | Unsafe | None = None
    missing: str = ""


NO_FILES = Files()


@dataclass(frozen=True, slots=True)
class Task:
    """One file (or model), one worker. ``deadline`` is the user's, in ``time.monotonic``, which all processes share.

    ``seat`` counts the workers of a run: what ``auto`` gives to each depends on the kind of model, which a worker finds out.
    """

    source: str | Model
    config: Config
    deadline: float | None = None
    wanted: Wanted = NOTHING_ELSE
    seat: int = 0
    seats: int = 1

    @property
    def name(self) -> str:
        """What the worker is called before it has read the model."""
        return self.config.engine if self.seats == 1 else f"worker {self.seat + 1}"
