"""From an engine's name to the engine."""

from __future__ import annotations

from lemmata.config import Config, EngineName
from lemmata.engines import Engine
from lemmata.engines.bmc import Bmc
from lemmata.engines.kinduction import KInduction
from lemmata.engines.pdr.bit.engine import Pdr
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig


def build(name: EngineName, model: Aig, config: Config, listener: Listener = NOBODY) -> Engine:
    """The engine called ``name`` for one circuit; ``auto`` in a single process is PDR."""
    match name:
        case "pdr" | "auto":
            return Pdr(model, listener, config.pdr)
        case "bmc":
            return Bmc(model, listener, config.seed)
        case "kinduction":
            return KInduction(model, listener, config.seed)
