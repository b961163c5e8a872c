"""Tests of ``lemmata.cli``."""
