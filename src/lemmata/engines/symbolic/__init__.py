"""Symbolic execution that also proves."""
