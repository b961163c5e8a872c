"""What the options of ``lemmata check`` choose from."""

from __future__ import annotations

from enum import StrEnum

from lemmata.engines.registry import CHOICES


class DialectChoice(StrEnum):
    """Kinds of Boogie; they differ in what ``/`` means on integers."""

    boogie = "boogie"
    ultimate = "ultimate"


EngineChoice = StrEnum("EngineChoice", {name: name for name in CHOICES})  # type: ignore[misc]


class CheckerChoice(StrEnum):
    """How trace abstraction decides a trace."""

    interpolants = "interpolants"
    pdr = "pdr"


class Switch(StrEnum):
    """On or off."""

    on = "on"
    off = "off"


class Unit(StrEnum):
    """What a lemma of the word engine forbids."""

    integer_cube = "integer-cube"
    polytope = "polytope"
    mixed = "mixed"


class Format(StrEnum):
    """Formats of the report."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    html = "html"
    hwmcc = "hwmcc"
    chc = "chc"
    junit = "junit"
    sarif = "sarif"
    github = "github"


class PresetChoice(StrEnum):
    """Sets of techniques."""

    strong = "strong"
    textbook = "textbook"
    lia_textbook = "lia-textbook"
    thesis = "thesis"
