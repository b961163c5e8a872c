"""From a checked program to a graph: statements become edges, calls become copies or clauses."""
