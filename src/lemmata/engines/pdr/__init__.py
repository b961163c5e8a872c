"""Property Directed Reachability."""
