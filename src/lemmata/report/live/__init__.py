"""A run while it goes on, on a terminal: one line, or a table of the properties."""
