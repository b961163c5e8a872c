"""The first step of every recorded run: what the engine works on, after all transforms."""

from __future__ import annotations

from dataclasses import dataclass

from lemmata.events import Step
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.system import System


@dataclass(frozen=True, slots=True)
class Given(Step):
    """The run is on this model."""

    model: Aig | System | Graph
