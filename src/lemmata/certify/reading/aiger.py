"""AIGER read again: does the evidence also hold for the file as a deliberately naive second reader reads it?

``aiger_lines`` makes dictionaries of lines, with the literals of the file. A run is simulated on them (``aiger_run``); a proof
is checked on clauses made from them (``aiger_clauses``). What the first reader and this one have in common is the file.

Evidence speaks of latches and inputs by their position in the file; their numbers and names must fit. With R, C and T as the
lines say, an invariant must pass initiation ``R ∧ C ∧ ¬Inv``, consecution ``Inv ∧ C ∧ T ∧ ¬Inv′`` and safety ``Inv ∧ C ∧ bad``;
a k-inductive property base and step, as told in ``certify.circuit.kinduction``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from lemmata.certify.reading.aiger_clauses import SOLVER, StepClauses, StepVariables
from lemmata.certify.reading.aiger_lines import AigerLines, read_aiger_lines
from lemmata.certify.reading.aiger_order import gates_below, latches_below, start_order
from lemmata.certify.reading.aiger_run import run_aiger
from lemmata.errors import CertificateError, GaveUp
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, KInductive, LatchCube
from lemmata.models.trace import Trace
from lemmata.solvers.checker import CheckedSat
from lemmata.verdict import Safe, Unsafe

_READER = "second reader"


def read_aiger_again(path: str, model: object, prop: int, verdict: Safe | Unsafe, until: float | None = None) -> str | None:
    """Who read the file again and agreed with the verdict on property ``prop``; ``None`` if nobody could say.

    ``CertificateError`` where the second reading disagrees.
    """
    if not isinstance(model, Aig):
        return None
    if not Path(path).is_file():
        return None
    lines = _lines(path, *_version(path), _ByIdentity(model))
    try:
        match verdict:
            case Unsafe(Trace() as trace):
                run_aiger(lines, prop, trace.initial, trace.inputs, until)
                return f"{_READER} (simulation)"
            case Safe(Invariant() as invariant):
                _check_invariant(lines, prop, _own_cubes(lines, model, invariant), until)
                return f"{_READER} ({SOLVER})"
            case Safe(KInductive() as evidence):
                _check_base(lines, prop, evidence, until)
                _check_step(lines, prop, evidence, until)
                return f"{_READER} ({SOLVER})"
    except GaveUp:
        return None
    return None


# Reading; a file with many properties is read once.


def _version(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_mtime_ns, found.st_size


class _ByIdentity:
    """A model as a key: it is equal to itself alone."""

    def __init__(self, model: Aig) -> None:
        self.model = model

    def __hash__(self) -> int:
        return id(self.model)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.model is other.model


@lru_cache(maxsize=1)
def _lines(path: str, _time: int, _size: int, key: _ByIdentity) -> AigerLines:
    """The lines, if no gate and no start of a latch depends on itself, and they have the shape of the model."""
    lines = read_aiger_lines(path)
    if not lines.is_ordered:
        gates_below(lines, lines.gates)
    start_order(lines, lines.latches)
    _check_shape(lines, key.model)
    return lines


# Matching.


def _check_shape(lines: AigerLines, model: Aig) -> None:
    """Raise ``CertificateError`` unless inputs, latches and properties are as many, and called the same."""
    ours = len(lines.inputs), len(lines.latches), len(lines.questions())
    theirs = model.inputs, model.latches, len(model.questions)
    if ours != theirs:
        raise CertificateError(f"the second reader has (inputs, latches, properties) = {ours}, the model {theirs}")
    names = {f"{kind}{position}": name.removesuffix("\r") for (kind, position), name in model.symbols.items()}
    for place in names.keys() | lines.symbols.keys():
        if names.get(place) != lines.symbols.get(place):
            raise CertificateError(f"the second reader has another name for {place}: {lines.symbols.get(place)!r}")


def _own_cubes(lines: AigerLines, model: Aig, invariant: Invariant) -> list[LatchCube]:
    """The cubes over the literals of the file."""
    first, latches = model.first_latch, lines.latches
    if any(not 0 <= (lit >> 1) - first < len(latches) for cube in invariant.cubes for lit in cube):
        raise CertificateError("the invariant speaks of something that the second reader does not have as a latch")
    return [tuple(latches[(lit >> 1) - first] | (lit & 1) for lit in cube) for cube in invariant.cubes]


# Proofs.


def _check_invariant(lines: AigerLines, prop: int, cubes: Sequence[LatchCube], until: float | None) -> None:
    spoken = sorted({lit & ~1 for cube in cubes for lit in cube})
    if cubes:
        clauses = StepClauses(lines, until)
        frame = clauses.start([*spoken, *lines.constraints])
        _hold(clauses, frame, lines.constraints)
        now = dict(zip(spoken, clauses.follow(frame, spoken), strict=True))
        _refute("initiation", clauses, _some_cube(clauses, cubes, now))

    clauses = StepClauses(lines, until)
    frame = clauses.frame()
    _hold(clauses, frame, lines.constraints)
    now = dict(zip(spoken, clauses.follow(frame, spoken), strict=True))
    for cube in cubes:
        clauses.add([-_image(lit, now) for lit in cube])
    _refute("safety", clauses, *clauses.follow(frame, [lines.questions()[prop]]))
    if cubes:
        after = dict(zip(spoken, clauses.follow(frame, [lines.nexts[latch] for latch in spoken]), strict=True))
        _refute("consecution", clauses, _some_cube(clauses, cubes, after))


def _check_base(lines: AigerLines, prop: int, evidence: KInductive, until: float | None) -> None:
    bad = lines.questions()[prop]
    latches = latches_below(lines, [bad, *lines.constraints])
    clauses = StepClauses(lines, until)
    frame = clauses.start([bad, *lines.constraints, *latches])
    for now in range(evidence.k + (evidence.simple and _starts_read_inputs(lines))):
        if now:
            frame = _after(lines, clauses, frame, latches)
        _hold(clauses, frame, lines.constraints)
        (reached,) = clauses.follow(frame, [bad])
        _refute("base", clauses, reached)
        clauses.add([-reached])


def _check_step(lines: AigerLines, prop: int, evidence: KInductive, until: float | None) -> None:
    bad = lines.questions()[prop]
    latches = latches_below(lines, [bad, *lines.constraints])
    clauses = StepClauses(lines, until)
    frame = clauses.frame()
    states = [clauses.follow(frame, latches)]
    for _ in range(evidence.k):
        _hold(clauses, frame, lines.constraints)
        clauses.add([-lit for lit in clauses.follow(frame, [bad])])
        frame = _after(lines, clauses, frame, latches)
        states.append(clauses.follow(frame, latches))
    _hold(clauses, frame, [*lines.constraints, bad])
    found = clauses.model()
    while found is not None and evidence.simple and _separated(clauses, states, found):
        found = clauses.model()
    if found is not None:
        raise CertificateError("step fails on the file as the second reader reads it")


def _starts_read_inputs(lines: AigerLines) -> bool:
    inputs, gates = set(lines.inputs), lines.gates
    starts = [reset for latch in lines.latches if (reset := lines.resets_to(latch)) is not None]
    read = {literal & ~1 for gate in gates_below(lines, starts) for literal in gates[gate]}
    return not inputs.isdisjoint(read | {start & ~1 for start in starts})


def _after(lines: AigerLines, clauses: StepClauses, frame: StepVariables, latches: Sequence[int]) -> StepVariables:
    """The next step."""
    after = clauses.frame()
    after |= zip(latches, clauses.follow(frame, [lines.nexts[latch] for latch in latches]), strict=True)
    return after


def _separated(clauses: StepClauses, states: Sequence[Sequence[int]], found: CheckedSat) -> bool:
    """State that states which are equal in the model differ; whether there were any."""
    values = [[found.true(lit) for lit in state] for state in states]
    equal = [(i, j) for i, j in combinations(range(len(states)), 2) if values[i] == values[j]]
    for i, j in equal:
        differ: list[int] = []
        for a, b in zip(states[i], states[j], strict=True):
            differ.append(clauses.fresh())
            clauses.add([-differ[-1], a, b])
            clauses.add([-differ[-1], -a, -b])
        clauses.add(differ)
    return bool(equal)


def _hold(clauses: StepClauses, frame: StepVariables, literals: Sequence[int]) -> None:
    for lit in clauses.follow(frame, literals):
        clauses.add([lit])


def _image(lit: int, image: dict[int, int]) -> int:
    return -image[lit & ~1] if lit & 1 else image[lit]


def _some_cube(clauses: StepClauses, cubes: Sequence[LatchCube], image: dict[int, int]) -> int:
    """A literal that implies that some cube is met, its latches read through ``image``."""
    selectors = [clauses.fresh() for _ in cubes]
    for selector, cube in zip(selectors, cubes, strict=True):
        for lit in cube:
            clauses.add([-selector, _image(lit, image)])
    some = clauses.fresh()
    clauses.add([-some, *selectors])
    return some


def _refute(check: str, clauses: StepClauses, assumption: int) -> None:
    if clauses.model(assumption) is not None:
        raise CertificateError(f"{check} fails on the file as the second reader reads it")
