"""Tests of ``lemmata.logic``."""
