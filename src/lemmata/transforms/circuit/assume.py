"""Each property under the assumption of all: just-assume verification (Goldberg, Güdemann, Kroening, Mukherjee 2018).

A new latch is 1 as long as no property has failed. A question asks for a first failure: its bad literal, and that latch. So a
counterexample is one of the old circuit, and a property that only fails after another one has none. Those that have one are the
*debugging set*: what to mend first.

Proofs of all questions together are one of the old circuit, without the latch. Let Inv be their lemmas where it is 1. Inv
implies ¬bad for every property, so where Inv holds the latch stays 1; hence Inv is inductive on the old circuit. A proof of one
question alone says nothing there, unless the lemmas are inductive by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from lemmata.models.aig import Aig, Lit
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.circuit import CircuitReduction
from lemmata.values import dataclass
from lemmata.work import GATE, tally


def assume_properties(model: Aig) -> CircuitReduction:
    """The circuit with one more latch, which is 1 before the first failure of any property."""
    clean = 2 * model.first_gate  # the literal of the new latch: all gates move by one

    def moved(lits: Iterable[Lit]) -> list[Lit]:
        return [lit + 2 if lit >= clean else lit for lit in lits]

    lefts, rights = moved(model.lefts), moved(model.rights)

    def conjoin(a: Lit, b: Lit) -> Lit:
        lefts.append(a)
        rights.append(b)
        return clean + 2 * len(lefts)

    bads = moved(model.questions)
    stays = reduce(conjoin, [bad ^ 1 for bad in bads], clean)
    questions = tuple([conjoin(clean, bad) for bad in bads])
    tally[GATE] += len(lefts)
    new = replace(
        model,
        nexts=(*moved(model.nexts), stays),
        resets=(*moved(model.resets), 1),
        lefts=tuple(lefts),
        rights=tuple(rights),
        outputs=(),
        bads=questions,
        constraints=tuple(moved(model.constraints)),
        symbols={place: name for place, name in model.symbols.items() if place[0] in "il"},
        justice=(),
        fairness=(),
    )
    return CircuitReduction(new, _Assumed(clean))


@dataclass(frozen=True, slots=True)
class _Assumed:
    """The way back: of runs at once, of lemmas when all questions have a proof."""

    clean: Lit

    def invariant(self, invariant: Invariant) -> Invariant:
        """The lemmas about states before the first failure."""
        cubes = [cube for cube in invariant.cubes if self.clean ^ 1 not in cube]
        return replace(invariant, cubes=tuple([tuple([lit for lit in cube if lit != self.clean]) for cube in cubes]))

    def trace(self, trace: Trace) -> Trace:
        """Without the latch."""
        return replace(trace, initial=trace.initial[:-1], latch_names=trace.latch_names[:-1])
