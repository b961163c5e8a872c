"""PDR modulo theories on graphs: frames per location, predecessors by projection, facts that are reached."""
