"""Tests of ``lemmata.certify``."""
