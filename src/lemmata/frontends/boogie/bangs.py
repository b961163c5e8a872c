"""Names with an exclamation mark in them, such as ``q!1``.

``q!base`` is the field ``base`` of ``q``, unless there is a declaration of ``q!base`` itself: after ``procedure`` and the
like, or in a list of names with a colon behind it, as variables, parameters and labels are. In
``{ base: q!base, offset: 1 }`` there is a colon behind a list, too, but its first entry is the value of ``base``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEADS = frozenset({"procedure", "implementation", "function", "type"})
_BEFORE_NAMES = frozenset({"var", "const", "unique", "(", "forall", "exists", ",", "}"})


@dataclass(frozen=True, slots=True)
class _Run:
    """Words ``first`` to ``last`` are a name, then exclamation marks and names, without a blank between them."""

    first: int
    last: int


def plain(text: str) -> str:
    """A word without the backslash that may stand before a name."""
    return text.removeprefix("\\")


def join_names(kinds: list[str], texts: list[str], offsets: list[int]) -> None:
    """Make one word of each such name, in place."""
    runs = {run.first: run for run in _runs(kinds, texts, offsets)}
    declared = {_joined(texts, run.first, run.last) for run in _declared(kinds, runs)}
    if not declared:
        return
    gone: set[int] = set()
    for run in runs.values():
        for last in range(run.last, run.first, -2):
            name = _joined(texts, run.first, last)
            if name in declared:
                texts[run.first] = name
                gone.update(range(run.first + 1, last + 1))
                break
    kept = [position for position in range(len(kinds)) if position not in gone]
    kinds[:] = [kinds[position] for position in kept]
    texts[:] = [texts[position] for position in kept]
    offsets[:] = [offsets[position] for position in kept]


def _joined(texts: Sequence[str], first: int, last: int) -> str:
    return "".join([plain(text) for text in texts[first : last + 1]])


def _runs(kinds: Sequence[str], texts: Sequence[str], offsets: Sequence[int]) -> Iterator[_Run]:
    at = 0
    while at < len(kinds):
        first = at
        if kinds[at] == "name":
            while kinds[at + 1] == "!" and kinds[at + 2] in ("name", "number") and _touch(texts, offsets, at):
                at += 2
            if at > first:
                yield _Run(first, at)
        at += 1


def _touch(texts: Sequence[str], offsets: Sequence[int], at: int) -> bool:
    return offsets[at] + len(texts[at]) == offsets[at + 1] and offsets[at + 1] + 1 == offsets[at + 2]


def _declared(kinds: Sequence[str], runs: dict[int, _Run]) -> Iterator[_Run]:
    """The runs that stand where a name is declared."""
    ends = {run.last for run in runs.values()}
    listed = _before_colon(kinds, runs) if runs else set()
    for run in runs.values():
        before, after = kinds[run.first - 1] if run.first else "", kinds[run.last + 1]
        if before in _HEADS or (before == "}" and after == "("):
            yield run
        elif run.last in listed:
            is_later = before == "," and (run.first - 2 in ends or kinds[run.first - 2] == "name")
            if is_later or after == ":" or before in _BEFORE_NAMES:
                yield run


def _before_colon(kinds: Sequence[str], runs: dict[int, _Run]) -> set[int]:
    """The last words of names in a list of names with a colon behind it."""
    found: set[int] = set()
    for at in range(len(kinds) - 3, -1, -1):
        if kinds[at] in ("name", "number"):
            follows = kinds[at + 1] == "," and kinds[at + 2] == "name"
            if kinds[at + 1] == ":" or (follows and (runs[at + 2].last if at + 2 in runs else at + 2) in found):
                found.add(at)
    return found
