"""Constrained Horn clauses in SMT-LIB, as CHC-COMP has them, become a graph: predicates are locations, clauses are edges.

A clause ``body → head`` is an edge from the predicates of its body to that of its head; several predicates in a body make an
edge with several sources. All queries (clauses with head ``false``) lead to one error location, ``false``. A file asks one
question: is there a meaning of the predicates under which every clause is valid? If so it is *safe*.

``skeleton`` keeps apart what has predicates in it and what has not while terms are read, ``clauses`` cuts formulas into clauses
and makes edges of them, ``reader`` goes through a file, ``models`` reads and writes meanings of predicates.

Left out: free constants (which stand for *some* value), functions without a meaning, quantifiers that would not move to the
front of a clause, datatypes, the commands ``rule`` and ``query`` of older tools.
"""

from lemmata.frontends.horn.reader import parse_horn

__all__ = ["parse_horn"]
