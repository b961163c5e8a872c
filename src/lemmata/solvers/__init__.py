"""Solver libraries appear only here; their answers are values."""
