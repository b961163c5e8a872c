"""Objects of C: lvalues (C11 6.3.2.1), how values are in memory, and what looks at an object with several types (6.5p7)."""
