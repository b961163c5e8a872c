"""Solver libraries behind values: ``Sat(model)`` or ``Unsat(core)``, never the state of a solver after its last call.

Whoever asks a SAT or SMT solver does it through this package. Exceptions, on purpose: the second readers of ``certify.reading``
use the parsers and solvers of Z3 and Bitwuzla directly, and ``bench`` calls peers.
"""
