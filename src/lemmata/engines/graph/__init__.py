"""Bounded model checking, k-induction and plain execution on graphs, and what other engines on graphs build on."""
