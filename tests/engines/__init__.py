"""Tests of ``lemmata.engines``."""
