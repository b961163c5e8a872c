"""Terms and what can be done with them: build, walk, evaluate (points, intervals), substitute, project, print, read, blast."""
