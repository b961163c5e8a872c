"""PDR on bits: the SAT oracle."""
