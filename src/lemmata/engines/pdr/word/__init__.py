"""PDR on words: integer cubes and polytopes in place of Boolean cubes (Welp, Kuehlmann 2013)."""
