"""Evidence about circuits: invariants, k-induction, runs, and proofs as circuits."""
