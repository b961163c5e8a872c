"""Yesterday's evidence about a circuit: clauses over latches, and runs as lines of inputs.

Clauses are matched latch by latch; the largest part of them that is inductive today (Houdini: Flanagan, Leino 2001) holds for
ever. A run is simulated with the same inputs, as far as it goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lemmata.budgets import REUSE_QUERIES
from lemmata.certify.circuit.encode import Cnf, EncodedStep
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.simulation import simulate
from lemmata.models.trace import Trace
from lemmata.run.evidence.circuit import named
from lemmata.run.reuse.matching import ROUNDS, Refined, match_variables
from lemmata.solvers.checker import CertificateSolver, CheckedSat
from lemmata.verdict import Safe, Unsafe


def remembered_circuit(model: Aig, verdict: Safe | Unsafe) -> dict[str, Any] | None:
    """What is worth to be kept of a verdict, as JSON; ``None`` where that is nothing."""
    match verdict:
        case Safe(Invariant() as invariant):
            used = sorted({(lit >> 1) - model.first_latch for cube in invariant.cubes for lit in cube})
            place = {latch: k for k, latch in enumerate(used)}
            signatures = latch_signatures(model)
            clauses = [
                [(1 - 2 * (lit & 1)) * (1 + place[(lit >> 1) - model.first_latch]) for lit in cube] for cube in invariant.cubes
            ]
            latches = [[model.latch_name(latch), *signatures[latch]] for latch in used]
            return {"latches": latches, "cubes": clauses}
        case Unsafe(Trace() as trace):
            return {
                "names": [model.input_name(k) for k in range(model.inputs)],
                "inputs": ["".join(map(str, line)) for line in trace.inputs],
                "initial": "".join(map(str, trace.initial)),
            }
    return None


def recalled_cubes(model: Aig, kept: Mapping[str, Any]) -> tuple[list[LatchCube], bool]:
    """Yesterday's cubes in today's latches, and whether all of them are there."""
    old = [(str(name), tuple(map(int, signature))) for name, *signature in kept["latches"]]
    names = [model.latch_name(k) for k in range(model.latches)]
    found = match_variables([name for name, _ in old], [s for _, s in old], names, latch_signatures(model))
    cubes = []
    for literals in kept["cubes"]:
        latches = [found.get(abs(int(x)) - 1) for x in literals]
        lits = {model.latch_lit(latch) ^ (x < 0) for latch, x in zip(latches, literals, strict=True) if latch is not None}
        if None not in latches and len({lit >> 1 for lit in lits}) == len(literals):
            cubes.append(tuple(sorted(lits)))
    return cubes, len(cubes) == len(kept["cubes"])


def recalled_run(model: Aig, prop: int, kept: Mapping[str, Any]) -> Trace | None:
    """Yesterday's run with today's circuit, if it is one to a bad state."""
    if any(reset > 1 and reset != model.latch_lit(k) for k, reset in enumerate(model.resets)):
        return None  # where a latch starts as a function of others it takes a solver to start
    places = {str(name): k for k, name in enumerate(kept["names"])}
    columns = [places.get(model.input_name(k), -1) for k in range(model.inputs)]
    free = str(kept["initial"])
    state = [reset if reset <= 1 else int(free[k : k + 1] == "1") for k, reset in enumerate(model.resets)]
    initial, lines = tuple(state), []
    for text in map(str, kept["inputs"]):
        inputs = tuple(int(column >= 0 and text[column : column + 1] == "1") for column in columns)
        lines.append(inputs)
        values = simulate(model, inputs, state, 1)
        if not all(values[lit >> 1] ^ (lit & 1) for lit in model.constraints):
            return None
        bad = model.questions[prop]
        if values[bad >> 1] ^ (bad & 1):
            trace = named(model, Unsafe(Trace(prop, initial, tuple(lines))))
            assert isinstance(trace, Unsafe)
            return trace.trace if isinstance(trace.trace, Trace) else None
        state = [values[lit >> 1] ^ (lit & 1) for lit in model.nexts]
    return None


def latch_signatures(model: Aig) -> list[Refined]:
    """What each latch does, in rounds."""
    first, last = model.first_latch, model.first_gate
    kinds = [reset if reset <= 1 else 2 + (reset != model.latch_lit(k)) for k, reset in enumerate(model.resets)]
    rounds = [kinds]
    for _ in range(ROUNDS):
        values = [0, *([11] * model.inputs), *[hash((13, kind)) for kind in rounds[-1]]]
        append = values.append
        for left, right in zip(model.lefts, model.rights, strict=True):
            a, b = (values[left >> 1], left & 1), (values[right >> 1], right & 1)
            append(hash((a, b) if a <= b else (b, a)))
        rounds.append([hash((kind, values[lit >> 1], lit & 1)) for kind, lit in zip(kinds, model.nexts, strict=True)])
    assert len(kinds) == last - first
    return list(zip(*rounds[1:], strict=True)) if model.latches else []


def inductive_cubes(model: Aig, cubes: Sequence[LatchCube]) -> list[LatchCube]:
    """The largest part of the cubes that no initial state meets and that is inductive; none if it takes too many questions."""
    alive = _missed_at_first(model, list(dict.fromkeys(cubes)))
    cnf = Cnf(CertificateSolver("glucose4"))
    frame = EncodedStep(model, cnf)
    cnf.hold(frame.lits(model.constraints))
    lits = sorted({lit for cube in alive for lit in cube})
    here = dict(zip(lits, frame.lits(lits), strict=True))
    after = dict(zip(lits, frame.lits([_next(model, lit) for lit in lits]), strict=True))
    switches = {cube: cnf.fresh() for cube in alive}
    cnf.clauses([-switch, *(-here[lit] for lit in cube)] for cube, switch in switches.items())
    met = {cube: _conjunction(cnf, [after[lit] for lit in cube]) for cube in alive}
    goals = [cnf.fresh()]  # each says: one of the cubes that were alive then is met after the step
    cnf.clause([-goals[0], *met.values()])
    for _ in range(REUSE_QUERIES):
        answer = cnf.solve([goals[-1], *(switches[cube] for cube in alive)])
        if not isinstance(answer, CheckedSat):
            return alive
        alive = [cube for cube in alive if not answer.true(met[cube])]
        goals.append(cnf.fresh())
        cnf.clause([-goals[-1], *(met[cube] for cube in alive)])
    return []


def _missed_at_first(model: Aig, cubes: list[LatchCube]) -> list[LatchCube]:
    """The cubes that no initial state meets."""
    cnf = Cnf(CertificateSolver("glucose4"))
    frame = EncodedStep(model, cnf, initial=True)
    cnf.hold(frame.lits(model.constraints))
    return [cube for cube in cubes if not isinstance(cnf.solve(frame.lits(cube)), CheckedSat)]


def _conjunction(cnf: Cnf, lits: Sequence[int]) -> int:
    found = cnf.true
    for lit in lits:
        found = cnf.conjunction(found, lit)
    return found


def _next(model: Aig, lit: Lit) -> Lit:
    return model.nexts[(lit >> 1) - model.first_latch] ^ (lit & 1)
