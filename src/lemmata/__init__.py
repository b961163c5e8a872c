"""Lemmata: a certifying safety model checker built on Property Directed Reachability."""

__version__ = "0.1.0"
