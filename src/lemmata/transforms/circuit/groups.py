"""Properties of a circuit in groups of those that depend on similar latches.

The cone of a property, the latches that it depends on at any distance, is a set of bits in one number. Large circuits have
fewer bits than latches: neighbours share one. That makes cones coarser, and here nothing but speed depends on them. Similar is
what has most of both cones in common (Jaccard); as in Dureja, Baumgartner, Ivrii, Kanzelman, Rozier, "Boosting verification
scalability via structural grouping and semantic partitioning of properties" (FMCAD 2019), groups are made in one pass over the
properties in the order of their cones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.models.aig import Aig, Lit
from lemmata.work import GATE, tally

_CONE_BITS = 2048  # of a cone
_COMMON_SHARE = 0.6  # of both cones must be common
_GROUP_PROPERTIES = 32  # properties of a group: its proof is evidence for each of them
_COMPARED_GROUPS = 16  # groups that a property is compared with


def group_properties(model: Aig, props: Sequence[int]) -> list[list[int]]:
    """All of ``props``, each in one group; those with small cones first."""
    cones = dict(zip(props, _cones(model, [model.questions[prop] for prop in props]), strict=True))
    groups: list[tuple[int, list[int]]] = []  # the common cone, the members
    for prop in sorted(props, key=lambda prop: (cones[prop].bit_count(), cones[prop], prop)):
        cone = cones[prop]
        for number in range(len(groups) - 1, max(-1, len(groups) - 1 - _COMPARED_GROUPS), -1):
            common, members = groups[number]
            if len(members) < _GROUP_PROPERTIES and (cone & common).bit_count() >= _COMMON_SHARE * (cone | common).bit_count():
                members.append(prop)
                groups[number] = cone | common, members
                break
        else:
            groups.append((cone, [prop]))
    return [sorted(members) for _, members in groups]


def _cones(model: Aig, lits: Iterable[Lit]) -> list[int]:
    """For each literal, the latches that it depends on, through those before it."""
    first, latches = model.first_latch, model.latches
    bits = min(latches, _CONE_BITS)
    place = [position * bits // latches for position in range(latches)]
    read = [0] * first + [1 << place[position] for position in range(latches)]  # by variable: latches that it reads at once
    append = read.append
    for left, right in zip(model.lefts, model.rights, strict=True):
        append(read[left >> 1] | read[right >> 1])
    tally[GATE] += model.gates
    step = [0] * bits
    for position, (after, start) in enumerate(zip(model.nexts, model.resets, strict=True)):
        step[place[position]] |= read[after >> 1] | read[start >> 1]
    known: dict[int, int] = {}
    return [_closed(read[lit >> 1], step, known) for lit in lits]


def _closed(cone: int, step: Sequence[int], known: dict[int, int]) -> int:
    """``cone`` with what it steps to, again and again."""
    start, new = cone, cone
    while start not in known:
        if not new:
            known[start] = cone
            break
        bit = new & -new
        new = (new ^ bit) | (step[bit.bit_length() - 1] & ~cone)
        cone |= step[bit.bit_length() - 1]
    return known[start]
