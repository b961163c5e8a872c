"""SMT-LIB text, read and written."""
