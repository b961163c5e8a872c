"""Transforms of systems over words: cones, arrays, words to bits, relations to functions."""
