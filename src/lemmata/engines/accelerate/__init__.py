"""Acceleration: loops that count are taken at once."""
