"""Proofs of single traces by interpolation."""

from __future__ import annotations

from lemmata.engines.traces.interpolants.checker import InterpolantOptions, Interpolants

__all__ = ["InterpolantOptions", "Interpolants"]
