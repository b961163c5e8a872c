"""Evidence on its way to the user: in the file's own names, and as the files that were asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lemmata.budgets import MINIMIZING_LEAST_S, MINIMIZING_SHARE
from lemmata.errors import Place, Unsupported
from lemmata.models.aig import Aig
from lemmata.run.task import YAML, Files, Model, Wanted
from lemmata.verdict import Safe, Unsafe

if TYPE_CHECKING:
    from lemmata.models.derivation import Claim
    from lemmata.models.graph import Location


def minimizing_time(spent: float) -> float:
    """How many seconds may go into making a proof smaller that took so many."""
    return max(MINIMIZING_SHARE * spent, MINIMIZING_LEAST_S)


def files(model: Model, prop: int, verdict: Safe | Unsafe, wanted: Wanted) -> Files:
    """The evidence as the files that were asked for."""
    if isinstance(verdict, Unsafe) and (wanted.waveform or wanted.testbench):
        return _pictures(model, prop, verdict, wanted)
    if wanted.harness and isinstance(verdict, Unsafe):
        return _harness(model, verdict)
    if (wanted.sequence and isinstance(verdict, Unsafe)) or (wanted.certificate == YAML and isinstance(verdict, Safe)):
        return _yaml(model, verdict)
    if isinstance(model, Aig):
        from lemmata.run.evidence.circuit import circuit_files

        return circuit_files(model, prop, verdict, wanted)
    from lemmata.run.evidence.graph import graph_files

    return graph_files(model, verdict, wanted)


def in_notation(model: Model, verdict: Safe | Unsafe) -> Safe | Unsafe:
    """The verdict as people read it: traces have their states; of a design SystemVerilog, of a program its own language."""
    if not isinstance(model, Aig) and model.code is not None:
        from lemmata.run.evidence.code import in_code

        return in_code(model, model.code, verdict)
    if isinstance(verdict, Unsafe):
        from lemmata.run.evidence.states import with_states

        return Unsafe(with_states(model, verdict.trace))
    if isinstance(model, Aig):
        return verdict
    from lemmata.models.derivation import GraphInvariant
    from lemmata.models.words import WordInvariant

    match verdict:
        case Safe(WordInvariant() as invariant) if model.design is not None:
            return Safe(replace(invariant, notation="systemverilog"))
        case Safe(GraphInvariant(claims)):
            return Safe(GraphInvariant(tuple([_placed(claim, model.locations[claim.location]) for claim in claims])))
    return verdict


def _placed(claim: Claim, place: Location) -> Claim:
    return claim if claim.place is place else replace(claim, place=place)


def _harness(model: Model, verdict: Unsafe) -> Files:
    """The run as a C file."""
    from lemmata.models.derivation import Derivation
    from lemmata.run.evidence.harness import format_harness

    try:
        if isinstance(model, Aig) or model.code is None or not isinstance(verdict.trace, Derivation):
            raise Unsupported(Place(model.file), "only a run of a C program is written as C", "name a file without .c")
        return Files(harness=format_harness(model, model.code, verdict.trace))
    except Unsupported as error:
        remedy = f" ({error.remedy})" if error.remedy else ""
        return Files(missing=f"no harness was written: {error.place}: {error.cause}{remedy}")


def _yaml(model: Model, verdict: Safe | Unsafe) -> Files:
    """The evidence as a witness of SV-COMP."""
    from lemmata.models.derivation import Derivation, GraphInvariant
    from lemmata.run.evidence.yaml_witness import format_invariants, format_violation

    try:
        match verdict:
            case Safe(GraphInvariant() as invariant) if not isinstance(model, Aig) and model.code is not None:
                return Files(certificate=format_invariants(model, model.code, invariant))
            case Unsafe(Derivation() as derivation) if not isinstance(model, Aig) and model.code is not None:
                return Files(sequence=format_violation(model, model.code, derivation))
        raise Unsupported(Place(model.file), "only C programs have witnesses in YAML", "choose another suffix")
    except Unsupported as error:
        return Files(missing=f"no witness was written: {error.place}: {error.cause} ({error.remedy or 'try --witness run.c'})")


def _pictures(model: Model, prop: int, verdict: Unsafe, wanted: Wanted) -> Files:
    """The run as a waveform, as a testbench, and as whatever else is wanted."""
    from lemmata.run.evidence.testbench import format_testbench
    from lemmata.run.evidence.waveforms import vcd

    others = files(model, prop, verdict, replace(wanted, waveform=False, testbench=False))
    try:
        waveform = vcd(model, verdict.trace) if wanted.waveform else None
        return replace(
            others, waveform=waveform, testbench=format_testbench(model, verdict.trace) if wanted.testbench else None
        )
    except Unsupported as error:
        return replace(others, missing=f"no waveform or testbench was written: {error.cause} ({error.remedy})")
