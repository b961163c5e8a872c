"""States that accept the same traces from there on are one state.

Partition refinement (Moore 1956; Hopcroft 1971 for which part keeps its name): states at one location are together until their
transitions tell them apart. A transition looks like its edge, the block of its target and, where it has several sources, the
place that the state has among them and the other states themselves: two states are the same only if they do the same in every
company. When a block is split the largest part keeps the name, and only those who lead to the other parts are looked at again.
Dead ends were removed before, so a transition that is missing is missing for both, or tells them apart.

The label of a block is the disjunction of its states' labels: each step from one of them leads into the block that it led to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from lemmata.engines.traces.automaton import Automaton, weakest

Look = tuple[tuple[int, ...], ...]


def minimise(automaton: Automaton, tick: Callable[[], None]) -> Automaton:
    """The smallest automaton that accepts the same."""
    blocks = _Partition(automaton, tick).refined()
    names: dict[int, int] = {}
    for block in blocks:
        names.setdefault(block, len(names))
    if len(names) == len(automaton):
        return automaton
    state = [names[block] for block in blocks]
    masks: list[set[int]] = [set() for _ in names]
    places = [0] * len(names)
    for old, new in enumerate(state):
        masks[new].update(automaton.labels[old])
        places[new] = automaton.places[old]
    merged = [(edge, tuple([state[s] for s in sources]), state[target]) for edge, sources, target in automaton.transitions]
    labels = tuple([weakest(mask) for mask in masks])
    return Automaton(automaton.error, tuple(places), labels, tuple(dict.fromkeys(merged)))


class _Partition:
    """The blocks; ``block[q]`` is that of state q."""

    def __init__(self, automaton: Automaton, tick: Callable[[], None]) -> None:
        self._automaton = automaton
        self._tick = tick
        self.block = list(automaton.places)
        self._members: dict[int, set[int]] = defaultdict(set)
        for state, block in enumerate(self.block):
            self._members[block].add(state)
        self._fresh = max(self.block, default=0) + 1
        self._uses = [tuple(dict.fromkeys(numbers)) for numbers in automaton.uses()]
        self._into: list[list[tuple[int, ...]]] = [[] for _ in self.block]
        for _, sources, target in automaton.transitions:
            self._into[target].append(sources)

    def refined(self) -> list[int]:
        """The coarsest partition that transitions respect."""
        doubtful: dict[int, None] = dict.fromkeys(range(len(self.block)))
        while doubtful:
            by_block: dict[int, list[int]] = {}
            for state in doubtful:
                by_block.setdefault(self.block[state], []).append(state)
            moved = [state for block, states in by_block.items() for state in self._split(block, states)]
            doubtful = dict.fromkeys([source for state in moved for sources in self._into[state] for source in sources])
        return self.block

    def _split(self, block: int, states: Sequence[int]) -> list[int]:
        """Divide a block by looks, of which those of ``states`` may have changed; the states that have another name now."""
        self._tick()
        members = self._members[block]
        if len(members) == 1:
            return []
        parts: dict[Look, list[int]] = {}
        for state in states:
            parts.setdefault(self._look(state), []).append(state)
        if len(states) < len(members):  # all the others look the same
            rest = sorted(members.difference(states))
            parts.setdefault(self._look(rest[0]), []).extend(rest)
        keeps = max(parts.values(), key=len)
        moved: list[int] = []
        for part in parts.values():
            if part is not keeps:
                self._rename(part, members)
                moved += part
        return moved

    def _rename(self, part: Sequence[int], members: set[int]) -> None:
        for state in part:
            self.block[state] = self._fresh
        members.difference_update(part)
        self._members[self._fresh] = set(part)
        self._fresh += 1

    def _look(self, state: int) -> Look:
        """How a state's transitions look to those who know blocks of targets only."""
        block, transitions = self.block, self._automaton.transitions
        found: list[tuple[int, ...]] = []
        for use in self._uses[state]:
            edge, sources, target = transitions[use]
            if len(sources) == 1:
                found.append((edge, block[target]))
                continue
            for position, source in enumerate(sources):
                if source == state:
                    found.append((edge, block[target], position, *sources[:position], *sources[position + 1 :]))
        found.sort()
        return tuple(found)
