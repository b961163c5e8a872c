"""From an engine's name to the engine: ``build`` for circuits, ``build_word`` for systems over words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.config import Config, EngineName, WordOptions
from lemmata.engines import Engine
from lemmata.events import NOBODY, Listener
from lemmata.models.aig import Aig
from lemmata.models.system import System

BMC_SHARE = 0.2  # of the time of `auto` in a single process


def build(
    name: EngineName, model: Aig, config: Config, listener: Listener = NOBODY, states: Sequence[Iterable[int]] = ()
) -> Engine:
    """The engine called ``name`` for one circuit; ``auto`` here is the one that works in a single process.

    ``states`` is for k-induction: the latches that make two states different, per property.
    """
    match name:
        case "pdr" if config.preset == "textbook":
            from lemmata.engines.pdr.textbook.bits import Textbook

            return Textbook(model, listener, config.seed, record=config.record)
        case "pdr":
            from lemmata.engines.pdr.bit.engine import Pdr

            return Pdr(model, listener, config.pdr, record=config.record)
        case "bmc":
            from lemmata.engines.circuit.bmc import Bmc

            return Bmc(model, listener, config.seed)
        case "kinduction":
            from lemmata.engines.circuit.kinduction import KInduction

            return KInduction(model, listener, config.seed, states)
        case "auto":
            from lemmata.engines.interleave import Interleave

            return Interleave(
                [
                    (lambda: build("bmc", model, config, listener), BMC_SHARE),
                    (lambda: build("pdr", model, config, listener), 1 - BMC_SHARE),
                ]
            )
        case "word" | "lifted" | "abstract" | "symbolic" | "accelerate" | "traces":
            raise ValueError(f"engine {name} does not work on bits")


def build_word(name: EngineName, system: System, config: Config, solver: str, listener: Listener = NOBODY) -> Engine:
    """The engine called ``name`` on words; ``solver`` is the SMT solver of ``bmc`` and ``kinduction``."""
    match name:
        case "word":
            from lemmata.engines.pdr.word.engine import WordPdr

            return WordPdr(system, listener, config.word or WordOptions(), record=config.record)
        case "bmc":
            from lemmata.engines.words.bmc import WordBmc

            return WordBmc(system, listener, solver)
        case "kinduction":
            from lemmata.engines.words.kinduction import WordKInduction

            return WordKInduction(system, listener, solver)
        case _:
            raise ValueError(f"engine {name} works on bits")
