"""The traces that are left when those that an interpolant automaton refutes are taken away.

The interpolant automaton is deterministic and total: its state is the set of predicates that are known to hold, and a step
leads to all predicates that are valid afterwards (``Triples``); ``false`` accepts. The difference is their product, explored
from the initial transitions, without the pairs that know *false*. States from which the error cannot be reached any more are
removed, and their labels are kept: every step from a removed state leads to a removed state or to *false*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lemmata.engines.traces.automaton import Automaton, Removed, Transition, weakest

CONTRADICTION = -1  # for a mask: the step cannot be taken

Post = Callable[[int, tuple[int, ...]], int]  # edge, what is known at its sources; what is known then


def automaton_difference(automaton: Automaton, post: Post, removed: Removed, tick: Callable[[], None]) -> Automaton:
    """What ``automaton`` accepts and ``post`` does not refute; ``removed`` gets the labels of what is not needed any more."""
    states, transitions = _Product(automaton, post, tick).explored()
    live = _live(automaton, states, transitions)
    number = {state: position for position, state in enumerate(sorted(live))}
    labels = []
    for state, (old, known) in enumerate(states):
        label = weakest([mask | known for mask in automaton.labels[old]])
        if state in number:
            labels.append(label)
        else:
            removed.add(automaton.places[old], label)
    places = [automaton.places[states[state][0]] for state in number]
    kept = [(edge, tuple([number[s] for s in sources]), number[t]) for edge, sources, t in transitions if t in live]
    return Automaton(automaton.error, tuple(places), tuple(labels), tuple(kept))


def _live(automaton: Automaton, states: list[tuple[int, int]], transitions: list[Transition]) -> set[int]:
    """The states that occur in a trace to the error; all of them can be reached."""
    into: list[list[tuple[int, ...]]] = [[] for _ in states]
    for _, sources, target in transitions:
        into[target].append(sources)
    stack = [state for state, (old, _) in enumerate(states) if automaton.places[old] == automaton.error]
    live = set(stack)
    while stack:
        for sources in into[stack.pop()]:
            for source in sources:
                if source not in live:
                    live.add(source)
                    stack.append(source)
    return live


class _Product:
    """Pairs of a state and what is known there, numbered as they are found."""

    def __init__(self, automaton: Automaton, post: Post, tick: Callable[[], None]) -> None:
        self._automaton = automaton
        self._post = post
        self._tick = tick
        self._states: list[tuple[int, int]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._pairs: list[list[int]] = [[] for _ in automaton.places]  # by state of the automaton
        self._posts: dict[tuple[int, tuple[int, ...]], int] = {}
        self._transitions: list[Transition] = []

    def explored(self) -> tuple[list[tuple[int, int]], list[Transition]]:
        """All pairs that can be reached, and the transitions between them."""
        old = self._automaton.transitions
        uses = [[old[number] for number in dict.fromkeys(numbers)] for numbers in self._automaton.uses()]
        for edge, sources, target in old:
            if not sources:
                self._step(edge, (), (), target)
        for state, (place, known) in enumerate(self._states):  # which grows
            self._tick()
            self._pairs[place].append(state)
            for edge, sources, target in uses[place]:
                if len(sources) == 1:
                    self._step(edge, (state,), (known,), target)
                    continue
                for chosen in self._choices(sources, state):
                    self._step(edge, chosen, tuple([self._states[source][1] for source in chosen]), target)
        return self._states, self._transitions

    def _step(self, edge: int, sources: tuple[int, ...], known: tuple[int, ...], target: int) -> None:
        after = self._posts.get((edge, known))
        if after is None:
            after = self._posts[edge, known] = self._post(edge, known)
        if after == CONTRADICTION:
            return
        pair = (target, after)
        number = self._numbers.get(pair)
        if number is None:
            number = self._numbers[pair] = len(self._states)
            self._states.append(pair)
        self._transitions.append((edge, sources, number))

    def _choices(self, sources: tuple[int, ...], newest: int) -> Iterator[tuple[int, ...]]:
        """One explored pair for each source, the newest among them: where it is taken first, earlier ones stand before it."""
        place = self._states[newest][0]
        for first in [position for position, source in enumerate(sources) if source == place]:
            chosen: list[tuple[int, ...]] = [()]
            for position, source in enumerate(sources):
                pairs = self._pairs[source]
                offered = [newest] if position == first else [p for p in pairs if p != newest] if position < first else pairs
                chosen = [(*done, pair) for done in chosen for pair in offered]
            yield from chosen
