"""``callees_first``: an order of functions or procedures in which each comes after those that it uses (Tarjan 1972)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def callees_first(uses: Mapping[str, Sequence[str]]) -> tuple[list[str], set[str]]:
    """The keys, each after those that it uses, and the set of those that use themselves, perhaps through others."""
    search = _Search(uses)
    for name in uses:
        search.start(name)
    return search.order, search.recursive


class _Search:
    """A depth-first search; ``_path`` are the names whose component is not complete yet."""

    def __init__(self, uses: Mapping[str, Sequence[str]]) -> None:
        self._uses = uses
        self._index: dict[str, int] = {}
        self._low: dict[str, int] = {}  # of those on the path: the first one that can be reached
        self._path: list[str] = []
        self._stack: list[tuple[str, Iterator[str]]] = []
        self.order: list[str] = []
        self.recursive: set[str] = set()

    def start(self, root: str) -> None:
        """Visit everything that ``root`` uses."""
        if root not in self._index:
            self._enter(root)
        while self._stack:
            self._go_on(*self._stack[-1])

    def _enter(self, name: str) -> None:
        self._index[name] = self._low[name] = len(self._index)
        self._path.append(name)
        self._stack.append((name, iter(self._uses[name])))

    def _go_on(self, name: str, rest: Iterator[str]) -> None:
        for other in rest:
            if other == name:
                self.recursive.add(name)
            if other in self._uses and other not in self._index:
                self._enter(other)
                return
            if other in self._low:
                self._low[name] = min(self._low[name], self._index[other])
        self._leave(name)

    def _leave(self, name: str) -> None:
        low = self._low[name]
        self._stack.pop()
        if self._stack:
            above = self._stack[-1][0]
            self._low[above] = min(self._low[above], low)
        if low == self._index[name]:
            start = self._path.index(name)
            component = self._path[start:]
            del self._path[start:]
            self.order += component
            self.recursive |= set(component) if len(component) > 1 else set()
            for member in component:
                del self._low[member]
