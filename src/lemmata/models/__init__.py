"""Models and what is said about them: circuits, traces, invariants."""
