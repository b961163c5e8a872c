"""Companions of PDR on graphs: bounded model checking, k-induction, and plain execution."""
