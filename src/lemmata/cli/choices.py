"""What options choose from that the command line alone knows; engines are in their registry, the rest in ``config``."""

from __future__ import annotations

from enum import StrEnum


class Switch(StrEnum):
    """On or off."""

    on = "on"
    off = "off"


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
