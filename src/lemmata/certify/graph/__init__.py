"""Evidence about graphs: claims, k-induction and derivations; ``check`` is the way in."""
