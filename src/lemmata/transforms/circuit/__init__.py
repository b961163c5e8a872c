"""Transforms of circuits: latches that are stuck or equal go, and the circuit is rebuilt without them."""
