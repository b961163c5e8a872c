"""Tests of ``lemmata.frontends``."""
