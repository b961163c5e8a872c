"""Tests of ``lemmata.transforms``."""
