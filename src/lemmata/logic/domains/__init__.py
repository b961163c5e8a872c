"""Sets of values that are cheap to compute with: intervals of words, of integers with remainders, and lines."""
