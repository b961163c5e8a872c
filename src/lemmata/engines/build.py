"""From an engine's name to the engine."""

from __future__ import annotations

from lemmata.config import Config, EngineName
from lemmata.engines import Engine
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig

BMC_SHARE = 0.2  # of the time of `auto` in a single process


def build(name: EngineName, model: Aig, config: Config, listener: Listener = NOBODY) -> Engine:
    """The engine called ``name`` for one circuit; ``auto`` here is the one that works in a single process."""
    match name:
        case "pdr" if config.preset == "textbook":
            from lemmata.engines.pdr.textbook import Textbook

            return Textbook(model, listener, config.seed)
        case "pdr":
            from lemmata.engines.pdr.bit.engine import Pdr

            return Pdr(model, listener, config.pdr)
        case "bmc":
            from lemmata.engines.bmc import Bmc

            return Bmc(model, listener, config.seed)
        case "kinduction":
            from lemmata.engines.kinduction import KInduction

            return KInduction(model, listener, config.seed)
        case "auto":
            from lemmata.engines.interleave import Interleave

            return Interleave(
                [
                    (lambda: build("bmc", model, config, listener), BMC_SHARE),
                    (lambda: build("pdr", model, config, listener), 1 - BMC_SHARE),
                ]
            )
