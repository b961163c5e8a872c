"""Generators, builders, interpreters and fakes that tests share."""
