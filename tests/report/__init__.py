"""Tests of ``lemmata.report``."""
