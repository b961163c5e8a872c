"""Terms and what can be done with them: build, walk, simplify, evaluate (points and intervals), substitute, print, blast."""
