"""The first step of every recorded run: what the engine works on, after all transforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lemmata.events import Step
from lemmata.values import dataclass

if TYPE_CHECKING:  # engines on circuits need not load graphs
    from lemmata.models.aig import Aig
    from lemmata.models.graph import Graph
    from lemmata.models.system import System


@dataclass(frozen=True, slots=True)
class Given(Step):
    """The run is on this model."""

    model: Aig | System | Graph
