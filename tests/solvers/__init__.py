"""Tests of ``lemmata.solvers``."""
