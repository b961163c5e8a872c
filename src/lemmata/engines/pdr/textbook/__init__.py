"""PDR as it is taught, on bits and over linear integers."""
