"""``Spelling``: how a program's own source writes what its tree has; with it a graph gets a ``Code``."""

from __future__ import annotations

from collections.abc import Mapping

from lemmata.frontends.programs.tree import Variable
from lemmata.models.code import CodeObject, CodeSource, CodeVariable
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Spelling:
    """Variables that are missing are in no source."""

    variables: Mapping[Variable, CodeVariable]
    objects: Mapping[int, CodeObject]
    notes: tuple[str, ...] = ()
    source: CodeSource | None = None
