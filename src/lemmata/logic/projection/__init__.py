"""Model-based projection: literals without some variables, true at a point."""
