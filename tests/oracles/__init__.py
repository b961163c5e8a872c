"""Tests of ``lemmata.oracles``."""
