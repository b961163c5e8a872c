"""Fewer lemmas for the same proof.

PDR leaves lemmas behind that the final proof does not need. Following Ivrii, Gurfinkel and Belov (2014), three rounds:

1. Subsumption: a lemma whose cube contains another lemma's cube says less than that one.
2. Closure: start from the lemmas that the safety query needs (its unsat core) and add, for each lemma in the set, those that
   its consecution query needs, until nothing is missing. The result is inductive and safe.
3. Minimality: leave one lemma out and drop, again and again, what is no longer inductive without it. If the rest is still
   safe, go on with the rest. If not, the lemma is necessary: any inductive and safe subset without it would lie within the
   rest that was found. One pass over the lemmas is therefore enough for a set from which nothing can be left out.

``supports`` does the second round alone, for several properties that were proved together.

Initiation never needs a look: it holds lemma by lemma. When the time is up the best set so far is returned; a caller checks
it again in any case, so nothing here needs to be trusted. Lemmas are not shortened, only left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from lemmata.certify.circuit.encode import Cnf, EncodedStep
from lemmata.certify.circuit.invariant import bad_literal, require_latch_cubes
from lemmata.errors import GaveUp
from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.solvers.checker import CertificateSolver, CheckedSat
from lemmata.work import is_over, now

SAFETY = -1  # the goal beside the lemmas; of the next properties, where there are several, -2, -3, …
Proof = dict[int, frozenset[int]]  # goal (a lemma's number, or SAFETY) → the lemmas that its query needed


def minimize(model: Aig, prop: int, invariant: Invariant, seconds: float = 10.0) -> Invariant:
    """A part of ``invariant`` that still proves property ``prop``, found within ``seconds``."""
    bad = bad_literal(model, prop)
    require_latch_cubes(model, invariant)
    until = now() + seconds
    cubes = without_subsumed(invariant.cubes)
    kept = list(range(len(cubes)))
    try:
        lemmas = _Lemmas(model, [bad], cubes, until)
        proof = _closure(lemmas)
        if proof is not None:  # otherwise this was no proof, which is for the check to say
            kept = _lemmas_of(proof)
            for smaller in _leave_out(lemmas, proof):
                kept = _lemmas_of(smaller)
    except GaveUp:
        pass  # out of time: what was kept so far is a proof
    return replace(invariant, cubes=tuple(cubes[i] for i in kept))


def supports(model: Aig, props: Sequence[int], cubes: Iterable[LatchCube], until: float) -> dict[int, tuple[LatchCube, ...]]:
    """For each of ``props`` that the cubes prove, those that prove it: closed as above, by one query for all new lemmas."""
    bads = [bad_literal(model, prop) for prop in props]
    given = list(dict.fromkeys(cubes))
    found: dict[int, tuple[LatchCube, ...]] = {}
    with suppress(GaveUp):
        lemmas = _Lemmas(model, bads, given, until)
        for prop, goal in zip(props, lemmas.goals, strict=True):
            core = lemmas.needed(goal, range(lemmas.count))
            chosen: frozenset[int] = frozenset()
            while core is not None and core - chosen:
                chosen, fresh = chosen | core, core - chosen
                core = lemmas.needed_after(fresh)
            if core is not None:
                found[prop] = tuple(given[i] for i in sorted(chosen))
    return found


def without_subsumed(cubes: Iterable[LatchCube]) -> list[LatchCube]:
    """The cubes that contain no other cube, in their order; of equal ones the first."""
    order = list(dict.fromkeys(cubes))
    kept: set[LatchCube] = set()
    watching: dict[int, list[frozenset[int]]] = {}  # least literal → kept cubes
    for cube in sorted(order, key=len):
        if not cube:
            return [cube]
        lits = frozenset(cube)
        if not any(small <= lits for lit in lits for small in watching.get(lit, ())):
            kept.add(cube)
            watching.setdefault(min(lits), []).append(lits)
    return [cube for cube in order if cube in kept]


class _Lemmas:
    """One incremental solver with C, T and a switch per lemma."""

    def __init__(self, model: Aig, bads: Sequence[Lit], cubes: list[LatchCube], until: float) -> None:
        self.count, self.goals = len(cubes), [SAFETY - i for i in range(len(bads))]
        self._until = until
        self._cnf = Cnf(CertificateSolver("glucose4", until))
        frame = EncodedStep(model, self._cnf)
        self._cnf.hold(frame.lits(model.constraints))
        self._bads = frame.lits(bads)
        lits = sorted({lit for cube in cubes for lit in cube})
        now = dict(zip(lits, frame.lits(lits), strict=True))
        after = frame.lits([model.nexts[(lit >> 1) - model.first_latch] ^ (lit & 1) for lit in lits])
        primed = dict(zip(lits, after, strict=True))
        self._primed = [[primed[lit] for lit in cube] for cube in cubes]
        self._after: dict[int, int] = {}
        self._switches = [self._cnf.fresh() for _ in cubes]
        self._lemma = {switch: i for i, switch in enumerate(self._switches)}
        pairs = zip(self._switches, cubes, strict=True)
        self._cnf.clauses([-switch, *(-now[lit] for lit in cube)] for switch, cube in pairs)

    def needed(self, goal: int, among: Iterable[int]) -> frozenset[int] | None:
        """The lemmas among these that the goal's query needs to be unsatisfiable, or ``None`` if it is not.

        ``SAFETY``, and what is below, asks ``Inv ∧ C ∧ bad``; a lemma asks ``Inv ∧ C ∧ T ∧ cube′``.
        """
        if is_over(self._until):
            raise GaveUp("timeout")
        target = [self._bads[SAFETY - goal]] if goal < 0 else self._primed[goal]
        return self._core([*target, *(self._switches[i] for i in among)])

    def needed_after(self, lemmas: Iterable[int]) -> frozenset[int] | None:
        """The lemmas that ``Inv ∧ C ∧ T ∧ ⋁ cube′``, over ``lemmas``, needs to be unsatisfiable; ``None`` if it is not."""
        some = self._cnf.fresh()
        self._cnf.clause([-some, *(self._met_after(i) for i in lemmas)])
        return self._core([some, *self._switches])

    def _met_after(self, lemma: int) -> int:
        """A literal that implies that the cube of a lemma is met after the step."""
        if lemma not in self._after:
            self._after[lemma] = met = self._cnf.fresh()
            self._cnf.clauses([-met, lit] for lit in self._primed[lemma])
        return self._after[lemma]

    def _core(self, assumed: list[int]) -> frozenset[int] | None:
        answer = self._cnf.solve(assumed)
        if isinstance(answer, CheckedSat):
            return None
        return frozenset(self._lemma[lit] for lit in answer.core if lit in self._lemma)


def _lemmas_of(proof: Proof) -> list[int]:
    return sorted(goal for goal in proof if goal >= 0)


def _closure(lemmas: _Lemmas) -> Proof | None:
    """An inductive and safe subset of all lemmas, or ``None`` if all together are not."""
    proof: Proof = {}
    chosen: dict[int, None] = {}
    todo = lemmas.goals
    while todo:
        goal = todo.pop()
        core = lemmas.needed(goal, chosen)
        if core is None:
            core = lemmas.needed(goal, range(lemmas.count))
        if core is None:
            return None
        proof[goal] = core
        fresh = sorted(core - chosen.keys())
        chosen.update(dict.fromkeys(fresh))
        todo += fresh
    return proof


def _leave_out(lemmas: _Lemmas, proof: Proof) -> Iterator[Proof]:
    """Ever smaller proofs, down to one from which nothing can be left out."""
    necessary = {SAFETY}
    for lemma in _lemmas_of(proof):
        if lemma in proof:
            smaller = _without(lemmas, proof, lemma, necessary)
            if smaller is None:
                necessary.add(lemma)
            else:
                proof = smaller
                yield proof


def _without(lemmas: _Lemmas, proof: Proof, lemma: int, necessary: set[int]) -> Proof | None:
    """The largest inductive part of ``proof`` without ``lemma``, if that is safe.

    Only goals that used something that is gone are asked again; first those whose failure ends the attempt.
    """
    rest = {goal: core for goal, core in proof.items() if goal != lemma}
    doubtful = {goal for goal, core in rest.items() if lemma in core}
    while doubtful:
        goal = min(doubtful, key=lambda goal: (goal not in necessary, goal))
        doubtful.remove(goal)
        core = lemmas.needed(goal, (i for i in rest if i != SAFETY))
        if core is not None:
            rest[goal] = core
        elif goal in necessary:
            return None
        else:
            del rest[goal]
            doubtful.update(user for user, core in rest.items() if goal in core)
    return rest
