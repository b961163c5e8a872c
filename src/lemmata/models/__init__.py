"""Models and what is said about them: circuits, systems and graphs; traces and derivations; invariants and claims."""
