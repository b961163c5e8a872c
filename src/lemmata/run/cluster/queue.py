"""The queue: what has the lowest rank comes first; within a rank, groups share the time fairly."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from lemmata.run.cluster.jobs import WorkItem


class Queue:
    """Numbers of items, by rank and group."""

    def __init__(self) -> None:
        self._items: dict[int, WorkItem] = {}  # those that wait
        self._lines: dict[int, dict[int, deque[int]]] = {}  # by rank and group; some numbers may be gone
        self._spent: defaultdict[int, float] = defaultdict(float)  # seconds by group
        self._taken: defaultdict[int, int] = defaultdict(int)

    def __len__(self) -> int:
        return len(self._items)

    def put(self, number: int, item: WorkItem, *, is_first: bool = False) -> None:
        """One more; ``is_first`` for what was taken before and comes back."""
        self._items[number] = item
        line = self._lines.setdefault(item.rank, {}).setdefault(item.group, deque())
        line.appendleft(number) if is_first else line.append(number)

    def drop(self, numbers: Iterable[int]) -> None:
        """Nobody wants these any more."""
        for number in numbers:
            self._items.pop(number, None)

    def charge(self, group: int, seconds: float) -> None:
        """A group has had so much time."""
        self._spent[group] += seconds

    def take(self, most: int) -> list[int]:
        """The next ones, of one rank."""
        taken: list[int] = []
        for rank in sorted(self._lines):
            groups = self._lines[rank]
            while groups and len(taken) < most:
                group = min(groups, key=lambda group: (self._spent[group], self._taken[group], group))
                number = groups[group].popleft()
                if not groups[group]:
                    del groups[group]
                if self._items.pop(number, None) is not None:
                    self._taken[group] += 1
                    taken.append(number)
            if not groups:
                del self._lines[rank]
            if taken:
                break
        return taken
