"""Evidence about systems over words, which are graphs with one location."""
