"""Programs with procedures, whatever language they were written in: their syntax tree, and the graph that is made of it."""
