"""Drawings: control-flow graphs laid out for pages, or in the language of Graphviz; frames on a plane."""
