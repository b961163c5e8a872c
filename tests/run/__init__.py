"""Tests of ``lemmata.run``."""
