"""Boogie programs, in the dialect of Ultimate, become a graph."""
