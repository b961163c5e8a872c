"""How far a run came, and what it spent its time with."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from lemmata.engines.traces.automaton import Automaton
from lemmata.engines.traces.trace import EdgeTrace
from lemmata.values import dataclass

PHASES = ("picking", "checking", "difference", "triples", "minimising")


@dataclass(slots=True)
class Statistics:
    """Numbers of one property; phases in seconds of this process, ``difference`` without the triples that it asks for."""

    iterations: int = 0
    last_trace: int = 0
    longest_trace: int = 0
    states: int = 0
    transitions: int = 0
    most_states: int = 0
    most_transitions: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))
    _inner: float = 0.0

    def note_trace(self, trace: EdgeTrace) -> None:
        """A trace was picked."""
        self.iterations += 1
        self.last_trace = len(trace)
        self.longest_trace = max(self.longest_trace, len(trace))

    def note_automaton(self, automaton: Automaton) -> None:
        """This is left."""
        self.states, self.transitions = len(automaton), len(automaton.transitions)
        self.most_states = max(self.most_states, self.states)
        self.most_transitions = max(self.most_transitions, self.transitions)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What happens inside belongs to a phase; time of a phase within another one counts for the inner one."""
        began, before = time.process_time(), self._inner
        self._inner = 0.0
        try:
            yield
        finally:
            spent = time.process_time() - began
            self.seconds[name] += spent - self._inner
            self._inner = before + spent

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "iterations": self.iterations,
            "trace": {"last": self.last_trace, "longest": self.longest_trace},
            "states": {"now": self.states, "most": self.most_states},
            "transitions": {"now": self.transitions, "most": self.most_transitions},
            "seconds": {name: round(spent, 3) for name, spent in self.seconds.items()},
        }
