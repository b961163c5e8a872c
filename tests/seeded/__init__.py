"""Mistakes on purpose in every part of Lemmata but the engines for bits and words, and who notices each of them."""
