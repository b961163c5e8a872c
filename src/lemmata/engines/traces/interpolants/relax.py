"""The trace relaxed to what makes it impossible: parts outside an unsatisfiable core are left out.

A guard that is left out is ``true``, an update that is left out lets its variable be anything. Proofs of the relaxed trace
prove the trace, and do not speak of what does not matter (Dietsch, Heizmann, Musa, Nutz, Podelski 2017). A part that several
steps demand is kept in the first of them. Of all cores the one with the latest parts is taken: what the last round of a loop
needs to know of the rounds before it is more often an invariant than what the first ones did.
"""

from __future__ import annotations

from lemmata.engines.traces.interpolants.ask import Asker
from lemmata.engines.traces.interpolants.unfolding import Parts, Unfolding
from lemmata.logic.terms import FALSE, Term


def relax(unfolding: Unfolding, asker: Asker, patience: float) -> Parts | None:
    """The parts of each step that are needed; ``None`` if the trace can be run. ``patience`` is for the choice of a core."""
    owner: dict[Term, int] = {}
    for number, parts in enumerate(unfolding.parts):
        for part in parts:
            owner.setdefault(part, number)
    if FALSE in owner:
        return tuple([(FALSE,) if number == owner[FALSE] else () for number in range(len(unfolding))])
    all_parts = list(owner)
    core = asker.desk().core(all_parts)
    if core is None:
        return None
    needed = set(asker.patiently(lambda asker: asker.desk().last_core(all_parts), patience) or core)
    return tuple(
        [
            tuple([part for part in parts if part in needed and owner[part] == number])
            for number, parts in enumerate(unfolding.parts)
        ]
    )
