"""Trace abstraction: error traces are checked one by one, and every proof that one of them cannot be run removes many."""
