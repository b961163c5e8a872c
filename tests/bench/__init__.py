"""Tests of ``lemmata.bench``."""
