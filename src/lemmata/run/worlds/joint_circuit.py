"""Many properties of one circuit: what fails soon is found for all of them at once, the rest is proved in groups.

1. ``JointLook``: random runs and shallow bounded model checking, for all properties together.
2. The open properties in groups of similar cones (``transforms.circuit.groups``), each group on the part of the circuit that it
   depends on. PDR settles its members one after the other, each under the assumption of all (``transforms.circuit.assume``),
   and keeps its lemmas from one to the next. When every member has such a local proof, the lemmas together are an invariant of
   the circuit that proves all of them; the part that a property needs is its evidence. What fails on the way is settled, what
   takes too long is no longer assumed, and what needs the assumption is asked again without it.
3. Lemmas of settled groups hold for ever: where a later group has all their latches, it has them as constraints.

What is still open then is for the engines that take one property at a time. Without a builder for PDR there is the first part
alone, as deep as it gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from math import inf

from lemmata.budgets import JOINT_BMC_STEPS, JOINT_GROUP_S, JOINT_LOOK_EACH_S, JOINT_LOOK_S, JOINT_MEMBER_S
from lemmata.certify.circuit.minimize import supports
from lemmata.engines import Engine
from lemmata.engines.circuit.joint_look import JointLook
from lemmata.engines.names import PDR
from lemmata.errors import GaveUp
from lemmata.models.aig import Aig
from lemmata.models.invariant import Invariant, LatchCube
from lemmata.models.simulation import simulate
from lemmata.models.trace import Trace
from lemmata.transforms.circuit import CircuitReduction
from lemmata.transforms.circuit.assume import assume_properties
from lemmata.transforms.circuit.groups import group_properties
from lemmata.transforms.circuit.rebuild import rebuild, support_latches
from lemmata.transforms.circuit.strengthen import strengthen_circuit
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from lemmata.work import FOREVER, is_over, now, wall_left

_SHARED_LEMMAS = 500  # lemmas of other groups that a group may have as constraints
_LEMMA_LITERALS = 8  # literals of such a lemma


class JointCircuitEngine:
    """The properties of a circuit; ``pending`` are those that nobody has settled, here or elsewhere."""

    def __init__(self, model: Aig, pending: set[int], prover: Callable[[Aig], Engine] | None) -> None:
        self._model = model
        self._pending = pending
        self._prover = prover
        self._look = JointLook(model, pending, inf if prover is None else JOINT_BMC_STEPS)
        self._look_end = FOREVER if prover is None else now() + JOINT_LOOK_S + JOINT_LOOK_EACH_S * len(pending)
        self._answers: dict[int, tuple[Safe | Unsafe, int]] = {}  # with the bound
        self._groups: list[list[int]] | None = None
        self._lemmas: dict[int, dict[LatchCube, None]] = {}  # that hold for ever, by their last latch
        self._names = tuple(map(model.latch_name, range(model.latches)))
        self.name, self.bound = self._look.name, -1

    @property
    def answered(self) -> set[int]:
        """The open properties whose answer is known."""
        return self._answers.keys() & self._pending

    def has_proved(self, prop: int) -> bool:
        """Has it a proof, from which nothing need be left out?"""
        return prop in self._answers and isinstance(self._answers[prop][0], Safe)

    def check(self, prop: int, until: float | None = None) -> Verdict:
        """Settle one property, and whatever else is settled on the way."""
        while prop not in self._answers:
            if is_over(until):
                raise GaveUp("timeout")
            if not self._look.is_over and now() < self._look_end:
                with suppress(GaveUp):
                    met = self._look.search(self._look_end if until is None else min(self._look_end, until))
                    self._answers |= {prop: (Unsafe(trace), self._look.bound) for prop, trace in met.items()}
            elif self._prover is None or not self._prove_group_of(prop, self._prover):
                return Unknown("incomplete")
        verdict, self.bound = self._answers[prop]
        self.name = PDR if isinstance(verdict, Safe) else self._look.name
        return verdict

    def _prove_group_of(self, prop: int, prover: Callable[[Aig], Engine]) -> bool:
        """Work on the group of a property; false if it had its chance before."""
        if self._groups is None:
            self._groups = group_properties(self._model, sorted(self._pending - self._answers.keys()))
        group = next((group for group in self._groups if prop in group), None)
        if group is None:
            return False
        work_s, left_s = JOINT_GROUP_S + JOINT_MEMBER_S * len(group), wall_left()
        end = now() + (work_s if left_s is None else min(work_s, left_s / len(self._groups)))
        self._groups.remove(group)
        members = [member for member in group if member in self._pending]
        while members and now() < end:
            members = self._settle(members, prover, end)
        return True

    def _settle(self, members: list[int], prover: Callable[[Aig], Engine], end: float) -> list[int]:
        """Local proofs of all members; those that are still to be asked, under fewer assumptions, if that is not enough."""
        known = self._strengthened(members)
        cone = rebuild(known.model, members)
        assumed = assume_properties(cone.model)
        engine = prover(assumed.model)
        proved: list[int] = []
        proof = Invariant(())
        for number, member in enumerate(members):
            try:
                verdict = engine.check(number, now() + (end - now()) / (len(members) - number))
            except GaveUp:
                continue
            match verdict:
                case Unsafe(Trace() as trace):
                    for failing in _failing(cone.model, assumed.back.trace(trace)):
                        run = known.back.trace(cone.back.trace(failing))
                        self._answers[run.prop] = Unsafe(run), -1
                    return [other for other in members if other not in self._answers]
                case Safe(Invariant() as invariant):
                    proved.append(member)
                    proof = invariant  # PDR's lemmas for ever: with those for the members before
        cubes = known.back.invariant(cone.back.invariant(assumed.back.invariant(proof))).cubes
        found = supports(self._model, proved, cubes, end + JOINT_GROUP_S)
        for member, lemmas in found.items():
            self._answers[member] = Safe(Invariant(lemmas, self._names, self._model.first_latch)), engine.bound
            self._share(lemmas)
        return [member for member in proved if member not in found] if len(proved) < len(members) else []

    def _share(self, lemmas: Iterable[LatchCube]) -> None:
        for cube in lemmas:
            if 0 < len(cube) <= _LEMMA_LITERALS:
                self._lemmas.setdefault(cube[-1] >> 1, {})[cube] = None

    def _strengthened(self, members: Iterable[int]) -> CircuitReduction:
        """The circuit with what is known of the latches that the members depend on."""
        latches = support_latches(self._model, [self._model.questions[member] for member in members])
        near = (cube for latch in sorted(latches) for cube in self._lemmas.get(latch, ()))
        shared = islice((cube for cube in near if all(lit >> 1 in latches for lit in cube)), _SHARED_LEMMAS)
        return strengthen_circuit(self._model, list(shared))


def _failing(model: Aig, trace: Trace) -> list[Trace]:
    """The run as one of every property that fails at its end."""
    state = list(trace.initial)
    for line in trace.inputs:
        values = simulate(model, line, state, 1)
        state = [values[lit >> 1] ^ (lit & 1) for lit in model.nexts]
    return [replace(trace, prop=prop) for prop, bad in enumerate(model.questions) if values[bad >> 1] ^ (bad & 1)]
